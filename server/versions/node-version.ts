import { execFileSync } from 'node:child_process';

/** Returns what a Node says of itself, like v24.21.0; '' when it says nothing. @param node is a whole path */
export const nodeVersionOf = (node: string): string => {
  try {
    return execFileSync(node, ['--version'], { encoding: 'utf8', timeout: 10_000, windowsHide: true }).trim();
  } catch {
    return '';
  }
};
