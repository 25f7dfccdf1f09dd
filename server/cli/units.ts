/** Units for systemd. Pure. */

export interface ServiceOptions {
  readonly role: 'server' | 'player';
  readonly user: string;
  readonly data: string;
  /** The Node to run with, and what it runs. */
  readonly node: string;
  readonly script: string;
  /** Of a server. */
  readonly port: number;
  /** Of a player. */
  readonly display: 'cage' | 'x11';
  readonly server: string | undefined;
}

/** As systemd reads it: a blank, a quote or a per cent sign in a path is none of its own. */
const quote = (text: string): string => (/^[\w./:@+=,-]+$/.test(text) ? text : `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`);

export const unitOf = (options: ServiceOptions): string => (options.role === 'server' ? serverUnit(options) : playerUnit(options));

const serverUnit = ({ user, data, node, script, port }: ServiceOptions): string => `# Made by "vitrine install-service server"
[Unit]
Description=Vitrine server
Wants=network-online.target
After=network-online.target
# Tried for ever: a disk that is full now is not so next week.
StartLimitIntervalSec=0

[Service]
Type=exec
User=${user}
Environment=NODE_ENV=production
Environment=${quote(`VITRINE_DATA=${data}`)}
Environment=VITRINE_PORT=${port}
ExecStart=${quote(node)} ${quote(script)}
Restart=always
RestartSec=5
# It stops in order within five seconds.
TimeoutStopSec=10
KillMode=mixed
LimitNOFILE=65536
${port < 1024 ? 'AmbientCapabilities=CAP_NET_BIND_SERVICE\n' : ''}UMask=0077
NoNewPrivileges=yes
PrivateTmp=yes
ProtectSystem=full
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
RestrictSUIDSGID=yes
LockPersonality=yes

[Install]
WantedBy=multi-user.target
`;

/** The compositor is the service; the player is its only window's owner. When either ends, both start again. */
const playerUnit = ({ user, data, node, script, display, server }: ServiceOptions): string => {
  const player = `${quote(node)} ${quote(script)}`;
  const start = display === 'cage' ? `/usr/bin/cage -d -s -- ${player}` : `/usr/bin/xinit ${player} -- :0 vt7 -nocursor -nolisten tcp -s 0 -dpms`;
  const tty = display === 'cage' ? 'tty1' : 'tty7';
  return `# Made by "vitrine install-service player"
[Unit]
Description=Vitrine player
After=systemd-user-sessions.service plymouth-quit-wait.service systemd-logind.service dbus.socket
Wants=dbus.socket systemd-logind.service
Conflicts=getty@${tty}.service
After=getty@${tty}.service
ConditionPathExists=/dev/tty0
StartLimitIntervalSec=0

[Service]
Type=simple
User=${user}
# A session of its own on the console: without one the graphics card and the keyboard belong to nobody.
PAMName=login
TTYPath=/dev/${tty}
TTYReset=yes
TTYVHangup=yes
TTYVTDisallocate=yes
StandardInput=tty-fail
StandardOutput=journal
StandardError=journal
UtmpIdentifier=${tty}
UtmpMode=user
SupplementaryGroups=video audio input render
Environment=NODE_ENV=production
Environment=${quote(`VITRINE_PLAYER_DATA=${data}`)}
${server ? `Environment=${quote(`VITRINE_SERVER=${server}`)}\n` : ''}${display === 'cage' ? 'Environment=VITRINE_BROWSER_FLAGS=--ozone-platform=wayland\nEnvironment=WLR_LIBINPUT_NO_DEVICES=1\n' : ''}ExecStart=${start}
Restart=always
RestartSec=3
TimeoutStopSec=10
KillMode=mixed

[Install]
WantedBy=${display === 'cage' ? 'multi-user.target' : 'graphical.target'}
`;
};
