/**
 * Keeps what the newest check of the whole database found in a file of its own, because a damaged database cannot keep
 * it.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { readStored, writeWhole } from '../kernel/durable.ts';

const FILE = 'database-check.json';

const DatabaseCheck = z.object({
  /** In epoch milliseconds, for people. */
  at: z.number(),
  /** Says what is wrong, in SQLite's words; null when it was whole. */
  damage: z.string().nullable(),
});
type DatabaseCheck = z.infer<typeof DatabaseCheck>;

/** Returns undefined when there was none, or it cannot be read. */
export const newestCheck = (data: string): DatabaseCheck | undefined => readStored(join(data, FILE), DatabaseCheck);

export const rememberCheck = (data: string, check: DatabaseCheck): void =>
  writeWhole(join(data, FILE), JSON.stringify(check));
