/** Seals unpacked versions (shared/desktop/version-seal.ts) and checks that they are still complete. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { damageIn, SEAL, VersionSeal } from '../../shared/desktop/version-seal.ts';
import { syncFolder, writeAtomically } from '../agent/files/files.ts';
import { jsonOrUndefined } from '../core/files/documents.ts';

/** Syncs all files of the folder to disk, then writes the seal. @param release SHA-256 of the file of the release */
export const seal = async (folder: string, release: string): Promise<void> => {
  const found = await syncTree(folder, '');
  await writeAtomically(
    join(folder, SEAL),
    `${JSON.stringify({ format: 1, release, ...found } satisfies VersionSeal)}\n`,
  );
};

const readSeal = async (folder: string): Promise<VersionSeal | undefined> =>
  VersionSeal.safeParse(jsonOrUndefined(await readFile(join(folder, SEAL), 'utf8').catch(() => ''))).data;

/** Returns whether the folder was made from this release and every byte is unchanged. */
export const isWholeOf = async (folder: string, release: string): Promise<boolean> =>
  (await readSeal(folder))?.release === release && (await damageOf(folder, { byBytes: true })) === undefined;

/** Returns the damage of a version as a sentence; undefined: the version is complete. Never rejects. */
export const damageOf = async (folder: string, how: { byBytes: boolean }): Promise<string | undefined> =>
  damageIn(
    await readSeal(folder),
    {
      sizeOf: async (path) => {
        const found = await lstat(join(folder, path));
        return found.isFile() ? found.size : undefined;
      },
      sha256Of: async (path) => (await measure(join(folder, path))).sha256,
      linkOf: (path) => readlink(join(folder, path)),
    },
    how,
  );

/** Reads every byte of the file from disk. */
export const measure = async (path: string): Promise<{ readonly size: number; readonly sha256: string }> => {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    size += chunk.length;
    hash.update(chunk);
  }
  return { size, sha256: hash.digest('hex') };
};

/** Syncs the files of a folder to the disk, then the folder itself. */
const syncTree = async (top: string, inner: string): Promise<Pick<VersionSeal, 'files' | 'links'>> => {
  const [files, links]: [VersionSeal['files'], VersionSeal['links']] = [[], []];
  for (const entry of await readdir(join(top, inner), { withFileTypes: true })) {
    const path = inner === '' ? entry.name : `${inner}/${entry.name}`;
    const whole = join(top, path);
    if (entry.isSymbolicLink()) links.push({ path, to: await readlink(whole) });
    else if (entry.isDirectory()) {
      const below = await syncTree(top, path);
      files.push(...below.files);
      links.push(...below.links);
    } else {
      await syncFile(whole);
      files.push({ path, ...(await measure(whole)) });
    }
  }
  await syncFolder(join(top, inner));
  return { files, links };
};

const syncFile = async (path: string): Promise<void> => {
  // Windows syncs only files that are open for writing.
  const file = await open(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
};
