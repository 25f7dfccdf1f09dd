/**
 * An export is read in a thread of its own: one of 60 MB takes seconds, in which nothing else may wait. Its steps stay
 * here until they are asked for.
 */
import { answerTasks } from '../../kernel/thread-tasks.ts';
import { readManifest } from './manifest-reader.ts';
import type { ManifestAnswer, ManifestTask } from './manifest-thread.ts';

let chunks: Iterator<Buffer> | undefined;

answerTasks(async (task: ManifestTask): Promise<ManifestAnswer> => {
  // A copy of some kilobytes: small buffers share their memory with others.
  if (task === 'next') return chunks?.next().value?.toString() ?? null;
  const manifest = await readManifest(task.path, task.maxFileBytes);
  chunks = manifest.chunks.values();
  return manifest.summary;
});
