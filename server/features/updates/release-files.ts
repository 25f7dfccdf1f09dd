/**
 * Files of releases, `<data>/updates/<sha256>`: written under a temporary name, synced, then renamed, like media files.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, rename, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFull } from '../../../shared/contract/errors.ts';
import { ReleaseVersion } from '../../../shared/protocol/releases/release-signature.ts';
import { diskError } from '../../kernel/disk/disk-trouble.ts';
import { writeWhole } from '../../kernel/disk/durable.ts';
import { moveOut, restoreFile, type Shelf } from '../../media/aside.ts';
import { BlobWriter } from '../../media/blob-writer.ts';

/** Bytes that must stay free on the disk for the database and the logs. */
const RESERVE_BYTES = 64 * 1024 * 1024;
const HASH = /^[0-9a-f]{64}$/;

/** Writes a file and computes both of its hashes. */
export class ReleaseWriter {
  readonly #writer: BlobWriter;
  readonly #sha512 = createHash('sha512');

  constructor(writer: BlobWriter) {
    this.#writer = writer;
  }

  write(chunk: Buffer): Promise<void> | undefined {
    this.#sha512.update(chunk);
    return this.#writer.write(chunk);
  }

  abort(): Promise<void> {
    return this.#writer.abort();
  }

  /** Syncs the file to disk, still under its temporary name. */
  async finish(): Promise<{
    readonly path: string;
    readonly size: number;
    readonly sha256: string;
    readonly sha512: string;
  }> {
    const { path, size, sha256, synced } = await this.#writer.finish();
    await synced;
    return { path, size, sha256, sha512: this.#sha512.digest('base64') };
  }
}

export class ReleaseFiles implements Shelf {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** @throws Error if the argument is not a hash. All paths are made here. */
  pathOf(sha256: string): string {
    if (!HASH.test(sha256)) throw new Error('The file has no SHA-256 hash as its name');
    return join(this.#dir, sha256);
  }

  /** @throws ApiError 507 when `expected` bytes cannot fit */
  async open(expected: number): Promise<ReleaseWriter> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(this.#dir);
    if (expected + RESERVE_BYTES > bavail * bsize) throw diskFull();
    return new ReleaseWriter(await BlobWriter.create(join(this.#dir, `${randomUUID()}.tmp`)));
  }

  async store(path: string, sha256: string): Promise<void> {
    try {
      await rename(path, this.pathOf(sha256));
    } catch (error) {
      rmSync(path, { force: true });
      throw diskError(error);
    }
  }

  /** Returns the stored notes of a version; undefined: the version has no notes. */
  notes(version: string): string | undefined {
    try {
      return readFileSync(this.#notesPath(version), 'utf8');
    } catch {
      return undefined;
    }
  }

  storeNotes(version: string, text: string): void {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    writeWhole(this.#notesPath(version), text);
  }

  forgetNotes(version: string): void {
    rmSync(this.#notesPath(version), { force: true });
  }

  /** Validates the version, so that its text cannot contain a path (shared/protocol/releases/release-signature.ts). */
  #notesPath(version: string): string {
    return join(this.#dir, `${ReleaseVersion.parse(version)}.notes.json`);
  }

  discard(path: string): void {
    rmSync(path, { force: true });
  }

  has(sha256: string): boolean {
    return existsSync(this.pathOf(sha256));
  }

  moveOut(sha256: string, to: string): boolean {
    return moveOut(this.pathOf(sha256), to);
  }

  restore(sha256: string, from: string): void {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    restoreFile(this.pathOf(sha256), from);
  }

  stored(): string[] {
    return this.#names().filter((name) => HASH.test(name));
  }

  /** Deletes partial uploads. Called at the start, before any upload. */
  clearParts(): void {
    for (const name of this.#names()) if (name.endsWith('.tmp')) rmSync(join(this.#dir, name), { force: true });
  }

  #names(): string[] {
    return existsSync(this.#dir) ? readdirSync(this.#dir) : [];
  }
}
