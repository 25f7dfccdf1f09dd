/** Lists the backups in a folder and decides which are kept. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, parse } from 'node:path';
import { BackupDamaged, bytesAlone, checkArchive, type Manifest, mediaIn, readManifest, SUFFIX } from './archive.ts';
import { packsAwaySentence, piecesOf } from './pieces.ts';
import { hashesIn, poolOf, prune } from './pool.ts';
import { isMadeByOther } from './unfinished.ts';

/** Matches file names of uploaded backups, which contain the local time of the upload. */
const BROUGHT_IN = /^brought-in-(\d{4})-(\d{2})-(\d{2})-(\d{2})(\d{2})(\d{2})(-\d+)?\.vitrine$/;
/**
 * Retention of uploaded backups in milliseconds. After this time nobody will restore the backup, or the person has a
 * copy elsewhere.
 */
const BROUGHT_IN_KEPT_MS = 30 * 86_400_000;

/** Matches file names of daily backups. Only these files are deleted when there are more than the number to keep. */
const DAILY = /^vitrine-\d{4}-\d{2}-\d{2}-\d{6}(-\d+)?\.vitrine$/;

export interface Rotation {
  /** Number of daily backups to keep. */
  readonly keep: number;
  /** Whether backups may be deleted. False while the clock is untrusted, or the database or media may be damaged. */
  readonly mayPrune: boolean;
  /**
   * Names of backups that are kept regardless of newer backups, because they are needed to undo a restore or update.
   */
  readonly spare?: readonly string[];
}

interface BackupFile {
  readonly name: string;
  readonly path: string;
  /** Size in bytes, including the database in the file or beside the file. */
  readonly bytes: number;
  /** Manifest of the backup; undefined when the file cannot be read; `damage` says why. */
  readonly manifest: Manifest | undefined;
  /** Sentence that says why the backup cannot be restored; undefined when it can be restored. */
  readonly damage: string | undefined;
}

/** Summary of a backup that people see. Its size does not grow with the backup. */
export interface BackupSummary {
  readonly name: string;
  readonly bytes: number;
  /** Epoch milliseconds; null when the backup is damaged. */
  readonly madeAt: number | null;
  readonly complete: boolean;
  readonly version: string;
  readonly mediaFiles: number;
  /** Number of media that were missing when the backup was made, or that are missing beside it now. */
  readonly mediaMissing: number;
  readonly damage: string | null;
  /** Time at which an uploaded backup may be deleted, in epoch milliseconds; undefined for other backups. */
  readonly keptUntil: number | undefined;
  /** Server that made the backup; null when unknown. */
  readonly server: { readonly id: string; readonly name: string | null } | null;
}

/** Returns summaries of the backups in a folder, the newest first. */
export const summariesOf = (folder: string): BackupSummary[] => {
  const shared = new Set(hashesIn(poolOf(folder)));
  return listBackups(folder).map((file) => summaryOf(file, (sha256) => shared.has(sha256)));
};

export const summaryOf = (
  { name, bytes, manifest, damage }: Omit<BackupFile, 'path'>,
  isShared: (sha256: string) => boolean,
): BackupSummary => {
  const away = manifest?.media_kept === 'beside' ? manifest.media.filter(({ sha256 }) => !isShared(sha256)).length : 0;
  return {
    name,
    bytes,
    madeAt: manifest?.made_at ?? null,
    complete: manifest?.media_kept === 'inside',
    version: manifest?.version ?? '',
    mediaFiles: (manifest?.media.length ?? 0) - away,
    mediaMissing: (manifest?.media_missing.length ?? 0) + (manifest?.media_damaged.length ?? 0) + away,
    damage: damage ?? null,
    keptUntil: keptUntil(name),
    server: manifest?.server ?? null,
  };
};

/** Returns a free file name, adding a number if necessary. */
export const freeName = (path: string): string => {
  const { dir, name, ext } = parse(path);
  for (let free = path, n = 2; ; n++) {
    if (!existsSync(free)) return free;
    free = join(dir, `${name}-${n}${ext}`);
  }
};

/** Returns a file name with the local time, because people search for it. */
export const dailyName = (now: number): string => `vitrine-${stampOf(now)}${SUFFIX}`;
export const broughtInName = (now: number): string => `brought-in-${stampOf(now)}${SUFFIX}`;

