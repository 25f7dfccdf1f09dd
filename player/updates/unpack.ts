/**
 * Unpacks the file of a release into a folder with a startable program. The file is signed, so its bytes come from the
 * publisher (updater.ts). In addition, tar writes nothing outside of the given folder: it strips `../` and a leading
 * `/` from names, and creates links to other places only after all files, so that nothing is written through them. For
 * macOS's ditto this is unknown; there only the signature protects.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Unpacker, unpackerOf } from '../../shared/desktop/unpacker.ts';
import type { ReleaseKind } from '../../shared/protocol/releases/release-signature.ts';

/** Time limit for unpacking a release of some hundred megabytes on a slow PC stick. */
const LIMIT_MS = 15 * 60_000;

/** @param file is moved in the case of an AppImage */
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
