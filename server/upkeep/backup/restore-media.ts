/**
 * Restores lost media of a data folder from the backups in a folder: from their shared media, or from within complete
 * backups.
 */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../kernel/disk/durable.ts';
import { BackupDamaged, walkArchive, writeEntry } from './archive.ts';
import { listBackups } from './backup-files.ts';
import { poolOf } from './pool.ts';
import { bring, mediaPath, sizeOf } from './whole-file.ts';

/** Returns the SHA-256 of the media that were restored. */
export const restoreMedia = (folder: string, data: string, wanted: readonly string[]): string[] => {
  const media = join(data, 'media');
  const healed = wanted.filter((sha256) => isBack(folder, media, sha256));
  const open = new Set(wanted.filter((sha256) => !healed.includes(sha256)));
  for (const { path, manifest } of open.size === 0 ? [] : listBackups(folder)) {
    if (manifest?.media_kept !== 'inside' || !manifest.media.some(({ sha256 }) => open.has(sha256))) continue;
    for (const sha256 of takeOut(path, open, media)) {
      open.delete(sha256);
      healed.push(sha256);
    }
  }
  for (const sha256 of healed) syncFolder(dirname(mediaPath(media, sha256)));
  return healed;
};

const isBack = (folder: string, media: string, sha256: string): boolean => {
  const from = mediaPath(poolOf(folder), sha256);
  return sizeOf(from) !== undefined && bring(from, mediaPath(media, sha256), sha256, unfinishedIn(media, sha256));
};

/** Returns a temporary path, in a folder where the server removes unfinished files. */
const unfinishedIn = (media: string, sha256: string): string => {
  mkdirSync(join(media, 'tmp'), { recursive: true, mode: 0o700 });
  return join(media, 'tmp', `${sha256}.${process.pid}`);
};

/** Extracts media from a complete backup. Returns the SHA-256 of media that were intact in the backup. */
const takeOut = (file: string, wanted: ReadonlySet<string>, media: string): string[] => {
  const taken: string[] = [];
  try {
    walkArchive(file, (part) => {
      if (part.kind !== 'media' || !wanted.has(part.sha256)) return;
      const target = mediaPath(media, part.sha256);
      const unfinished = unfinishedIn(media, part.sha256);
      rmSync(unfinished, { force: true });
      try {
        if (writeEntry(part.entry, unfinished) !== part.sha256) return;
        mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
        renameSync(unfinished, target);
        taken.push(part.sha256);
      } finally {
        rmSync(unfinished, { force: true });
      }
    });
  } catch (error) {
    if (!(error instanceof BackupDamaged)) throw error;
  }
  return taken;
};
