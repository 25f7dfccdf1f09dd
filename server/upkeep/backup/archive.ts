/**
 * Reads and writes backups. A backup is one tar file (`.vitrine`): the database, the keys, the media that the database
 * refers to, and as its last entry the manifest, which lists the contents. A file without a manifest is incomplete and
 * not a backup. A daily backup does not contain the media; the media are in the folder `media/` beside the backups,
 * shared by all daily backups.
 */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, statSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { alive } from '../checks/alive.ts';
import { beginStep, passed } from '../tasks/progress.ts';
import { bytesOfPlaces, entryOf, PieceDamaged, type PlacedPieces } from './pieces.ts';
import { readTar, TarDamaged, type TarEntry } from './tar.ts';
import { SYNC_EVERY } from './whole-file.ts';

export const SUFFIX = '.vitrine';
export const DATABASE = 'vitrine.db';
const MANIFEST = 'manifest.json';
export const PLACES = 'database.pieces';

const Hash = z.string().regex(/^[0-9a-f]{64}$/);
const Media = z.object({ sha256: Hash, size: z.number().int().nonnegative() });

const MAX_PIECE_BYTES = 16 * 1024 * 1024;

const Database = z.object({
  size: z.number().int().nonnegative(),
  sha256: Hash,
  /**
   * Present when the database is stored in pieces beside the backup file. A separate entry lists the location of each
   * piece.
   */
  pieces: z
    .object({
      size: z.number().int().min(512).max(MAX_PIECE_BYTES),
      packs: z.array(z.object({ sha256: Hash, bytes: z.number().int().positive() })),
    })
    .optional(),
});

export const Manifest = z.object({
  /**
   * Format version. 2 when the database is in pieces. Versions of Vitrine that do not know pieces then report that a
   * newer version made the backup.
   */
  vitrine_backup: z.union([z.literal(1), z.literal(2)]),
  /** Instant of the saved state, in epoch milliseconds. */
  made_at: z.number(),
  version: z.string(),
  /** Version of the newest migration in the database. */
  schema: z.number(),
  server: z.object({ id: z.string(), name: z.string().nullable() }),
  database: Database,
  keys: z.array(z.string()),
  /** Whether the media are `inside` this file or `beside` it. */
  media_kept: z.enum(['inside', 'beside']),
  /** Media that the database refers to and that were present and intact. */
  media: z.array(Media),
  /**
   * Media that the database refers to and that were missing. `media_damaged` lists the media that did not match their
   * hash.
   */
  media_missing: z.array(Hash),
  media_damaged: z.array(Hash),
});
export type Manifest = z.infer<typeof Manifest>;

/** Returns the SHA-256 of all media that the database of a backup refers to. */
export const mediaIn = ({ media, media_missing, media_damaged }: Manifest): string[] => [
  ...media.map(({ sha256 }) => sha256),
  ...media_missing,
  ...media_damaged,
];

/** Error: the file is not a complete backup. The message says why. */
export class BackupDamaged extends Error {}

const KEY_NAME = /^keys\/([a-z0-9][a-z0-9._-]{0,60})$/;
const MEDIA_NAME = /^media\/([0-9a-f]{64})$/;

export const keyEntry = (name: string): string => `keys/${name}`;
export const mediaEntry = (sha256: string): string => `media/${sha256}`;
export const manifestBytes = (manifest: Manifest): Buffer => Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
export const MANIFEST_ENTRY = MANIFEST;

/** An entry of a backup. The names of entries are only matched against patterns, and never used as paths. */
export type Part =
  | { readonly kind: 'database'; readonly entry: TarEntry }
  | { readonly kind: 'key'; readonly name: string; readonly entry: TarEntry }
  | { readonly kind: 'media'; readonly sha256: string; readonly entry: TarEntry };

/**
 * Limits for files of unknown origin: number of entries, and bytes of the manifest. The number allows a store with a
 * million media. The size of the manifest is limited because it is read as a whole.
 */
