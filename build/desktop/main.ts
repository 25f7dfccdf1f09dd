/** The desktop program: a command, or the role of this computer, asked once. Thin on purpose: what it decides is in start-options.ts. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog, screen } from 'electron';
import { displaysWanted } from '../../player/desktop/displays.ts';
import { letNothingStandBefore } from '../../player/desktop/window-system.ts';
import { ALREADY_RUNNING_CODE, launch, RESTART_CODE } from '../../player/updates/launcher.ts';
import { placesIn, startIn } from './programs.ts';
import { refuseEverything } from './security.ts';
import { loginItem } from './start-at-login.ts';
import { commandIn, defaultDisplays, ROLES, type Role, roleOf, wishesIn } from './start-options.ts';

/** The program's folder: dist/app, or the asar archive made of it. */
const ROOT = join(import.meta.dirname, '..', '..');
const SERVER_PORT = Number(process.env['VITRINE_PORT'] ?? 8710);

const args = process.argv.slice(app.isPackaged ? 1 : 2);
const wishes = wishesIn(args);
const userData = app.getPath('userData');
const roleFile = join(userData, 'role.json');
/** It is mounted anew with each start: its file is what can be started. */
const appImage = process.env['APPIMAGE'];
/** Started by a launcher: the installed program, which has this version on trial or in use. */
const isLaunched = process.env['VITRINE_LAUNCHED'] !== undefined;

const read = (file: string, member: string): unknown => {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)[member];
  } catch {
    return undefined;
  }
};

const presetRole = (): Role | undefined => roleOf({ asked: wishes.role, stored: read(roleFile, 'role'), installed: read(join(ROOT, 'package.json'), 'vitrineRole') });

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

/** Only a computer that is nothing but a screen takes new versions in by itself: a server's database knows no way back. */
const updatesFolder = (role: Role): string | undefined => (app.isPackaged && role === 'player' ? join(userData, 'updates') : undefined);

const run = async (): Promise<void> => {
  await app.whenReady();
  refuseEverything();
  const known = presetRole();
  const role = known ?? (await askRole());
  // The first start decides that it comes back by itself; the tray can undo it.
  if (read(roleFile, 'role') === undefined && app.isPackaged) loginItem.set(true);
  writeFileSync(roleFile, JSON.stringify({ role, displays: wishes.displays ?? read(roleFile, 'displays') }));

  const stops: (() => Promise<void>)[] = [];
  let code = 0;
  let stopped = false;
  app.on('before-quit', (event) => {
    if (stopped) return;
    event.preventDefault();
    void Promise.allSettled(stops.splice(0).map((stop) => stop())).then(() => {
      stopped = true;
      app.exit(code);
    });
  });
  // Closing the window leaves the server running in the tray.
  app.on('window-all-closed', () => {});

  const again = (more: string[] = []) => {
    if (isLaunched && more.length === 0) code = RESTART_CODE;
    else app.relaunch({ args: [...process.argv.slice(1).filter((arg) => !more.includes(arg)), ...more], ...(appImage && { execPath: appImage }) });
    app.quit();
  };
  if (role !== 'player') {
    const { startServerRole } = await import('../../server/desktop/server-role.ts');
    const server = startServerRole(ROOT, { port: SERVER_PORT, data: join(userData, 'server'), login: loginItem, hidden: wishes.atLogin });
    app.on('second-instance', () => server.show());
    app.on('activate', () => server.show());
    stops.push(() => server.stop());
  }
  if (role !== 'server') {
    const { startDesktopPlayer } = await import('../../player/desktop/desktop-player.ts');
    const wanted = displaysWanted(wishes.displays ?? (read(roleFile, 'displays') as string | undefined));
    const start = startIn(app.isPackaged ? placesIn(process.resourcesPath) : { node: 'node', programs: ROOT });
    const player = await startDesktopPlayer(
      start,
      {
        data: join(userData, 'player'),
        displays: wanted ?? defaultDisplays(role, screen.getAllDisplays().length),
        updates: updatesFolder(role),
        onUpdate: () => again(),
        onBadGpu: () => again(['--disable-gpu']),
        onNeedsX11: () => again(['--ozone-platform=x11']),
      },
      console,
    );
    stops.push(() => player.stop());
  }
};

/** `vitrine doctor` and its like, from the package as from the sources. Programs that run until they are stopped stay. */
const runCommand = async (command: readonly string[]): Promise<void> => {
  process.argv.splice(1, process.argv.length - 1, join(ROOT, 'server', 'cli', 'main.js'), ...command);
  await import('../../server/cli/main.ts');
  if (!['serve', 'player'].includes(command[0] ?? '')) app.exit(Number(process.exitCode ?? 0));
};

/** A version that was taken in runs in the place of the installed one, which watches over it. */
const runNewest = async (): Promise<void> => {
  const role = presetRole();
  const folder = role && !isLaunched ? updatesFolder(role) : undefined;
  if (folder) {
    const stop = new AbortController();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
    const ended = await launch({ folder, installed: app.getVersion(), args, signal: stop.signal, log: (line) => void process.stderr.write(`${line}\n`) });
    if (ended !== 'self') return app.exit(ended);
  }
  // Not before: the version that is started holds the lock, too.
  if (app.requestSingleInstanceLock()) void run();
  else app.exit(isLaunched ? ALREADY_RUNNING_CODE : 0);
};

if (presetRole() !== 'server') letNothingStandBefore(app, process, { platform: process.platform, log: console.error });
const command = commandIn(args);
if (command) await runCommand(command);
else await runNewest();
