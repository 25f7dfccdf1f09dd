/**
 * Content-addressed file store: `<data>/media/ab/<sha256>`. A file is written under a temporary name in the same file
 * system, synced, then renamed, so that it is stored completely or not at all. File names are hashes, never names from
 * people. There is one level of folders, all created at the start; a second level, created on demand, cost four more
 * syncs per photo.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync, unlinkSync } from 'node:fs';
import { open, readdir, rename, stat, statfs, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ApiError, diskFailing, diskFull } from '../../shared/contract/errors.ts';
import { diskError } from '../kernel/disk/disk-trouble.ts';
import { syncFolder } from '../kernel/disk/durable.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import { moveOut, restoreFile, type Shelf } from './aside.ts';
import { BlobWriter, type Incoming } from './blob-writer.ts';

/**
 * Number of bytes that uploads leave free for the database and logs, which must keep working when media fill the disk.
 */
const RESERVE_BYTES = 8 * 1024 * 1024;

/** Size of the blocks in which files are copied, in bytes. */
const COPIED_AT_ONCE = 256 * 1024;

const FOLDERS: readonly string[] = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));

/** Free space on the disk (server/upkeep/disk/disk-room.ts). */
interface MediaRoom {
  readonly isScarce: boolean;
  /**
   * Uses the space of a file that is about to be deleted for the disk reserve. Returns true when the file is gone from
   * its path.
   */
  reuseSpace?(path: string): boolean;
}

export class MediaStore implements Lifecycle, Shelf {
  readonly name = 'media';
  readonly #dir: string;
  readonly #tmp: string;
  readonly #room: MediaRoom;
  #onRemade: () => void = () => {};
  /** Hashes of files that are renamed but have no row in the database yet. The sweep does not delete these files. */
  readonly #claims = new Map<string, number>();

  /** @param dir `<data>/media` */
  constructor(dir: string, room: MediaRoom = { isScarce: false }) {
    this.#dir = dir;
    this.#room = room;
    this.#tmp = join(dir, 'tmp');
  }

  /** Removes half-written files of a crashed process. */
  start(): void {
    this.#makeFolders();
    this.#sweep();
  }

  /**
   * Sets the listener for a lost media folder: the folder was deleted while the server runs, and an empty one was
   * created. Called once by the composition root (app.ts).
   */
  onRemade(listener: () => void): void {
    this.#onRemade = listener;
  }

  #makeFolders(): void {
    mkdirSync(this.#tmp, { recursive: true, mode: 0o700 });
    const there = new Set(readdirSync(this.#dir));
    const missing = FOLDERS.filter((name) => !there.has(name));
    for (const name of missing) mkdirSync(join(this.#dir, name), { mode: 0o700 });
    if (missing.length > 0) syncFolder(this.#dir);
  }

  async #inFolders<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      this.#makeFolders();
      this.#onRemade();
      return await work();
    }
  }

  /** Removes temporary files of uploads that have just ended, because their own cleanup may come too late. */
  stop(): void {
    this.#sweep();
  }

  /** @throws Error for anything but a hash. The only place that builds a path. */
  pathOf(sha256: string): string {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('The file has no SHA-256 hash as its name');
    return join(this.#dir, sha256.slice(0, 2), sha256);
  }

  /**
   * Opens a temporary file for writing.
   * @param expected size in bytes, if known, so that a file that is too large is
   * refused before the upload
   * @throws ApiError 507 when the file cannot fit
   */
  open(expected = 0): Promise<BlobWriter> {
    return this.#inFolders(async () => {
      await this.requireRoom(expected);
      return BlobWriter.create(join(this.#tmp, randomUUID()));
    });
  }

  /**
   * Creates an empty temporary file, which another program writes. The file is removed when the server starts or stops.
   * @param expected size in bytes, if known @throws ApiError 507 when the file cannot fit
   */
  async reserve(expected = 0): Promise<string> {
    const writer = await this.open(expected);
    const { path, synced } = await writer.finish();
    await synced;
    return path;
  }

  /** Reads a file that another program wrote to a reserved path. The result can be kept or discarded like an upload. */
  async finishReserved(path: string): Promise<Incoming> {
    const file = await open(path, 'r+');
    try {
      const hash = createHash('sha256');
      let size = 0;
      for await (const piece of file.createReadStream({ highWaterMark: COPIED_AT_ONCE, autoClose: false })) {
        hash.update(piece as Buffer);
        size += (piece as Buffer).length;
      }
      await file.datasync();
      return { path, sha256: hash.digest('hex'), size, synced: Promise.resolve() };
    } catch (error) {
      throw diskError(error);
    } finally {
      await file.close();
    }
  }

  /** @param bytes size to be stored; 0: unknown @throws ApiError 507 when it cannot fit */
  async requireRoom(bytes: number): Promise<void> {
    // A full disk refuses new files, because its last free space is reserved for necessary writes.
    if (this.#room.isScarce) throw diskFull();
    if (bytes === 0) return;
    const { bavail, bsize } = await statfs(this.#tmp);
    if (bytes + RESERVE_BYTES > bavail * bsize) throw diskFull();
  }

  /** Stores bytes from memory (thumbnails). The result `release` is the function that `store` returns. */
  async put(bytes: Buffer): Promise<{ sha256: string; size: number; release: () => void }> {
    const incoming = await this.#write([bytes]);
    return { sha256: incoming.sha256, size: incoming.size, release: await this.store(incoming) };
  }

  /** Writes a temporary file. @param expected size in bytes, if known @throws ApiError 507 */
  async #write(pieces: AsyncIterable<Buffer> | Iterable<Buffer>, expected = 0): Promise<Incoming> {
    const writer = await this.open(expected);
    try {
      for await (const piece of pieces) await writer.write(piece);
      return await writer.finish();
    } catch (error) {
      await writer.abort();
      throw error;
    }
  }

  /**
   * Moves a finished file into the store; on failure nothing is left. The sweep does not delete the file until the
   * caller calls the returned function. The caller does so when the row that refers to the file is saved, or when the
   * row will not be saved.
   */
  async store(incoming: Incoming): Promise<() => void> {
    const release = this.#claim(incoming.sha256);
    try {
      await incoming.synced;
      await this.#moveIn(incoming);
      return release;
    } catch (error) {
      release();
      await this.discard(incoming);
      throw diskError(error);
    }
  }

  /**
   * Like `keep`, for a complete and synced file from elsewhere; on failure the file stays in its place. A file on
   * another disk is copied, which temporarily takes its space twice.
   * @throws ApiError 507
   */
  async adopt(file: Pick<Incoming, 'path' | 'sha256'>): Promise<() => void> {
    const release = this.#claim(file.sha256);
    try {
      await this.#moveIn(file).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EXDEV') throw error;
        return this.#copyIn(file);
      });
      return release;
    } catch (error) {
      release();
      throw diskError(error);
    }
  }

  async #moveIn({ path, sha256 }: Pick<Incoming, 'path' | 'sha256'>): Promise<void> {
    const target = this.pathOf(sha256);
    await this.#inFolders(async () => {
      if (!existsSync(path))
        throw new ApiError(
          503,
          'The media folder of the server was removed while the file was being saved. Upload the file again.',
          {
            retryAfter: 1,
          },
        );
      await rename(path, target);
      await syncFolderAside(dirname(target));
    });
  }

