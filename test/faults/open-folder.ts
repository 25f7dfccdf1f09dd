/**
 * Opens a data folder as a starting server does, and closes it again. A separate program, so that a test can kill it at
 * a chosen step.
 */
import { wordsOfDisk } from '../../server/kernel/disk/disk-words.ts';
import { openDataFolder } from '../../server/upkeep/disk/data-folder.ts';

try {
  openDataFolder(process.argv[2]!).close();
} catch (error) {
  process.stderr.write(`${wordsOfDisk(error, process.argv[2]!) ?? (error as Error).message}\n`);
  process.exitCode = 1;
}
