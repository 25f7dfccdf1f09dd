/**
 * Pure functions that plan the steps to make a computer a server, a screen or both, and the steps to undo this. The
 * steps are data, so that they can be printed and tested on any system. Each step can be repeated.
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
      /** Condition: the step runs only if the output of this program matches. */
      readonly where?: { readonly program: string; readonly args: readonly string[]; readonly says: RegExp };
      /** Condition: the step runs only if at least one of these files exists. */
      readonly ifThere?: readonly string[];
      /** Error message if the step fails. Without a message the failure is ignored. */
      readonly needed?: string;
    }
  /**
   * Step that ends processes running from the program's folder. @property script limits this to processes that run this
   * script
   */
  | { readonly do: 'end'; readonly script?: string };

export interface Computer {
  readonly platform: NodeJS.Platform;
  /** On Windows, contains the paths of the Windows folder and of the shared program data. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly installFile: string;
  /** Folder of the packaged program; undefined in a checkout, whose Node may also run other programs. */
  readonly folder: string | undefined;
  /**
   * Path of Node. `commands` and `launcher` are scripts that Node runs: the command line of Vitrine, and the launcher
   * of a screen.
   */
  readonly node: string;
  readonly commands: string;
  readonly launcher: string;
  readonly start: (role: Role) => Start;
}

const servesIn = (role: Role): boolean => role !== 'player';
const showsIn = (role: Role): boolean => role !== 'server';

/** Returns the steps for the given values. Without a role nothing is created or removed. */
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
 * Returns the steps that stop everything and prevent later starts. Data and install values stay, so that a new
 * installation asks no questions.
 */
export const stepsAway = (computer: Computer, { deletesData }: { readonly deletesData: boolean }): readonly Step[] => [
  ...notShown(computer),
  ...unserved(computer, deletesData ? ['--delete-data'] : []),
  ...closed(computer),
  { do: 'end' },
  // The data of a screen stays, because it is in the profile of the signed-in person.
  ...(deletesData ? [{ do: 'delete', file: computer.installFile } as const] : []),
];

/**
 * Returns the steps that stop all programs while an installer replaces their files. A later set-up starts the programs
 * again.
 */
export const stepsToStop = (computer: Computer): readonly Step[] => [
  ...(computer.platform === 'win32'
    ? schtasks(computer, ['/Change', '/TN', TASK, '/DISABLE'], ['/End', '/TN', TASK])
    : notShown(computer)),
  ...ofService(computer, ['service', 'stop'], 'The server’s service could not be stopped'),
  { do: 'end' },
];

/** Reinstalls a service even if it exists, because its program may be at another path now. */
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
 * Runs only if a service exists. A service is recognised by its record beside the install file or, for earlier
 * versions, by its unit file.
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
  // The firewall of macOS has no ports: it asks once for each program, or an administrator allows the program
  // beforehand.
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
    // firewalld finds a new service name only after it has reloaded its files.
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
    // The rule is deleted even if ufw is inactive. Otherwise the rule would apply again when ufw is activated.
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

/** Starts the screen, now and at each sign-in. People who are signed in see it start. */
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
  // Disables the task first. Otherwise Windows could start the task again within a minute, before the task is deleted.
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
 * Runs in the sessions of all signed-in users: the systemd of root does not manage their sessions, and each session
 * keeps the unit files that it has loaded.
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

/** Runs in the session of the person who uses the Mac. At the sign-in window there is no such session. */
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
