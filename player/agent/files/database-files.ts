/**
 * Handles the files of a damaged SQLite database: detects damage, sets the files aside for analysis, or removes them.
 */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/**
 * Suffixes of the files of a database, in the order of renaming and removal. The database file itself comes last:
 * without its `-wal` file it would be detected as damaged again.
 */
const PARTS = ['-wal', '-shm', '-journal', ''];
/**
 * Number of damaged databases that are kept. The number is small because each database may be as large as the journal.
 */
const KEPT = 2;

/** Returns whether the error means that the file is not a database or is damaged. */
export const isDamage = (error: unknown): boolean =>
  /^SQLITE_(NOTADB|CORRUPT)/.test(String((error as { code?: unknown }).code));

/**
 * Renames the files of the database to `<name>.damaged-<number>` with the next number. Of earlier damaged databases,
 * only the newest are kept. Returns the new name.
 */
export function setAside(path: string): string {
  const numbers = readdirSync(dirname(path)).flatMap((name) => {
    const number = name.startsWith(`${basename(path)}.damaged-`) && /damaged-(\d+)$/.exec(name)?.[1];
    return number ? [Number(number)] : [];
  });
  const number = Math.max(0, ...numbers) + 1;
  for (const old of numbers) if (old <= number - KEPT) removeDatabase(nameOf(path, old));
  for (const part of PARTS) if (existsSync(path + part)) renameSync(path + part, nameOf(path, number) + part);
  return basename(nameOf(path, number));
}

export function removeDatabase(path: string): void {
  for (const part of PARTS) rmSync(path + part, { force: true });
}

const nameOf = (path: string, number: number) => `${path}.damaged-${number}`;
