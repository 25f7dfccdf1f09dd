/** Which program of the system unpacks the file of a release. Pure. */
import type { ReleaseKind } from '../protocol/release-signature.ts';
import { windowsSystem } from './system-words.ts';

export interface Machine {
  /** As Node calls it. */
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Unpacker {
  readonly program: string;
  readonly args: readonly string[];
}

/** @throws Error where there is none for files of this kind */
export const unpackerOf = (file: string, kind: ReleaseKind, into: string, { platform, env }: Machine): Unpacker => {
  // Of macOS's programs only ditto keeps all that a signed application is made of; the tar of Windows reads zip too.
  if (kind === 'zip' && platform === 'darwin') return { program: '/usr/bin/ditto', args: ['-x', '-k', file, into] };
  if (kind === 'zip' && platform === 'win32')
    return { program: `${windowsSystem(env)}\\tar.exe`, args: ['-xf', file, '-C', into] };
  if (kind === 'tar.gz' && platform !== 'win32')
    return { program: 'tar', args: ['-xzf', file, '-C', into, '--no-same-owner'] };
  throw new Error(`A ${kind} file cannot be used on this machine`);
};
