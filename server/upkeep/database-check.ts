/**
 * What the newest check of the whole database found; in a file of its own, since a damaged database is no place for it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeWhole } from '../kernel/durable.ts';

const FILE = 'database-check.json';

const DatabaseCheck = z.object({
  /** Epoch milliseconds, for people: nothing goes by it. */
  at: z.number(),
  /** What is wrong, in SQLite's words; null: it was whole. */
  damage: z.string().nullable(),
});
type DatabaseCheck = z.infer<typeof DatabaseCheck>;

/** Undefined: there was none, or it cannot be read. */
export const newestCheck = (data: string): DatabaseCheck | undefined => {
  try {
    return DatabaseCheck.parse(JSON.parse(readFileSync(join(data, FILE), 'utf8')));
  } catch {
    return undefined;
  }
};

export const rememberCheck = (data: string, check: DatabaseCheck): void =>
  writeWhole(join(data, FILE), JSON.stringify(check));
