/**
 * The store server as a desktop program: only windows and tray icon. server-desk.ts decides which server is shown. The
 * server itself is in server/. Both work without Electron.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { app, type BrowserWindow, dialog, Menu, nativeImage, powerSaveBlocker, Tray } from 'electron';
import type { Role } from '../../shared/desktop/install-values.ts';
import type { StartProgram } from '../../shared/desktop/program.ts';
import { desktopWords } from '../../shared/desktop/words.ts';
import { lanAddresses } from '../discovery/addresses.ts';
import { whoAnswers } from '../service/ask-service.ts';
import { desktopData, olderData } from '../service/places.ts';
import { readNote } from '../service/service-note.ts';
import { installedService } from '../service/service-record.ts';
import { isStore } from '../upkeep/disk/moved-mark.ts';
import { addressPage } from './address-page.ts';
import { type LetRedirect, openAddressWindow, openAdminWindow } from './admin-window.ts';
import { realTiming } from './kept-server.ts';
import { ServerDesk } from './server-desk.ts';
import { serviceControl } from './service-control.ts';
import { type ServerState, type TrayAction, trayMenu, trayTip } from './tray-menu.ts';

interface LoginItem {
  get(): boolean;
  set(startsAtLogin: boolean): void;
}

interface ServerRole {
  /** Shows the admin window, and creates the window if needed. Resumes a paused server. */
  show(): void;
  /** Resolves when the server has stopped; at once if the server is a service. */
  stop(): Promise<void>;
}

interface ServerRoleOptions {
  /** Port of the server if it is a child process of this program. */
  readonly port: number;
  readonly startProgram: StartProgram;
  readonly letRedirect: LetRedirect;
  readonly login: LoginItem;
  /** Role of this computer, and a function that changes the role; undefined if the role cannot be changed here. */
  readonly role:
    | {
        readonly now: Role;
        become(role: Role, whileResting: (change: () => Promise<boolean>) => Promise<boolean>): Promise<void>;
      }
    | undefined;
  /** True when the program was started at sign-in, without a window. */
  readonly hidden: boolean;
}

/** @param root folder of the window's program, with its icons */
export const startServerRole = (
  root: string,
  { port, startProgram, letRedirect, login, role, hidden }: ServerRoleOptions,
): ServerRole => {
  const languages = app.getPreferredSystemLanguages();
  const { words } = desktopWords(languages);
  const machine = { platform: process.platform, env: process.env, home: homedir() };
  let window: BrowserWindow | undefined;
  let addressWindow: BrowserWindow | undefined;

  /** Called while a child process is the server. A service keeps the computer awake itself. */
  const keepAwake = createKeepAwake();
  const tray = new Tray(nativeImage.createFromPath(join(root, 'icons', 'tray.png')));
  const desk: ServerDesk = new ServerDesk({
    start: startProgram,
    port,
    places: { data: desktopData(machine), older: olderData(machine) },
    isStore,
    installed: installedService,
    note: readNote,
    whoAnswers,
    addresses: (at) => lanAddresses().map((address) => `http://${address}:${at}/`),
    control: serviceControl(process.platform, words),
    timing: realTiming,
    changed: (_shown, servesAnew) => {
      draw();
      if (servesAnew) load();
    },
    tell: (title, text) => dialog.showErrorBox(title, text),
    words: words.server,
  });
  const stateNow = (): ServerState => ({ ...desk.shown, startsAtLogin: login.get(), role: role?.now });
  const origin = () => desk.shown.origin;
  const load = () => {
    if (window && !window.isDestroyed() && desk.shown.phase === 'running')
      void window.loadURL(`${origin()}/`).catch(() => {});
  };

  const draw = () => {
    const state = stateNow();
    keepAwake(state.by === 'child' && state.phase === 'running');
    tray.setToolTip(trayTip(state, words));
    tray.setContextMenu(menuOf(trayMenu(state, words), actions));
  };

  const show = () => {
    if (desk.shown.phase === 'paused') void desk.resume();
    if (window && !window.isDestroyed()) {
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
      return;
    }
    window = openAdminWindow(origin, letRedirect);
    load();
  };

  const showAddress = async () => {
    const { default: qrcode } = await import('qrcode');
    const { addresses } = desk.shown;
    const page = addressPage(
      addresses,
      await qrcode.toDataURL(addresses[0] ?? `${origin()}/`, { width: 480, margin: 1 }),
      languages,
    );
    addressWindow?.destroy();
    addressWindow = openAddressWindow(words.address.title);
    await addressWindow.loadURL(page);
  };

  /** Changes the role. The menu already marks the new choice, but the role changes only when set-up has finished. */
  const become = (to: Role) => void role?.become(to, (change) => desk.resting(change)).finally(draw);

  const actions: Actions = {
    open: show,
    address: () => void showAddress(),
    pause: () => {
      window?.destroy();
      void desk.pause();
    },
    resume: () => void desk.resume(),
    login: () => {
      login.set(!login.get());
      draw();
    },
    quit: () => app.quit(),
    'become-server': () => become('server'),
    'become-player': () => become('player'),
    'become-both': () => become('both'),
  };

  tray.on('click', show);
  draw();
  void desk.start();
  if (!hidden) show();
  return {
    show,
    stop: async () => {
      await desk.stop();
      keepAwake(false);
      tray.destroy();
    },
  };
};

type Actions = Readonly<Record<TrayAction, () => void>>;

const menuOf = (items: ReturnType<typeof trayMenu>, actions: Actions): Menu =>
  Menu.buildFromTemplate(
    items.map((item): Electron.MenuItemConstructorOptions => {
      if (item === 'separator') return { type: 'separator' };
      const { label, action, checked, choices } = item;
      if (choices)
        return {
          label,
          submenu: choices.map((choice) => ({
            type: 'radio',
            label: choice.label,
            checked: choice.checked,
            click: () => actions[choice.action](),
          })),
        };
      return {
        label,
        enabled: action !== undefined,
        ...(checked !== undefined && { type: 'checkbox', checked }),
        ...(action && { click: () => actions[action]() }),
      };
    }),
  );

/** Returns a function that keeps the computer awake, or lets it sleep again. */
const createKeepAwake = (): ((wanted: boolean) => void) => {
  let awake: number | undefined;
  return (wanted) => {
    if (wanted === (awake !== undefined)) return;
    if (awake === undefined) awake = powerSaveBlocker.start('prevent-app-suspension');
    else {
      powerSaveBlocker.stop(awake);
      awake = undefined;
    }
  };
};
