/**
 * Reads an export in a thread, because 60 MB take seconds, and requests must not wait for it. The steps stay in the
 * thread until they are requested.
 */
import { answerTasks } from '../../kernel/threads/thread-tasks.ts';
import { readManifest } from './manifest-reader.ts';
import type { ManifestAnswer, ManifestTask } from './manifest-thread.ts';

let chunks: Iterator<Buffer> | undefined;

answerTasks(async (task: ManifestTask): Promise<ManifestAnswer> => {
  // Sends the chunk of some kilobytes as a string, because small buffers share their memory with other buffers.
  if (task === 'next') return chunks?.next().value?.toString() ?? null;
  const manifest = await readManifest(task.path, task.maxFileBytes);
  chunks = manifest.chunks.values();
  return manifest.summary;
});
