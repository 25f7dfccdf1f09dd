/**
 * Says where the server's things lie on a machine. Pure. A service belongs to the machine and not to a person, so its
 * data lie where the system keeps data of machines, not in a profile that roams or that goes with the person.
 */
import { posix, win32 } from 'node:path';

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The home of whoever runs this; behind sudo, of the person who asked for it. */
  readonly home: string;
}

interface ServicePlaces {
  readonly data: string;
  /** Says what was installed, for everybody to read (service-record.ts). The administrator writes it. */
  readonly record: string;
  /** Says where the running service can be found, for everybody to read (service-note.ts). The service writes it. */
  readonly note: string;
}

const programData = (env: Machine['env']): string => env['ProgramData'] ?? env['PROGRAMDATA'] ?? 'C:\\ProgramData';

export const servicePlaces = ({ platform, env }: Pick<Machine, 'platform' | 'env'>): ServicePlaces => {
  if (platform === 'win32') {
    const root = win32.join(programData(env), 'Vitrine');
    return {
      data: win32.join(root, 'server'),
      record: win32.join(root, 'service.json'),
      note: win32.join(root, 'public', 'server.json'),
    };
  }
  if (platform === 'darwin') {
    const root = '/Library/Application Support/Vitrine';
    return { data: `${root}/server`, record: `${root}/service.json`, note: `${root}/public/server.json` };
  }
  return { data: '/var/lib/vitrine', record: '/etc/vitrine/service.json', note: '/run/vitrine/server.json' };
};

/**
 * Returns Electron's `userData` of this program, where the desktop program kept its store before there was a service.
 */
const userData = ({ platform, env, home }: Machine): string => {
  if (platform === 'win32') return win32.join(env['APPDATA'] ?? win32.join(home, 'AppData', 'Roaming'), 'Vitrine');
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'Vitrine');
  return posix.join(env['XDG_CONFIG_HOME'] || posix.join(home, '.config'), 'Vitrine');
};

/**
 * Returns where the desktop program's own store lies, where no service is installed. On Windows it is not in the
 * profile that roams: media would go over the network at each sign-in.
 */
export const desktopData = (machine: Machine): string => {
  const { platform, env, home } = machine;
  if (platform === 'win32')
    return win32.join(env['LOCALAPPDATA'] ?? win32.join(home, 'AppData', 'Local'), 'Vitrine', 'server');
  return posix.join(userData(machine), 'server');
};

/**
 * Returns the home of whoever asked for it: behind sudo, and behind what a desktop has instead (pkexec), the
 * administrator's own is in the environment.
 * @param nameOf returns the name of the user of a number
 */
export const homeOfPerson = ({ platform, env, home }: Machine, nameOf: (uid: string) => string | undefined): string => {
  const { SUDO_USER: behindSudo, PKEXEC_UID: uid } = env;
  const person = behindSudo ?? (uid === undefined ? undefined : nameOf(uid));
  if (!person || person === 'root' || !/^[\w.-]+$/.test(person)) return home;
  return posix.join(platform === 'darwin' ? '/Users' : '/home', person);
};

/** Returns where a store of this person may lie from before, the likeliest first. */
export const olderData = (machine: Machine): readonly string[] => {
  const join = machine.platform === 'win32' ? win32.join : posix.join;
  return [...new Set([desktopData(machine), join(userData(machine), 'server')])];
};
