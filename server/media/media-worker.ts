/**
 * Entry point of the media process, which decodes untrusted files outside of the server process. A crash, hang or
 * memory problem here affects one file and no screen.
 */
import { checkFont } from './fonts/check-font.ts';
import { inspect, shrink } from './kinds/inspect.ts';
import type { ResultMessage, Task, TaskMessage, TaskResults } from './kinds/inspection.ts';
import { watchMemory } from './memory.ts';

const run = async (task: Task): Promise<TaskResults[Task['do']]> => {
  switch (task.do) {
    case 'inspect':
      return inspect(task.path, task.size, task.name);
    case 'shrink':
      return shrink(task.bytes, task.pixels);
    case 'font':
      return checkFont(task.path, task.size);
    // Loaded on first use, because fonts and schemas need memory that other files do not need.
    case 'design-media':
      return (await import('./designs/design-thumbnail.ts')).designMedia(task.path);
    case 'draw-design':
      return (await import('./designs/design-thumbnail.ts')).drawDesign(task.drawing);
    default:
      return task satisfies never;
  }
};

const answer = async ({ id, task }: TaskMessage, post: (message: ResultMessage) => void): Promise<void> => {
  try {
    post({ id, result: await run(task) });
  } catch (error) {
    post({ id, error: String((error as Error | undefined)?.stack ?? error) });
  }
};

watchMemory();
process.on('message', (message: TaskMessage) => void answer(message, (result) => process.send?.(result)));
// Ends when the server process has ended, for whatever reason.
process.on('disconnect', () => process.exit(0));
