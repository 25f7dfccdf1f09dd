/**
 * Tests a backup by restoring it beside the store: reads the backup completely, unpacks its database, checks every
 * page, searches its media, compares it with the present store, and deletes the unpacked files.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type DatabaseFacts, inspectDatabase, newestSchema } from '../../db/open.ts';
import { loadIdentity } from '../../identity.ts';
import { freeBytes } from '../../kernel/disk/disk-words.ts';
import { undivided } from '../checks/alive.ts';
import { beginStep } from '../tasks/progress.ts';
import { DATABASE, type Manifest, mediaIn, readArchive, walkArchive, writeEntry } from './archive.ts';
import { type Comparison, compareStores } from './compare.store.ts';
import { poolOf } from './pool.ts';
import { TRIED } from './restore.ts';
import { findDamage, findForeign } from './snapshot.store.ts';
import { doubtAbout } from './store-record.ts';
import { mediaPath, sizeOf } from './whole-file.ts';

export interface Tried extends Comparison {
  /** Time at which the backup was made, in epoch milliseconds. */
  readonly madeAt: number;
  readonly version: string;
  readonly mediaFiles: number;
  /** Number of media that are missing in the backup, in the pool beside it and in the store. */
  readonly mediaMissing: number;
}

/** @throws BackupDamaged, or an error that says why the backup cannot be restored */
export const tryBackup = (file: string, data: string): Tried => {
  const { manifest, damaged } = readArchive(file);
  if (manifest.schema > newestSchema())
    throw new Error(
      `The backup was made by a newer version of Vitrine (${manifest.version}). Install that version first.`,
    );
  const needed = manifest.database.size;
  const free = freeBytes(data);
  if (needed > free)
    throw new Error(
      `The disk has too little free space for unpacking: ${Math.ceil(needed / 1024 / 1024)} MB are needed, ${Math.floor(free / 1024 / 1024)} MB are free.`,
    );
  const scratch = join(data, `${TRIED}${process.pid}`);
  mkdirSync(join(scratch, 'keys'), { recursive: true, mode: 0o700 });
  try {
    const database = join(scratch, DATABASE);
    beginStep('unpacking', manifest.database.size);
    walkArchive(file, (part) => {
      if (part.kind === 'database') writeEntry(part.entry, database);
      else if (part.kind === 'key') writeEntry(part.entry, join(scratch, 'keys', part.name));
    });
    beginStep('checking');
    const size = manifest.database.size;
    const foreign = undivided(() => findForeign(database), 0);
    if (foreign)
      throw new Error(
        `The database of the backup was changed outside of Vitrine: ${foreign}. Use an unchanged backup.`,
      );
    const damage = undivided(() => findDamage(database), size);
    if (damage) throw new Error(`The database of the backup is damaged (${damage}). Try an older backup.`);
    requireStart(scratch, manifest);
    const lost = new Set(damaged);
    const pools = [join(data, 'media'), poolOf(dirname(file))];
    const isThere = (sha256: string) =>
      (manifest.media_kept === 'inside' && !lost.has(sha256)) ||
      pools.some((pool) => sizeOf(mediaPath(pool, sha256)) !== undefined);
    const named = [...new Set(mediaIn(manifest))];
    const there = named.filter(isThere).length;
    return {
      madeAt: manifest.made_at,
      version: manifest.version,
      mediaFiles: there,
      mediaMissing: named.length - there,
      ...undivided(() => compareStores(database, join(data, DATABASE)), 2 * size),
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

/**
 * Checks that a server would start with the unpacked files. If the server did not start after the restore, nobody could
 * undo the restore in the admin window.
 */
const requireStart = (data: string, { schema }: Manifest): void => {
  let facts: DatabaseFacts;
  try {
    facts = inspectDatabase(join(data, DATABASE));
  } catch {
    throw new Error('The database of the backup is not a Vitrine database. Try an older backup.');
  }
  if (facts.schema !== schema)
    throw new Error('The database of the backup does not match the description of the backup. Try an older backup.');
  try {
    loadIdentity(data, { mayCreate: false });
  } catch {
    throw new Error('The server key in the backup is missing or damaged. Try an older backup.');
  }
  if (doubtAbout(data, facts) !== '')
    throw new Error('The database and the server key of the backup do not belong together. Try an older backup.');
};
