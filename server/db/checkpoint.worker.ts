/** The thread of Checkpoints: a connection of its own, which holds neither readers nor the writer up. */
import { workerData } from 'node:worker_threads';
import { answerTasks } from '../kernel/thread-tasks.ts';
import { connect } from './connect.ts';

/** What was written meanwhile is taken along, so that the log can begin anew, but not for ever. */
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
