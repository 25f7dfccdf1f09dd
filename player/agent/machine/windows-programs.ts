/** Programs of Windows by their full path, because a bare name is first searched in the current folder. */
import { windowsSystem } from '../../../shared/desktop/system-words.ts';

const PLACES = {
  powershell: 'WindowsPowerShell\\v1.0\\powershell.exe',
  shutdown: 'shutdown.exe',
  taskkill: 'taskkill.exe',
} as const;

export const windowsProgram = (name: keyof typeof PLACES, env: Readonly<Record<string, string | undefined>>): string =>
  `${windowsSystem(env)}\\${PLACES[name]}`;

/** Prevents libraries from searching the current folder for programs that they start by name. */
export const requireFullPaths = (platform: NodeJS.Platform, env: Record<string, string | undefined>): void => {
  if (platform === 'win32') env.NoDefaultCurrentDirectoryInExePath ??= '1';
};
