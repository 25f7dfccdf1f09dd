/**
 * Long work of upkeep runs in a process of its own, one per task: it never holds the server up, can be killed in the middle of
 * anything, and its memory goes back when it is done. Where no process can be forked (a packaged desktop) it is a thread.
 */
import { fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Task, TaskAnswer, TaskResult } from './tasks.ts';

const ENTRY = join(import.meta.dirname, 'upkeep.worker.ts');

/** The task could not be done; the sentence says why. */
export class TaskFailed extends Error {}

interface Running {
  readonly kill: () => void;
}

export class UpkeepProcess {
  readonly #running = new Set<Running>();

  /** @throws TaskFailed */
  run<T extends Task>(task: T): Promise<TaskResult[T['do']]> {
    return new Promise((resolve, reject) => {
      let answered = false;
      const answer = (message: TaskAnswer) => {
        answered = true;
        if ('error' in message) reject(new TaskFailed(message.error));
        else resolve(message.result as TaskResult[T['do']]);
      };
      const ended = () => {
        this.#running.delete(running);
        if (!answered) reject(new TaskFailed('It was interrupted'));
      };
      const running = process.versions['electron'] ? inThread(task, answer, ended) : inProcess(task, answer, ended);
      this.#running.add(running);
    });
  }

  /** Nothing goes on when this returns. What was being made is left unfinished, and cleared away at the next start. */
  stop(): void {
    for (const running of this.#running) running.kill();
  }
}

type Start = (task: Task, answer: (message: TaskAnswer) => void, ended: () => void) => Running;

const inProcess: Start = (task, answer, ended) => {
  const child = fork(ENTRY, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: ['--no-warnings'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  try {
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  } catch {
    // Not allowed to everywhere; then it competes.
  }
  child.once('message', (message) => answer(message as TaskAnswer));
  child.once('exit', ended);
  child.once('error', ended);
  child.send(task, () => {});
  // It ends by itself when the server has gone.
  child.unref();
  child.channel?.unref();
  return { kill: () => child.kill('SIGKILL') };
};

const inThread: Start = (task, answer, ended) => {
  const worker = new Worker(ENTRY, { execArgv: ['--no-warnings'] });
  worker.once('message', (message) => answer(message as TaskAnswer));
  worker.once('exit', ended);
  worker.once('error', ended);
  worker.postMessage(task);
  worker.unref();
  return { kill: () => void worker.terminate() };
};
