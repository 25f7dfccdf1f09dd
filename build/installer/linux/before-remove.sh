#!/bin/sh
# prerm of the deb: what runs and what starts ends while its program is still there to do it. At an upgrade all goes on until the new one is
# there, and is started anew by its postinst.
set -e
case "$1" in
  remove | deconfigure) ;;
  *) exit 0 ;;
esac
root="$DPKG_ROOT"
program="$root/opt/Vitrine"
# Whatever is wrong with it, the package can be removed: postrm takes away what is left.
"$program/resources/node/node" "$program/resources/vitrine/server/cli/main.js" set-up --remove >&2 || true
exit 0
