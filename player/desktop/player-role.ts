/**
 * The screen as a desktop program: for each chosen display an agent in a process of its own and a kiosk window. Windows and IPC,
 * nothing else; what the player does is in player/ and runs without Electron.
 */
import { join } from 'node:path';
import { app, BrowserWindow, type Display, powerSaveBlocker, screen, session, type UtilityProcess, utilityProcess } from 'electron';
import { isOf } from '../../shared/desktop/pages.ts';
import { NO_RESTARTS, restartAfter } from '../../shared/desktop/restarts.ts';
import { ProgramSays, type ShellSays } from '../../shared/protocol/shell.ts';
import { FrameWatch } from '../agent/frame-watch.ts';
import { isForbidden } from '../screen/keys.ts';
import { RESTART_CODE } from '../updates/launcher.ts';
import { type ChosenDisplay, chooseDisplays } from './displays.ts';
import { PanelWishes } from './panels.ts';

const STOP_LIMIT_MS = 6_000;
/** A page that does not answer for so long hangs; a long decode does not. */
const HUNG_MS = 15_000;
/** A picture for the operator's list, within the 700 KiB of the protocol. */
const PICTURE_WIDTH = 1280;
const PICTURE_QUALITY = 70;
/** The driver is not to be trusted any more: without it the screen is slower, and lit. */
const MAX_GPU_CRASHES = 4;

export interface PlayerOptions {
  /** One folder for each display, so that each is a screen of its own. */
  readonly data: string;
  readonly displays: 'all' | 'primary' | readonly number[];
  /** Where new versions are laid ready; undefined: not from here. */
  readonly updates: string | undefined;
  /** A new version lies ready. */
  readonly onUpdate: () => void;
  /** The graphics processor keeps crashing: to be started anew without it. */
  readonly onBadGpu: () => void;
}

interface Kiosk {
  readonly place: number;
  reload(): void;
  stop(): Promise<void>;
}

/** @param root folder of the program */
export const startPlayerRole = (root: string, options: PlayerOptions): { stop(): Promise<void> } => {
  const blocker = powerSaveBlocker.start('prevent-display-sleep');
  let kiosks: Kiosk[] = [];
  let gpu = NO_RESTARTS;
  const wishes = new PanelWishes();
  const wish: PanelWish = (place, on) =>
    wishes.say(
      place,
      on,
      kiosks.map((kiosk) => kiosk.place),
    );

  /** A display that is plugged in gets its screen, one that is pulled loses it. */
  const follow = () => {
    const chosen = chooseDisplays(screen.getAllDisplays(), screen.getPrimaryDisplay().id, options.displays, options.data);
    const gone = kiosks.filter(({ place }) => !chosen.some((each) => each.place === place));
    for (const kiosk of gone) void kiosk.stop();
    kiosks = chosen.map((each) => kiosks.find(({ place }) => place === each.place) ?? startKiosk(root, each, options, wish));
  };
  follow();
  for (const event of ['display-added', 'display-removed'] as const) screen.on(event as 'display-added', follow);
  app.on('child-process-gone', (_event, { type, reason }) => {
    if (type !== 'GPU' || reason === 'clean-exit') return;
    const next = restartAfter(gpu, performance.now());
    gpu = next.restarts;
    if (gpu.count >= MAX_GPU_CRASHES) return options.onBadGpu();
    // Chromium starts it again; what the page had on it is lost.
    setTimeout(() => {
      for (const kiosk of kiosks) kiosk.reload();
    }, next.delayMs);
  });

  return {
    stop: async () => {
      for (const event of ['display-added', 'display-removed'] as const) screen.off(event as 'display-added', follow);
      powerSaveBlocker.stop(blocker);
      await Promise.all(kiosks.map((kiosk) => kiosk.stop()));
    },
  };
};

type PanelWish = (place: number, on: boolean) => boolean;

const startKiosk = (root: string, { display, place, data }: ChosenDisplay<Display>, { updates, onUpdate }: PlayerOptions, wish: PanelWish): Kiosk => {
  let agent: UtilityProcess | undefined;
  let stopping = false;
  let restarts = NO_RESTARTS;
  let page: string | undefined;
  const window = openKioskWindow(display, place, () => page);
  const { VITRINE_UPDATES: _not, ...env } = process.env;

  const hear = async (message: ProgramSays | undefined) => {
    if (message?.type === 'screen') {
      page = message.url;
      if (!window.isDestroyed()) await window.loadURL(page).catch(() => {});
    } else if (message?.type === 'shoot') agent?.postMessage({ type: 'picture', id: message.id, data: await pictureOf(window) } satisfies ShellSays);
    else if (message?.type === 'panel') agent?.postMessage({ type: 'panel', id: message.id, on: wish(place, message.on) } satisfies ShellSays);
  };
  const startAgent = () => {
    const child = utilityProcess.fork(join(root, 'player', 'main.js'), ['--no-window', '--data', data], {
      serviceName: `Vitrine player ${place}`,
      stdio: 'inherit',
      env: { ...env, ...(updates !== undefined && { VITRINE_UPDATES: updates }) } as Record<string, string>,
    });
    agent = child;
    child.on('message', (data: unknown) => void hear(ProgramSays.safeParse(data).data));
    child.once('exit', (code) => {
      wish(place, true);
      if (stopping) return;
      if (code === RESTART_CODE) return onUpdate();
      const next = restartAfter(restarts, performance.now());
      restarts = next.restarts;
      setTimeout(() => !stopping && startAgent(), next.delayMs);
    });
  };
  startAgent();

  return {
    place,
    reload: () => !window.isDestroyed() && window.webContents.reload(),
    stop: () =>
      new Promise((done) => {
        stopping = true;
        const finish = () => {
          clearTimeout(limit);
          if (!window.isDestroyed()) window.destroy();
          done();
        };
        const limit = setTimeout(finish, STOP_LIMIT_MS);
        if (!agent) return finish();
        agent.once('exit', finish);
        agent.postMessage({ type: 'stop' } satisfies ShellSays);
      }),
  };
};

