/** Creates the screens of the desktop program. Must be called after Electron is ready. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { StartProgram } from '../../shared/desktop/program.ts';
import { FileDocuments } from '../agent/files/files.ts';
import { TwoCopies } from '../core/connection/two-copies.ts';
import type { Log } from '../core/ports.ts';
import { folderOf } from './displays.ts';
import { electronMachine, time } from './electron-machine.ts';
import { type Player, type PlayerOptions, startPlayerRole } from './player-role.ts';
import { Seats } from './seats.ts';

/** Maximum number of screens. No graphics card has more displays. */
const MOST_SCREENS = 16;

const screensIn = (data: string): number =>
  Array.from({ length: MOST_SCREENS }, (_, i) => i + 1).filter((place) => existsSync(folderOf(data, place))).length;

export const startDesktopPlayer = async (start: StartProgram, options: PlayerOptions, log: Log): Promise<Player> => {
  const crypto = { sha256: (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex') };
  const documents = new TwoCopies({ documents: new FileDocuments(dirname(options.data)), crypto, time, log });
  const seats = await Seats.open({ documents, time, log, folders: screensIn(options.data) });
  const player = startPlayerRole({ machine: electronMachine(), start, seats, time, log }, options);
  return {
    ...player,
    stop: async () => {
      await player.stop();
      await documents.stop();
    },
  };
};
