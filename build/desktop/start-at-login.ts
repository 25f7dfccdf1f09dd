/** Start at login: the system's own list on Windows and macOS, an XDG autostart entry on Linux. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { app } from 'electron';
import { autostartEntry } from './start-options.ts';

const ARGS = ['--at-login'];

const linuxEntry = (): string => join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'autostart', 'vitrine.desktop');

export const loginItem = {
  get: (): boolean => (process.platform === 'linux' ? existsSync(linuxEntry()) : app.getLoginItemSettings({ args: ARGS }).openAtLogin),
  set: (startsAtLogin: boolean): void => {
    if (process.platform !== 'linux') return app.setLoginItemSettings({ openAtLogin: startsAtLogin, args: ARGS });
    const file = linuxEntry();
    if (!startsAtLogin) return rmSync(file, { force: true });
    mkdirSync(dirname(file), { recursive: true });
    // An AppImage is mounted anew with each start: its file is what can be started.
    writeFileSync(file, autostartEntry(process.env['APPIMAGE'] ?? app.getPath('exe')));
  },
};