const pictureOf = async (window: BrowserWindow): Promise<string | null> => {
  try {
    const picture = await window.webContents.capturePage();
    return picture.isEmpty() ? null : picture.resize({ width: PICTURE_WIDTH }).toJPEG(PICTURE_QUALITY).toString('base64');
  } catch {
    return null;
  }
};

/** In public: no permission, no download, nothing kept between starts. */
const kioskSession = (place: number) => {
  const kiosk = session.fromPartition(`screen-${place}`);
  kiosk.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  kiosk.setPermissionCheckHandler(() => false);
  kiosk.setDevicePermissionHandler(() => false);
  kiosk.removeAllListeners('will-download').on('will-download', (event) => event.preventDefault());
  return kiosk;
};

/** @param page address of the agent's page, the only one that the window itself may be at */
const openKioskWindow = (display: Display, place: number, page: () => string | undefined): BrowserWindow => {
  const window = new BrowserWindow({
    ...display.bounds,
    kiosk: true,
    frame: false,
    show: true,
    closable: false,
    skipTaskbar: true,
    backgroundColor: '#000000',
    autoHideMenuBar: true,
    title: 'Vitrine',
    webPreferences: {
      session: kioskSession(place),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      devTools: !app.isPackaged,
      spellcheck: false,
      autoplayPolicy: 'no-user-gesture-required',
      backgroundThrottling: false,
    },
  });
  window.removeMenu();
  const { webContents } = window;
  webContents.on('will-frame-navigate', (event) => {
    const own = page();
    if (event.isMainFrame && !(own && isOf(new URL(own).origin, event.url))) event.preventDefault();
  });
  // Pages shown in frames may try; nothing opens in front of the screen.
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  webContents.on('context-menu', (event) => event.preventDefault());
  // Not only what reaches a page: a frame that hangs or has crashed asks nobody.
  webContents.on('before-input-event', (event, { key, control: ctrl, alt, meta, shift, modifiers }) => {
    if (isForbidden({ key, ctrl, alt, meta, shift, altGraph: modifiers.includes('altgr') })) event.preventDefault();
  });
  webContents.on('zoom-changed', () => webContents.setZoomLevel(0));
  // Whatever asks for it: `destroy` alone, which asks nobody, ends a screen.
  window.on('close', (event) => event.preventDefault());
  watchFrames(window);
  recover(window);
  return window;
};

/** As the agent does in a browser of its own (agent/browser-page.ts). */
const watchFrames = ({ webContents }: BrowserWindow): void => {
  const tools = webContents.debugger;
  const watch = new FrameWatch({
    tools: { call: async (schema, method, params = {}, session) => schema.parse(await tools.sendCommand(method, params, session)) },
    page: undefined,
    time: {
      after: (ms, run) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    },
    log: console,
  });
  try {
    tools.attach('1.3');
  } catch (error) {
    return console.warn('the frames of the screen cannot be watched', error);
  }
  tools.on('message', (_event, method, params: Record<string, unknown>, session) => watch.event({ method, sessionId: session || undefined, params }));
  webContents.once('destroyed', () => watch.stop());
  watch.start().catch((error) => console.warn('the frames of the screen cannot be watched', error));
};

/** The page dies or hangs: it is loaded anew, and lands where it would have been. */
const recover = (window: BrowserWindow): void => {
  let restarts = NO_RESTARTS;
  let hung: NodeJS.Timeout | undefined;
  window.webContents.on('render-process-gone', () => {
    const next = restartAfter(restarts, performance.now());
    restarts = next.restarts;
    setTimeout(() => !window.isDestroyed() && window.webContents.reload(), next.delayMs);
  });
  window.on('unresponsive', () => {
    hung ??= setTimeout(() => window.webContents.forcefullyCrashRenderer(), HUNG_MS);
  });
  window.on('responsive', () => {
    clearTimeout(hung);
    hung = undefined;
  });
  window.webContents.on('did-finish-load', () => {
    clearTimeout(hung);
    hung = undefined;
  });
};
