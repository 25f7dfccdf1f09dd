/** Chooses the program of the operating system that unpacks the file of a release. Pure. */
import type { ReleaseKind } from '../protocol/releases/release-signature.ts';
import { windowsSystem } from './system-words.ts';

export interface Machine {
  /** Name of the platform in Node. */
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Unpacker {
  readonly program: string;
  readonly args: readonly string[];
}

/** @throws Error if the system has no program for this kind of file */
export const unpackerOf = (file: string, kind: ReleaseKind, into: string, { platform, env }: Machine): Unpacker => {
  // On macOS, only ditto preserves every part of a signed application. The tar of Windows can read zip files, too.
  if (kind === 'zip' && platform === 'darwin') return { program: '/usr/bin/ditto', args: ['-x', '-k', file, into] };
  if (kind === 'zip' && platform === 'win32')
    return { program: `${windowsSystem(env)}\\tar.exe`, args: ['-xf', file, '-C', into] };
  if (kind === 'tar.gz' && platform !== 'win32')
    return { program: 'tar', args: ['-xzf', file, '-C', into, '--no-same-owner'] };
  throw new Error(`A ${kind} file cannot be used on this machine`);
};
