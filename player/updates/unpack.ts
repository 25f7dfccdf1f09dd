/**
 * Turns the file of a release into a folder that its program can be started from. What comes here is signed: these are
 * the bytes that the publisher made (updater.ts). Beside it, tar leaves nothing outside of the folder that it is told:
 * it takes `../` and a leading `/` off the names, and makes no links to elsewhere before all files are there, so that
 * nothing is written through them. Of macOS's ditto that is not known: there it is the signature alone.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Unpacker, unpackerOf } from '../../shared/desktop/unpacker.ts';
import type { ReleaseKind } from '../../shared/protocol/release-signature.ts';

/** A release of some hundred megabytes on a slow stick. */
const LIMIT_MS = 15 * 60_000;

/** @param file is used up by an AppImage */
export const unpack = async (
  file: string,
  kind: ReleaseKind,
  into: string,
  machine: { platform: NodeJS.Platform; env: NodeJS.ProcessEnv } = process,
): Promise<void> => {
  await mkdir(into, { recursive: true });
  if (kind === 'AppImage') {
    const program = join(into, 'Vitrine.AppImage');
    await rename(file, program);
    await chmod(program, 0o755);
    return;
  }
  await execute(unpackerOf(file, kind, into, machine));
};

const execute = ({ program, args }: Unpacker): Promise<void> =>
  new Promise((done, fail) => {
    execFile(program, [...args], { timeout: LIMIT_MS, windowsHide: true }, (error, _out, said) => {
      if (error)
        fail(new Error(`${program} could not unpack the new version: ${said.trim().slice(0, 300) || error.message}`));
      else done();
    });
  });
