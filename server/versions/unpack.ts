/** Unpacks a release file with a program of the system. The file's signature was verified before. */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { type Machine, unpackerOf } from '../../shared/desktop/unpacker.ts';
import type { ReleaseKind } from '../../shared/protocol/releases/release-signature.ts';

/** Time limit for unpacking in milliseconds: enough for some hundred megabytes on a slow disk. */
const LIMIT_MS = 15 * 60_000;

/** File kinds from which a server can run on each system. */
export const unpackedKind = (platform: string): ReleaseKind => (platform === 'linux' ? 'tar.gz' : 'zip');

/** @throws Error with the reason */
export const unpack = async (file: string, into: string, machine: Machine = process): Promise<void> => {
  await mkdir(into, { recursive: true, mode: 0o700 });
  const { program, args } = unpackerOf(file, unpackedKind(machine.platform), into, machine);
  await new Promise<void>((done, fail) => {
    execFile(program, [...args], { timeout: LIMIT_MS, windowsHide: true }, (error, _out, said) =>
      error ? fail(new Error(said.trim().split('\n')[0]?.slice(0, 300) || error.message)) : done(),
    );
  });
};
