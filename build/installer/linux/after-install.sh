#!/bin/sh
# postinst of the deb. electron-builder puts its own words in where a dollar stands before braces around letters, so that there are none.
# dpkg says "configure", or "abort-…" after another script has failed: what is to be there afterwards is the same.
set -e
root="$DPKG_ROOT"
program=/opt/Vitrine

# Debconf's answers, where it is there; from here on it hears what goes to stdout.
role=''
server=''
code=''
if [ -e /usr/share/debconf/confmodule ]; then
  . /usr/share/debconf/confmodule
  answered() {
    db_get "vitrine/$1" || RET=
    [ "$RET" != ask ] || RET=
  }
  answered role; role="$RET"
  answered server; server="$RET"
  answered code; code="$RET"
fi

# Commands are plain Node's: they need no display, and run as root. It was Electron's once, behind update-alternatives.
if command -v update-alternatives >/dev/null 2>&1; then
  update-alternatives --remove vitrine "$program/vitrine" >/dev/null 2>&1 || true
fi
mkdir -p "$root/usr/bin"
ln -sf "$program/resources/vitrine/vitrine" "$root/usr/bin/vitrine"
# Where Debian looks for licences.
mkdir -p "$root/usr/share/doc/vitrine"
ln -sf "$program/resources/vitrine/licences.txt" "$root/usr/share/doc/vitrine/copyright"

# Chromium's sandbox: by user namespaces where the kernel gives them to everybody, else by its helper, which becomes root for it.
if [ -L /proc/self/ns/user ] && unshare --user true 2>/dev/null; then mode=0755; else mode=4755; fi
chmod "$mode" "$root$program/chrome-sandbox" || true

# Ubuntu since 24.04 gives them to programs with a profile only. An AppArmor that cannot read this one needs none.
profile="$program/resources/apparmor-profile"
if command -v apparmor_status >/dev/null 2>&1 && apparmor_status --enabled >/dev/null 2>&1; then
  if apparmor_parser --skip-kernel-load "$root$profile" >/dev/null 2>&1; then
    cp -f "$root$profile" "$root/etc/apparmor.d/vitrine"
    if [ -z "$root" ] && ! { [ -x /usr/bin/ischroot ] && /usr/bin/ischroot; }; then
      apparmor_parser --replace --write-cache --skip-read-cache /etc/apparmor.d/vitrine >&2 || true
    fi
  fi
fi

if [ -z "$root" ] && command -v update-desktop-database >/dev/null 2>&1; then update-desktop-database /usr/share/applications >&2 || true; fi

# What this computer is: dpkg's environment, debconf's answers, what the file has from before, in this order. A wrong value is said and left
# out: a package that is not whole would keep others from being installed, and Vitrine asks when it is opened.
set --
[ -n "$role" ] && [ -z "$VITRINE_ROLE" ] && set -- "$@" "--role=$role"
[ -n "$server" ] && [ -z "$VITRINE_SERVER" ] && set -- "$@" "--server=$server"
[ -n "$code" ] && [ -z "$VITRINE_CODE" ] && set -- "$@" "--code=$code"
"$root$program/resources/node/node" "$root$program/resources/vitrine/server/cli/main.js" set-up "$@" >&2 ||
  echo "Vitrine is installed, but this computer is not set up. Mend what was said, and run: sudo vitrine set-up" >&2
exit 0
