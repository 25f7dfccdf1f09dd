/**
 * Starts the program when a person signs in, if no administrator has configured a start for everybody (`vitrine
 * set-up`). Covers each system and is independent of Electron.
 */
import { join } from 'node:path';
import { autostartEntry } from '../../shared/desktop/machine-start.ts';

/** Command line option that marks a start by the system instead of a person. */
export const LOGIN_ARGS: readonly string[] = ['--at-login'];
/** Name of the value in the Windows registry, by which the uninstaller finds it (build/installer/installer.nsh). */
export const LOGIN_NAME = 'Vitrine';

interface Person {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Path of the executable file of Electron. */
  readonly program: string;
}

/**
 * Linux: returns a file for the person's home folder. An AppImage is mounted at a different path with each start, so
 * the AppImage file itself is started.
 */
export const loginFile = ({ env, home, program }: Person): { readonly file: string; readonly text: string } => ({
  file: join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'autostart', 'vitrine.desktop'),
  text: autostartEntry({ program: env['APPIMAGE'] ?? program, args: LOGIN_ARGS }),
});

/** macOS and Windows: returns options of Electron's `setLoginItemSettings`. */
export const loginSettings = (startsAtLogin: boolean) => ({
  openAtLogin: startsAtLogin,
  args: [...LOGIN_ARGS],
  name: LOGIN_NAME,
});
