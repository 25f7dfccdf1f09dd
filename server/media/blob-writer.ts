/** Writes an incoming file under a temporary name and hashes it. */
import { createHash } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { diskError } from '../kernel/disk/disk-trouble.ts';

/** Number of bytes per write to the disk. With this size, the system calls cost little compared with the disk. */
const BLOCK = 256 * 1024;
/** Bytes between two syncs during an upload, so that the final sync does not have to write gigabytes. */
const SYNC_EVERY = 32 * 1024 * 1024;

/** A file on disk under a temporary name, not yet part of the store. */
export interface Incoming {
  readonly path: string;
  /** SHA-256 of the file in lower-case hex. */
  readonly sha256: string;
  readonly size: number;
  /** Resolves when the bytes are synced to the disk. The file can be read before that. */
  readonly synced: Promise<void>;
}

export class BlobWriter {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #hash = createHash('sha256');
  #size = 0;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #flushing: Promise<void> | undefined;
  #unsynced = 0;
  #syncing: Promise<void> | undefined;
  #failed: unknown;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  static async create(path: string): Promise<BlobWriter> {
    try {
      return new BlobWriter(path, await open(path, 'wx', 0o600));
    } catch (error) {
      throw diskError(error);
    }
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#size;
  }

  /**
   * Appends a chunk, which must not be changed afterwards. Returns a promise to await before the next chunk, or
   * undefined.
   */
  write(chunk: Buffer): Promise<void> | undefined {
    this.#hash.update(chunk);
    this.#size += chunk.length;
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    if (this.#pendingBytes < BLOCK) return undefined;
    if (!this.#flushing) {
      this.#flush();
      return undefined;
    }
    return this.#flushing.then(() => this.#flush());
  }

  /**
   * Writes all bytes. The file keeps its temporary name. The promise `synced` in the result resolves later, when the
   * file is on the disk.
   */
  async finish(): Promise<Incoming> {
    await this.#flushing;
    this.#flush();
    await this.#flushing;
    this.#throwIfFailed();
    const synced = this.#syncAndClose();
    synced.catch(() => {});
    return { path: this.path, sha256: this.#hash.digest('hex'), size: this.#size, synced };
  }

  /** Closes and removes the file. */
  async abort(): Promise<void> {
    await this.#flushing?.catch(() => {});
    await this.#syncing?.catch(() => {});
    await this.#file.close().catch(() => {});
    await unlink(this.path).catch(() => {});
  }

  async #syncAndClose(): Promise<void> {
    try {
      await this.#syncing;
      this.#throwIfFailed();
      await this.#file.datasync();
    } catch (error) {
      throw diskError(error);
    } finally {
      await this.#file.close();
    }
  }

  #flush(): void {
    this.#throwIfFailed();
    if (this.#pendingBytes === 0) return;
    const blocks = this.#pending;
    this.#pending = [];
    this.#pendingBytes = 0;
    const written = this.#writeAll(blocks).then(
      () => this.#done(),
      (error) => {
        this.#failed = diskError(error);
        this.#done();
      },
    );
    this.#flushing = written;
  }

  #done(): void {
    this.#flushing = undefined;
    if (this.#failed || this.#syncing || this.#unsynced < SYNC_EVERY) return;
    this.#unsynced = 0;
    this.#syncing = this.#file.datasync().then(
      () => {
        this.#syncing = undefined;
      },
      (error) => {
        this.#syncing = undefined;
        this.#failed ??= diskError(error);
      },
    );
  }

  async #writeAll(blocks: Buffer[]): Promise<void> {
    const total = blocks.reduce((sum, b) => sum + b.length, 0);
    const { bytesWritten } = await this.#file.writev(blocks);
    this.#unsynced += total;
    if (bytesWritten === total) return;
    // A short write means that the disk is nearly full. Writing the remaining bytes then either succeeds or throws the
    // error of the disk.
    let rest = Buffer.concat(blocks).subarray(bytesWritten);
    while (rest.length > 0) rest = rest.subarray((await this.#file.write(rest)).bytesWritten);
  }

  #throwIfFailed(): void {
    if (this.#failed) throw this.#failed;
  }
}
