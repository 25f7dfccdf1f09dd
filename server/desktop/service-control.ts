/**
 * The tray's way to the system's services. systemd asks the person for the right to do it; elsewhere a sentence says
 * how it is done.
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

/** @param systemctl runs it, and resolves to false when it could not be done */
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
