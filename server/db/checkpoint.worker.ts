/**
 * Thread of the class Checkpoints. Works on a separate connection, so that it blocks neither readers nor the writer.
 */
import { workerData } from 'node:worker_threads';
import { answerTasks } from '../kernel/threads/thread-tasks.ts';
import { connect } from './connect.ts';

/**
 * Upper limit of repeated checkpoints. Each repetition includes pages that were written meanwhile, so that SQLite can
 * restart the log.
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