const MAX_ENTRIES = 1_100_000;
const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;
/** Size limit in bytes of the list of piece locations: the list of a database of 400 GB. */
const MAX_PLACES_BYTES = 256 * 1024 * 1024;
const MAX_KEY_BYTES = 1024 * 1024;

const partOf = (entry: TarEntry, path: string): Part => {
  if (entry.name === DATABASE) return { kind: 'database', entry };
  const key = KEY_NAME.exec(entry.name)?.[1];
  if (key !== undefined) {
    if (entry.size > MAX_KEY_BYTES) throw new BackupDamaged(`${path} contains a key file that is too large`);
    return { kind: 'key', name: key, entry };
  }
  const sha256 = MEDIA_NAME.exec(entry.name)?.[1];
  if (sha256 !== undefined) return { kind: 'media', sha256, entry };
  throw new BackupDamaged(`${path} contains ${JSON.stringify(entry.name)}, which does not belong in a backup`);
};

/**
 * Calls `visit` for each part in order and returns the manifest.
 * @throws BackupDamaged when the file is not a backup or incomplete
 */
export const walkArchive = (path: string, visit: (part: Part) => void): Manifest => {
  const seen = new Set<string>();
  let places: TarEntry | undefined;
  try {
    for (const entry of readTar(path)) {
      alive();
      if (entry.name === MANIFEST) {
        const manifest = readManifestOf(entry, path);
        const { size, pieces } = manifest.database;
        if (!pieces) return manifest;
        if (seen.has(DATABASE)) throw new BackupDamaged(`${path} contains ${JSON.stringify(DATABASE)} twice`);
        const bytes = () => placesOf(places, { path, size, pieceBytes: pieces.size });
        visit({ kind: 'database', entry: entryOf(path, { name: DATABASE, size }, pieces, bytes) });
        return manifest;
      }
      if (seen.has(entry.name)) throw new BackupDamaged(`${path} contains ${JSON.stringify(entry.name)} twice`);
      if (seen.size === MAX_ENTRIES) throw new BackupDamaged(`${path} contains more files than a backup can have`);
      seen.add(entry.name);
      if (entry.name === PLACES) places = entry;
      else visit(partOf(entry, path));
    }
  } catch (error) {
    if (error instanceof TarDamaged || error instanceof PieceDamaged) throw new BackupDamaged(error.message);
    if (!isOfReading(error as NodeJS.ErrnoException, path)) throw error;
    throw new BackupDamaged(
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? `${path} does not exist` : (error as Error).message,
    );
  }
  throw new BackupDamaged(`${path} is incomplete, because writing the backup was interrupted. Use another backup.`);
};

const placesOf = (
  entry: TarEntry | undefined,
  { path, size, pieceBytes }: { path: string; size: number; pieceBytes: number },
): Buffer => {
  if (entry?.size !== bytesOfPlaces(size, pieceBytes) || entry.size > MAX_PLACES_BYTES)
    throw new BackupDamaged(`The database in ${path} is damaged`);
  return entry.bytes();
};

/**
 * Returns the locations of the pieces of a backup's database; undefined when the file is not a complete backup or has
 * no pieces. Called for each download. A complete backup may contain a hundred thousand files, so the search ends at
 * its first entry, the database.
 */
export const readPieces = (path: string): PlacedPieces | undefined => {
  try {
    let places: Buffer | undefined;
    let at: TarEntry | undefined;
    for (const entry of readTar(path)) {
      if (entry.name === DATABASE) return undefined;
      if (entry.name === PLACES) at = entry;
      if (entry.name !== MANIFEST) continue;
      const { size, pieces } = readManifestOf(entry, path).database;
      if (pieces) places = placesOf(at, { path, size, pieceBytes: pieces.size });
      return pieces && places && { ...pieces, places };
    }
  } catch {
    // Treats an unusable file like a file without pieces.
  }
  return undefined;
};

