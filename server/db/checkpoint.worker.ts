/**
 * Thread of the class Checkpoints. Works on a separate connection, so that it blocks neither readers nor the writer.
 */
import { workerData } from 'node:worker_threads';
import { answerTasks } from '../kernel/threads/thread-tasks.ts';
import { connect } from './connect.ts';

/**
 * Maximum number of checkpoints in a row. Each further checkpoint includes pages that were written during the previous
 * one, until SQLite can start the log from its beginning.
 */
const ROUNDS = 3;

const db = connect(workerData as string, { fileMustExist: true });
db.pragma('synchronous = FULL');
db.pragma('cache_size = -500');

answerTasks(() => {
  for (let round = 0; round < ROUNDS; round++) {
    const [state] = db.pragma('wal_checkpoint(PASSIVE)') as [{ busy: number; log: number; checkpointed: number }];
    if (state.busy || state.log === state.checkpointed) break;
  }
});
