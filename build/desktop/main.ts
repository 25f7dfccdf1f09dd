/** The desktop program: a command, or the role of this computer, asked once. Thin on purpose: what it decides is in start-options.ts. */

import './no-boxes.ts';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog, screen } from 'electron';
import { displaysWanted } from '../../player/desktop/displays.ts';
import { argsOfLauncher, launcherIn } from '../../player/updates/installed.ts';
import { ALIVE_EVERY_MS, launcherOf, type WindowsSay } from '../../shared/protocol/launcher.ts';
import { roleIs } from './no-boxes.ts';
import { placesIn, startDetached } from './programs.ts';
import { refuseEverything } from './security.ts';
import { loginItem } from './start-at-login.ts';
import { commandIn, defaultDisplays, isWantedQuit, needsLauncher, ROLES, type Role, roleOf, takesUpdates, wishesIn } from './start-options.ts';

/** The program's folder: dist/app, or the asar archive made of it. */
const ROOT = join(import.meta.dirname, '..', '..');
const SERVER_PORT = Number(process.env['VITRINE_PORT'] ?? 8710);

const args = process.argv.slice(app.isPackaged ? 1 : 2);
const wishes = wishesIn(args);
const userData = app.getPath('userData');
const roleFile = join(userData, 'role.json');
/** What has started this program, and watches over it. */
const launcher = launcherOf(process);
/** A word that the launcher does not take in time is none. */
const WORD_LIMIT_MS = 1_000;

const read = (file: string, member: string): unknown => {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)[member];
  } catch {
    return undefined;
  }
};

/** Of the whole machine; a checkout is nobody's installation. */
const machine = app.isPackaged ? machineValues() : { values: {}, wrong: [] };
tellPrograms(machine);

/** A disk that takes nothing must not keep a screen dark. */
const keepRole = (role: Role): void => {
  try {
    writeFileSync(roleFile, JSON.stringify({ role, displays: wishes.displays ?? read(roleFile, 'displays') }));
  } catch (error) {
    console.warn('what this computer is could not be kept', error);
  }
};

const askRole = async (): Promise<Role> => {
  const { response } = await dialog.showMessageBox({
    title: 'Vitrine',
    message: 'What is this computer?',
    detail: 'You can change it later by starting Vitrine with --role server, player or both.',
    buttons: ['The store’s server', 'A screen', 'Both'],
    noLink: true,
  });
  return ROLES[response] ?? 'server';
};

/** Starts a launcher, which starts this program again, and ends this one. Where none can be started the screen is better unwatched than dark. */
const handOver = async (role: Role): Promise<boolean> => {
  const { node, programs } = placesIn(process.resourcesPath);
  const own = [node, join(programs, 'player', 'launcher.js'), ...argsOfLauncher({ updates: join(userData, 'updates'), installedOnly: !takesUpdates(role), rest: args })];
  const started = await startDetached(own);
  if (!started) return false;
  app.releaseSingleInstanceLock();
  // What is mounted goes with the one who mounted it, and the launcher's program with it: then this one stays, without windows.
  if (process.env['APPIMAGE']) started.once('exit', () => app.exit(0));
  else app.exit(0);
  return true;
};

const say = async (word: WindowsSay): Promise<void> => {
  if (launcher) await Promise.race([launcher.say(word), new Promise((over) => setTimeout(over, WORD_LIMIT_MS))]);
};

/** Of the whole machine, by whoever starts the program with another role. Everything else that runs is told by what changes. */
const changeRole = async (role: Role): Promise<number> => {
  const { response } = await dialog.showMessageBox(changeQuestion(machine.values.role, role));
  if (response !== 0) return 0;
  const { node, programs } = placesIn(process.resourcesPath);
  const [program, words] = setUpAsAdministrator(process, [node, join(programs, 'server', 'cli', 'main.js')], { role });
  return spawnSync(program, words, { stdio: 'inherit', windowsHide: true }).status ?? 1;
};

const run = async (): Promise<void> => {
  await app.whenReady();
  refuseEverything();
  const role = presetRole() ?? (await askRole());
  roleIs(role);
  // The first start decides that it comes back by itself; the tray can undo it.
  if (read(roleFile, 'role') === undefined && app.isPackaged) loginItem.set(true);
  keepRole(role);
  if (needsLauncher({ role, isPackaged: app.isPackaged, isLaunched: launcher !== undefined }) && (await handOver(role))) return;

  const stops: (() => Promise<void>)[] = [];
  /** How this end is meant; without one it is none that anybody wanted. */
  let word: WindowsSay | undefined = isWantedQuit(role) ? { type: 'ending', how: 'quit' } : undefined;
  let stopping = false;
  app.on('before-quit', (event) => {
    event.preventDefault();
    if (stopping) return;
    stopping = true;
    void Promise.allSettled([...(word ? [say(word)] : []), ...stops.map((stop) => stop())]).then(() => app.exit(0));
  });
  // Closing the window leaves the server running in the tray.
  app.on('window-all-closed', () => {});

  const end = (meant: WindowsSay | undefined) => {
    word = meant;
    app.quit();
  };
  const again = (option: string) => (launcher ? end({ type: 'ending', how: 'again', args: [option] }) : console.warn(`it should be started with ${option}`));
  launcher?.hear({
    stop: () => end({ type: 'ending', how: 'quit' }),
    // The one that there was: it is of the installed version, which this one may not be.
    gone: () => void startDetached(launcherIn(process.env)).then(() => end(undefined)),
  });
  if (role !== 'player') {
    const { startServerRole } = await import('../../server/desktop/server-role.ts');
    const server = startServerRole(ROOT, { port: SERVER_PORT, data: join(userData, 'server'), login: loginItem, hidden: wishes.atLogin });
    app.on('second-instance', () => server.show());
    app.on('activate', () => server.show());
    stops.push(() => server.stop());
  }
  if (role !== 'server') {
    const { startPlayerRole } = await import('../../player/desktop/player-role.ts');
    const wanted = displaysWanted(wishes.displays ?? (read(roleFile, 'displays') as string | undefined));
    const player = startPlayerRole(ROOT, {
      data: join(userData, 'player'),
      displays: wanted ?? defaultDisplays(role, screen.getAllDisplays().length),
      updates: takesUpdates(role) ? process.env['VITRINE_UPDATES'] : undefined,
      onUpdate: () => end({ type: 'ending', how: 'update' }),
      onBadGpu: () => again('--disable-gpu'),
    });
    stops.push(() => player.stop());
    const alive = () => void (player.isWell() && launcher?.say({ type: 'alive' }));
    alive();
    setInterval(alive, ALIVE_EVERY_MS);
  }
};

/** `vitrine doctor` and its like, by the Node beside Electron. */
const runCommand = async (command: readonly string[]): Promise<void> => {
  const { node, programs } = placesIn(process.resourcesPath);
  const child = spawn(node, [join(programs, 'server', 'cli', 'main.js'), ...command], { stdio: 'inherit', windowsHide: true });
  const code = await new Promise<number>((done) => {
    child.once('error', () => done(1));
    child.once('exit', (ended) => done(ended ?? 1));
  });
  app.exit(code);
};

const begin = async (): Promise<void> => {
  const role = presetRole();
  if (role) roleIs(role);
  if (role && needsLauncher({ role, isPackaged: app.isPackaged, isLaunched: launcher !== undefined }) && (await handOver(role))) return;
  if (app.requestSingleInstanceLock()) return run();
  await say({ type: 'ending', how: 'busy' });
  app.exit(0);
};

const command = commandIn(args);
if (command) await runCommand(command);
else await begin();
