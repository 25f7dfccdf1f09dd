/**
 * Code that runs in each thread of a ThreadPool. Imports no other module of Vitrine, so that small threads stay small.
 */
import { parentPort, type Transferable } from 'node:worker_threads';

export interface Failure {
  readonly message: string;
  readonly stack?: string | undefined;
  readonly status?: number | undefined;
}

export type TaskMessage<Answer> = { readonly answer: Answer } | { readonly failed: Failure };

/**
 * Answers incoming tasks one after the other.
 * @param answer may throw; the status of an ApiError is passed on
 * @param transferOf returns the parts of an answer that are transferred to the server's thread instead of copied
 */
export const answerTasks = <Task, Answer>(
  answer: (task: Task) => Answer | Promise<Answer>,
  transferOf: (answer: Answer) => readonly Transferable[] = () => [],
): void => {
  parentPort!.on('message', async (task: Task) => {
    try {
      const made = await answer(task);
      parentPort!.postMessage({ answer: made } satisfies TaskMessage<Answer>, transferOf(made));
    } catch (error) {
      const { message, stack, status } = error as Error & { status?: number };
      parentPort!.postMessage({ failed: { message, stack, status } } satisfies TaskMessage<Answer>);
    }
  });
};
