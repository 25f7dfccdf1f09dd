/**
 * The store server as a desktop program: the server in a process of its own, the admin window on it, and the tray. Windows,
 * tray and IPC, nothing else; what the server does is in server/ and runs without Electron.
 */
import { join } from 'node:path';
import { app, BrowserWindow, dialog, Menu, nativeImage, shell, Tray, type UtilityProcess, utilityProcess } from 'electron';
import { isOf } from '../../shared/desktop/pages.ts';
import { NO_RESTARTS, restartAfter } from '../../shared/desktop/restarts.ts';
import { ProgramSays, type ShellSays } from '../../shared/protocol/shell.ts';
import { addressPage } from './address-page.ts';
import { type ServerState, type TrayAction, trayMenu, trayTip } from './tray-menu.ts';

/** The server stops in order within 5 s; a little more for a slow disk. */
const STOP_LIMIT_MS = 7_000;
/** What it said last on stderr, for the person who has to know why it does not start. */
const KEPT_CHARACTERS = 2_000;

export interface LoginItem {
  get(): boolean;
  set(startsAtLogin: boolean): void;
}

interface ServerRole {
  /** The admin window, made when there is none; a paused server goes on. */
  show(): void;
  /** Resolves when the server has stopped in order. */
  stop(): Promise<void>;
}

/** @param root folder of the program; @param port of the server on this computer; @param hidden started at login: no window yet */
export const startServerRole = (root: string, { port, data, login, hidden }: { port: number; data: string; login: LoginItem; hidden: boolean }): ServerRole => {
  let state: ServerState = { phase: 'starting', addresses: [], screens: undefined, startsAtLogin: login.get() };
  let server: UtilityProcess | undefined;
  let restarts = NO_RESTARTS;
  let window: BrowserWindow | undefined;
  let addressWindow: BrowserWindow | undefined;
  let origin = `http://localhost:${port}`;
  let said = '';

  const tray = new Tray(nativeImage.createFromPath(join(root, 'icons', 'tray.png')));
  const become = (change: Partial<ServerState>) => {
    state = { ...state, ...change };
    tray.setToolTip(trayTip(state));
    const items = trayMenu(state).map((item): Electron.MenuItemConstructorOptions => {
      if (item === 'separator') return { type: 'separator' };
      const { label, action, checked } = item;
      return { label, enabled: action !== undefined, ...(checked !== undefined && { type: 'checkbox', checked }), ...(action && { click: () => actions[action]() }) };
    });
    tray.setContextMenu(Menu.buildFromTemplate(items));
  };

  const start = () => {
    become({ phase: 'starting' });
    said = '';
    const child = utilityProcess.fork(join(root, 'server', 'main.js'), ['--port', String(port), '--data', data], { serviceName: 'Vitrine server', stdio: 'pipe' });
    server = child;
    child.stderr?.on('data', (bytes: Buffer) => {
      said = (said + bytes.toString()).slice(-KEPT_CHARACTERS);
    });
    child.stdout?.on('data', () => {});
    child.on('message', (data: unknown) => hear(data));
    child.once('exit', () => ended(child));
  };

  const hear = (data: unknown) => {
    const message = ProgramSays.safeParse(data).data;
    if (message?.type === 'screens') become({ screens: { online: message.online, total: message.total } });
    if (message?.type !== 'serving') return;
    origin = `http://localhost:${message.port}`;
    become({ phase: 'running', addresses: message.addresses.length > 0 ? message.addresses : [`${origin}/`] });
    if (window && !window.isDestroyed()) void window.loadURL(`${origin}/`).catch(() => {});
  };

  const ended = (child: UtilityProcess) => {
    if (server !== child) return;
    server = undefined;
    if (state.phase === 'pausing' || state.phase === 'paused') return;
    const neverRan = state.phase === 'starting';
    become({ phase: 'failed', screens: undefined });
    const next = restartAfter(restarts, performance.now());
    // Once, not with every try: the sentence says what to do, and doing it is enough.
    if (neverRan && next.restarts.count === 1)
      dialog.showErrorBox('Vitrine could not start its server', said.trim() || 'It ended without a word. The log in its data folder may say more.');
    restarts = next.restarts;
    setTimeout(() => state.phase === 'failed' && start(), next.delayMs);
  };

  const stopServer = async () => {
    become({ phase: 'pausing', screens: undefined });
    await stopInOrder(server);
    become({ phase: 'paused', addresses: [] });
  };

  const show = () => {
    if (state.phase === 'paused') start();
    if (window && !window.isDestroyed()) {
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
      return;
    }
    window = openAdminWindow(() => origin);
    if (state.phase === 'running') void window.loadURL(`${origin}/`).catch(() => {});
  };

  const showAddress = async () => {
    const { default: qrcode } = await import('qrcode');
    const page = addressPage(state.addresses, await qrcode.toDataURL(state.addresses[0] ?? `${origin}/`, { width: 480, margin: 1 }));
    addressWindow?.destroy();
    addressWindow = new BrowserWindow({ width: 420, height: 460, resizable: false, title: 'Address of this server', autoHideMenuBar: true, webPreferences: PAGE });
    await addressWindow.loadURL(page);
  };

  const actions: Record<TrayAction, () => void> = {
    open: show,
    address: () => void showAddress(),
    pause: () => {
      window?.destroy();
      void stopServer();
    },
    resume: start,
    login: () => {
      login.set(!state.startsAtLogin);
      become({ startsAtLogin: login.get() });
    },
    quit: () => app.quit(),
  };

  tray.on('click', show);
  start();
  if (!hidden) show();
  return {
    show,
    stop: async () => {
      await stopServer();
      tray.destroy();
    },
  };
};

/** The page is the one that any browser gets: it needs nothing of Electron. */
const PAGE: Electron.WebPreferences = { sandbox: true, contextIsolation: true, nodeIntegration: false, webSecurity: true, spellcheck: false, devTools: !app.isPackaged };

const openAdminWindow = (origin: () => string): BrowserWindow => {
  const window = new BrowserWindow({
    width: 1360,
    height: 860,
    minWidth: 390,
    minHeight: 600,
    title: 'Vitrine',
    backgroundColor: '#f0efeb',
    autoHideMenuBar: true,
    webPreferences: PAGE,
  });
  window.webContents.on('will-frame-navigate', (event) => {
    if (event.isMainFrame && !isOf(origin(), event.url)) event.preventDefault();
  });
  // Pages that it wants beside itself (the API's documentation, a screen in a browser) are for the browser, which has tabs.
  window.webContents.setWindowOpenHandler(({ url }) => {
    if (isOf(origin(), url)) void shell.openExternal(url);
    return { action: 'deny' };
  });
  let restarts = NO_RESTARTS;
  window.webContents.on('render-process-gone', () => {
    const next = restartAfter(restarts, performance.now());
    restarts = next.restarts;
    setTimeout(() => !window.isDestroyed() && window.reload(), next.delayMs);
  });
  return window;
};

const stopInOrder = (server: UtilityProcess | undefined): Promise<void> =>
  new Promise((done) => {
    if (!server) return done();
    const limit = setTimeout(() => {
      server.kill();
      done();
    }, STOP_LIMIT_MS);
    server.once('exit', () => {
      clearTimeout(limit);
      done();
    });
    server.postMessage({ type: 'stop' } satisfies ShellSays);
  });
