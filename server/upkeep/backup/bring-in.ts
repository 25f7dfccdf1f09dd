/**
 * Receives an uploaded backup: it is written under a temporary name, read and test-restored, and then either added to
 * the folder's backups or deleted.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { freeBytes } from '../../kernel/disk/disk-words.ts';
import { syncFolder } from '../../kernel/disk/durable.ts';
import { working } from '../checks/alive.ts';
import { beginStep, passed } from '../tasks/progress.ts';
import { bytesAlone, readManifest } from './archive.ts';
import { type BackupSummary, freeName, listBackups, summaryOf } from './backup-files.ts';
import { BackupFailed, isFull, RESERVE_BYTES, requireSpace } from './make-backup.ts';
import type { Place } from './place.ts';
import { hashesIn, poolOf } from './pool.ts';
import { tryBackup } from './try-backup.ts';
import { tidy } from './unfinished.ts';
import { partName, SYNC_EVERY } from './whole-file.ts';

/** Reason why an uploaded file was refused. Nothing of the file was kept. */
export class NotTaken extends Error {}

export class FileTaken {
  readonly #place: Place;
  readonly #target: string;
  readonly #part: string;
  #file: number | undefined;
  #size = 0;
  #unsynced = 0;

  /** @param expected size in bytes, 0 when unknown @throws BackupFailed when there is not enough space */
  constructor(place: Place, name: string, expected: number) {
    working();
    this.#place = place;
    mkdirSync(place.folder, { recursive: true, mode: 0o700 });
    tidy(place.folder);
    requireSpace(place.folder, expected);
    this.#target = join(place.folder, name);
    this.#part = partName(this.#target);
    rmSync(this.#part, { force: true });
    this.#file = openSync(this.#part, 'wx', 0o600);
    beginStep('receiving', expected);
  }

  /** @throws BackupFailed when the disk becomes full */
  write(piece: Uint8Array): void {
    try {
      for (let done = 0; done < piece.length; ) done += writeSync(this.#file!, piece, done);
    } catch (error) {
      throw isFull(error) ? this.#full() : error;
    }
    this.#size += piece.length;
    this.#unsynced += piece.length;
    passed(piece.length);
    if (this.#unsynced < SYNC_EVERY) return;
    fsyncSync(this.#file!);
    this.#unsynced = 0;
    // Checks the free space again while writing: other programs write to the same disk, and some clients do not send
    // the size.
    if (freeBytes(this.#place.folder) < RESERVE_BYTES) throw this.#full();
  }

  /**
   * Returns the summary of the new backup.
   * @throws NotTaken when the file is not a restorable backup or already exists
   */
  end(): BackupSummary {
    fsyncSync(this.#file!);
    this.#close();
    if (this.#size === 0) throw new NotTaken('The file is empty and contains no backup.');
    const manifest = this.#tried();
    const { folder } = this.#place;
    const same = listBackups(folder).find(
      (other) =>
        other.manifest?.made_at === manifest.made_at &&
        other.manifest.database.sha256 === manifest.database.sha256 &&
        other.manifest.media_kept === manifest.media_kept,
    );
    if (same) throw new NotTaken(`This backup is already on the server: ${same.name}.`);
    const target = freeName(this.#target);
    renameSync(this.#part, target);
    syncFolder(dirname(target));
    const shared = new Set(hashesIn(poolOf(folder)));
    return summaryOf(
      { name: basename(target), bytes: bytesAlone(target, manifest), manifest, damage: undefined },
      (sha256) => shared.has(sha256),
    );
  }

  /** Removes everything that was written for the upload. */
  discard(): void {
    this.#close();
    rmSync(this.#part, { force: true });
  }

  /** Describes a problem with the uploaded file without mentioning its temporary name. */
  #tried() {
    try {
      tryBackup(this.#part, this.#place.data);
      return readManifest(this.#part);
    } catch (error) {
      if (typeof (error as NodeJS.ErrnoException).code === 'string') throw error;
      const { message } = error as Error;
      throw new NotTaken(message.replaceAll(this.#part, 'The file'));
    }
  }

  #full(): BackupFailed {
    return new BackupFailed(`The disk is full: the backup could not be uploaded to ${this.#place.folder}.`);
  }

  #close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
