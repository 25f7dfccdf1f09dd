/** Stores the result of the newest complete check in a separate file, because a damaged database cannot store it. */
import { join } from 'node:path';
import { z } from 'zod';
import { readStored, writeWhole } from '../../kernel/disk/durable.ts';

const FILE = 'database-check.json';

const DatabaseCheck = z.object({
  /** Time of the check in epoch milliseconds, as shown to people. */
  at: z.number(),
  /** SQLite's description of the damage; null when the database was intact. */
  damage: z.string().nullable(),
});
type DatabaseCheck = z.infer<typeof DatabaseCheck>;

/** Returns undefined when there was no check, or the file cannot be read. */
export const newestCheck = (data: string): DatabaseCheck | undefined => readStored(join(data, FILE), DatabaseCheck);

export const rememberCheck = (data: string, check: DatabaseCheck): void =>
  writeWhole(join(data, FILE), JSON.stringify(check));
