/** Says a sentence after a while, unless it is ended before. */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const AFTER_MS = 5_000;

// It writes straight to the terminal: the thread that would pass it on is the one that waits.
setTimeout(() => writeSync(2, `${workerData as string}\n`), AFTER_MS);
