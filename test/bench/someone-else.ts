/** The thread of `someoneElse` (load.ts): asks until told to stop, then says how long it waited. */
import { parentPort, workerData } from 'node:worker_threads';
import { keepAsking } from './load.ts';

const asking = keepAsking(workerData);
parentPort?.once('message', async () => parentPort?.postMessage(await asking.stop()));
