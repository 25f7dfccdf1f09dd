/**
 * What makes a version whole: a list of its files with their sizes and hashes, written last, when every one of them is
 * on the disk. A folder without it was never finished; one that is not as it says has lost something, and is not
 * started.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Sha256 } from '../../shared/program/program.ts';
import { syncFolder, writeAtomically } from '../agent/files.ts';
import { jsonOrUndefined } from '../core/documents.ts';

const NAME = 'manifest.json';

/** Below the version's folder, with `/`. */
const Path = z.string().regex(/^(?!\/)(?!(.*\/)?\.\.(\/|$))[^\0]+$/);
const Manifest = z.object({
  format: z.literal(1),
  /** Of the release's file that it was unpacked from. */
  release: Sha256,
  files: z.array(z.object({ path: Path, size: z.number().int().min(0), sha256: Sha256 })).min(1),
  links: z.array(z.object({ path: Path, to: z.string() })),
});
type Manifest = z.infer<typeof Manifest>;

/** Brings all that is in the folder to the disk, then says what it is. @param release SHA-256 of the release's file */
export const seal = async (folder: string, release: string): Promise<void> => {
  const found = await syncTree(folder, '');
  await writeAtomically(join(folder, NAME), `${JSON.stringify({ format: 1, release, ...found } satisfies Manifest)}\n`);
};

const readManifest = async (folder: string): Promise<Manifest | undefined> =>
  Manifest.safeParse(jsonOrUndefined(await readFile(join(folder, NAME), 'utf8').catch(() => ''))).data;

/** Whether it was made of this release, and is still as it was then, every byte. */
export const isWholeOf = async (folder: string, release: string): Promise<boolean> =>
  (await readManifest(folder))?.release === release && (await damageOf(folder, { byBytes: true })) === undefined;

/** What is wrong with a version, for people; undefined: nothing. Never rejects. */
export const damageOf = async (folder: string, { byBytes }: { byBytes: boolean }): Promise<string | undefined> => {
  const manifest = await readManifest(folder);
  if (!manifest) return 'it does not lie on the disk as a whole';
  try {
    for (const { path, size, sha256 } of manifest.files) {
      const file = join(folder, path);
      const found = await lstat(file);
      if (!found.isFile() || found.size !== size || (byBytes && (await measure(file)).sha256 !== sha256))
        return `its file ${path} is damaged`;
    }
    for (const { path, to } of manifest.links)
      if ((await readlink(join(folder, path))) !== to) return `its file ${path} is damaged`;
    return undefined;
  } catch (error) {
    return `its files cannot be read: ${(error as Error).message}`;
  }
};

/** Of the file as it lies on the disk, every byte read back. */
export const measure = async (path: string): Promise<{ readonly size: number; readonly sha256: string }> => {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    size += chunk.length;
    hash.update(chunk);
  }
  return { size, sha256: hash.digest('hex') };
};

/** A folder after what is in it. */
const syncTree = async (top: string, inner: string): Promise<Pick<Manifest, 'files' | 'links'>> => {
  const [files, links]: [Manifest['files'], Manifest['links']] = [[], []];
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
  // Windows brings to the disk only what may be written.
  const file = await open(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
};
