/**
 * Implements the interface of machine.ts with Electron. Contains only calls and no decisions. The compiler checks it
 * against electron.d.ts; no test runs it.
 */
import { app, BrowserWindow, powerMonitor, powerSaveBlocker, screen, session } from 'electron';
import { FrameWatch } from '../agent/browser/frame-watch.ts';
import type { Time, Undo } from '../core/ports.ts';
import { isForbidden } from '../screen/over/keys.ts';
import type { KioskWindow, Machine, WindowOptions } from './machine.ts';

/** Size of a picture for the operator's list. The picture stays below the 700 KiB limit of the protocol. */
const PICTURE_WIDTH = 1280;
const PICTURE_QUALITY = 70;

export const time: Pick<Time, 'mono' | 'after'> = {
  mono: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Call it only after `ready`, because `screen` does not exist before. */
export const electronMachine = (): Machine => ({
  displays: () => {
    const all = screen.getAllDisplays();
    return { all, primary: all.length > 0 ? screen.getPrimaryDisplay() : undefined };
  },
  onDisplays: (listener) => {
    screen.on('display-added', listener).on('display-removed', listener).on('display-metrics-changed', listener);
    return () =>
      void screen
        .off('display-added', listener)
        .off('display-removed', listener)
        .off('display-metrics-changed', listener);
  },
  onResume: (listener) => {
    powerMonitor.on('resume', listener);
    return () => void powerMonitor.off('resume', listener);
  },
  onGpuGone: (listener): Undo => {
    const hear = (_event: unknown, { type, reason }: Electron.Details) => {
      if (type === 'GPU' && reason !== 'clean-exit') listener();
    };
    app.on('child-process-gone', hear);
    return () => void app.off('child-process-gone', hear);
  },
  usesGpu: !app.commandLine.hasSwitch('disable-gpu'),
  // Electron has already chosen X11 or Wayland and has set this switch to its choice.
  placesWindows: process.platform !== 'linux' || app.commandLine.getSwitchValue('ozone-platform') !== 'wayland',
  open,
  keepAwake: () => {
    const blocker = powerSaveBlocker.start('prevent-display-sleep');
    return () => void powerSaveBlocker.stop(blocker);
  },
});

const open = ({ place, bounds, mayBeAt, closed, pageGone }: WindowOptions): KioskWindow => {
  const window = new BrowserWindow({
    ...bounds,
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
      disableDialogs: true,
    },
  });
  window.removeMenu();
  const { webContents } = window;
  webContents.on('will-frame-navigate', (event) => {
    if (event.isMainFrame && !mayBeAt(event.url)) event.preventDefault();
  });
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  webContents.on('context-menu', (event) => event.preventDefault());
  // A page cannot prevent its own unload.
  webContents.on('will-prevent-unload', (event) => event.preventDefault());
  // Blocks keys here too, because a page gets no key events while a frame hangs or has crashed.
  webContents.on('before-input-event', (event, { key, control: ctrl, alt, meta, shift, modifiers }) => {
    if (isForbidden({ key, ctrl, alt, meta, shift, altGraph: modifiers.includes('altgr') })) event.preventDefault();
  });
  webContents.on('zoom-changed', () => webContents.setZoomLevel(0));
  // Prevents that a person closes the window. Only `destroy`, which does not ask the page, closes it.
  window.on('close', (event) => event.preventDefault());
  window.on('closed', closed);
  webContents.on('render-process-gone', (_event, { reason }) => pageGone(reason));
  watchFrames(window);
  return {
    bounds: () => window.getBounds(),
    isKiosk: () => window.isKiosk(),
    // Makes the window small for a moment, because a window that fills a display stays on that display
    // (electron#30249).
    moveTo: (to) => {
      window.setKiosk(false);
      window.setBounds(to);
      window.setKiosk(true);
    },
    load: async (address) => window.loadURL(address),
    // `webContents.executeJavaScript` is not used, because it waits for the complete load. An embedded page may never
    // finish.
    address: async () => String(await webContents.mainFrame.executeJavaScript('location.href')),
    endPage: () => webContents.forcefullyCrashRenderer(),
    picture: async () => {
      const picture = await webContents.capturePage();
      return picture.isEmpty()
        ? null
        : picture.resize({ width: PICTURE_WIDTH }).toJPEG(PICTURE_QUALITY).toString('base64');
    },
    destroy: () => {
      if (window.isDestroyed()) return;
      // Detaches the debugger first. Destroying a window with an attached debugger may crash the whole program
      // (electron#53376, #53819).
      if (webContents.debugger.isAttached()) webContents.debugger.detach();
      window.destroy();
    },
  };
};

/** Browser session for public use: no permissions, no downloads, and no data that survives the program. */
const kioskSession = (place: number) => {
  const kiosk = session.fromPartition(`screen-${place}`);
  kiosk.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  kiosk.setPermissionCheckHandler(() => false);
  kiosk.setDevicePermissionHandler(() => false);
  kiosk.removeAllListeners('will-download').on('will-download', (event) => event.preventDefault());
  return kiosk;
};

/** Watches the frames like the agent does in its own browser (agent/browser/browser-page.ts). */
const watchFrames = ({ webContents }: BrowserWindow): void => {
  const tools = webContents.debugger;
  const watch = new FrameWatch({
    tools: {
      call: async (schema, method, params = {}, session) =>
        schema.parse(await tools.sendCommand(method, params, session)),
    },
    page: undefined,
    time,
    log: console,
  });
  try {
    tools.attach('1.3');
  } catch (error) {
    return console.warn('the frames of the screen cannot be watched', error);
  }
  tools.on('message', (_event, method, params: Record<string, unknown>, session) =>
    watch.event({ method, sessionId: session || undefined, params }),
  );
  webContents.once('destroyed', () => watch.stop());
  watch.start().catch((error) => console.warn('the frames of the screen cannot be watched', error));
};
