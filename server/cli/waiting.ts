/**
 * Prints that a command waits for a disk, which may hang without an error. The command then waits until the person ends
 * it.
 */
import { Worker } from 'node:worker_threads';
import { pathOf } from '../kernel/place.ts';

const ENTRY = pathOf('server/cli/waiting.worker');

/**
 * Runs work that blocks this thread. Meanwhile another thread prints the message to stderr.
 * @param path path that the
 * work reads or writes
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

/** Starts the thread with the message. If no thread can be started, the work runs without this message. */
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
