import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

const LIMITS = { encoding: 'utf8', timeout: 10_000, windowsHide: true } as const;

/**
 * Resolves with the version of a Node program, like v24.21.0; '' when the program does not run.
 * @param node full path
 */
export const nodeVersionOf = (node: string): Promise<string> =>
  promisify(execFile)(node, ['--version'], LIMITS).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );

/** Synchronous variant for the launcher, which has no other work meanwhile. */
export const nodeVersionNow = (node: string): string => {
  try {
    return execFileSync(node, ['--version'], LIMITS).trim();
  } catch {
    return '';
  }
};
