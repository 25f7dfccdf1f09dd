/** The backups in a folder: their names, which are whole, which are kept. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BackupDamaged, checkArchive, type Manifest, readManifest, SUFFIX } from './archive.ts';
import { poolOf } from './make-backup.ts';

/** Daily backups, so named; what people put beside them is theirs. */
const DAILY = /^vitrine-\d{4}-\d{2}-\d{2}-\d{6}(-\d+)?\.vitrine$/;

export interface BackupFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  /** Undefined: it is damaged; `damage` says how. */
  readonly manifest: Manifest | undefined;
  readonly damage: string | undefined;
}

/** Named by local time, as people look for it. */
export const dailyName = (now: number): string => {
  const two = (n: number) => String(n).padStart(2, '0');
  const d = new Date(now);
  return `vitrine-${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}-${two(d.getHours())}${two(d.getMinutes())}${two(d.getSeconds())}${SUFFIX}`;
};

/** A name in the folder and nothing else. */
export const isBackupName = (name: string): boolean => /^[\w][\w. -]{0,120}\.vitrine$/.test(name);

/** Newest first; the manifests read, the rest not checked. */
export const listBackups = (folder: string): BackupFile[] => {
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isBackupName(entry.name))
    .map(({ name }) => describe(name, join(folder, name)));
  return found.sort((a, b) => (b.manifest?.made_at ?? 0) - (a.manifest?.made_at ?? 0) || (a.name < b.name ? 1 : -1));
};

const describe = (name: string, path: string): BackupFile => {
  const bytes = statSync(path).size;
  try {
    return { name, path, bytes, manifest: readManifest(path), damage: undefined };
  } catch (error) {
    if (!(error instanceof BackupDamaged)) throw error;
    return { name, path, bytes, manifest: undefined, damage: error.message };
  }
};

/** The newest that reads through as it was written. */
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

/** Keeps the newest `keep` daily backups, and of the shared media what those name. Returns the names that went. */
export const rotate = (folder: string, keep: number): string[] => {
  const daily = listBackups(folder).filter(({ name }) => DAILY.test(name));
  const good = daily.filter(({ manifest }) => manifest);
  // A broken one is no backup, but while there are no good ones it may be better than nothing.
  const doomed = good.length >= keep ? daily.filter((file) => !good.slice(0, keep).includes(file)) : [];
  for (const { path } of doomed) rmSync(path, { force: true });
  prunePool(folder);
  return doomed.map(({ name }) => name);
};

const prunePool = (folder: string): void => {
  const pool = poolOf(folder);
  if (!existsSync(pool)) return;
  const left = listBackups(folder);
  // What a damaged one names is not known.
  if (left.some(({ manifest }) => !manifest)) return;
  const named = new Set(left.flatMap(({ manifest }) => manifest!.media.map(({ sha256 }) => sha256)));
  for (const sub of readdirSync(pool, { withFileTypes: true })) {
    if (!sub.isDirectory()) continue;
    for (const name of readdirSync(join(pool, sub.name))) if (!named.has(name)) rmSync(join(pool, sub.name, name), { force: true });
  }
};
