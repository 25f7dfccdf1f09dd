import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

const LIMITS = { encoding: 'utf8', timeout: 10_000, windowsHide: true } as const;

/** Resolves with what a Node says of itself, like v24.21.0; '' when it says nothing. @param node is a whole path */
export const nodeVersionOf = (node: string): Promise<string> =>
  promisify(execFile)(node, ['--version'], LIMITS).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );

/** The same for the launcher, which has nothing else to do. */
export const nodeVersionNow = (node: string): string => {
  try {
    return execFileSync(node, ['--version'], LIMITS).trim();
  } catch {
    return '';
  }
};
