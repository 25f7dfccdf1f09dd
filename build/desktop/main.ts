/**
 * Desktop program: runs a command, or the role of this computer. The person is asked for the role once. The decisions
 * are in start-options.ts and role-question.ts, so that this file stays small.
 */

import './no-boxes.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog } from 'electron';
import { displaysWanted } from '../../player/desktop/displays.ts';
import { argsOfLauncher, launcherIn } from '../../player/updates/installed.ts';
import { type Role, readValues } from '../../shared/desktop/install-values.ts';
import { desktopWords } from '../../shared/desktop/words.ts';
import { ALIVE_EVERY_MS, launcherOf, type WindowsSay } from '../../shared/protocol/releases/launcher.ts';
import { exportToPrograms, machineValues } from './machine-values.ts';
import { roleIs } from './no-boxes.ts';
import { placesIn, startDetached, startIn } from './programs.ts';
import {
  changeQuestion,
  isChange,
  roleAnswered,
  roleFrom,
  roleQuestion,
  setUpAsAdministrator,
} from './role-question.ts';
import { withoutSandbox } from './sandbox.ts';
import { letRedirect, refuseEverything } from './security.ts';
import { loginItem } from './start-at-login.ts';
import {
  commandIn,
  defaultDisplays,
  installsUpdates,
  isWantedQuit,
  needsLauncher,
  readStartOptions,
} from './start-options.ts';

/** Folder of this program with its icons: dist/app/electron, or in a package the archive made of this folder. */
const ROOT = join(import.meta.dirname, '..', '..');
const SERVER_PORT = Number(process.env['VITRINE_PORT'] ?? 8710);
/** Time limit in milliseconds for a message to the launcher. After the limit, the message counts as not sent. */
const WORD_LIMIT_MS = 1_000;

const args = process.argv.slice(app.isPackaged ? 1 : 2);
const wishes = readStartOptions(args);
const userData = app.getPath('userData');
const roleFile = join(userData, 'role.json');
const places = placesIn(process.resourcesPath);
const COMMANDS = join(places.programs, 'server', 'cli', 'main.js');
/** The launcher that started this program and watches it. */
const launcher = launcherOf(process);

/** Resolves with the exit code; 1 if the process could not be started or was killed. */
const endOf = (child: ChildProcess): Promise<number> =>
  new Promise((done) => {
    child.once('error', () => done(1));
    child.once('exit', (code) => done(code ?? 1));
  });

const read = (file: string, member: string): unknown => {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)[member];
  } catch {
    return undefined;
  }
};

/** Settings of the whole machine. A checkout has none. */
const machine = app.isPackaged ? machineValues() : { values: {}, wrong: [] };
exportToPrograms(machine);
const preset = roleFrom({
  asked: readValues({ role: wishes.role }, 'on the command line'),
  machine,
  stored: readValues({ role: read(roleFile, 'role') }, `in ${roleFile}`),
  built: readValues({ role: read(join(ROOT, 'package.json'), 'vitrineRole') }, 'in the package'),
});

const noSandbox = withoutSandbox({ args, appImage: process.env['APPIMAGE'] });
for (const line of [...machine.wrong, ...(noSandbox ? [noSandbox] : [])]) process.stderr.write(`${line}\n`);

/** Returns the texts in the system's language, which is known only when the program is ready. */
const words = () => desktopWords(app.getPreferredSystemLanguages()).words;

/** Asks the person for the role. Returns undefined when the person does not answer. */
const askRole = async (): Promise<Role | undefined> =>
  roleAnswered(
    (await dialog.showMessageBox(roleQuestion(words(), [...preset.notes, ...(noSandbox ? [noSandbox] : [])]))).response,
  );

/**
 * Whether set-up with administrator rights is possible here. It is not possible in an AppImage, because no other
 * user can read the mounted files.
 */
const canSetUp = app.isPackaged && !process.env['APPIMAGE'];

/**
 * Sets up the whole machine with administrator rights. The system asks the person for these rights. Other running
 * programs are notified of the changes.
 */
const setUpMachine = (role: Role): Promise<number> =>
  endOf(
    spawn(...setUpAsAdministrator(process, [places.node, COMMANDS], { role }), { stdio: 'inherit', windowsHide: true }),
  );

const mayChange = async (from: Role | undefined, to: Role): Promise<boolean> =>
  (await dialog.showMessageBox(changeQuestion(from, to, words()))).response === 0;

/** Changes the role when a person starts the program with another role. */
const changeRole = async (role: Role): Promise<number> => {
  await app.whenReady();
  return (await mayChange(machine.values.role, role)) ? setUpMachine(role) : 0;
};

/**
 * Stores the role of this computer. A failure, for example on a full disk, is only logged, so that the screen starts
 * anyway.
 */
const keepRole = (role: Role): void => {
  try {
    writeFileSync(roleFile, JSON.stringify({ role, displays: wishes.displays ?? read(roleFile, 'displays') }));
  } catch (error) {
    console.warn('what this computer is could not be kept', error);
  }
};

const isUnwatched = (role: Role): boolean =>
  needsLauncher({ role, isPackaged: app.isPackaged, isLaunched: launcher !== undefined });

/**
 * Starts a launcher and ends this program; the launcher then starts this program again. If no launcher can be started,
 * the screen runs without one.
 */
