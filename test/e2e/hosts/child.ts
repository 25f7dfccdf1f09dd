/** Processes that a test has started: their output and their end. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Resolves with the first line of stdout that matches. Throws with the whole output if the process ends before. */
export const lineOf = async (child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> => {
  const said: string[] = [];
  child.stderr?.on('data', (data) => said.push(String(data)));
  for await (const line of createInterface({ input: child.stdout! })) {
    said.push(line);
    const match = pattern.exec(line);
    if (match) {
      child.stdout!.resume();
      return match;
    }
  }
  throw new Error(`never said ${pattern}:\n${said.join('\n')}`);
};

/** Kills the process, like a power cut. */
export const end = async (child: ChildProcess): Promise<void> => {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
};
