/**
 * A restore that was requested in the admin window. The running server only writes the request to a file and restarts.
 * The start executes the restore before it opens anything, and again if the process was killed meanwhile. The result is
 * stored beside the database, because the database is replaced.
 */
import { existsSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { LastRestore } from '../../../shared/contract/server/upkeep.ts';
import { wordsOfDisk } from '../../kernel/disk/disk-words.ts';
import { readStored, syncFolder, writeWhole } from '../../kernel/disk/durable.ts';
import { restoreBackup } from '../backup/restore.ts';
import { FolderInUse } from '../disk/folder-lock.store.ts';
import { RESTORE_MARK } from './restore-mark.ts';

const ORDER = 'restore-wanted.json';
const OUTCOME = 'last-restore.json';

const Order = z.object({
  file: z.string(),
  /** Time of the request, in epoch milliseconds. */
  at: z.number(),
  /** E-mail address of the requester. */
  by: z.string(),
  /** Name of the backup that was made before the restore. */
  safety: z.string(),
  /** Secret id with which a client can ask for the progress. */
  watch: z.string().default(''),
  /** Result of the test before the restore: what the present store has and the backup lacks. */
  differences: LastRestore.shape.differences.default([]),
  plays: LastRestore.shape.plays.default(0),
});
type Order = z.infer<typeof Order>;

/** Accepts missing fields, because older versions stored fewer fields. */
const Outcome = LastRestore.extend({
  watch: Order.shape.watch,
  differences: Order.shape.differences,
  plays: Order.shape.plays,
});
type Outcome = z.infer<typeof Outcome>;

/** Requests a restore at the next start. The request is on disk when this function returns. */
export const orderRestore = (data: string, order: z.input<typeof Order>): void =>
  writeWhole(join(data, ORDER), JSON.stringify(Order.parse(order)));

/** Returns the requested restore; undefined when none was requested. */
export const orderedRestore = (data: string): Order | undefined => readStored(join(data, ORDER), Order);

/** Returns the result of the newest restore. */
export const outcomeOf = (data: string): Outcome | undefined => readStored(join(data, OUTCOME), Outcome);
export const lastRestoreOf = (data: string): LastRestore | null => viewOf(outcomeOf(data));

/** Returns the result without the secret id. */
export const viewOf = (outcome: Outcome | undefined): LastRestore | null => {
  if (!outcome) return null;
  const { watch: _secret, ...told } = outcome;
  return told;
};

/**
 * Executes a requested restore. If the restore is impossible, the store stays unchanged and is started, because screens
 * need it.
 * @throws FolderInUse, or the error that interrupted the last step, which the next start finishes
 */
export const restoreAsOrdered = (data: string): void => {
  const path = join(data, ORDER);
  if (!existsSync(path)) return;
  const order = readStored(path, Order);
  if (order) remember(data, obey(data, order));
  rmSync(path);
  syncFolder(data);
};

const obey = (data: string, { file, at, ...told }: Order): Outcome => {
  const asked = { ...told, backup: basename(file), at: Math.floor(at / 1000) };
  try {
    const { manifest, set_aside, media_missing, media_damaged } = restoreBackup({ file, data, now: at });
    return {
      ...asked,
      made_at: Math.floor(manifest.made_at / 1000),
      error: null,
      set_aside,
      media_missing: media_missing.length + media_damaged.length,
    };
  } catch (error) {
    if (error instanceof FolderInUse || existsSync(join(data, RESTORE_MARK))) throw error;
    const reason = wordsOfDisk(error, data) ?? (error as Error).message;
    return { ...asked, made_at: null, error: reason, set_aside: null, media_missing: 0 };
  }
};

const remember = (data: string, outcome: Outcome): void => {
  try {
    writeWhole(join(data, OUTCOME), JSON.stringify(outcome));
  } catch {
    // Ignores a full disk, so that the store is started. The restored state itself shows that the restore was done.
  }
};
