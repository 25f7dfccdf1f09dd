/** The windows of the server's desktop program: the admin window, and the window with the address of the server. */
import { app, BrowserWindow, shell, type WebContents } from 'electron';
import { isOf } from '../../shared/desktop/pages.ts';
import { NO_RESTARTS, restartAfter } from '../../shared/desktop/restarts.ts';
import { entrancesOf } from './provider-entrances.ts';
import { SignInTrip } from './sign-in-trip.ts';

/** Sets a rule for redirects of these pages that replaces the general rule (build/desktop/security.ts). */
export type LetRedirect = (contents: WebContents, mayGo: (address: string) => boolean) => void;

/** The page is the same as in any browser, and uses nothing of Electron. */
const PAGE: Electron.WebPreferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  webSecurity: true,
  spellcheck: false,
  devTools: !app.isPackaged,
};

export const openAdminWindow = (origin: () => string, letRedirect: LetRedirect): BrowserWindow => {
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
  const trip = new SignInTrip({ home: origin, now: () => performance.now() });
  const leave = async (to: string) => {
    const entrances = await entrancesOf(origin());
    if (!window.isDestroyed() && trip.depart(to, entrances)) await window.loadURL(to).catch(() => {});
  };
  window.webContents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame) return;
    const way = trip.way(window.webContents.getURL(), event.url);
    if (way !== 'go') event.preventDefault();
    if (way === 'ask') void leave(event.url);
    else if (way === 'stay' && !isOf(origin(), window.webContents.getURL()) && !trip.isAway)
      void window.loadURL(`${origin()}/`).catch(() => {});
  });
  letRedirect(window.webContents, (address) => trip.way(window.webContents.getURL(), address) === 'go');
  // Further pages (API documentation, a screen in a browser) open in the system's browser, which has tabs.
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

/** Opens the window with the address of the server. Its page is still empty. */
export const openAddressWindow = (title: string): BrowserWindow =>
  new BrowserWindow({
    width: 420,
    height: 460,
    resizable: false,
    title,
    autoHideMenuBar: true,
    webPreferences: PAGE,
  });
