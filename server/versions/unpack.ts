/**
 * Unpacks the file of a release with a program of the system. What comes here is signed: these are the bytes that the
 * publisher made.
 */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { windowsSystem } from '../../shared/desktop/system-words.ts';
import type { ReleaseKind } from '../../shared/protocol/release-signature.ts';

/** A release of some hundred megabytes on a slow disk. */
const LIMIT_MS = 15 * 60_000;

interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The kinds of files that a server on each system can be started from. */
export const unpackedKind = (platform: NodeJS.Platform): ReleaseKind => (platform === 'linux' ? 'tar.gz' : 'zip');

/** Returns the program of the system that unpacks such a file, and its arguments. */
export const unpackerOf = (
  file: string,
  into: string,
  { platform, env }: Machine,
): { readonly program: string; readonly args: readonly string[] } => {
  // Of macOS's programs only ditto keeps all that a signed application is made of; the tar of Windows reads zip too.
  if (platform === 'darwin') return { program: '/usr/bin/ditto', args: ['-x', '-k', file, into] };
  if (platform === 'win32') return { program: `${windowsSystem(env)}\\tar.exe`, args: ['-xf', file, '-C', into] };
  return { program: 'tar', args: ['-xzf', file, '-C', into, '--no-same-owner'] };
};

/** @throws Error that says why it could not be unpacked */
export const unpack = async (file: string, into: string, machine: Machine = process): Promise<void> => {
  await mkdir(into, { recursive: true, mode: 0o700 });
  const { program, args } = unpackerOf(file, into, machine);
  await new Promise<void>((done, fail) => {
    execFile(program, [...args], { timeout: LIMIT_MS, windowsHide: true }, (error, _out, said) =>
      error ? fail(new Error(said.trim().split('\n')[0]?.slice(0, 300) || error.message)) : done(),
    );
  });
};
