/** Pure functions that describe the launchd daemon for macOS. */

import { xml } from '../../shared/desktop/system-words.ts';
import type { ServerOptions, Step, UnitFile } from './service-options.ts';

const LABEL = 'org.vitrine.server';
const FILE = `/Library/LaunchDaemons/${LABEL}.plist`;

/**
 * Shell command that starts `caffeinate` for the server's process, so that both end together. The shell is replaced by
 * the server (exec), so that launchd's signals reach the server itself. Paths are parameters of the shell, never part
 * of its script.
 */
const AWAKE = '/usr/bin/caffeinate -i -s -w $$ & exec "$0" "$@"';

type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value };

const element = (value: Value, indent: string): string => {
  if (typeof value === 'string') return `${indent}<string>${xml(value)}</string>`;
  if (typeof value === 'number') return `${indent}<integer>${value}</integer>`;
  if (typeof value === 'boolean') return `${indent}<${value}/>`;
  if (Array.isArray(value))
    return `${indent}<array>\n${value.map((each) => element(each, `${indent}  `)).join('\n')}\n${indent}</array>`;
  const entries = Object.entries(value).map(
    ([key, each]) => `${indent}  <key>${xml(key)}</key>\n${element(each, `${indent}  `)}`,
  );
  return `${indent}<dict>\n${entries.join('\n')}\n${indent}</dict>`;
};

export const serverUnits = ({ user, data, node, script, port, note, maySleep }: ServerOptions): readonly UnitFile[] => {
  const log = `${data}/logs/service.log`;
  const daemon = {
    Label: LABEL,
    ProgramArguments: maySleep ? [node, script] : ['/bin/sh', '-c', AWAKE, node, script],
    UserName: user,
    GroupName: user,
    EnvironmentVariables: {
      NODE_ENV: 'production',
      VITRINE_DATA: data,
      VITRINE_PORT: String(port),
      VITRINE_SERVICE_NOTE: note,
    },
    WorkingDirectory: '/',
    RunAtLoad: true,
    // Tells launchd to restart the server forever, because even a full disk may have free space next week.
    KeepAlive: true,
    ThrottleInterval: 10,
    // Time in seconds until launchd kills the server, which stops within five seconds.
    ExitTimeOut: 10,
    ProcessType: 'Standard',
    Umask: 0o077,
    SoftResourceLimits: { NumberOfFiles: 65_536 },
    HardResourceLimits: { NumberOfFiles: 65_536 },
    StandardOutPath: '/dev/null',
    StandardErrorPath: log,
  };
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
${element(daemon, '')}
</plist>
`;
  return [{ path: FILE, text }];
};

const stop: Step = { program: '/bin/launchctl', args: ['bootout', `system/${LABEL}`], mayFail: true };
const start: readonly Step[] = [
  { program: '/bin/launchctl', args: ['enable', `system/${LABEL}`] },
  { program: '/bin/launchctl', args: ['bootstrap', 'system', FILE] },
];

export const startServer = (now: boolean): readonly Step[] => [
  stop,
  ...(now ? start : [{ program: '/bin/launchctl', args: ['enable', `system/${LABEL}`] }]),
];
export const control: Readonly<Record<'start' | 'stop', readonly Step[]>> = { start, stop: [{ ...stop }] };
export const removeServer: readonly Step[] = [stop];
export const SERVER_FILES: readonly string[] = [FILE];

/**
 * Range of ids in which the service's user is created: system services have ids below 400, people have ids above 500.
 */
const [FIRST_ID, LAST_ID] = [400, 499];

/** @param listed output of `dscl . -list /Users UniqueID` and of the same for groups */
export const freeId = (listed: string): number | undefined => {
  const taken = new Set([...listed.matchAll(/\s(-?\d+)\s*$/gm)].map((match) => Number(match[1])));
  for (let id = FIRST_ID; id <= LAST_ID; id++) if (!taken.has(id)) return id;
  return undefined;
};

/** Creates a user who cannot sign in and is not shown in the sign-in window. */
export const makeUser = (user: string, id: number, home: string): readonly Step[] => {
  const create = (path: string, ...more: readonly string[]): Step => ({
    program: '/usr/bin/dscl',
    args: ['.', '-create', path, ...more],
  });
  const [group, person] = [`/Groups/${user}`, `/Users/${user}`];
  return [
    create(group),
    create(group, 'PrimaryGroupID', String(id)),
    create(group, 'RealName', 'Vitrine'),
    create(person),
    create(person, 'UniqueID', String(id)),
    create(person, 'PrimaryGroupID', String(id)),
    create(person, 'RealName', 'Vitrine'),
    create(person, 'NFSHomeDirectory', home),
    create(person, 'UserShell', '/usr/bin/false'),
    create(person, 'IsHidden', '1'),
    create(person, 'Password', '*'),
  ];
};
