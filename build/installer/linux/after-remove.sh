#!/bin/sh
# postrm of the deb: "remove" leaves what people have made, "purge" nothing. Also called in the middle of an upgrade, when all is to stay.
set -e
root="$DPKG_ROOT"

case "$1" in
  remove | purge)
    # What set-up has not come to (prerm), since it could not run.
    if [ -z "$root" ] && [ -e /etc/systemd/system/vitrine.service ]; then systemctl disable --now vitrine.service >&2 || true; fi
    rm -f "$root/etc/systemd/system/vitrine.service" "$root/etc/systemd/user/vitrine-screen.service" "$root/etc/xdg/autostart/vitrine-screen.desktop"
    rm -f "$root/etc/ufw/applications.d/vitrine" "$root/etc/firewalld/services/vitrine.xml"
    if [ -f "$root/etc/apparmor.d/vitrine" ]; then
      if [ -z "$root" ] && command -v apparmor_parser >/dev/null 2>&1; then apparmor_parser --remove /etc/apparmor.d/vitrine >&2 || true; fi
      rm -f "$root/etc/apparmor.d/vitrine"
    fi
    for link in usr/bin/vitrine usr/share/doc/vitrine/copyright; do
      if [ -L "$root/$link" ]; then rm -f "$root/$link"; fi
    done
    rmdir "$root/usr/share/doc/vitrine" 2>/dev/null || true
    ;;
esac

if [ "$1" = purge ]; then
  rm -rf "$root/etc/vitrine" "$root/var/lib/vitrine" "$root/var/lib/vitrine-player"
  # What was answered is asked again by whoever installs it anew.
  if [ -e /usr/share/debconf/confmodule ]; then
    . /usr/share/debconf/confmodule
    db_purge
  fi
fi
exit 0
