/**
 * Starts and stops the system's service from the tray. systemd asks the person for permission; on other systems a
 * sentence says how to do it.
 */
import { execFile } from 'node:child_process';
import type { DesktopWords } from '../../shared/desktop/words.ts';
import type { ServiceControl } from './server-desk.ts';

const UNIT = 'vitrine.service';

export const hintFor = (
  platform: NodeJS.Platform,
  what: 'start' | 'stop',
  { tray }: Pick<DesktopWords, 'tray'>,
): string => {
  const command = `vitrine service ${what}`;
  return platform === 'win32' ? tray.adminTerminal(command) : tray.terminal(`sudo ${command}`);
};

/** @param systemctl runs systemctl, and resolves with false on failure */
export const serviceControl = (
  platform: NodeJS.Platform,
  words: Pick<DesktopWords, 'tray'>,
  systemctl: (args: readonly string[]) => Promise<boolean> = runSystemctl,
): ServiceControl => {
  const order = async (what: 'start' | 'stop') =>
    platform === 'linux' && (await systemctl([what, UNIT])) ? undefined : hintFor(platform, what, words);
  return { start: () => order('start'), stop: () => order('stop') };
};

const runSystemctl = (args: readonly string[]): Promise<boolean> =>
  new Promise((done) => execFile('systemctl', [...args], (error) => done(error === null)));
