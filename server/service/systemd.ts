/** Pure functions that create unit files for systemd. */
import type { ServerOptions, Step, UnitFile } from './service-options.ts';

const FOLDER = '/etc/systemd/system';
export const SERVER_UNIT = 'vitrine.service';
const AWAKE_UNIT = 'vitrine-awake.service';
export const PLAYER_UNIT = 'vitrine-player.service';

export interface PlayerOptions {
  readonly user: string;
  readonly data: string;
  readonly node: string;
  readonly script: string;
  /**
   * Program that shows the screen. `launcher`: the packaged program with its own windows; `agent`: the program of a
   * checkout, which uses an installed browser.
   */
  readonly runs: 'launcher' | 'agent';
  readonly display: 'cage' | 'x11';
  readonly server: string | undefined;
}

/** Quotes a path for systemd: blanks, quotes, backslashes and per cent signs are escaped. */
const quote = (text: string): string => {
  const plain = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%');
  return /^[\w./:@+=,-]+$/.test(text) ? text : `"${plain}"`;
};

/**
 * Returns a command line. The colon disables variables, because a path may contain a dollar sign. systemd does not
 * start a program with quotes in its path, so `env` starts it.
 */
const command = (...words: readonly string[]): string =>
  `:${(/["'\\]/.test(words[0]!) ? ['/usr/bin/env', ...words] : words).map(quote).join(' ')}`;

export const serverUnits = (options: ServerOptions): readonly UnitFile[] => [
  { path: `${FOLDER}/${SERVER_UNIT}`, text: serverUnit(options) },
  ...(options.maySleep ? [] : [{ path: `${FOLDER}/${AWAKE_UNIT}`, text: AWAKE }]),
];

/**
 * Creates the server's unit. Some hardening is left out: ProtectSystem=strict, ProtectHome and a private /mnt would
 * prevent backups to folders that people choose; MemoryDenyWriteExecute stops V8; ProtectHostname hides a renamed
 * computer, whose name the server follows. The address families are those of HTTP, mDNS and the list of networks
 * (netlink).
 */
const serverUnit = ({
  user,
  data,
  node,
  script,
  port,
  note,
}: ServerOptions): string => `# Made by "vitrine install-service server"
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
Environment=${quote(`VITRINE_SERVICE_NOTE=${note}`)}
# For everybody to read: where the server can be found.
RuntimeDirectory=vitrine
RuntimeDirectoryMode=0755
ExecStart=${command(node, script)}
Restart=always
RestartSec=5
# It stops in order within five seconds.
TimeoutStopSec=10
KillMode=mixed
LimitNOFILE=65536
UMask=0077
NoNewPrivileges=yes
CapabilityBoundingSet=${port < 1024 ? 'CAP_NET_BIND_SERVICE' : ''}
${port < 1024 ? 'AmbientCapabilities=CAP_NET_BIND_SERVICE\n' : ''}PrivateTmp=yes
PrivateDevices=yes
ProtectSystem=full
ProtectClock=yes
ProtectKernelLogs=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native

[Install]
WantedBy=multi-user.target
`;

/**
 * Returns a separate unit that prevents sleep while the server runs. Separate, because only root may prevent sleep when
 * nobody is signed in, and the server does not run as root.
 */
const AWAKE = `# Made by "vitrine install-service server"
[Unit]
Description=Vitrine: no sleep while the server runs
BindsTo=${SERVER_UNIT}
After=${SERVER_UNIT}

[Service]
ExecStart=/usr/bin/systemd-inhibit --what=sleep:idle --who=Vitrine "--why=The server serves the screens" --mode=block /usr/bin/sleep infinity
Restart=on-failure
RestartSec=60
NoNewPrivileges=yes
PrivateTmp=yes
PrivateNetwork=yes
ProtectSystem=strict
ProtectHome=yes

[Install]
WantedBy=${SERVER_UNIT}
`;

export const startServer = (now: boolean): readonly Step[] => [
  { program: 'systemctl', args: ['daemon-reload'] },
  { program: 'systemctl', args: ['enable', SERVER_UNIT] },
  { program: 'systemctl', args: ['enable', AWAKE_UNIT], mayFail: true },
  // The server is restarted, because a running server still uses the files of the previous version, which are gone.
  ...(now ? [{ program: 'systemctl', args: ['restart', SERVER_UNIT] }] : []),
];

export const removeServer: readonly Step[] = [
  { program: 'systemctl', args: ['disable', '--now', AWAKE_UNIT], mayFail: true },
  { program: 'systemctl', args: ['disable', '--now', SERVER_UNIT], mayFail: true },
];
export const SERVER_FILES: readonly string[] = [`${FOLDER}/${SERVER_UNIT}`, `${FOLDER}/${AWAKE_UNIT}`];
export const PLAYER_FILES: readonly string[] = [`${FOLDER}/${PLAYER_UNIT}`];

export const playerUnits = (options: PlayerOptions): readonly UnitFile[] => [
  { path: `${FOLDER}/${PLAYER_UNIT}`, text: playerUnit(options) },
];

/**
 * Creates the player's unit. The compositor is the service and shows only the player's windows. When either ends, both
 * restart.
 */
const playerUnit = ({ user, data, node, script, runs, display, server }: PlayerOptions): string => {
  const isCage = display === 'cage';
  // Passes these options to the launcher, which passes unknown options to the program with the windows (Chromium).
  const player =
    runs === 'launcher'
      ? [
          node,
          script,
          ...(isCage ? ['--ozone-platform=wayland'] : ['--ozone-platform=x11']),
          ...(server ? [`--server=${server}`] : []),
        ]
      : [node, script];
  const start = isCage
    ? command('/usr/bin/cage', '-d', '-s', '--', ...player)
    : command('/usr/bin/xinit', ...player, '--', ':0', 'vt7', '-nocursor', '-nolisten', 'tcp', '-s', '0', '-dpms');
  const tty = isCage ? 'tty1' : 'tty7';
  const environment = [
    'NODE_ENV=production',
    `VITRINE_PLAYER_DATA=${data}`,
    ...(runs === 'launcher' ? [`HOME=${data}`] : []),
    ...(server ? [`VITRINE_SERVER=${server}`] : []),
    ...(isCage && runs === 'agent' ? ['VITRINE_BROWSER_FLAGS=--ozone-platform=wayland'] : []),
    ...(isCage ? ['WLR_LIBINPUT_NO_DEVICES=1'] : []),
  ];
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
${environment.map((each) => `Environment=${quote(each)}\n`).join('')}ExecStart=${start}
Restart=always
RestartSec=3
TimeoutStopSec=10
KillMode=mixed

[Install]
WantedBy=${isCage ? 'multi-user.target' : 'graphical.target'}
`;
};

export const startPlayer = (now: boolean): readonly Step[] => [
  { program: 'systemctl', args: ['daemon-reload'] },
  { program: 'systemctl', args: ['enable', PLAYER_UNIT] },
  ...(now ? [{ program: 'systemctl', args: ['restart', PLAYER_UNIT] }] : []),
];
export const removePlayer: readonly Step[] = [
  { program: 'systemctl', args: ['disable', '--now', PLAYER_UNIT], mayFail: true },
];
