/**
 * Reads a backup as one self-contained file for download: pieces of the database in pack files appear at the position
 * that they have in a complete file.
 */
import { openSync, readSync, statSync } from 'node:fs';
import {
  DATABASE,
  keyEntry,
  MANIFEST_ENTRY,
  type Manifest,
  manifestBytes,
  readManifest,
  readPieces,
  walkArchive,
} from './archive.ts';
import { PieceReader, type PlacedPieces } from './pieces.ts';
import { headerOf, padding, tarEnd } from './tar.ts';

/** Number of bytes per read. */
const STEP = 1024 * 1024;

export interface SavedFile {
  /** Size in bytes. */
  readonly size: number;
  /** Modification time in epoch milliseconds. */
  readonly changedAt: number;
  /** Returns data from this offset, as much as one read returns; empty at the end. @throws BackupDamaged */
  at(from: number): Buffer;
}

/** @returns undefined when the file does not exist */
export const savedFile = (path: string): SavedFile | undefined => {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file?.isFile()) return undefined;
  const pieces = readPieces(path);
  return pieces
    ? joined(path, readManifest(path), pieces, file.mtimeMs)
    : { size: file.size, changedAt: file.mtimeMs, at: readerOf(path) };
};

/** Returns a reader that opens the file at the first read. The file is closed when this process ends. */
const readerOf = (path: string): SavedFile['at'] => {
  let file: number | undefined;
  return (from) => {
    file ??= openSync(path, 'r');
    const bytes = Buffer.allocUnsafe(STEP);
    return bytes.subarray(0, readSync(file, bytes, 0, STEP, from));
  };
};

const joined = (path: string, manifest: Manifest, placed: PlacedPieces, changedAt: number): SavedFile => {
  const { pieces: _, ...database } = manifest.database;
  const head = headerOf(DATABASE, database.size, manifest.made_at);
  const whole = manifestBytes({ ...manifest, vitrine_backup: 1, database });
  const end = Buffer.concat([
    Buffer.alloc(padding(database.size)),
    tarEnd([...keysIn(path), [MANIFEST_ENTRY, whole]], manifest.made_at),
  ]);
  const endAt = head.length + database.size;
  const reader = new PieceReader(path, database.size, placed);
  /** Returns the data of the database at an offset. */
  const databaseAt = (from: number): Buffer => {
    const first = Math.floor(from / placed.size);
    const last = Math.min(reader.count, first + STEP / placed.size);
    const pieces = Array.from({ length: last - first }, (_, i) => reader.read(first + i));
    return Buffer.concat(pieces).subarray(from - first * placed.size);
  };
  return {
    size: endAt + end.length,
    changedAt,
    at: (from) => {
      if (from < head.length) return head.subarray(from);
      return from < endAt ? databaseAt(from - head.length) : end.subarray(from - endAt, from - endAt + STEP);
    },
  };
};

const keysIn = (path: string): [string, Buffer][] => {
  const keys: [string, Buffer][] = [];
  walkArchive(path, (part) => {
    if (part.kind === 'key') keys.push([keyEntry(part.name), part.entry.bytes()]);
  });
  return keys;
};
