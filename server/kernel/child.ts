/**
 * Runs programs of the server in processes of their own, because what they run may crash, hang or need more memory than
 * there is.
 */
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';

/** The process, or what stands for it in tests. */
export interface Child<In, Out> {
  post(message: In): void;
  onMessage(listener: (message: Out) => void): void;
  /** @param listener is called once or more, with an error when the process was never started */
  onEnd(listener: (failed?: Error) => void): void;
  kill(): void;
}

interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** As for `os.setPriority`, where 19 is the lowest. */
  readonly priority: number;
  /** False where the server may end before it does. @default true */
  readonly keepsAlive?: boolean;
}

/** Starts a program of Node.js. May throw, or tell `onEnd` that it was not started. */
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
    // It is not allowed everywhere. Without it the process competes with the others.
  }
  if (!keepsAlive) {
    child.unref();
    child.channel?.unref();
  }
  return {
    // A process that was never started has no channel; its error comes with the next tick.
    post: (message) => void (child.connected && child.send(message as object, () => {})),
    onMessage: (listener) => child.on('message', (message) => listener(message as Out)),
    onEnd: (listener) => {
      child.once('exit', () => listener());
      // For a process that was started, `exit` tells the end.
      child.on('error', (error) => void (child.pid === undefined && listener(error)));
    },
    kill: () => void child.kill('SIGKILL'),
  };
};
