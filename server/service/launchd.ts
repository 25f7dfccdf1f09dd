/** Describes a daemon for launchd (macOS). Pure. */

import { xml } from '../../shared/desktop/system-words.ts';
import type { ServerOptions, Step, UnitFile } from './service-options.ts';

const LABEL = 'org.vitrine.server';
const FILE = `/Library/LaunchDaemons/${LABEL}.plist`;

/**
 * Lets `caffeinate` watch the server's own process and end with it. The shell becomes the server (exec), so that
 * launchd's signal reaches the server and not something around it. Paths are the shell's parameters and never part of
 * what it reads.
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
    // It is tried for ever: a disk that is full now is not so next week.
    KeepAlive: true,
    ThrottleInterval: 10,
    // It stops in order within five seconds.
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

/** The system's own services have ids below 400, and people have those above 500. */
const [FIRST_ID, LAST_ID] = [400, 499];

/** @param listed is what `dscl . -list /Users UniqueID` and the same for groups say */
export const freeId = (listed: string): number | undefined => {
  const taken = new Set([...listed.matchAll(/\s(-?\d+)\s*$/gm)].map((match) => Number(match[1])));
  for (let id = FIRST_ID; id <= LAST_ID; id++) if (!taken.has(id)) return id;
  return undefined;
};

/** Makes a user that nobody can sign in as, and that the sign-in window does not show. */
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
