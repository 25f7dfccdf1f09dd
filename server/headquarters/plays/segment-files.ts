/**
 * Stores segments in segment files: one file per store and month, with its segments one after the other. Bytes that the
 * index (hq_segments) does not name come from an unfinished write and are overwritten.
 */
import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface Place {
  /** Path of the file, relative to the folder of all segment files. */
  readonly pack: string;
  readonly offset: number;
  readonly bytes: number;
}

export class SegmentFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Writes the segment at its offset. Resolves when the segment is on the disk. The caller runs one call at a time for
   * each file.
   */
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

  /** Returns the segment; undefined: the segment is missing, because headquarters was restored without it. */
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

  /** Returns whether the segment file exists with at least the expected length. */
  async contains(pack: string, bytes: number): Promise<boolean> {
    const found = await stat(join(this.#folder, pack)).catch(() => undefined);
    return found !== undefined && found.size >= bytes;
  }

  /** Removes all segment files of a store. */
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
