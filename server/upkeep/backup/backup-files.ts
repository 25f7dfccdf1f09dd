/** Knows the backups in a folder: their names, which are whole, which are kept. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, parse } from 'node:path';
import { BackupDamaged, bytesAlone, checkArchive, type Manifest, mediaIn, readManifest, SUFFIX } from './archive.ts';
import { packsAwaySentence, piecesOf } from './pieces.ts';
import { hashesIn, poolOf, prune } from './pool.ts';
import { isMadeByOther } from './unfinished.ts';

/** Matches those that somebody brought in, with the local time at which that was. */
const BROUGHT_IN = /^brought-in-(\d{4})-(\d{2})-(\d{2})-(\d{2})(\d{2})(\d{2})(-\d+)?\.vitrine$/;
/** Nobody goes back to what they brought in later than this, or they have copied it elsewhere. */
const BROUGHT_IN_KEPT_MS = 30 * 86_400_000;

/** Matches daily backups. What people put beside them is theirs. */
const DAILY = /^vitrine-\d{4}-\d{2}-\d{2}-\d{6}(-\d+)?\.vitrine$/;

export interface Rotation {
  /** How many of the newest daily ones stay. */
  readonly keep: number;
  /** False when something is in doubt (the clock, the database): until it is not, nothing goes. */
  readonly mayPrune: boolean;
  /** Names backups that stay although newer ones are enough, since they are the way back from something. */
  readonly spare?: readonly string[];
}

interface BackupFile {
  readonly name: string;
  readonly path: string;
  /** With the database, wherever it lies. */
  readonly bytes: number;
  /** Undefined when it cannot be read; `damage` says why. */
  readonly manifest: Manifest | undefined;
  /** Says what is wrong with it, so that it cannot be restored. */
  readonly damage: string | undefined;
}

/** What people are told of a backup. It is small, whatever the backup names. */
export interface BackupSummary {
  readonly name: string;
  readonly bytes: number;
  /** In epoch milliseconds; null when it is damaged. */
  readonly madeAt: number | null;
  readonly complete: boolean;
  readonly version: string;
  readonly mediaFiles: number;
  /** Counts what was not in it when it was made, or is not beside it now. */
  readonly mediaMissing: number;
  readonly damage: string | null;
  /** When it may make room for others, in epoch milliseconds; undefined unless somebody brought it in. */
  readonly keptUntil: number | undefined;
  /** That which made it; null when it cannot be read. */
  readonly server: { readonly id: string; readonly name: string | null } | null;
}

/** Returns those of the backups in a folder, newest first. */
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

/** Returns a name that is free: of two in one second the later has a number. */
export const freeName = (path: string): string => {
  const { dir, name, ext } = parse(path);
  for (let free = path, n = 2; ; n++) {
    if (!existsSync(free)) return free;
    free = join(dir, `${name}-${n}${ext}`);
  }
};

/** Names a backup by local time, as people look for it. */
export const dailyName = (now: number): string => `vitrine-${stampOf(now)}${SUFFIX}`;
export const broughtInName = (now: number): string => `brought-in-${stampOf(now)}${SUFFIX}`;

const stampOf = (now: number): string => {
  const two = (n: number) => String(n).padStart(2, '0');
  const d = new Date(now);
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}-${two(d.getHours())}${two(d.getMinutes())}${two(d.getSeconds())}`;
};

/** Returns until when a backup that somebody brought in stays, undefined for any other. */
const keptUntil = (name: string): number | undefined => {
  const [, year, month, day, hour, minute, second] = (BROUGHT_IN.exec(name) ?? []).map(Number);
  if (year === undefined) return undefined;
  return new Date(year, month! - 1, day, hour, minute, second).getTime() + BROUGHT_IN_KEPT_MS;
};

/** Says that it is a name in the folder and nothing else. */
export const isBackupName = (name: string): boolean => /^[\w][\w. -]{0,120}\.vitrine$/.test(name);

/** Returns the newest first. The manifests are read, the rest is not checked. */
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

/** Returns the newest that reads through as it was written. */
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
 * Keeps the newest daily backups, for a while what somebody brought in, and of the shared media what any backup in the
 * folder or the database names: also what a backup could only say to be missing, since a copy of it here may be the
 * last. Returns the names that went.
 * @param now in epoch milliseconds; what is newer was made by another clock, and neither counts nor goes
 * @param named lists what the database names
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
  // A broken one is no backup, but while there are no good ones it may be better than nothing.
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
  // Nobody knows what a damaged one names.
  if (left.some(({ manifest }) => !manifest)) return;
  const kept = new Set([...named, ...left.flatMap(({ manifest }) => mediaIn(manifest!))]);
  prune(poolOf(folder), (sha256) => kept.has(sha256));
  prunePieces(folder, left);
};

/** Removes packs of databases that no backup of the folder names any more, unless one is just being made. */
export const prunePieces = (folder: string, left = listBackups(folder)): void => {
  if (left.some(({ manifest }) => !manifest) || isMadeByOther(folder)) return;
  const kept = new Set(left.flatMap(({ manifest }) => packsOf(manifest!)));
  prune(piecesOf(folder), (sha256) => kept.has(sha256));
};
