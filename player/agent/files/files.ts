/** Atomic file writes: a power cut leaves either the old or the new file. Files are readable by this user only. */
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Documents } from '../../core/ports.ts';
import { Serial } from '../../core/serial.ts';

export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

export const makeFolder = (path: string) => mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });

/**
 * Writes a temporary file, fsyncs it, renames it, and fsyncs the folder, because otherwise the rename itself may be
 * lost. Recreates a folder that was deleted. Renames a folder that stands in place of the file.
 * @param temporary a name for this program only, if other programs write the same file
 */
export async function writeAtomically(path: string, text: string, temporary = `${path}.tmp`): Promise<void> {
  try {
    await writeOnce(path, text, temporary);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT') await makeFolder(dirname(path));
    else if (code === 'EISDIR' || code === 'ENOTEMPTY' || code === 'EEXIST') await clearWay([temporary, path]);
    else throw error;
    await writeOnce(path, text, temporary);
  }
}

async function writeOnce(path: string, text: string, temporary: string): Promise<void> {
  const file = await open(temporary, 'w', PRIVATE_FILE);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

async function clearWay(paths: readonly string[]): Promise<void> {
  for (const each of paths) if ((await unlessMissing(stat(each)))?.isDirectory()) await putAside(each);
}

/** Renames the object to `….damaged`, and replaces an earlier object of that name. */
async function putAside(path: string): Promise<void> {
  await rm(`${path}.damaged`, { recursive: true, force: true });
  await unlessMissing(rename(path, `${path}.damaged`));
}

export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders. There, the journal of the file system makes a rename durable.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Resolves with the result of `work`; undefined if its file does not exist. Rejects with any other error. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
}

export const sizeOf = async (path: string): Promise<number | undefined> => (await unlessMissing(stat(path)))?.size;

/** Documents in files, one JSON file per document. Names come from the core, never from outside. */
export class FileDocuments implements Documents {
  readonly #folder: string;
  readonly #temporary: string;
  /** Runs the writes one after the other, because two writes of one document must not share the temporary name. */
  readonly #writes = new Serial();

  /** @param writer name of this program, part of temporary names, if other programs write the same documents */
  constructor(folder: string, writer?: string) {
    this.#folder = folder;
    this.#temporary = writer === undefined ? '.tmp' : `.${writer}.tmp`;
  }

  async start(): Promise<void> {
    await makeFolder(this.#folder);
  }

  read(name: string): Promise<string | undefined> {
    return unlessMissing(readFile(this.#path(name), 'utf8'));
  }

  write(name: string, text: string): Promise<void> {
    return this.#writes.run(() => writeAtomically(this.#path(name), text, this.#path(name) + this.#temporary));
  }

  remove(name: string): Promise<void> {
    return this.#writes.run(() => rm(this.#path(name), { force: true, recursive: true }));
  }

  async list(): Promise<string[]> {
    const files = ((await unlessMissing(readdir(this.#folder))) ?? []).filter((file) => file.endsWith('.json'));
    const dated = await Promise.all(
      files.map(async (file) => ({ file, at: (await unlessMissing(stat(join(this.#folder, file))))?.mtimeMs ?? 0 })),
    );
    return dated.sort((a, b) => b.at - a.at).map(({ file }) => file.slice(0, -'.json'.length));
  }

  setAside(name: string): Promise<void> {
    return this.#writes.run(() => putAside(this.#path(name)));
  }

  #path(name: string): string {
    return join(this.#folder, `${name}.json`);
  }
}
