/**
 * Plans what makes a computer a server, a screen or both, and what takes that away again: in steps, so that they can be
 * read, tested and shown on any system. Each can be taken a second time. Pure.
 */
import {
  FIREWALLD_SERVICE,
  firewalldService,
  netshAdd,
  netshDelete,
  OPENINGS,
  openingsOf,
  UFW_PROFILE,
  ufwProfile,
} from '../../../shared/desktop/firewall.ts';
import { fileOf, type InstallValues, type Role } from '../../../shared/desktop/install-values.ts';
import {
  AGENT,
  autostartEntry,
  launchAgent,
  type Start,
  sessionStart,
  TASK,
  taskXml,
  USER_UNIT,
  userUnit,
} from '../../../shared/desktop/machine-start.ts';
import { windowsSystem } from '../../../shared/desktop/system-words.ts';

export type Step =
  | { readonly do: 'write'; readonly file: string; readonly text: string; readonly encoding?: 'utf16le' }
  | { readonly do: 'delete'; readonly file: string }
  | {
      readonly do: 'run';
      readonly program: string;
      readonly args: readonly string[];
      /** Runs only where this program says so. */
      readonly where?: { readonly program: string; readonly args: readonly string[]; readonly says: RegExp };
      /** Runs only where one of these files is. */
      readonly ifThere?: readonly string[];
      /** Says what did not succeed if it fails. Without it nothing is lost by a failure. */
      readonly needed?: string;
    }
  /** Ends what runs from the program's folder. @property script limits it to what runs this */
  | { readonly do: 'end'; readonly script?: string };

export interface Computer {
  readonly platform: NodeJS.Platform;
  /** Knows, on Windows, its folder and where programs keep what is everybody's. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly installFile: string;
  /** That of the packaged program; undefined in a checkout, whose Node runs more than Vitrine. */
  readonly folder: string | undefined;
  /** Vitrine's Node, followed by what it runs: the command line, the launcher of a screen. */
  readonly node: string;
  readonly commands: string;
  readonly launcher: string;
  readonly start: (role: Role) => Start;
}

const servesIn = (role: Role): boolean => role !== 'player';
const showsIn = (role: Role): boolean => role !== 'server';

/** Returns what follows from the values. Without a role nothing is made, and what was there before stays. */
export const stepsTo = (computer: Computer, values: InstallValues): readonly Step[] => {
  const { role } = values;
  const keep: Step = { do: 'write', file: computer.installFile, text: fileOf(values) };
  if (!role) return Object.values(values).some((value) => value !== undefined) ? [keep] : [];
  return [
    keep,
    ...opened(computer, role),
    ...(servesIn(role) ? served(computer) : unserved(computer)),
    ...(showsIn(role) ? shown(computer, role) : notShown(computer)),
  ];
};

/**
 * Returns what makes nothing run or start any more. What people have made stays, and so does what this computer is, so
 * that whoever installs it again is asked nothing.
 */
export const stepsAway = (computer: Computer, { deletesData }: { readonly deletesData: boolean }): readonly Step[] => [
  ...notShown(computer),
  ...unserved(computer, deletesData ? ['--delete-data'] : []),
  ...closed(computer),
  { do: 'end' },
  // What a screen has kept lies in the profile of whoever was signed in, and stays there.
  ...(deletesData ? [{ do: 'delete', file: computer.installFile } as const] : []),
];

/**
 * Returns what makes nothing run, and nothing start again by itself, for as long as files are replaced. Setting up
 * again brings all of it back.
 */
export const stepsToStop = (computer: Computer): readonly Step[] => [
  ...(computer.platform === 'win32'
    ? schtasks(computer, ['/Change', '/TN', TASK, '/DISABLE'], ['/End', '/TN', TASK])
    : notShown(computer)),
  ...ofService(computer, ['service', 'stop'], 'The server’s service could not be stopped'),
  { do: 'end' },
];

/** Makes a service anew even where there is one, because its program may lie elsewhere now. */
const served = ({ node, commands }: Computer): Step[] => [
  {
    do: 'run',
    program: node,
    args: [commands, 'install-service', 'server'],
    needed: 'The server could not be made a service of this computer',
  },
];
const unserved = (computer: Computer, more: readonly string[] = []): Step[] =>
  ofService(computer, ['remove-service', 'server', ...more], 'The server’s service could not be removed');

/**
 * Acts only where there is a service: what is written down of it lies beside our own file, and in older versions there
 * was only a unit.
 */
const ofService = ({ node, commands, installFile }: Computer, words: readonly string[], needed: string): Step[] => [
  {
    do: 'run',
    program: node,
    args: [commands, ...words],
    ifThere: [installFile.replace(/install\.json$/, 'service.json'), '/etc/systemd/system/vitrine.service'],
    needed,
  },
];

const windows = ({ env }: Computer, program: string): string => `${windowsSystem(env)}\\${program}`;

const schtasks = (computer: Computer, ...calls: readonly (readonly string[])[]): Step[] =>
  calls.map((args) => ({ do: 'run', program: windows(computer, 'schtasks.exe'), args }));

const LINUX = {
  ufw: '/etc/ufw/applications.d/vitrine',
  firewalld: `/etc/firewalld/services/${FIREWALLD_SERVICE}.xml`,
  autostart: '/etc/xdg/autostart/vitrine-screen.desktop',
  unit: `/etc/systemd/user/${USER_UNIT}`,
} as const;
const UFW_ACTIVE = { program: 'ufw', args: ['status'], says: /^Status: active/m };
const FIREWALLD_ACTIVE = { program: 'firewall-cmd', args: ['--state'], says: /^running/m };
const LAUNCH_AGENT = `/Library/LaunchAgents/${AGENT}.plist`;

