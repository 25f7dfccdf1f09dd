/**
 * The files of an SQLite database that cannot be used: told from other troubles, put aside for whoever looks into it,
 * or removed.
 */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** The database itself comes last: with its changes gone and itself still there, it is found damaged again. */
const PARTS = ['-wal', '-shm', '-journal', ''];
/** No more are kept, since each may be as large as the journal. */
const KEPT = 2;

/** Whether the file is no database, or no longer a whole one. */
export const isDamage = (error: unknown): boolean =>
  /^SQLITE_(NOTADB|CORRUPT)/.test(String((error as { code?: unknown }).code));

/**
 * Renames the files to `<name>.damaged-<number>`, the number rising; of those put aside before, the newest stays.
 * Returns the new name.
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
