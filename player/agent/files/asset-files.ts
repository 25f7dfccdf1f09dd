/** Asset files on disk: `assets/<sha256>`, unfinished files `assets/<sha256>.part` with `<sha256>.etag`. */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  type FileHandle,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { AssetStore, AssetWriter, HeldAsset } from '../../core/files/asset-store.ts';
import { makeFolder, PRIVATE_FILE, sizeOf, syncFolder, unlessMissing } from './files.ts';

const NAME = /^[0-9a-f]{64}$/;

export class AssetFiles implements AssetStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async start(): Promise<void> {
    await makeFolder(this.#folder);
  }

  /** The only function that creates paths of asset files. Only a digest becomes part of a path. */
  path(sha256: string): string {
    if (!NAME.test(sha256)) throw new Error('not a SHA-256 digest');
    return join(this.#folder, sha256);
  }

  async list(): Promise<HeldAsset[]> {
    const names = ((await unlessMissing(readdir(this.#folder))) ?? []).filter((name) => NAME.test(name));
    const held = await Promise.all(
      names.map(async (sha256) => {
        const file = await unlessMissing(stat(this.path(sha256)));
        return file && { sha256, size: file.size, used_at: file.mtimeMs };
      }),
    );
    return held.filter((each) => each !== undefined);
  }

  async partial(sha256: string): Promise<{ bytes: number; etag: string | null } | undefined> {
    const bytes = await sizeOf(this.#part(sha256));
    if (bytes === undefined) return undefined;
    const etag = await unlessMissing(readFile(this.#etag(sha256), 'utf8'));
    return { bytes, etag: etag ?? null };
  }

  async open(sha256: string, { at, etag }: { at: number; etag: string | null }): Promise<AssetWriter> {
    const part = this.#part(sha256);
    // Creates the folder, which somebody may have deleted since the start.
    if (at === 0) await makeFolder(this.#folder);
    const file = await open(part, at === 0 ? 'w' : 'r+', PRIVATE_FILE);
    const hash = createHash('sha256');
    if (at > 0) await hashFile(part, hash);
    if (etag === null) await rm(this.#etag(sha256), { force: true });
    else await writeFile(this.#etag(sha256), etag, { mode: PRIVATE_FILE });
    return new PartWriter({ file, hash, at, sha256, finished: (right) => this.#finished(sha256, right) });
  }

  async verify(sha256: string): Promise<boolean> {
    const hash = createHash('sha256');
    const read = await unlessMissing(hashFile(this.path(sha256), hash).then(() => true));
    return read === true && hash.digest('hex') === sha256;
  }

  async remove(sha256: string): Promise<void> {
    for (const path of [this.path(sha256), this.#part(sha256), this.#etag(sha256)]) await rm(path, { force: true });
  }

  async touch(sha256: string): Promise<void> {
    const now = new Date();
    await unlessMissing(utimes(this.path(sha256), now, now));
  }

  async space(): Promise<{ free: number; total: number } | null> {
    await makeFolder(this.#folder);
    const { bsize, bavail, blocks } = await statfs(this.#folder);
    return { free: bavail * bsize, total: blocks * bsize };
  }

  async dropPartials(keep: ReadonlySet<string>): Promise<void> {
    for (const name of (await unlessMissing(readdir(this.#folder))) ?? []) {
      const sha256 = /^([0-9a-f]{64})\.(?:part|etag)$/.exec(name)?.[1];
      if (sha256 && !keep.has(sha256)) await rm(join(this.#folder, name), { force: true });
    }
  }

  async #finished(sha256: string, right: boolean): Promise<void> {
    if (!right) return this.remove(sha256);
    await rename(this.#part(sha256), this.path(sha256));
    await rm(this.#etag(sha256), { force: true });
    await syncFolder(this.#folder);
  }

  #part = (sha256: string): string => `${this.path(sha256)}.part`;
  #etag = (sha256: string): string => `${this.path(sha256)}.etag`;
}

interface Part {
  readonly file: FileHandle;
  readonly hash: Hash;
  /** Offset in the file at which the next received byte is written. */
  readonly at: number;
  readonly sha256: string;
  readonly finished: (isRight: boolean) => Promise<void>;
}

class PartWriter implements AssetWriter {
  readonly #part: Part;
  #at: number;

  constructor(part: Part) {
    this.#part = part;
    this.#at = part.at;
  }

  async write(chunk: Uint8Array): Promise<void> {
    for (let from = 0; from < chunk.length; ) {
      const { bytesWritten } = await this.#part.file.write(chunk, from, chunk.length - from, this.#at);
      from += bytesWritten;
      this.#at += bytesWritten;
    }
    this.#part.hash.update(chunk);
  }

  /** Ends the write and keeps the received bytes. Also called after a failed write, so it must not throw. */
  async suspend(): Promise<void> {
    await this.#part.file.close().catch(() => {});
  }

  async finish(): Promise<boolean> {
    const { file, hash, sha256, finished } = this.#part;
    const right = hash.digest('hex') === sha256;
    try {
      if (right) await file.sync();
    } finally {
      await file.close();
    }
    await finished(right);
    return right;
  }
}

/** Reads 1 MiB at a time. With the default of 64 KiB the round trips through the thread pool cost more than hashing. */
async function hashFile(path: string, hash: Hash): Promise<void> {
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk);
}
