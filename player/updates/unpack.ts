/** Turns the file of a release into a folder that its program can be started from. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';

/** A release of some hundred megabytes on a slow stick. */
const LIMIT_MS = 15 * 60_000;

/** @param kind ending of the file's name; @param file is used up by an AppImage */
export const unpack = async (file: string, kind: string, into: string, platform: NodeJS.Platform = process.platform): Promise<void> => {
  await mkdir(into, { recursive: true });
  if (kind === 'AppImage') {
    const program = join(into, 'Vitrine.AppImage');
    await rename(file, program);
    await chmod(program, 0o755);
    return;
  }
  // Of macOS's programs only ditto keeps all that a signed application is made of; the tar of Windows reads zip too.
  if (platform === 'darwin') return execute('ditto', ['-x', '-k', file, into]);
  if (kind === 'tar.gz') return execute('tar', ['-xzf', file, '-C', into, '--no-same-owner']);
  if (kind === 'zip' && platform === 'win32') return execute('tar.exe', ['-xf', file, '-C', into]);
  throw new Error(`A ${kind} file cannot be used on this machine`);
};

const execute = (program: string, args: readonly string[]): Promise<void> =>
  new Promise((done, fail) => {
    execFile(program, [...args], { timeout: LIMIT_MS, windowsHide: true }, (error, _out, said) => {
      if (error) fail(new Error(`${program} could not unpack the new version: ${said.trim().slice(0, 300) || error.message}`));
      else done();
    });
  });