const stampOf = (now: number): string => {
  const two = (n: number) => String(n).padStart(2, '0');
  const d = new Date(now);
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}-${two(d.getHours())}${two(d.getMinutes())}${two(d.getSeconds())}`;
};

/** Returns the time until which an uploaded backup is kept; undefined for any other backup. */
const keptUntil = (name: string): number | undefined => {
  const [, year, month, day, hour, minute, second] = (BROUGHT_IN.exec(name) ?? []).map(Number);
  if (year === undefined) return undefined;
  return new Date(year, month! - 1, day, hour, minute, second).getTime() + BROUGHT_IN_KEPT_MS;
};

/** Returns whether the text is a valid file name of a backup, without a path. */
export const isBackupName = (name: string): boolean => /^[\w][\w. -]{0,120}\.vitrine$/.test(name);

/** Returns the backups, the newest first. Reads only the manifests. */
export const listBackups = (folder: string): BackupFile[] => {
  if (!existsSync(folder)) return [];
  const packs = new Set(hashesIn(piecesOf(folder)));
  const found = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isBackupName(entry.name))
    .map(({ name }) => describe(name, join(folder, name), packs));
  return found.sort((a, b) => (b.manifest?.made_at ?? 0) - (a.manifest?.made_at ?? 0) || (a.name < b.name ? 1 : -1));
};

const packsOf = ({ database }: Manifest): string[] => database.pieces?.packs.map(({ sha256 }) => sha256) ?? [];

const describe = (name: string, path: string, packs: ReadonlySet<string>): BackupFile => {
  try {
    const manifest = readManifest(path);
    const away = packsOf(manifest).filter((sha256) => !packs.has(sha256)).length;
    const damage = away > 0 ? packsAwaySentence(path, away) : undefined;
    return { name, path, bytes: bytesAlone(path, manifest), manifest, damage };
  } catch (error) {
    if (!(error instanceof BackupDamaged)) throw error;
    return { name, path, bytes: statSync(path).size, manifest: undefined, damage: error.message };
  }
};

/** Returns the newest backup that is completely readable and intact. */
export const newestGood = (folder: string): BackupFile | undefined =>
  listBackups(folder).find(({ path, manifest }) => {
    if (!manifest) return false;
    try {
      checkArchive(path);
      return true;
    } catch {
      return false;
    }
  });

/**
 * Deletes old backups and unused shared media. Keeps the newest daily backups, uploaded backups for a while, and all
 * shared media that any backup in the folder or the database refers to, even media that a backup lists as missing,
 * because the copy here may be the last. Returns the names of deleted backups.
 * @param now epoch milliseconds; backups
 * newer than this were made with a wrong clock, and are neither counted nor deleted
 * @param named media that the
 * database refers to
 */
export const rotate = (
  folder: string,
  { keep, mayPrune, spare = [] }: Rotation,
  now: number,
  named: readonly string[],
): string[] => {
  if (!mayPrune) return [];
  const all = listBackups(folder);
  const daily = all.filter(({ name, manifest }) => DAILY.test(name) && (manifest?.made_at ?? 0) <= now);
  const good = daily.filter(({ damage }) => damage === undefined);
  // A damaged backup does not count towards the number to keep. It stays while there are too few intact backups,
  // because parts of it may be usable.
  const older = good.length >= keep ? daily.filter((file) => !good.slice(0, keep).includes(file)) : [];
  const doomed = [...older, ...all.filter(({ name }) => (keptUntil(name) ?? now) < now)].filter(
    ({ name }) => !spare.includes(name),
  );
  for (const { path } of doomed) rmSync(path, { force: true });
  prunePool(folder, named);
  return doomed.map(({ name }) => name);
};

const prunePool = (folder: string, named: readonly string[]): void => {
  const left = listBackups(folder);
  // Keeps all shared media, because a damaged backup may refer to any of them.
  if (left.some(({ manifest }) => !manifest)) return;
  const kept = new Set([...named, ...left.flatMap(({ manifest }) => mediaIn(manifest!))]);
  prune(poolOf(folder), (sha256) => kept.has(sha256));
  prunePieces(folder, left);
};

/** Deletes pack files (database pieces) that no backup of the folder refers to, unless a backup is being made. */
export const prunePieces = (folder: string, left = listBackups(folder)): void => {
  if (left.some(({ manifest }) => !manifest) || isMadeByOther(folder)) return;
  const kept = new Set(left.flatMap(({ manifest }) => packsOf(manifest!)));
  prune(piecesOf(folder), (sha256) => kept.has(sha256));
};
