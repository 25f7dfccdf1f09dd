/**
 * Enables the start at sign-in: by the system's list on Windows and macOS, by an XDG autostart entry on Linux
 * (login-item.ts).
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { app } from 'electron';
import { LOGIN_ARGS, loginFile, loginSettings } from './login-item.ts';

const ofPerson = () => loginFile({ env: process.env, home: homedir(), program: app.getPath('exe') });

export const loginItem = {
  get: (): boolean =>
    process.platform === 'linux'
      ? existsSync(ofPerson().file)
      : app.getLoginItemSettings({ args: [...LOGIN_ARGS] }).openAtLogin,
  set: (startsAtLogin: boolean): void => {
    if (process.platform !== 'linux') return app.setLoginItemSettings(loginSettings(startsAtLogin));
    const { file, text } = ofPerson();
    if (!startsAtLogin) return rmSync(file, { force: true });
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  },
};
