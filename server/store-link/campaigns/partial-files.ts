/**
 * Partly fetched files of headquarters: `<folder>/<sha256>`, each as long as the bytes received. An interrupted
 * download continues from there.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const SHA256 = /^[0-9a-f]{64}$/;
/** Bytes written between two syncs to the disk, so that the last sync does not wait for gigabytes. */
const SYNC_EVERY = 32 * 1024 * 1024;

export class PartialFiles {
  readonly #folder: string;
  readonly #sizes = new Map<string, number>();
  /**
   * Hash state of the last open file. Hashing gigabytes again after each interruption would take longer than the
   * interruption.
   */
  #last: { readonly sha256: string; readonly size: number; readonly hash: Hash } | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Finds files that an earlier run of the server has partly fetched. */
  async start(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    this.#sizes.clear();
    for (const name of await readdir(this.#folder))
      if (SHA256.test(name)) this.#sizes.set(name, (await stat(this.pathOf(name))).size);
  }

  pathOf(sha256: string): string {
    return join(this.#folder, sha256);
  }

  /** Returns the number of received bytes of a file. */
  sizeOf(sha256: string): number {
    return this.#sizes.get(sha256) ?? 0;
  }

  /** Returns whether all bytes of a file have arrived, judged by the length only. */
  isWhole(sha256: string, size: number): boolean {
    return (this.#sizes.get(sha256) ?? -1) >= size;
  }

  /** Opens a file to continue it or to begin it. */
  async open(sha256: string): Promise<Part> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = this.pathOf(sha256);
    const file = await open(path, 'a', 0o600);
    try {
      const { size } = await file.stat();
      const isLast = this.#last?.sha256 === sha256 && this.#last.size === size;
      const hash = isLast ? this.#last!.hash : await hashOf(path, size);
      this.#last = undefined;
      this.#sizes.set(sha256, size);
      return new Part({
        file,
        hash,
        size,
        grown: (now) => this.#sizes.set(sha256, now),
        closed: (now) => (this.#last = { sha256, size: now, hash }),
      });
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Moves a complete file from elsewhere into the folder. The hash of the file is checked later, as for every file. */
  async bring(sha256: string, { path, size }: { readonly path: string; readonly size: number }): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await rename(path, this.pathOf(sha256));
    this.#sizes.set(sha256, size);
  }

  read(sha256: string): Promise<Buffer> {
    return readFile(this.pathOf(sha256));
  }

  async remove(sha256: string): Promise<void> {
    await rm(this.pathOf(sha256), { force: true });
    this.forget(sha256);
  }

  /** Removes a file from the list after it was moved elsewhere. */
  forget(sha256: string): void {
    this.#sizes.delete(sha256);
  }

  async retain(wanted: ReadonlySet<string>): Promise<void> {
    for (const sha256 of [...this.#sizes.keys()]) if (!wanted.has(sha256)) await this.remove(sha256);
  }
}

/** Hashes in pieces, so that the event loop runs other work in between. */
const hashOf = async (path: string, size: number): Promise<Hash> => {
  const hash = createHash('sha256');
  if (size > 0) for await (const piece of createReadStream(path, { end: size - 1 })) hash.update(piece as Buffer);
  return hash;
};

interface PartDeps {
  readonly file: FileHandle;
  readonly hash: Hash;
  readonly size: number;
  readonly grown: (size: number) => void;
  readonly closed: (size: number) => void;
}

export class Part {
  readonly #deps: PartDeps;
  #size: number;
  #unsynced = 0;

  constructor(deps: PartDeps) {
    this.#deps = deps;
    this.#size = deps.size;
  }

  get size(): number {
    return this.#size;
  }

  async add(bytes: Buffer): Promise<void> {
    const { file, hash, grown } = this.#deps;
    for (let rest = bytes; rest.length > 0; ) {
      // A short write means that the disk is nearly full. The next write either succeeds or fails with the reason.
      const { bytesWritten } = await file.write(rest);
      hash.update(rest.subarray(0, bytesWritten));
      rest = rest.subarray(bytesWritten);
      grown((this.#size += bytesWritten));
    }
    this.#unsynced += bytes.length;
    if (this.#unsynced < SYNC_EVERY) return;
    this.#unsynced = 0;
    await file.datasync();
  }

  /** Syncs the complete file to disk. @returns its SHA-256 */
  async finish(): Promise<string> {
    await this.#deps.file.datasync();
    return this.#deps.hash.copy().digest('hex');
  }

  async close(): Promise<void> {
    await this.#deps.file.close();
    this.#deps.closed(this.#size);
  }
}
