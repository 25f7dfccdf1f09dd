#!/bin/sh
# config of the deb. The file is what holds: an administrator may have changed it since, and debconf only remembers.
set -e
. /usr/share/debconf/confmodule
file="$DPKG_ROOT/etc/vitrine/install.json"
if [ -r "$file" ]; then
  for name in role server code; do
    value=$(sed -n "s/^ *\"$name\": *\"\([^\"]*\)\",\{0,1\} *\$/\1/p" "$file")
    if [ -n "$value" ]; then db_set "vitrine/$name" "$value"; fi
  done
fi
db_input medium vitrine/role || true
db_go || true
db_get vitrine/role
if [ "$RET" = player ] || [ "$RET" = both ]; then
  db_input medium vitrine/server || true
  db_input medium vitrine/code || true
  db_go || true
fi
exit 0
