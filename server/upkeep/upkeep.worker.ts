/** Entry of the upkeep process: does one task and ends. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { asideFolder } from '../media/media-aside.ts';
import { DATABASE } from './backup/archive.ts';
import { listBackups, rotate } from './backup/backup-files.ts';
import { backupsFolder, makeBackup, tidy } from './backup/make-backup.ts';
import { checkDatabase } from './database-check.store.ts';
import { checkMedia } from './media-check.ts';
import type { FolderSizes, Task, TaskAnswer } from './tasks.ts';

/** At most some 150 MB/s are read: nobody waits for this. */
const PAUSE_MS = 5;

const run = async (task: Task) => {
  switch (task.do) {
    case 'backup': {
      const made = await makeBackup(task.order);
      if (task.keep !== undefined) rotate(join(task.order.target, '..'), task.keep);
      return made;
    }
    case 'list':
      return listBackups(task.folder);
    case 'check-media':
      return checkMedia(task.data, { pauseMs: PAUSE_MS });
    case 'check-database':
      return { damage: checkDatabase(join(task.data, DATABASE)) ?? null };
    case 'sizes':
      return sizes(task.data);
  }
};

const sizes = (data: string): FolderSizes => ({ backups: bytesIn(backupsFolder(data)), logs: bytesIn(join(data, 'logs')), aside: bytesIn(asideFolder(data)) });

/** What has a second name elsewhere is counted there. */
const bytesIn = (folder: string): number => {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false }))
    .reduce((sum, file) => sum + (file && file.nlink === 1 ? file.size : 0), 0);
};

const answer = async (task: Task): Promise<TaskAnswer> => {
  try {
    return { result: await run(task) };
  } catch (error) {
    return { error: (error as Error).message };
  }
};

if (parentPort) {
  const port = parentPort;
  port.once('message', (task: Task) => void answer(task).then((result) => port.postMessage(result)));
} else {
  let folder: string | undefined;
  process.once('message', (task: Task) => {
    if (task.do === 'backup') folder = backupsFolder(task.order.data);
    void answer(task).then((result) => process.send?.(result, () => process.exit(0)));
  });
  // The server is gone, however it went. The one that follows may have started already: nobody else clears this away.
  process.on('disconnect', () => {
    if (folder !== undefined) tidy(folder);
    process.exit(0);
  });
}
