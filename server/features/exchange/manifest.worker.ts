/** An export is read in a thread of its own: one of 60 MB takes seconds, in which nothing else may wait. Its steps stay here until they are asked for. */
import { parentPort, workerData } from 'node:worker_threads';
import { ApiError } from '../../../shared/contract/errors.ts';
import { readManifest } from './manifest-reader.ts';
import type { ManifestMessage, ManifestTask } from './manifest-thread.ts';

const port = parentPort!;
const say = (message: ManifestMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

const { path, maxFileBytes } = workerData as ManifestTask;
try {
  const { summary, chunks } = await readManifest(path, maxFileBytes);
  let next = 0;
  port.on('message', () => {
    const chunk = chunks[next++];
    // A copy of a few kilobytes: small buffers share their memory with others.
    say({ chunk: chunk ? chunk.toString() : null });
  });
  say({ summary });
} catch (error) {
  say(error instanceof ApiError ? { refused: { status: error.status, message: error.message } } : { failed: String((error as Error).stack ?? error) });
  port.close();
}
