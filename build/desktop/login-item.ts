/**
 * Start of the program when a person signs in, where no administrator has configured a start for everybody (`vitrine
 * set-up`), on each system. Independent of Electron.
 */
import { join } from 'node:path';
import { autostartEntry } from '../../shared/desktop/machine-start.ts';

/** Marks a start by the system instead of a person. */
export const LOGIN_ARGS: readonly string[] = ['--at-login'];
/** Name of the value in the Windows registry, by which the uninstaller finds it (build/installer/installer.nsh). */
export const LOGIN_NAME = 'Vitrine';

interface Person {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Path of Electron's program. */
  readonly program: string;
}

/**
 * Linux: a file in the person's home. An AppImage is mounted at a different path with each start, so its own file is
 * started.
 */
export const loginFile = ({ env, home, program }: Person): { readonly file: string; readonly text: string } => ({
  file: join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'autostart', 'vitrine.desktop'),
  text: autostartEntry({ program: env['APPIMAGE'] ?? program, args: LOGIN_ARGS }),
});

/** macOS and Windows: options of Electron's `setLoginItemSettings`. */
export const loginSettings = (startsAtLogin: boolean) => ({
  openAtLogin: startsAtLogin,
  args: [...LOGIN_ARGS],
  name: LOGIN_NAME,
});
