/**
 * Detects the commands that this machine can carry out. The admin window offers only these commands; a command that
 * arrives is tried in any case.
 */
import { readFile } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { thisMachine } from '../browser/browser-find.ts';
import { machineSteps, type Platform } from './power.ts';

export interface Abilities {
  readonly reboot: boolean;
  readonly shutdown: boolean;
  readonly sound: boolean;
}

export interface Probes {
  readonly executable: (path: string) => Promise<boolean>;
  /** Reads a text file. Undefined if the file does not exist. */
  readonly read: (path: string) => Promise<string | undefined>;
}

/** File in which Linux lists the sound cards. */
const CARDS = '/proc/asound/cards';

export async function abilitiesOf(platform: Platform, probes: Probes = theseProbes()): Promise<Abilities> {
  const can = (what: 'reboot' | 'shutdown') => hasAny(machineSteps(what, platform), platform, probes);
  const [reboot, shutdown, sound] = await Promise.all([can('reboot'), can('shutdown'), hasSound(platform, probes)]);
  return { reboot, shutdown, sound };
}

async function hasAny(
  steps: readonly { readonly program: string }[],
  { platform, env }: Platform,
  { executable }: Probes,
): Promise<boolean> {
  // On Windows and macOS these programs are part of the system, so no search is needed.
  if (platform === 'win32' || platform === 'darwin') return true;
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  for (const { program } of steps)
    for (const folder of folders) if (await executable(join(folder, program))) return true;
  return false;
}

async function hasSound({ platform }: Platform, { read }: Probes): Promise<boolean> {
  if (platform !== 'linux') return true;
  const cards = await read(CARDS);
  return cards !== undefined && !cards.includes('no soundcards');
}

const theseProbes = (): Probes => ({
  executable: thisMachine().executable,
  read: (path) => readFile(path, 'utf8').catch(() => undefined),
});
