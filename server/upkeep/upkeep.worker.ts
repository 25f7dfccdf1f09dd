/** Entry point of the upkeep process: runs one task and exits. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { mediaAsideFolder, releasesAsideFolder } from '../media/aside.ts';
import { BackupDamaged, DATABASE } from './backup/archive.ts';
import { freeName, prunePieces, rotate, summariesOf, summaryOf } from './backup/backup-files.ts';
import { FileTaken, NotTaken } from './backup/bring-in.ts';
import { backupsFolder, makeBackup } from './backup/make-backup.ts';
import { choosePlace, requirePlace } from './backup/place.ts';
import { checkPool } from './backup/pool.ts';
import { restoreMedia } from './backup/restore-media.ts';
import { type SavedFile, savedFile } from './backup/saved-file.ts';
import { tryBackup } from './backup/try-backup.ts';
import { tidy } from './backup/unfinished.ts';
import { sizeOf } from './backup/whole-file.ts';
import { alive, listenForSigns, looking, undivided, working } from './checks/alive.ts';
import { checkDatabase } from './checks/database-check.store.ts';
import { checkMedia } from './checks/media-check.ts';
import { restoreAsOrdered } from './restore/restore-order.ts';
import { listenForProgress } from './tasks/progress.ts';
import type { FolderSizes, Given, More, Task, TaskResult, TaskWord } from './tasks/tasks.ts';

/** Pause in milliseconds between two reads. It limits reading to about 150 MB/s. */
const PAUSE_MS = 5;

type Answers = {
  readonly [K in Task['do']]: (task: Extract<Task, { do: K }>) => TaskResult[K] | Promise<TaskResult[K]>;
};

const answers: Answers = {
  backup: async ({ place, order, name }) => {
    requirePlace(place);
    const { rotation, now } = order;
    const turn = (named: readonly string[]) => void (rotation && rotate(place.folder, rotation, now, named));
    const { file, bytes, manifest, lost, named } = await makeBackup(
      { ...order, target: freeName(join(place.folder, name)) },
      turn,
    );
    try {
      turn(named);
    } catch {
      // Ignores the error, because the new backup is complete. The next backup tries again to delete old backups.
    }
    return { made: summaryOf({ name: basename(file), bytes, manifest, damage: undefined }, () => true), lost };
  },
  list: ({ place }) => {
    requirePlace(place);
    tidy(place.folder);
    return summariesOf(place.folder);
  },
  delete: ({ place, name }) => {
    requirePlace(place);
    const path = join(place.folder, name);
    if (sizeOf(path) === undefined) return false;
    rmSync(path);
    prunePieces(place.folder);
    return true;
  },
  try: ({ place, name }) => {
    requirePlace(place);
    const file = join(place.folder, name);
    return sizeOf(file) === undefined ? undefined : tryBackup(file, place.data);
  },
  read: ({ place, name }) => {
    requirePlace(place);
    reading = savedFile(join(place.folder, name));
    return reading && { size: reading.size, changedAt: reading.changedAt };
  },
  'bring-in': ({ place, name, expected }) => {
    requirePlace(place);
    coming = new FileTaken(place, name, expected);
    return undefined;
  },
  restore: ({ data }) => {
    working();
    restoreAsOrdered(data);
    return true;
  },
  choose: ({ place }) => choosePlace(place),
  'check-media': ({ data }) => checkMedia(data, { pauseMs: PAUSE_MS }),
  'check-database': ({ data }) => ({ damage: undivided(() => checkDatabase(join(data, DATABASE))) ?? null }),
  heal: ({ place, wanted }) => {
    requirePlace(place);
    return restoreMedia(place.folder, place.data, wanted);
  },
  'check-pool': ({ place }) => {
    requirePlace(place);
    return checkPool(place.folder, PAUSE_MS);
  },
  sizes: ({ data }) => sizes(data),
};

const sizes = (data: string): FolderSizes => ({
  backups: bytesIn(backupsFolder(data)),
  logs: bytesIn(join(data, 'logs')),
  aside: bytesIn(mediaAsideFolder(data)) + bytesIn(releasesAsideFolder(data)),
});

/** Returns the size in bytes. A file with a hard link outside of the folder is counted at the other location. */
const bytesIn = (folder: string): number => {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false }))
    .reduce((sum, file) => {
      alive();
      return sum + (file && file.nlink === 1 ? file.size : 0);
    }, 0);
};

const answer = async (task: Task): Promise<TaskWord> => {
  looking();
  try {
    return { result: await (answers[task.do] as (task: Task) => Promise<TaskResult[Task['do']]>)(task) };
  } catch (error) {
    return wordOf(error);
  }
};

const wordOf = (error: unknown): TaskWord =>
  error instanceof NotTaken || error instanceof BackupDamaged
    ? { error: error.message, refused: true }
    : { error: sentenceOf(error) };

const sentenceOf = (error: unknown): string => {
  const { code, message, path } = error as NodeJS.ErrnoException;
  return code === 'EIO' ? `${path ?? 'A file'} cannot be read or written (EIO): its disk fails.` : message;
};

let reading: SavedFile | undefined;

/** Returns a piece of the file that is being read, from this offset. */
const pieceOf = ({ from }: More): TaskWord => {
  try {
    const piece = reading!.at(from);
    return { piece: piece.length > 0 ? piece : null };
  } catch (error) {
    return wordOf(error);
  }
};

/** The uploaded file that is being received. */
let coming: FileTaken | undefined;

/** Handles a piece of an uploaded file, or the end of the file. On failure, removes everything that was written. */
const takenOf = ({ give }: Given): TaskWord => {
  try {
    if (give === 'nothing') coming?.discard();
    else if (give === 'end') return { result: coming?.end() };
    else coming?.write(give);
    return { result: undefined };
  } catch (error) {
    coming?.discard();
    return wordOf(error);
  }
};

/** Runs one task for the server, communicating by messages. */
const serve = (say: (word: TaskWord) => void): ((message: unknown) => void) => {
  listenForSigns((aliveFor) => say({ aliveFor }));
  listenForProgress((progress) => say({ progress }));
  let task: Task | undefined;
  return (message) => {
    if (task === undefined) {
      task = message as Task;
      void answer(task).then(say);
    } else if (task.do === 'read') say(pieceOf(message as More));
    else if (task.do === 'bring-in') say(takenOf(message as Given));
  };
};

let folder: string | undefined;
/** The server has ended. This process removes its own leftovers, because the next server may have started already. */
const leave = (): never => {
  coming?.discard();
  if (folder !== undefined) tidy(folder);
  process.exit(0);
};
// Also ends when a message cannot be written (EPIPE), which may happen before the disconnect event arrives.
const hear = serve((word) => void process.send?.(word, undefined, undefined, (error) => error && leave()));
process.on('message', (message: Task) => {
  if (message.do === 'backup') folder = backupsFolder(message.order.data);
  hear(message);
});
process.on('disconnect', leave);
