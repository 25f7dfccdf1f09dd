/**
 * Reads an uploaded ZIP: entries by name, without overlaps, each checked against its size and checksum. Entries are
 * never written under their names.
 */
import type { FileHandle } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { MAX_ENTRIES, MAX_ENTRY_NAME } from './exchange-limits.ts';

const LOCAL_HEADER_BYTES = 30;
const LOCAL_HEADER_SIGNATURE = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
const CHUNK_BYTES = 64 * 1024;

/** The ZIP is broken, or has a form that is not accepted. */
export class ZipRefused extends Error {}
/** The file has no readable ZIP directory. */
export class NoZip extends Error {}

/** Position and claimed properties of a file in the ZIP. */
export interface ZipEntry {
  readonly name: string;
  /** Byte offsets of the entry's own header, and of the data that follows the entry. */
  readonly offset: number;
  readonly end: number;
  /** Sizes in bytes, in the ZIP and unpacked. */
  readonly packed: number;
  readonly size: number;
  readonly method: number;
  readonly crc32: number;
}

/**
 * Returns the entries in the directory of a ZIP.
 * @throws NoZip
 * @throws ZipRefused also for too many entries, a repeated name, or overlapping entries: a ZIP of a few bytes could
 * then unpack to any number of gigabytes
 */
export const readDirectory = async (path: string): Promise<ReadonlyMap<string, ZipEntry>> => {
  const { default: yauzl } = await import('yauzl');
  const zip = await new Promise<ZipFile>((done, failed) => {
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, file) =>
      error ? failed(new NoZip(error.message)) : done(file),
    );
  });
  try {
    return laidOut(await entriesOf(zip), zip.fileSize);
  } finally {
    const closed = new Promise<void>((done) => zip.once('close', () => done()));
    zip.close();
    await closed;
  }
};

const entriesOf = (zip: ZipFile): Promise<Entry[]> =>
  new Promise((done, failed) => {
    if (zip.entryCount > MAX_ENTRIES) {
      failed(tooMany(zip.entryCount));
      return;
    }
    const entries: Entry[] = [];
    zip.on('error', (error: Error) => failed(new ZipRefused(`The ZIP is damaged (${error.message})`)));
    zip.on('end', () => done(entries));
    zip.on('entry', (entry: Entry) => {
      if (entry.fileNameLength > MAX_ENTRY_NAME) {
        failed(new ZipRefused(`The ZIP has an entry whose name is longer than ${MAX_ENTRY_NAME} bytes`));
        return;
      }
      entries.push(entry);
      zip.readEntry();
    });
    zip.readEntry();
  });

const tooMany = (count: number) =>
  new ZipRefused(`The ZIP has ${count} entries; an import accepts at most ${MAX_ENTRIES}`);

const laidOut = (entries: readonly Entry[], fileSize: number): ReadonlyMap<string, ZipEntry> => {
  const byPlace = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  const found = new Map<string, ZipEntry>();
  for (const [i, entry] of byPlace.entries()) {
    const {
      fileName: name,
      relativeOffsetOfLocalHeader: offset,
      compressedSize: packed,
      uncompressedSize: size,
      generalPurposeBitFlag: flags,
    } = entry;
    const end = byPlace[i + 1]?.relativeOffsetOfLocalHeader ?? fileSize;
    if (offset + LOCAL_HEADER_BYTES + entry.fileNameLength + packed > end)
      throw new ZipRefused('The ZIP has entries that overlap');
    if (found.has(name)) throw new ZipRefused('The ZIP has two entries of the same name');
    found.set(name, {
      name,
      offset,
      end,
      packed,
      size,
      method: flags & ENCRYPTED ? Number.NaN : entry.compressionMethod,
      crc32: entry.crc32,
    });
  }
  return found;
};

/**
 * Yields the bytes of an entry, at most as many as its claimed size.
 * @throws ZipRefused when size or checksum differ from the directory
 */
export async function* unpacked(zip: FileHandle, entry: ZipEntry): AsyncGenerator<Buffer> {
  if (entry.method !== STORED && entry.method !== DEFLATED)
    throw new ZipRefused('the file is encrypted or packed with an unsupported method');
  const start = await startOf(zip, entry);
  let size = 0;
  let sum = 0;
  if (entry.packed > 0) {
    const raw = zip.createReadStream({
      start,
      end: start + entry.packed - 1,
      autoClose: false,
      highWaterMark: CHUNK_BYTES,
    });
    // `pipeline` passes errors of the raw stream to the unpacked stream, so the callback does nothing.
    const stream: Readable =
      entry.method === STORED ? raw : pipeline(raw, createInflateRaw({ chunkSize: CHUNK_BYTES }), () => {});
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > entry.size) throw new ZipRefused('the unpacked file is larger than the ZIP states');
        sum = crc32(chunk, sum);
        yield chunk;
      }
    } catch (error) {
      throw error instanceof ZipRefused || (error as NodeJS.ErrnoException).code?.startsWith('Z_') !== true
        ? error
        : new ZipRefused('the file in the ZIP is damaged');
    }
  }
  if (size !== entry.size || sum !== entry.crc32) throw new ZipRefused('the file in the ZIP is damaged');
}

const startOf = async (zip: FileHandle, { offset, end, packed }: ZipEntry): Promise<number> => {
  const { buffer: header, bytesRead } = await zip.read(Buffer.alloc(LOCAL_HEADER_BYTES), 0, LOCAL_HEADER_BYTES, offset);
  if (bytesRead < LOCAL_HEADER_BYTES || header.readUInt32LE(0) !== LOCAL_HEADER_SIGNATURE)
    throw new ZipRefused('the file in the ZIP is damaged');
  const start = offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (start + packed > end) throw new ZipRefused('the file overlaps another file in the ZIP');
  return start;
};
