#!/bin/sh
# Makes the passwords, once. Nobody has to know them: each lies where its two sides read it.
# Usage: first-start.sh FOLDER UID-OF-HEADQUARTERS
set -eu
cd "$1"
[ ! -s pgpass ] || exit 0
umask 077
# A letter first: nats-server reads what begins with a digit as a number.
password() { printf p; od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
postgres=$(password)
printf %s "$postgres" >postgres
password >hub
printf 'postgres:5432:vitrine:vitrine:%s\n' "$postgres" >pgpass.new
chown "$2:$2" hub pgpass.new
# Last, and whole: until it is there, PostgreSQL has not been started.
mv pgpass.new pgpass
