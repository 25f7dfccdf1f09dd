/**
 * Segments in files: one of a store and month, each segment behind the one before. What the index (hq_segments) does not
 * name was never taken, and is written over.
 */
import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface Place {
  /** Of the file, from the folder of all. */
  readonly pack: string;
  readonly offset: number;
  readonly bytes: number;
}

export class Packs {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** On the disk when it resolves. One at a time for each pack. */
  async append({ pack, offset }: Omit<Place, 'bytes'>, segment: Buffer): Promise<void> {
    const path = join(this.#folder, pack);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await openForWriting(path);
    try {
      await file.truncate(offset);
      await file.write(segment, 0, segment.length, offset);
      await file.datasync();
    } finally {
      await file.close();
    }
  }

  /** Undefined: it is not there (any more): headquarters was restored without it. */
  async read({ pack, offset, bytes }: Place): Promise<Buffer | undefined> {
    const file = await open(join(this.#folder, pack), 'r').catch(() => undefined);
    if (!file) return undefined;
    try {
      const segment = Buffer.alloc(bytes);
      const { bytesRead } = await file.read(segment, 0, bytes, offset);
      return bytesRead === bytes ? segment : undefined;
    } finally {
      await file.close();
    }
  }

  /** Whether it is there, as long as it should be. */
  async holds(pack: string, bytes: number): Promise<boolean> {
    const found = await stat(join(this.#folder, pack)).catch(() => undefined);
    return found !== undefined && found.size >= bytes;
  }

  /** Removes all of a store. */
  async remove(folder: string): Promise<void> {
    await rm(join(this.#folder, folder), { recursive: true, force: true });
  }
}

const openForWriting = async (path: string): Promise<FileHandle> => {
  try {
    return await open(path, 'r+', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return await open(path, 'w+', 0o600);
  }
};
