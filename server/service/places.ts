/**
 * Paths of the server's data on a machine. Pure functions. A service belongs to the machine, so its data is stored in
 * the system's folder for machine data, not in a profile that roams or is deleted with the person.
 */
import { posix, win32 } from 'node:path';

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Home folder of the person who runs the program. With sudo, the home folder of the person who called sudo. */
  readonly home: string;
}

interface ServicePlaces {
  readonly data: string;
  /** Record of the installation, readable by everybody (service-record.ts). Written by the administrator. */
  readonly record: string;
  /** Address of the running service, readable by everybody (service-note.ts). Written by the service. */
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
 * Returns Electron's `userData` of this program, where the desktop program stored its data before there was a service.
 */
const userData = ({ platform, env, home }: Machine): string => {
  if (platform === 'win32') return win32.join(env['APPDATA'] ?? win32.join(home, 'AppData', 'Roaming'), 'Vitrine');
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'Vitrine');
  return posix.join(env['XDG_CONFIG_HOME'] || posix.join(home, '.config'), 'Vitrine');
};

/**
 * Returns the data folder of the desktop program if no service is installed. On Windows this folder is outside of the
 * roaming profile, because Windows would transfer the media at each sign-in.
 */
export const desktopData = (machine: Machine): string => {
  const { platform, env, home } = machine;
  if (platform === 'win32')
    return win32.join(env['LOCALAPPDATA'] ?? win32.join(home, 'AppData', 'Local'), 'Vitrine', 'server');
  return posix.join(userData(machine), 'server');
};

/**
 * Returns the home folder of the person behind sudo or pkexec, because the environment names the administrator's home
 * folder.
 * @param nameOf returns the user name of a uid
 */
export const homeOfPerson = ({ platform, env, home }: Machine, nameOf: (uid: string) => string | undefined): string => {
  const { SUDO_USER: behindSudo, PKEXEC_UID: uid } = env;
  const person = behindSudo ?? (uid === undefined ? undefined : nameOf(uid));
  if (!person || person === 'root' || !/^[\w.-]+$/.test(person)) return home;
  return posix.join(platform === 'darwin' ? '/Users' : '/home', person);
};

/** Returns possible data folders of earlier versions for this person, the likeliest first. */
export const olderData = (machine: Machine): readonly string[] => {
  const join = machine.platform === 'win32' ? win32.join : posix.join;
  return [...new Set([desktopData(machine), join(userData(machine), 'server')])];
};
