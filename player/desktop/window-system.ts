/**
 * What has to be settled before Electron's `ready`, or before Electron at all.
 *
 * Under Wayland no program says on which display its window is to be (electron#48749): several screens would lie on one
 * TV. So X11 (XWayland) is used where there are several displays. Electron chooses before the first line of JavaScript,
 * and `app.commandLine` comes too late for that (rullerzhou-afk/clawd-on-desk#443, microsoft/vscode#135191): it has to
 * stand on the command line.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const OZONE = '--ozone-platform';
const X11 = `${OZONE}=x11`;

interface Session {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of the program. */
  readonly args: readonly string[];
  /** Undefined: not known, and so maybe several. */
  readonly displays: number | undefined;
}

/** @returns X11 is to be asked for; `says` is for the log, undefined where there is nothing to say */
export const windowSystem = ({
  platform,
  env,
  args,
  displays,
}: Session): { readonly needsX11: boolean; readonly says: string | undefined } => {
  const nothing = { needsX11: false, says: undefined };
  if (platform !== 'linux' || args.some((arg) => arg === OZONE || arg.startsWith(`${OZONE}=`))) return nothing;
  const type = env['XDG_SESSION_TYPE'];
  const isWayland = type === 'wayland' || (type !== 'x11' && Boolean(env['WAYLAND_DISPLAY']));
  if (!isWayland || displays === 1) return nothing;
  if (!env['DISPLAY'])
    return {
      needsX11: false,
      says: 'Several displays under Wayland, and no XWayland (DISPLAY is not set): all screens would lie on one display. Install XWayland.',
    };
  return {
    needsX11: true,
    says: 'Several displays under Wayland: windows are opened by X11, which can say on which display each is to be.',
  };
};

/** Displays that are plugged in, as Linux knows them; undefined: it does not say. */
export const pluggedIn = (folder = '/sys/class/drm'): number | undefined => {
  try {
    const states = readdirSync(folder)
      .filter((name) => /^card\d+-/.test(name))
      .map((name) => readFileSync(join(folder, name, 'status'), 'utf8').trim());
    return states.length > 0 ? states.filter((state) => state === 'connected').length : undefined;
  } catch {
    return undefined;
  }
};

/** For whoever starts Electron's program for a screen: what is to be on its command line beside its own. */
export const windowArgs = (
  { platform, env, args }: Omit<Session, 'displays'>,
  log: (line: string) => void,
  displays = pluggedIn(),
): readonly string[] => {
  const { needsX11, says } = windowSystem({ platform, env, args, displays });
  if (says !== undefined) log(says);
  return needsX11 ? [X11] : [];
};

/** Of Electron's `app`. */
interface App {
  readonly commandLine: { appendSwitch(name: string, value?: string): void };
}

/**
 * To be called before `ready`. What Chromium would lock with the user's password is nothing here: no question for it
 * stands before a screen.
 */
export const keyringUnasked = (app: App, platform: NodeJS.Platform): void => {
  if (platform === 'linux') app.commandLine.appendSwitch('password-store', 'basic');
};
