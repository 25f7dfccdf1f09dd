/** Runs the steps that install and remove a service on each system (server/service). */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import * as launchd from '../../service/launchd.ts';
import type { ServerOptions, Step, UnitFile } from '../../service/service-options.ts';
import * as systemd from '../../service/systemd.ts';
import * as task from '../../service/windows-task.ts';
import { CommandFailed } from '../command.ts';

const STOP_MS = 15_000;

interface ServiceSystem {
  /** Reason why no service can be installed on this machine, as a sentence. */
  readonly obstacle: string | undefined;
  readonly user: string;
  units(options: ServerOptions): readonly UnitFile[];
  /** Creates the service's user if needed. Returns whether it was created. */
  makeUser(user: string, home: string): boolean;
  /** Makes the user the owner of the folder and its contents, with no access for others. */
  own(folder: string, user: string): void;
  /** Starts the service, after the data is in place. */
  start(options: ServerOptions, now: boolean): Promise<void>;
  /** Starts or stops the installed service. */
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

/** Creates a missing folder, readable by everybody whatever the umask is. An existing folder stays as it is. */
const openFolder = (folder: string): void => {
  const made = mkdirSync(folder, { recursive: true, mode: 0o755 });
  if (made === undefined) return;
  for (let path = folder; path.length >= made.length; path = dirname(path)) chmodSync(path, 0o755);
};

/** Writes a file that everybody can read, whatever the umask is. */
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

/** Returns the user name for a numeric user id; undefined when no user has this id. */
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

/** Makes the user the owner of a folder. Symbolic links are not followed, because they may lead anywhere. */
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
    // Removes files of an earlier installation that kept the machine awake.
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
    await requestStop(task.STOP_PIPE);
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
      // A running server still uses files of the previous version, so it is restarted.
      await requestStop(task.STOP_PIPE);
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
 * Asks the watcher program (build/windows-service.ts) to stop the server gracefully, and then to end. If the watcher
 * does not answer, no server is running.
 */
export const requestStop = (pipe: string): Promise<void> =>
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
