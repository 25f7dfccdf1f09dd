/**
 * Reads and writes the subset of tar that a backup needs: plain files with short ASCII names, of any size. Any tar
 * program can open the result. The code is synchronous, because it runs in a thread or a command. Memory use does not
 * grow with the size of the files.
 */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { passed } from '../tasks/progress.ts';
import { SYNC_EVERY } from './whole-file.ts';

const BLOCK = 512;
const CHUNK = 1024 * 1024;
const NAME_BYTES = 100;
/**
 * Largest size that eleven octal digits can express. Larger sizes use GNU tar's base-256 form, which all current tar
 * programs read.
 */
const OCTAL_LIMIT = 8 ** 11;

/** Error: the file is not a tar in the form that this module writes, or is incomplete. */
export class TarDamaged extends Error {}

/** Error: a file that should be added to the tar cannot be read. */
export class SourceUnreadable extends Error {}

export const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

export const headerOf = (name: string, size: number, mtime: number): Buffer => {
  if (Buffer.byteLength(name) > NAME_BYTES) throw new Error(`The file name ${name} is too long for a backup`);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 'utf8');
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  if (size < OCTAL_LIMIT) header.write(`${size.toString(8).padStart(11, '0')} `, 124);
  else {
    header.writeUInt8(0x80, 124);
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  header.write(
    `${Math.floor(mtime / 1000)
      .toString(8)
      .padStart(11, '0')} `,
    136,
  );
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
};

/** Returns the end of a tar: some small files and the end mark. */
export const tarEnd = (files: readonly (readonly [name: string, bytes: Buffer])[], mtime: number): Buffer =>
  Buffer.concat([
    ...files.flatMap(([name, bytes]) => [
      headerOf(name, bytes.length, mtime),
      bytes,
      Buffer.alloc(padding(bytes.length)),
    ]),
    Buffer.alloc(2 * BLOCK),
  ]);

export class TarWriter {
  readonly #file: number;
  readonly #mtime: number;
  readonly #chunk = Buffer.allocUnsafe(CHUNK);
  #at = 0;
  #unsynced = 0;

  /** @param path must not exist @param mtime time of all entries, in epoch milliseconds */
  constructor(path: string, mtime: number) {
    this.#file = openSync(path, 'wx', 0o600);
    this.#mtime = mtime;
  }

  addBytes(name: string, bytes: Buffer): void {
    this.#write(headerOf(name, bytes.length, this.#mtime));
    this.#write(bytes);
    this.#write(Buffer.alloc(padding(bytes.length)));
  }

  /**
   * Adds a file of a known size. Returns the SHA-256 of the written content, in hex.
   * @throws SourceUnreadable when the file cannot be read or has become shorter
   */
  addFile(name: string, path: string, size: number): string {
    const source = ofSource(() => openSync(path, 'r'));
    const hash = createHash('sha256');
    try {
      this.#write(headerOf(name, size, this.#mtime));
      let left = size;
      while (left > 0) {
        const read = ofSource(() => readSync(source, this.#chunk, 0, Math.min(CHUNK, left), null));
        if (read === 0) throw new SourceUnreadable(`${path} has become shorter since the backup began`);
        const part = this.#chunk.subarray(0, read);
        hash.update(part);
        this.#write(part);
        left -= read;
      }
      this.#write(Buffer.alloc(padding(size)));
      return hash.digest('hex');
    } finally {
      closeSync(source);
    }
  }

  /** Writes the end mark and syncs the file. */
  finish(): void {
    this.#write(Buffer.alloc(2 * BLOCK));
    fsyncSync(this.#file);
    closeSync(this.#file);
  }

  abandon(): void {
    closeSync(this.#file);
  }

  /** Offset in bytes of the next entry. `truncate` can later remove the entries from this offset on. */
  get at(): number {
    return this.#at;
  }

  truncate(to: number): void {
    ftruncateSync(this.#file, to);
    this.#at = to;
  }

  #write(bytes: Buffer): void {
    for (let done = 0; done < bytes.length; )
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#at + done);
    this.#at += bytes.length;
    this.#unsynced += bytes.length;
    passed(bytes.length);
    if (this.#unsynced < SYNC_EVERY) return;
    fsyncSync(this.#file);
    this.#unsynced = 0;
  }
}

const ofSource = <T>(read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw new SourceUnreadable((error as Error).message);
  }
};

export interface TarEntry {
  readonly name: string;
  readonly size: number;
  /**
   * Yields the content of the current entry in chunks; each chunk is valid until the next. Must be read before the next
   * entry, or not at all.
   */
  chunks(): Generator<Buffer>;
  /** Returns the content of a small entry. */
  bytes(): Buffer;
}

/** @throws TarDamaged when the file is not a tar, or ends before its end mark */
export function* readTar(path: string): Generator<TarEntry> {
  const file = openSync(path, 'r');
  const chunk = Buffer.allocUnsafe(CHUNK);
  const readAt = (at: number, length: number): Buffer => {
    let got = 0;
    while (got < length) {
      const read = readSync(file, chunk, got, length - got, at + got);
      if (read === 0) throw new TarDamaged(`${path} is incomplete: the end of the backup is missing`);
      got += read;
    }
    return chunk.subarray(0, length);
  };
  try {
    for (let at = 0; ; ) {
      const header = Buffer.from(readAt(at, BLOCK));
      if (header.every((byte) => byte === 0)) return;
      const { name, size } = readHeader(header, path);
      const start = at + BLOCK;
      const chunks = function* () {
        for (let done = 0; done < size; done += CHUNK) yield readAt(start + done, Math.min(CHUNK, size - done));
      };
      yield { name, size, chunks, bytes: () => Buffer.concat([...chunks()].map((part) => Buffer.from(part))) };
      at = start + size + padding(size);
    }
  } finally {
    closeSync(file);
  }
}

const readHeader = (header: Buffer, path: string): { name: string; size: number } => {
  const claimed = Number.parseInt(header.toString('latin1', 148, 156).trim().replace(/\0.*$/, ''), 8);
  const sum = header.reduce((total, byte, i) => total + (i >= 148 && i < 156 ? 0x20 : byte), 0);
  if (header.toString('latin1', 257, 262) !== 'ustar' || claimed !== sum)
    throw new TarDamaged(`${path} is not a Vitrine backup, or is damaged`);
  const name = header.toString('utf8', 0, NAME_BYTES).replace(/\0.*$/s, '');
  const size =
    header[124]! & 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(header.toString('latin1', 124, 135), 8);
  if (!Number.isSafeInteger(size) || size < 0) throw new TarDamaged(`${path} is damaged`);
  return { name, size };
};
