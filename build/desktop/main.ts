/** The desktop program: asks once what this computer is, then runs that role. Thin on purpose: reading it is its test. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog, session } from 'electron';

type Role = 'server' | 'player' | 'both';
const ROLES: readonly Role[] = ['server', 'player', 'both'];
/** The program's folder: dist/app, or the asar archive made of it. */
const ROOT = join(import.meta.dirname, '..', '..');

const isRole = (value: unknown): value is Role => ROLES.includes(value as Role);

/** `--role`, else what was chosen before, else undefined. */
const presetRole = (file: string): Role | undefined => {
  const given = app.commandLine.getSwitchValue('role');
  if (isRole(given)) return given;
  try {
    const stored: unknown = (JSON.parse(readFileSync(file, 'utf8')) as { role?: unknown }).role;
    return isRole(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
};

const askRole = async (file: string): Promise<Role> => {
  const { response } = await dialog.showMessageBox({
    title: 'Vitrine',
    message: 'What is this computer?',
    detail: 'You can change it later by starting Vitrine with --role.',
    buttons: ['The store’s server', 'A screen', 'Both'],
    noLink: true,
  });
  const role = ROLES[response] ?? 'server';
  writeFileSync(file, JSON.stringify({ role }));
  return role;
};

/** No page gets a permission, a new window, or a way to another address; only our own pages are ever loaded as such. */
const refuseEverything = () => {
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.defaultSession.setPermissionCheckHandler(() => false);
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-navigate', (event, url) => {
      if (!/^http:\/\/(localhost|127\.0\.0\.1):/.test(url)) event.preventDefault();
    });
    contents.on('will-attach-webview', (event) => event.preventDefault());
  });
};

const run = async (): Promise<void> => {
  await app.whenReady();
  refuseEverything();
  const file = join(app.getPath('userData'), 'role.json');
  const role = presetRole(file) ?? (await askRole(file));
  const stops: (() => Promise<void>)[] = [];
  if (role !== 'player') {
    const { startServerRole } = await import('../../server/desktop/server-role.ts');
    const server = startServerRole(ROOT, { port: 8710, data: join(app.getPath('userData'), 'server') });
    app.on('second-instance', () => server.show());
    stops.push(() => server.stop());
  }
  if (role !== 'server') {
    const { startPlayerRole } = await import('../../player/desktop/player-role.ts');
    stops.push(startPlayerRole(ROOT, { data: join(app.getPath('userData'), 'player') }).stop);
  }
  // Closing the window leaves the server running in the tray.
  app.on('window-all-closed', () => {});
  let stopped = false;
  app.on('before-quit', (event) => {
    if (stopped) return;
    event.preventDefault();
    void Promise.all(stops.map((stop) => stop())).then(() => {
      stopped = true;
      app.quit();
    });
  });
};

if (app.requestSingleInstanceLock()) void run();
else app.quit();
