#!/bin/sh
# Makes the passwords, once. Nobody has to know them: each lies where its two sides read it.
# Usage: first-start.sh FOLDER UID-OF-HEADQUARTERS
set -eu
cd "$1"
[ ! -s pgpass ] || exit 0
umask 077
password() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
postgres=$(password)
printf %s "$postgres" >postgres
hub=$(password)
printf 'authorization { user: hub, password: "%s", timeout: 5 }\n' "$hub" >hub.conf
printf 'routes: [\n' >>hub.conf
for name in nats nats-2 nats-3; do printf '  "nats://hub:%s@%s:6222"\n' "$hub" "$name" >>hub.conf; done
printf ']\n' >>hub.conf
printf 'postgres:5432:vitrine:vitrine:%s\n' "$postgres" >pgpass.new
chown "$2:$2" hub.conf pgpass.new
# Last, and whole: until it is there, PostgreSQL has not been started.
mv pgpass.new pgpass
