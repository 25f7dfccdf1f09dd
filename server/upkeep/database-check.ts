/** What the newest check of the whole database found; in a file of its own, since a damaged database is no place for it. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const FILE = 'database-check.json';

const DatabaseCheck = z.object({
  /** Epoch milliseconds, for people: nothing goes by it. */
  at: z.number(),
  /** What is wrong, in SQLite's words; null: it was whole. */
  damage: z.string().nullable(),
});
export type DatabaseCheck = z.infer<typeof DatabaseCheck>;

/** Undefined: there was none, or it cannot be read. */
export const newestCheck = (data: string): DatabaseCheck | undefined => {
  try {
    return DatabaseCheck.parse(JSON.parse(readFileSync(join(data, FILE), 'utf8')));
  } catch {
    return undefined;
  }
};

/** For whoever would give up a copy of what may no longer be had from the database. */
export const isKnownDamaged = (data: string): boolean => (newestCheck(data)?.damage ?? null) !== null;

export const rememberCheck = (data: string, check: DatabaseCheck): void => {
  const part = join(data, `${FILE}.new`);
  try {
    writeFileSync(part, JSON.stringify(check), { mode: 0o600, flush: true });
    renameSync(part, join(data, FILE));
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
};
