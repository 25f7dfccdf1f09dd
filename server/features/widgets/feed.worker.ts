/** Feeds are read in a thread of their own: one of 2 MB takes 100 ms, in which nothing else may wait. */
import { parentPort } from 'node:worker_threads';
import { readFeed } from './feed-reader.ts';

parentPort?.on('message', async ({ id, source }: { id: number; source: string }) => {
  try {
    parentPort?.postMessage({ id, feed: await readFeed(source) });
  } catch (error) {
    parentPort?.postMessage({ id, error: (error as Error).message });
  }
});