const handOver = async (role: Role): Promise<boolean> => {
  const words = argsOfLauncher({
    updates: join(userData, 'updates'),
    installedOnly: !installsUpdates(role),
    rest: args,
  });
  const started = await startDetached([places.node, join(places.programs, 'player', 'launcher.js'), ...words]);
  if (!started) return false;
  app.releaseSingleInstanceLock();
  // An AppImage with the program of the launcher is unmounted when this process ends, so this process stays without
  // windows.
  if (process.env['APPIMAGE']) started.once('exit', () => app.exit(0));
  else app.exit(0);
  return true;
};

const say = async (word: WindowsSay): Promise<void> => {
  if (launcher) await Promise.race([launcher.send(word), new Promise((over) => setTimeout(over, WORD_LIMIT_MS))]);
};

const run = async (): Promise<void> => {
  await app.whenReady();
  refuseEverything();
  let isMachines = machine.values.role !== undefined;
  const role = preset.role ?? (await askRole());
  // The answer is missing, so nothing is stored, and the next start asks again.
  if (!role) return app.exit(0);
  roleIs(role);
  if (!preset.role && canSetUp) isMachines = (await setUpMachine(role)) === 0;
  // The first start enables starting at sign-in, which the person can disable in the tray menu. If an administrator has
  // set up this machine, starting at sign-in is enabled already.
  if (read(roleFile, 'role') === undefined && app.isPackaged && !isMachines) loginItem.set(true);
  keepRole(role);
  if (isUnwatched(role) && (await handOver(role))) return;

  const stops: (() => Promise<void>)[] = [];
  /**
   * Message to the launcher that explains the end of this program. Without this message the launcher treats the end as
   * a failure.
   */
  let word: WindowsSay | undefined = isWantedQuit(role) ? { type: 'ending', how: 'quit' } : undefined;
  let stopping = false;
  app.on('before-quit', (event) => {
    event.preventDefault();
    if (stopping) return;
    stopping = true;
    void Promise.allSettled([...(word ? [say(word)] : []), ...stops.map((stop) => stop())]).then(() => app.exit(0));
  });
  // After the window is closed, the server continues to run, and its icon stays in the tray.
  app.on('window-all-closed', () => {});

  const end = (meant: WindowsSay | undefined) => {
    word = meant;
    app.quit();
  };
  const again = (option: string) => {
    if (!launcher) return console.warn(`it should be started with ${option}`);
    const meant: WindowsSay = { type: 'ending', how: 'again', args: [option] };
    // The message to the launcher is sent now, because Chromium may end the process before everything has stopped.
    void say(meant);
    end(meant);
  };
  /**
   * Changes the role from the tray menu. The running program has the old role, so whatever starts this program restarts
   * it in the new role.
   */
  const become = async (to: Role, whileResting: (change: () => Promise<boolean>) => Promise<boolean>) => {
    if (to === role || !(await mayChange(role, to))) return;
    if (!(await whileResting(async () => (await setUpMachine(to)) === 0)))
      return dialog.showErrorBox('Vitrine', words().question.notChanged(to));
    if (launcher) return end({ type: 'ending', how: 'again', args: [] });
    // Releases the single-instance lock first. Otherwise the new instance would exit because of this instance.
    app.releaseSingleInstanceLock();
    await startDetached([process.execPath]);
    end(undefined);
  };
  launcher?.listen({
    stop: () => end({ type: 'ending', how: 'quit' }),
    // Path of the launcher of the installed version, which may differ from the running version.
    gone: () => void startDetached(launcherIn(process.env)).then(() => end(undefined)),
  });
  if (role !== 'player') {
    const { startServerRole } = await import('../../server/desktop/server-role.ts');
    const server = startServerRole(ROOT, {
      port: SERVER_PORT,
      startProgram: startIn(places),
      letRedirect,
      login: loginItem,
      role: canSetUp ? { now: role, become } : undefined,
      hidden: wishes.atLogin,
    });
    app.on('second-instance', () => server.show());
    app.on('activate', () => server.show());
    stops.push(() => server.stop());
  }
  if (role !== 'server') {
    const { startDesktopPlayer } = await import('../../player/desktop/desktop-player.ts');
    const player = await startDesktopPlayer(
      startIn(places),
      {
        data: join(userData, 'player'),
        displays:
          displaysWanted(wishes.displays ?? (read(roleFile, 'displays') as string | undefined)) ??
          defaultDisplays(role),
        updates: installsUpdates(role) ? process.env['VITRINE_UPDATES'] : undefined,
        onUpdate: () => end({ type: 'ending', how: 'update' }),
        onBadGpu: () => again('--disable-gpu'),
        onNeedsX11: () => again('--ozone-platform=x11'),
      },
      console,
    );
    stops.push(() => player.stop());
    const alive = () => void (player.isWell() && launcher?.send({ type: 'alive' }));
    alive();
    setInterval(alive, ALIVE_EVERY_MS);
  }
};

/** Runs commands such as `vitrine doctor` with the Node beside Electron. */
const runCommand = async (command: readonly string[]): Promise<void> =>
  app.exit(await endOf(spawn(places.node, [COMMANDS, ...command], { stdio: 'inherit', windowsHide: true })));

const begin = async (): Promise<void> => {
  const { role } = preset;
  if (role && isChange({ to: wishes.role, from: machine.values.role, isLaunched: launcher !== undefined }))
    return app.exit(await changeRole(role));
  if (role) roleIs(role);
  if (role && isUnwatched(role) && (await handOver(role))) return;
  if (app.requestSingleInstanceLock()) return run();
  await say({ type: 'ending', how: 'busy' });
  app.exit(0);
};

const command = commandIn(args);
if (command) await runCommand(command);
else await begin();
