/**
 * Settings that must be made before Electron's `ready`, or before Electron starts.
 *
 * Under Wayland a program cannot choose the display of its window (electron#48749): several screens would be on one TV.
 * Therefore X11 (XWayland) is used with several displays. Electron chooses before the first line of JavaScript, and
 * `app.commandLine` is too late (rullerzhou-afk/clawd-on-desk#443, microsoft/vscode#135191), so the option must be on
 * the command line.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const OZONE = '--ozone-platform';
const X11 = `${OZONE}=x11`;

interface Session {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Command line arguments of the program. */
  readonly args: readonly string[];
  /** Number of connected displays. Undefined: unknown, possibly several. */
  readonly displays: number | undefined;
}

/** @returns whether X11 is needed; `says` is a log message, or undefined */
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

/** Returns the number of connected displays according to Linux; undefined: unknown. */
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

/** Returns the additional command line arguments for starting Electron for a screen. */
export const windowArgs = (
  { platform, env, args }: Omit<Session, 'displays'>,
  log: (line: string) => void,
  displays = pluggedIn(),
): readonly string[] => {
  const { needsX11, says } = windowSystem({ platform, env, args, displays });
  if (says !== undefined) log(says);
  return needsX11 ? [X11] : [];
};

/** The part of Electron's `app` object that this file uses. */
interface App {
  readonly commandLine: { appendSwitch(name: string, value?: string): void };
}

/**
 * Disables the system keyring, because Chromium stores no secrets here, and a password prompt would cover the screen.
 * Must be called before `ready`.
 */
export const keyringUnasked = (app: App, platform: NodeJS.Platform): void => {
  if (platform === 'linux') app.commandLine.appendSwitch('password-store', 'basic');
};
