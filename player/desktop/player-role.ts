/**
 * The screen as a desktop program: the agent in a process of its own and a kiosk window on each display. Windows and IPC, nothing
 * else; what the player does is in player/ and runs without Electron.
 */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { app, BrowserWindow, type Display, powerSaveBlocker, screen, session, type UtilityProcess, utilityProcess } from 'electron';

const RESTART_MS = 1_000;
const STOP_LIMIT_MS = 6_000;

/** @param root folder of the program; @param data one folder for each display, so that each is a screen of its own */
export const startPlayerRole = (root: string, { data, displays = [screen.getPrimaryDisplay()] }: { data: string; displays?: readonly Display[] }): { stop(): Promise<void> } => {
  const blocker = powerSaveBlocker.start('prevent-display-sleep');
  const kiosks = displays.map((display, i) => startKiosk(root, display, i === 0 ? data : `${data}-${display.id}`));
  return {
    stop: async () => {
      powerSaveBlocker.stop(blocker);
      await Promise.all(kiosks.map((kiosk) => kiosk.stop()));
    },
  };
};

const startKiosk = (root: string, display: Display, data: string): { stop(): Promise<void> } => {
  let agent: UtilityProcess | undefined;
  let stopping = false;
  const window = openKioskWindow(display);

  const startAgent = () => {
    agent = utilityProcess.fork(join(root, 'player', 'main.js'), ['--no-window', '--data', data], { serviceName: 'Vitrine player', stdio: 'pipe' });
    createInterface({ input: agent.stdout! as NodeJS.ReadableStream }).on('line', (line) => {
      const url = /^screen: (http:\/\/127\.0\.0\.1:\S+)$/.exec(line)?.[1];
      if (url && !window.isDestroyed()) void window.loadURL(url);
    });
    agent.once('exit', () => {
      if (!stopping) setTimeout(startAgent, RESTART_MS);
    });
  };
  // The page dies or hangs: it is loaded anew, and lands where it would have been.
  window.webContents.on('render-process-gone', () => setTimeout(() => !window.isDestroyed() && window.reload(), RESTART_MS));
  window.on('unresponsive', () => window.webContents.forcefullyCrashRenderer());
  startAgent();

  return {
    stop: () =>
      new Promise((done) => {
        stopping = true;
        const limit = setTimeout(() => done(), STOP_LIMIT_MS);
        agent?.once('exit', () => {
          clearTimeout(limit);
          done();
        });
        agent?.kill();
      }),
  };
};

/** In public: no permission, no download, nothing kept between starts. */
const kioskSession = () => {
  const kiosk = session.fromPartition('screen');
  kiosk.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  kiosk.setPermissionCheckHandler(() => false);
  kiosk.removeAllListeners('will-download').on('will-download', (event) => event.preventDefault());
  return kiosk;
};

const openKioskWindow = (display: Display): BrowserWindow => {
  const window = new BrowserWindow({
    ...display.bounds,
    kiosk: true,
    frame: false,
    show: true,
    backgroundColor: '#000000',
    autoHideMenuBar: true,
    webPreferences: {
      session: kioskSession(),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      devTools: !app.isPackaged,
      spellcheck: false,
      autoplayPolicy: 'no-user-gesture-required',
      backgroundThrottling: false,
    },
  });
  window.removeMenu();
  return window;
};
