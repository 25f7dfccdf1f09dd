/**
 * A restore that was asked for in the window. The running server only writes the order down and restarts; the start
 * obeys it before it opens anything, and obeys it again when it was killed meanwhile. What came of it lies beside the
 * database, which was replaced.
 */
import { existsSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { LastRestore } from '../../shared/contract/upkeep.ts';
import { wordsOfDisk } from '../kernel/disk-words.ts';
import { readStored, syncFolder, writeWhole } from '../kernel/durable.ts';
import { restoreBackup } from './backup/restore.ts';
import { FolderInUse } from './folder-lock.store.ts';
import { RESTORE_MARK } from './restore-mark.ts';

const ORDER = 'restore-wanted.json';
const OUTCOME = 'last-restore.json';

const Order = z.object({
  file: z.string(),
  /** When it was asked for, in epoch milliseconds. */
  at: z.number(),
  /** The address of who asked. */
  by: z.string(),
  /** The backup that was made of the store before. */
  safety: z.string(),
  /** Whoever knows this may ask how far it is. */
  watch: z.string().default(''),
  /** What was looked at before: what is in the store of now and not in the backup. */
  differences: LastRestore.shape.differences.default([]),
  plays: LastRestore.shape.plays.default(0),
});
type Order = z.infer<typeof Order>;

/** Older versions wrote down less. */
const Outcome = LastRestore.extend({
  watch: Order.shape.watch,
  differences: Order.shape.differences,
  plays: Order.shape.plays,
});
type Outcome = z.infer<typeof Outcome>;

/** The next start restores. It is on disk when this returns. */
export const orderRestore = (data: string, order: z.input<typeof Order>): void =>
  writeWhole(join(data, ORDER), JSON.stringify(Order.parse(order)));

/** Returns undefined when none was ordered. */
export const orderedRestore = (data: string): Order | undefined => readStored(join(data, ORDER), Order);

/** Returns what came of the newest one. */
export const outcomeOf = (data: string): Outcome | undefined => readStored(join(data, OUTCOME), Outcome);
export const lastRestoreOf = (data: string): LastRestore | null => viewOf(outcomeOf(data));

/** Returns what people are told of it. */
export const viewOf = (outcome: Outcome | undefined): LastRestore | null => {
  if (!outcome) return null;
  const { watch: _secret, ...told } = outcome;
  return told;
};

/**
 * Restores when that was ordered. When it cannot be done the store stays as it was and is started: screens need it.
 * @throws FolderInUse, or whatever interrupted the last step, which the next start finishes
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
    // On a full disk the store is started all the same; that it went back is seen in it.
  }
};