const opened = (computer: Computer, role: Role): Step[] => {
  if (computer.platform === 'win32') {
    const netsh = windows(computer, 'netsh.exe');
    return [
      ...closed(computer),
      ...openingsOf(role).map(
        (each): Step => ({
          do: 'run',
          program: netsh,
          args: netshAdd(each, computer.node),
          needed: `The firewall’s rule “${each.name}” could not be made`,
        }),
      ),
    ];
  }
  // The firewall of macOS has no ports: it asks once for each program, or an administrator says it beforehand.
  if (computer.platform === 'darwin') return [];
  return [
    { do: 'write', file: LINUX.ufw, text: ufwProfile(role) },
    { do: 'run', program: 'ufw', args: ['app', 'update', UFW_PROFILE], where: UFW_ACTIVE },
    {
      do: 'run',
      program: 'ufw',
      args: ['allow', UFW_PROFILE],
      where: UFW_ACTIVE,
      needed: 'The ports could not be opened in ufw',
    },
    { do: 'write', file: LINUX.firewalld, text: firewalldService(role) },
    // The firewall has to read the file before it knows its name.
    { do: 'run', program: 'firewall-cmd', args: ['--reload'], where: FIREWALLD_ACTIVE },
    {
      do: 'run',
      program: 'firewall-cmd',
      args: ['--permanent', `--add-service=${FIREWALLD_SERVICE}`],
      where: FIREWALLD_ACTIVE,
      needed: 'The ports could not be opened in firewalld',
    },
    { do: 'run', program: 'firewall-cmd', args: ['--reload'], where: FIREWALLD_ACTIVE },
  ];
};

const closed = (computer: Computer): Step[] => {
  if (computer.platform === 'win32')
    return OPENINGS.map(
      (each): Step => ({ do: 'run', program: windows(computer, 'netsh.exe'), args: netshDelete(each) }),
    );
  if (computer.platform === 'darwin') return [];
  return [
    // The rule is deleted also where ufw is not active: it would be there when it is again.
    { do: 'run', program: 'ufw', args: ['delete', 'allow', UFW_PROFILE] },
    { do: 'delete', file: LINUX.ufw },
    {
      do: 'run',
      program: 'firewall-cmd',
      args: ['--permanent', `--remove-service=${FIREWALLD_SERVICE}`],
      where: FIREWALLD_ACTIVE,
    },
    { do: 'delete', file: LINUX.firewalld },
    { do: 'run', program: 'firewall-cmd', args: ['--reload'], where: FIREWALLD_ACTIVE },
  ];
};

/** Makes a screen start. Whoever is signed in meanwhile sees it start, too. */
const shown = (computer: Computer, role: Role): Step[] => {
  const { platform } = computer;
  const start = computer.start(role);
  if (platform === 'win32') {
    const file = computer.installFile.replace(/install\.json$/, 'screen-task.xml');
    return [
      { do: 'write', file, text: taskXml(start, windows(computer, 'conhost.exe')), encoding: 'utf16le' },
      {
        do: 'run',
        program: windows(computer, 'schtasks.exe'),
        args: ['/Create', '/TN', TASK, '/XML', file, '/F'],
        needed: 'The screen could not be made to start when somebody signs in',
      },
      { do: 'delete', file },
      ...schtasks(computer, ['/Run', '/TN', TASK]),
    ];
  }
  if (platform === 'darwin')
    return [
      { do: 'write', file: LAUNCH_AGENT, text: launchAgent(start) },
      inSession('bootout'),
      inSession('bootstrap'),
    ];
  return [
    { do: 'write', file: LINUX.unit, text: userUnit(start) },
    { do: 'write', file: LINUX.autostart, text: autostartEntry(sessionStart(start)) },
    inEachSession('daemon-reload', `try-restart ${USER_UNIT}`),
  ];
};

const notShown = (computer: Computer): Step[] => {
  // It would begin again in the minute in which it is ended.
  if (computer.platform === 'win32')
    return schtasks(
      computer,
      ['/Change', '/TN', TASK, '/DISABLE'],
      ['/End', '/TN', TASK],
      ['/Delete', '/TN', TASK, '/F'],
    );
  if (computer.platform === 'darwin')
    return [inSession('bootout'), { do: 'delete', file: LAUNCH_AGENT }, { do: 'end', script: computer.launcher }];
  return [
    { do: 'delete', file: LINUX.autostart },
    { do: 'delete', file: LINUX.unit },
    inEachSession(`stop ${USER_UNIT}`, 'daemon-reload'),
    { do: 'end', script: computer.launcher },
  ];
};

/**
 * Speaks to the sessions of everybody who is signed in: an administrator has a systemd of his own, and theirs hold on
 * to what they have read.
 */
const inEachSession = (...words: readonly string[]): Step => ({
  do: 'run',
  program: '/bin/sh',
  args: [
    '-c',
    `for each in /run/user/*; do ${words.map((word) => `systemctl --user --machine="$(basename "$each")@.host" ${word}; `).join('')}done`,
  ],
  where: { program: 'systemctl', args: ['--version'], says: /^systemd/ },
});

/** Speaks to the session of whoever sits before the Mac. At the window for signing in there is none. */
const inSession = (what: 'bootstrap' | 'bootout'): Step => ({
  do: 'run',
  program: '/bin/sh',
  args: [
    '-c',
    `session="gui/$(stat -f %u /dev/console)" && launchctl ${what} ${what === 'bootout' ? '"$session/$0"' : '"$session" "$1"'}`,
    AGENT,
    LAUNCH_AGENT,
  ],
});
