/**
 * Stores the databases of a folder's backups in shared pieces. In a large store nearly all pieces are the same as the
 * day before, because SQLite appends new plays to its file and leaves the full pages of earlier months unchanged. The
 * new pieces of a backup are written to one pack file in the folder `database/` beside the backup. The backup records
 * the pack file of each piece.
 */
import { createHash, hash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../kernel/disk/durable.ts';
import { passed } from '../tasks/progress.ts';
import type { TarEntry } from './tar.ts';
import { hashFile, mediaPath, partName, SYNC_EVERY, sizeOf } from './whole-file.ts';

/**
 * Bytes per piece. Changed database pages are scattered over indexes, so larger pieces would contain more unchanged
 * data.
 */
const PIECE = 64 * 1024;
/**
 * Size in bytes below which a database is stored in the backup file itself. The backup file then needs only the media
 * beside it.
 */
export const PIECES_FROM = 64 * 1024 * 1024;
/**
 * Maximum number of pack files per backup. Above the maximum, the pieces of the least used pack files are written
 * again.
 */
const MAX_PACKS = 256;
/** Bytes per location of a piece: SHA-256 of the piece, number of its pack file, index in the pack file. */
const PLACE = 32 + 2 + 4;

/** Description of the pieces as stored in the manifest of a backup. */
export interface Pieces {
  /** Bytes of each piece except the last. */
  readonly size: number;
  readonly packs: readonly { readonly sha256: string; readonly bytes: number }[];
}

/** Description of the pieces, with the location of each piece in order (`places`). */
export interface PlacedPieces extends Pieces {
  readonly places: Buffer;
}

/** Error: a database cannot be assembled from its pieces. */
export class PieceDamaged extends Error {}

export const piecesOf = (folder: string): string => join(folder, 'database');

/** Returns the number of bytes of all piece locations of a database. */
export const bytesOfPlaces = (databaseBytes: number, pieceBytes: number): number =>
  Math.ceil(databaseBytes / pieceBytes) * PLACE;

const packPath = (folder: string, sha256: string): string => mediaPath(piecesOf(folder), sha256);

/** Yields the pieces of a database that no process writes. Each buffer is valid until the next piece. */
function* piecesIn(file: string): Generator<Buffer> {
  const handle = openSync(file, 'r');
  const buffer = Buffer.allocUnsafe(PIECE);
  try {
    for (;;) {
      let got = 0;
      for (let read = -1; read !== 0 && got < PIECE; got += read)
        read = readSync(handle, buffer, got, PIECE - got, null);
      if (got > 0) yield buffer.subarray(0, got);
      passed(got);
      if (got < PIECE) return;
    }
  } finally {
    closeSync(handle);
  }
}

/** Plan of a backup: pieces that must be written, and locations of the other pieces. */
export interface PiecesPlan {
  /** SHA-256 of the whole database. */
  readonly sha256: string;
  /** Number of bytes to write. */
  readonly toWrite: number;
  /** SHA-256 of the pieces, in order. */
  readonly pieces: readonly string[];
  readonly packs: Pieces['packs'];
  /** Locations of the pieces that are in these pack files. */
  readonly known: ReadonlyMap<string, Place>;
}
interface Place {
  readonly pack: number;
  readonly index: number;
}

/**
 * Determines which pieces of a database are not in the pack files of an earlier backup of the folder. Pack files that
 * are damaged, or of which the database uses less than half, are not reused. They are deleted together with the last
 * backup that needs them.
 */
export const planPieces = (folder: string, database: string, before: PlacedPieces | undefined): PiecesPlan => {
  const whole = createHash('sha256');
  const pieces: string[] = [];
  for (const piece of piecesIn(database)) {
    whole.update(piece);
    pieces.push(hash('sha256', piece, 'hex'));
  }
  const { packs, known } = usable(folder, new Set(pieces), before);
  const missing = new Set(pieces.filter((sha256) => !known.has(sha256)));
  return { sha256: whole.digest('hex'), toWrite: missing.size * PIECE, pieces, packs, known };
};

const usable = (
  folder: string,
  wanted: ReadonlySet<string>,
  before: PlacedPieces | undefined,
): Pick<PiecesPlan, 'packs' | 'known'> => {
  if (before?.size !== PIECE) return { packs: [], known: new Map() };
  const found = new Map<number, Map<string, number>>();
  for (const { sha256, pack, index } of placesIn(before.places))
    if (wanted.has(sha256)) found.set(pack, (found.get(pack) ?? new Map()).set(sha256, index));
  const chosen = [...found]
    .map(([pack, pieces]) => ({ ...before.packs[pack]!, pieces }))
    .filter(({ bytes, pieces }) => pieces.size * PIECE * 2 >= bytes)
    .sort((a, b) => b.pieces.size - a.pieces.size)
    .slice(0, MAX_PACKS - 1)
    .filter(({ sha256, bytes }) => isWholePack(packPath(folder, sha256), { sha256, bytes }));
  return {
    packs: chosen.map(({ sha256, bytes }) => ({ sha256, bytes })),
    known: new Map(
      chosen.flatMap(({ pieces }, pack) => [...pieces].map(([sha256, index]) => [sha256, { pack, index }] as const)),
    ),
  };
};

const isWholePack = (path: string, { sha256, bytes }: Pieces['packs'][number]): boolean =>
  sizeOf(path) === bytes && hashFile(path) === sha256;

/**
 * Writes the missing pieces as a pack file beside the backups of a folder and returns all locations.
 * @param added
 * called with the path of the pack file
 * @throws Error when the database has changed since the plan
 */
export const writePieces = (
  folder: string,
  database: string,
  plan: PiecesPlan,
  added: (path: string) => void,
): PlacedPieces => {
  const known = new Map(plan.known);
  const pack = new PackWriter(folder);
  let at = 0;
  try {
    for (const piece of piecesIn(database)) {
      const sha256 = plan.pieces[at++];
      if (sha256 !== undefined && known.has(sha256)) continue;
      if (hash('sha256', piece, 'hex') !== sha256)
        throw new Error(`${database} returns different content each time it is read. Check the disk.`);
      known.set(sha256, { pack: plan.packs.length, index: pack.add(piece) });
    }
    const made = pack.finish(added);
    return {
      size: PIECE,
      packs: made ? [...plan.packs, made] : plan.packs,
      places: Buffer.concat(plan.pieces.map((sha256) => placeOf(sha256, known.get(sha256)!))),
    };
  } catch (error) {
    pack.abandon();
    throw error;
  }
};

const placeOf = (sha256: string, { pack, index }: Place): Buffer => {
  const place = Buffer.alloc(PLACE, sha256, 'hex');
  place.writeUInt16BE(pack, 32);
  place.writeUInt32BE(index, 34);
  return place;
};

function* placesIn(places: Buffer): Generator<Place & { readonly sha256: string }> {
  for (let at = 0; at < places.length; at += PLACE) yield placeAt(places, at / PLACE);
}

const placeAt = (places: Buffer, piece: number): Place & { readonly sha256: string } => {
  const at = piece * PLACE;
  return {
    sha256: places.toString('hex', at, at + 32),
    pack: places.readUInt16BE(at + 32),
    index: places.readUInt32BE(at + 34),
  };
};

/** Writes a pack file. At the end, the file is renamed to the hash of its content. */
class PackWriter {
  readonly #folder: string;
  readonly #part: string;
  readonly #hash = createHash('sha256');
  #file: number | undefined;
  #bytes = 0;
  #unsynced = 0;
  #pieces = 0;

  constructor(folder: string) {
    this.#folder = folder;
    // Writes the temporary file into this folder, because leftovers of unfinished backups are removed there.
    this.#part = partName(packPath(folder, '00'));
  }

  /** Returns the index of the piece in the pack file. Only the last piece of a database may be shorter. */
  add(piece: Buffer): number {
    if (this.#file === undefined) {
      mkdirSync(dirname(this.#part), { recursive: true, mode: 0o700 });
      rmSync(this.#part, { force: true });
      this.#file = openSync(this.#part, 'wx', 0o600);
    }
    for (let done = 0; done < piece.length; ) done += writeSync(this.#file, piece, done);
    this.#hash.update(piece);
    this.#bytes += piece.length;
    this.#unsynced += piece.length;
    if (this.#unsynced >= SYNC_EVERY) {
      fsyncSync(this.#file);
      this.#unsynced = 0;
    }
    return this.#pieces++;
  }

  /** Returns the description of the new pack file; undefined when no piece was added. */
  finish(added: (path: string) => void): Pieces['packs'][number] | undefined {
    if (this.#file === undefined) return undefined;
    fsyncSync(this.#file);
    closeSync(this.#file);
    this.#file = undefined;
    const sha256 = this.#hash.digest('hex');
    const path = packPath(this.#folder, sha256);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    renameSync(this.#part, path);
    syncFolder(dirname(path));
    added(path);
    return { sha256, bytes: this.#bytes };
  }

  abandon(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    rmSync(this.#part, { force: true });
  }
}

/** Returns why a backup cannot be used. */
export const packsAwaySentence = (path: string, away: number): string =>
  `${path} keeps its database in the folder "database" next to it, where ${away} ${away === 1 ? 'file is' : 'files are'} missing. Copy the whole folder of backups, or download the backup as one file.`;

/** Reads the database of a backup as if it were inside the file. The caller closes it. */
export class PieceReader {
  readonly #path: string;
  readonly #pieces: PlacedPieces;
  readonly #bytes: number;
  readonly #open = new Map<number, number>();

  /** @param path path of the backup file @param bytes size of the database */
  constructor(path: string, bytes: number, pieces: PlacedPieces) {
    this.#path = path;
    this.#pieces = pieces;
    this.#bytes = bytes;
  }

  get count(): number {
    return this.#pieces.places.length / PLACE;
  }

  /** @throws PieceDamaged when the piece is missing or changed */
  read(piece: number): Buffer {
    const { size, places } = this.#pieces;
    const { sha256, pack, index } = placeAt(places, piece);
    const bytes = Buffer.allocUnsafe(Math.min(size, this.#bytes - piece * size));
    const read = readSync(this.#pack(pack), bytes, 0, bytes.length, index * size);
    if (read !== bytes.length || hash('sha256', bytes, 'hex') !== sha256)
      throw new PieceDamaged(
        `The database in ${this.#path} is damaged: ${packPath(dirname(this.#path), this.#pieces.packs[pack]!.sha256)} has other content than when the backup was made`,
      );
    return bytes;
  }

  close(): void {
    for (const file of this.#open.values()) closeSync(file);
    this.#open.clear();
  }

  #pack(number: number): number {
    const known = this.#open.get(number);
    if (known !== undefined) return known;
    const pack = this.#pieces.packs[number];
    if (!pack) throw new PieceDamaged(`The database in ${this.#path} is damaged`);
    const path = packPath(dirname(this.#path), pack.sha256);
    if (sizeOf(path) === undefined) throw new PieceDamaged(packsAwaySentence(this.#path, this.#away()));
    const file = openSync(path, 'r');
    this.#open.set(number, file);
    return file;
  }

  #away(): number {
    const folder = dirname(this.#path);
    return this.#pieces.packs.filter(({ sha256 }) => sizeOf(packPath(folder, sha256)) === undefined).length;
  }
}

/** @param places called when the database is read @see PieceReader */
export const entryOf = (
  path: string,
  { name, size }: { readonly name: string; readonly size: number },
  pieces: Pieces,
  places: () => Buffer,
): TarEntry => {
  const chunks = function* () {
    const reader = new PieceReader(path, size, { ...pieces, places: places() });
    try {
      for (let piece = 0; piece < reader.count; piece++) yield reader.read(piece);
    } finally {
      reader.close();
    }
  };
  return { name, size, chunks, bytes: () => Buffer.concat([...chunks()]) };
};
