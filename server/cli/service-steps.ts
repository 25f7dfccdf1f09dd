/** Runs the steps of the three systems (server/service) by which a service is installed on this machine and removed. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import * as launchd from '../service/launchd.ts';
import type { ServerOptions, Step, UnitFile } from '../service/service-options.ts';
import * as systemd from '../service/systemd.ts';
import * as task from '../service/windows-task.ts';
import { CommandFailed } from './command.ts';

const STOP_MS = 15_000;

interface ServiceSystem {
  /** Says in a sentence why nothing can be installed here. */
  readonly obstacle: string | undefined;
  readonly user: string;
  units(options: ServerOptions): readonly UnitFile[];
  /** Makes its user where the system has none yet. Returns whether one was made. */
  makeUser(user: string, home: string): boolean;
  /** Gives the folder and all in it to the user, and to nobody else. */
  own(folder: string, user: string): void;
  /** Starts it once the data are where they belong. */
  start(options: ServerOptions, now: boolean): Promise<void>;
  /** Leaves it installed: it starts with the machine, or when it is told to. */
  control(what: 'start' | 'stop'): Promise<void>;
  remove(): Promise<void>;
  readonly log: string;
}

export const run = ({ program, args, mayFail }: Step): void => {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true });
  } catch (error) {
    if (mayFail) return;
    throw new CommandFailed(
      `${program} ${args.join(' ')} failed: ${String((error as { stderr?: Buffer }).stderr ?? (error as Error).message).trim()}`,
    );
  }
};

const runAll = (steps: readonly Step[]): void => {
  for (const step of steps) run(step);
};

/**
 * Makes the folder where it is missing, for everybody to look into, whatever the umask is. What was there stays as it
 * is.
 */
const openFolder = (folder: string): void => {
  const made = mkdirSync(folder, { recursive: true, mode: 0o755 });
  if (made === undefined) return;
  for (let path = folder; path.length >= made.length; path = dirname(path)) chmodSync(path, 0o755);
};

/** Writes a file for everybody to read, whatever the umask is. */
export const writeFor = (path: string, content: string | Buffer): void => {
  openFolder(dirname(path));
  writeFileSync(path, content, { mode: 0o644 });
  chmodSync(path, 0o644);
};

const hasUser = (name: string): boolean => {
  try {
    execFileSync('id', [name], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Returns the name of the user with this number, undefined when there is none. */
export const nameOfUser = (uid: string): string | undefined => {
  try {
    return execFileSync('id', ['-nu', '--', uid], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
};

const isAdministrator = (): boolean => process.getuid?.() === 0;
const ASK_SUDO = 'This needs the rights of an administrator: run it with sudo, or use --print.';

export const makeLinuxUser = (user: string, home: string): boolean => {
  if (hasUser(user)) return false;
  run({
    program: 'useradd',
    args: ['--system', '--user-group', '--home-dir', home, '--shell', '/usr/sbin/nologin', user],
  });
  return true;
};

/** Gives a folder to a user. Links are not followed, because they may lead anywhere. */
export const ownFolder = (folder: string, user: string): void => {
  openFolder(folder);
  run({ program: 'chown', args: ['-R', '-P', '-h', `${user}:${user}`, folder] });
  chmodSync(folder, 0o750);
};

const linux = (): ServiceSystem => ({
  obstacle: !existsSync('/run/systemd/system')
    ? 'This computer has no systemd running. Take the unit from --print as a model.'
    : isAdministrator()
      ? undefined
      : ASK_SUDO,
  user: 'vitrine',
  units: systemd.serverUnits,
  makeUser: makeLinuxUser,
  own: ownFolder,
  start: async (options, now) => {
    // These files are of an earlier installation that was to keep the machine awake.
    if (options.maySleep)
      for (const file of systemd.SERVER_FILES)
        if (!systemd.serverUnits(options).some(({ path }) => path === file)) rmSync(file, { force: true });
    runAll(systemd.startServer(now));
  },
  control: async (what) => run({ program: 'systemctl', args: [what, systemd.SERVER_UNIT] }),
  remove: async () => {
    runAll(systemd.removeServer);
    for (const file of systemd.SERVER_FILES) rmSync(file, { force: true });
    run({ program: 'systemctl', args: ['daemon-reload'] });
  },
  log: `journalctl -u ${systemd.SERVER_UNIT}`,
});

const mac = (): ServiceSystem => ({
  obstacle: isAdministrator() ? undefined : ASK_SUDO,
  user: '_vitrine',
  units: launchd.serverUnits,
  makeUser: (user, home) => {
    if (hasUser(user)) return false;
    const list = (what: string, key: string) =>
      execFileSync('/usr/bin/dscl', ['.', '-list', what, key], { encoding: 'utf8' });
    const id = launchd.freeId(`${list('/Users', 'UniqueID')}\n${list('/Groups', 'PrimaryGroupID')}`);
    if (id === undefined) throw new CommandFailed('This Mac has no free number for a service’s user.');
    runAll(launchd.makeUser(user, id, home));
    return true;
  },
  own: (folder, user) => {
    ownFolder(folder, user);
    mkdirSync(`${folder}/logs`, { recursive: true, mode: 0o700 });
    run({ program: 'chown', args: ['-h', `${user}:${user}`, `${folder}/logs`] });
  },
  start: async ({ note, user }, now) => {
    openFolder(dirname(note));
    run({ program: 'chown', args: ['-h', `${user}:${user}`, dirname(note)] });
    runAll(launchd.startServer(now));
  },
  control: async (what) => runAll(launchd.control[what]),
  remove: async () => {
    runAll(launchd.removeServer);
    for (const file of launchd.SERVER_FILES) rmSync(file, { force: true });
  },
  log: 'logs/service.log in the data folder',
});

const windows = (note: string): ServiceSystem => {
  const programs = task.windowsPrograms(process.env);
  const end = async () => {
    run(task.forbidStart(programs));
    await askToStop(task.STOP_PIPE);
    run(task.endServer(programs));
  };
  return {
    obstacle: undefined,
    user: 'NT AUTHORITY\\LocalService',
    units: task.serverUnits,
    makeUser: () => false,
    own: (folder) => void mkdirSync(folder, { recursive: true }),
    start: async (options, now) => {
      for (const folder of [dirname(options.note), options.data]) mkdirSync(folder, { recursive: true });
      runAll(task.allow(options, programs));
      // A server that runs goes on with what it was started with: an older version's files.
      await askToStop(task.STOP_PIPE);
      run(task.endServer(programs));
      runAll(task.startServer(options, programs, now));
    },
    control: async (what) => (what === 'stop' ? end() : runAll(task.resumeServer(programs))),
    remove: async () => {
      await end();
      runAll(task.removeServer(programs));
      for (const file of task.serverFiles(note)) rmSync(file, { force: true });
    },
    log: 'logs in the data folder',
  };
};

export const serviceSystem = (platform: NodeJS.Platform, note: string): ServiceSystem => {
  if (platform === 'win32') return windows(note);
  return platform === 'darwin' ? mac() : linux();
};

/**
 * Asks the program that watches over the server (build/windows-service.ts) to end the server in order, then itself.
 * When nobody is there, nothing runs.
 */
export const askToStop = (pipe: string): Promise<void> =>
  new Promise((done) => {
    const socket = connect(pipe, () => socket.write('stop\n'));
    const limit = setTimeout(() => socket.destroy(), STOP_MS);
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(limit);
      done();
    });
    socket.resume();
  });

export const unitContent = (text: string, platform: NodeJS.Platform): string | Buffer =>
  platform === 'win32' ? task.taskBytes(text) : text;
