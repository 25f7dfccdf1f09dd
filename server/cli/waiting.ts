/**
 * Says that a command waits for a disk, which it does as long as whoever started it likes: a disk that hangs says
 * nothing.
 */
import { Worker } from 'node:worker_threads';
import { pathOf } from '../kernel/place.ts';

const ENTRY = pathOf('server/cli/waiting.worker');

/**
 * Does the work, which holds this thread; therefore another one speaks, on stderr.
 * @param path is what the work reads or writes
 */
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

/** Starts the one that speaks. Where no thread can be started the work is done in silence. */
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
