/**
 * A person's own start at login, where no administrator has made one for everybody (`vitrine set-up`): what it is on
 * each system. Without Electron.
 */
import { join } from 'node:path';
import { autostartEntry } from '../../shared/desktop/machine-start.ts';

/** Started by the computer, not by a person. */
export const LOGIN_ARGS: readonly string[] = ['--at-login'];
/** Of the value in Windows' list, by which the uninstaller finds it (build/installer/installer.nsh). */
export const LOGIN_NAME = 'Vitrine';

interface Person {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Electron's own program. */
  readonly program: string;
}

/** Linux: a file of the person's. An AppImage is mounted anew with each start: its file is what can be started. */
export const loginFile = ({ env, home, program }: Person): { readonly file: string; readonly text: string } => ({
  file: join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'autostart', 'vitrine.desktop'),
  text: autostartEntry({ program: env['APPIMAGE'] ?? program, args: LOGIN_ARGS }),
});

/** macOS and Windows: for Electron's `setLoginItemSettings`. */
export const loginSettings = (startsAtLogin: boolean) => ({
  openAtLogin: startsAtLogin,
  args: [...LOGIN_ARGS],
  name: LOGIN_NAME,
});
