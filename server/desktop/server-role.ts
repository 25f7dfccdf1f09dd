/**
 * The store server as a desktop program: the server in a process of its own, the admin window on it, and the tray. Windows,
 * tray and IPC, nothing else; what the server does is in server/ and runs without Electron.
 */
import { join } from 'node:path';
import { app, BrowserWindow, Menu, nativeImage, shell, Tray, type UtilityProcess, utilityProcess } from 'electron';

/** The server stops in order within 5 s; a little more for a slow disk. */
const STOP_LIMIT_MS = 7_000;

interface ServerRole {
  /** The admin window, made when there is none. */
  show(): void;
  /** Resolves when the server has stopped in order. */
  stop(): Promise<void>;
}

/** @param root folder of the program; @param port of the server on this computer */
export const startServerRole = (root: string, { port, data }: { port: number; data: string }): ServerRole => {
  const origin = `http://localhost:${port}`;
  const server = utilityProcess.fork(join(root, 'server', 'main.js'), ['--port', String(port), '--data', data], { serviceName: 'Vitrine server', stdio: 'pipe' });
  const answered = untilItAnswers(origin, server);
  let window: BrowserWindow | undefined;

  const show = () => {
    if (window && !window.isDestroyed()) {
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
      return;
    }
    window = openAdminWindow();
    void answered.then(() => window?.loadURL(`${origin}/`));
  };

  const tray = new Tray(nativeImage.createFromPath(join(root, 'icons', 'tray.png')));
  tray.setToolTip('Vitrine');
  tray.setContextMenu(
    Menu.buildFromTemplate([
      { label: 'Open Vitrine', click: show },
      { label: `${origin}/`, click: () => void shell.openExternal(`${origin}/`) },
      { type: 'separator' },
      { label: 'Start at login', type: 'checkbox', checked: app.getLoginItemSettings().openAtLogin, click: ({ checked }) => app.setLoginItemSettings({ openAtLogin: checked }) },
      { type: 'separator' },
      { label: 'Quit', click: () => app.quit() },
    ]),
  );
  tray.on('click', show);
  show();
  return { show, stop: () => stopInOrder(server) };
};

const openAdminWindow = (): BrowserWindow =>
  new BrowserWindow({
    width: 1360,
    height: 860,
    minWidth: 390,
    minHeight: 600,
    title: 'Vitrine',
    backgroundColor: '#f0efeb',
    autoHideMenuBar: true,
    // The page is the one that any browser gets: it needs nothing of Electron.
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, webSecurity: true, spellcheck: false },
  });

const untilItAnswers = async (origin: string, server: UtilityProcess): Promise<void> => {
  let ended = false;
  server.once('exit', () => {
    ended = true;
  });
  while (!ended) {
    const ok = await fetch(`${origin}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ok) return;
    await new Promise((next) => setTimeout(next, 100));
  }
};

const stopInOrder = (server: UtilityProcess): Promise<void> =>
  new Promise((done) => {
    if (server.pid === undefined) return done();
    const limit = setTimeout(() => done(), STOP_LIMIT_MS);
    server.once('exit', () => {
      clearTimeout(limit);
      done();
    });
    server.kill();
  });
