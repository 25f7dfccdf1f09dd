/** Starts child processes for work that may crash, hang or run out of memory. */
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';

/** A child process. Tests pass a fake. */
export interface Child<In, Out> {
  post(message: In): void;
  onMessage(listener: (message: Out) => void): void;
  /** @param listener is called one or more times; with an error if the process was never started */
  onEnd(listener: (failed?: Error) => void): void;
  kill(): void;
}

interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Process priority on the scale of `os.setPriority`, where 19 is the lowest priority. */
  readonly priority: number;
  /** Whether the running child keeps the server from exiting. @default true */
  readonly keepsAlive?: boolean;
}

/** Starts a Node.js program. A failed start either throws or is reported to `onEnd`. */
export const startChild = <In, Out>({ command, args, priority, keepsAlive = true }: ChildOptions): Child<In, Out> => {
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(command, args, {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env,
    windowsHide: true,
  });
  try {
    if (child.pid) setPriority(child.pid, priority);
  } catch {
    // Ignores the error: some systems do not allow changing the priority. The process then runs at normal priority.
  }
  if (!keepsAlive) {
    child.unref();
    child.channel?.unref();
  }
  return {
    // A process that was not started has no channel for messages. In this case nothing is sent, and the error event
    // follows in the next tick.
    post: (message) => void (child.connected && child.send(message as object, () => {})),
    onMessage: (listener) => child.on('message', (message) => listener(message as Out)),
    onEnd: (listener) => {
      child.once('exit', () => listener());
      // Ignores the error of a process that was started, because such a process reports its end by `exit`.
      child.on('error', (error) => void (child.pid === undefined && listener(error)));
    },
    kill: () => void child.kill('SIGKILL'),
  };
};