/** Keeps errors of a visitor's own writes separate, because they do not mean that the backup is damaged. */
const isOfReading = ({ syscall, path }: NodeJS.ErrnoException, file: string): boolean =>
  syscall === 'read' || path === file;

const readManifestOf = (entry: TarEntry, path: string): Manifest => {
  if (entry.size > MAX_MANIFEST_BYTES) throw new BackupDamaged(`${path} is not a Vitrine backup, or is damaged`);
  const text = entry.bytes().toString('utf8');
  try {
    return Manifest.parse(JSON.parse(text));
  } catch {
    if (/"vitrine_backup":\s*(?!1\b|2\b)\d/.test(text))
      throw new BackupDamaged(`${path} was made by a newer version of Vitrine. Restore it with that version.`);
    throw new BackupDamaged(`${path} is not a Vitrine backup, or is damaged`);
  }
};

/** Returns the manifest without reading the other entries. @throws BackupDamaged */
export const readManifest = (path: string): Manifest => walkArchive(path, () => {});

/** Returns the approximate size of a backup as one file, in bytes, without media beside it. */
export const bytesAlone = (path: string, { database }: Manifest): number =>
  statSync(path).size + (database.pieces ? database.size : 0);

/** Forwards the content of an entry in chunks. Returns the SHA-256 of the content. */
const hashEntry = (entry: TarEntry, pass: (chunk: Buffer) => void = () => {}): string => {
  const hash = createHash('sha256');
  for (const chunk of entry.chunks()) {
    hash.update(chunk);
    pass(chunk);
    passed(chunk.length);
  }
  return hash.digest('hex');
};

/** Writes an entry to a new file and syncs it. Returns its SHA-256. */
export const writeEntry = (entry: TarEntry, path: string): string => {
  const file = openSync(path, 'wx', 0o600);
  try {
    let unsynced = 0;
    const hash = hashEntry(entry, (chunk) => {
      for (let done = 0; done < chunk.length; ) done += writeSync(file, chunk, done);
      unsynced += chunk.length;
      if (unsynced < SYNC_EVERY) return;
      fsyncSync(file);
      unsynced = 0;
    });
    fsyncSync(file);
    return hash;
  } finally {
    closeSync(file);
  }
};

/**
 * Reads the whole file and compares it with its manifest.
 * @throws BackupDamaged that names the first difference
 */
export const checkArchive = (path: string): Manifest => {
  const { manifest, damaged } = readArchive(path);
  if (damaged[0] !== undefined) throw new BackupDamaged(`The media file ${damaged[0]} in ${path} is damaged`);
  return manifest;
};

/**
 * Reads the whole file, tolerating damaged media. The result `damaged` lists the SHA-256 of media that are missing or
 * damaged in the file.
 * @throws BackupDamaged when anything else is damaged
 */
export const readArchive = (path: string): { readonly manifest: Manifest; readonly damaged: readonly string[] } => {
  beginStep('reading', bytesAlone(path, readManifest(path)));
  let database: { size: number; sha256: string } | undefined;
  const keys = new Set<string>();
  const whole = new Set<string>();
  const manifest = walkArchive(path, (part) => {
    if (part.kind === 'database') database = { size: part.entry.size, sha256: hashEntry(part.entry) };
    else if (part.kind === 'key') keys.add(part.name);
    else if (hashEntry(part.entry) === part.sha256) whole.add(part.sha256);
  });
  if (database?.sha256 !== manifest.database.sha256) throw new BackupDamaged(`The database in ${path} is damaged`);
  const key = manifest.keys.find((name) => !keys.has(name));
  if (key !== undefined) throw new BackupDamaged(`${path} does not contain the key ${key}`);
  const inside = manifest.media_kept === 'inside' ? manifest.media : [];
  return { manifest, damaged: inside.map(({ sha256 }) => sha256).filter((sha256) => !whole.has(sha256)) };
};
