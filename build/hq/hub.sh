#!/bin/sh
# Starts nats-server in a container once headquarters has written its file, and tells it of a new certificate. When the
# file itself is another it ends, to be started anew.
# Usage: hub.sh NATS.CONF [what nats-server is started with, where that is another file]
set -eu
conf=$1
folder=$(dirname "$conf")
# So many seconds between two looks.
every=${HUB_LOOK_SECONDS:-5}
sum() { cat "$@" 2>/dev/null | cksum; }

until [ -s "$conf" ]; do sleep 1; done
file=$(sum "$conf")
pair=$(sum "$folder/hub.crt" "$folder/hub.key")
nats-server -c "${2:-$conf}" &
hub=$!
ended=
trap 'ended=yes; kill -TERM "$hub" 2>/dev/null || true; kill "$sleeping" 2>/dev/null || true' TERM INT

while [ -z "$ended" ] && kill -0 "$hub" 2>/dev/null; do
  sleep "$every" &
  sleeping=$!
  wait "$sleeping" || true
  if [ "$(sum "$conf")" != "$file" ]; then
    kill -TERM "$hub" 2>/dev/null || true
    break
  fi
  now=$(sum "$folder/hub.crt" "$folder/hub.key")
  [ "$now" = "$pair" ] || kill -HUP "$hub" || true
  pair=$now
done
wait "$hub"
