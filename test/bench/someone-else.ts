/**
 * The thread of `someoneElse` (load.ts): sends requests until it is stopped, then reports how long each answer took.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { keepAsking } from './load.ts';

const asking = keepAsking(workerData);
parentPort?.once('message', async () => parentPort?.postMessage(await asking.stop()));
