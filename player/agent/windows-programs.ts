/** Windows' own programs, by their whole path: a bare name is looked for in the present folder first. */
import { windowsSystem } from '../../shared/desktop/system-words.ts';

const PLACES = {
  powershell: 'WindowsPowerShell\\v1.0\\powershell.exe',
  shutdown: 'shutdown.exe',
  taskkill: 'taskkill.exe',
} as const;

export const windowsProgram = (name: keyof typeof PLACES, env: Readonly<Record<string, string | undefined>>): string =>
  `${windowsSystem(env)}\\${PLACES[name]}`;

/** Keeps libraries from looking in the present folder for what they start by its name. */
export const keepToPath = (platform: NodeJS.Platform, env: Record<string, string | undefined>): void => {
  if (platform === 'win32') env.NoDefaultCurrentDirectoryInExePath ??= '1';
};