  async #copyIn({ path, sha256 }: Pick<Incoming, 'path' | 'sha256'>): Promise<void> {
    const { size } = await stat(path);
    const incoming = await this.#write(createReadStream(path, { highWaterMark: COPIED_AT_ONCE }), size);
    if (incoming.sha256 !== sha256) {
      await this.discard(incoming);
      throw diskFailing();
    }
    const release = await this.store(incoming);
    release();
    await unlink(path);
  }

  async discard(incoming: Incoming): Promise<void> {
    await incoming.synced.catch(() => {});
    await unlink(incoming.path).catch(() => {});
  }

  /** Removes a file unless the same bytes are being stored. Returns true when the file is gone. */
  remove(sha256: string): boolean {
    if (this.#claims.has(sha256)) return false;
    const path = this.pathOf(sha256);
    if (this.#room.isScarce && this.#room.reuseSpace?.(path)) return true;
    try {
      unlinkSync(path);
      return true;
    } catch (error) {
      // Windows does not delete a file that is being read. The file then stays, and the next sweep tries again.
      return (error as NodeJS.ErrnoException).code === 'ENOENT';
    }
  }

  /**
   * Moves a file out of the store unless the same bytes are being stored. Returns true when the file is gone from the
   * store.
   */
  moveOut(sha256: string, to: string): boolean {
    if (this.#claims.has(sha256)) return false;
    return moveOut(this.pathOf(sha256), to);
  }

  /** Moves a file back. If the same bytes have been stored again meanwhile, the file in the store stays. */
  restore(sha256: string, from: string): void {
    restoreFile(this.pathOf(sha256), from);
  }

  /** Removes partial copies of a killed restore. */
  clearParts(): void {
    for (const folder of FOLDERS) {
      const path = join(this.#dir, folder);
      for (const name of existsSync(path) ? readdirSync(path) : [])
        if (/^[0-9a-f]{64}\..*part$/.test(name)) rmSync(join(path, name), { force: true });
    }
  }

  /** Yields the hashes of all stored files, folder by folder. */
  async *stored(): AsyncGenerator<string> {
    for (const folder of FOLDERS) {
      // A missing folder is treated like an empty folder.
      for (const name of await readdir(join(this.#dir, folder)).catch(() => []))
        if (/^[0-9a-f]{64}$/.test(name)) yield name;
    }
  }

  #sweep(): void {
    for (const name of existsSync(this.#tmp) ? readdirSync(this.#tmp) : [])
      rmSync(join(this.#tmp, name), { recursive: true, force: true });
  }

  #claim(sha256: string): () => void {
    this.#claims.set(sha256, (this.#claims.get(sha256) ?? 0) + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const left = this.#claims.get(sha256)! - 1;
      if (left > 0) this.#claims.set(sha256, left);
      else this.#claims.delete(sha256);
    };
  }
}

/** Asynchronous variant of `syncFolder`. */
const syncFolderAside = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};
