/** Runs small programs of the operating system. No shell is used, because a shell could interpret text as a command. */
import { execFile } from 'node:child_process';

export type Run = (
  program: string,
  args: readonly string[],
  input?: string,
) => Promise<{ readonly ok: boolean; readonly missing: boolean; readonly output: string }>;

const LIMIT_MS = 10_000;

export const run: Run = (program, args, input) =>
  new Promise((resolve) => {
    const child = execFile(
      program,
      [...args],
      { timeout: LIMIT_MS, windowsHide: true, maxBuffer: 1024 * 1024 },
      (error, stdout, stderr) => {
        const missing = (error as { code?: unknown } | null)?.code === 'ENOENT';
        resolve({ ok: !error, missing, output: `${stdout}${stderr}`.trim().slice(0, 1_000) });
      },
    );
    if (input !== undefined) child.stdin?.end(input);
    child.stdin?.on('error', () => {});
  });
