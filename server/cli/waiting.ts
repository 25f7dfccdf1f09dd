/** Commands wait for a disk as long as whoever started them likes. They say so: a disk that hangs says nothing. */
import { Worker } from 'node:worker_threads';
import { pathOf } from '../kernel/place.ts';

const ENTRY = pathOf('server/cli/waiting.worker');

/** @param path what the work reads or writes. The work holds this thread, therefore another one speaks, on stderr */
export const waitingFor = async <T>(path: string, work: () => T | Promise<T>): Promise<T> => {
  const speaker = begin(
    `Waiting for the disk of ${path}. If it does not answer, end this with Ctrl+C; nothing is half done by that.`,
  );
  try {
    return await work();
  } finally {
    await speaker?.terminate();
  }
};

/** Where no thread can be started the work is done in silence. */
const begin = (sentence: string): Worker | undefined => {
  try {
    const worker = new Worker(ENTRY, { workerData: sentence, execArgv: ['--no-warnings'] });
    worker.on('error', () => {});
    worker.unref();
    return worker;
  } catch {
    return undefined;
  }
};
