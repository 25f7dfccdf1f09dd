/** Prints a sentence to the terminal after 5 s, unless the thread is terminated earlier. */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const AFTER_MS = 5_000;

// Writes directly to the terminal, because the main thread, which would forward the text, is blocked.
setTimeout(() => writeSync(2, `${workerData as string}\n`), AFTER_MS);
