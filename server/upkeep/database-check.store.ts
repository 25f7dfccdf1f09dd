/** Reads a database that is being used, and says whether it is whole. */
import { findingOf, openReadOnly } from '../db/read-only.ts';

/** Matches what SQLite says of a file that is no longer what it wrote, or of a disk that does not give it back. */
const IS_DAMAGE = /^SQLITE_(CORRUPT|NOTADB|IOERR)/;

const quoted = (name: string): string => `'${name.replaceAll("'", "''")}'`;

/**
 * Checks table by table with its indexes, the small ones first: each look ends before the next begins, so that what is
 * written meanwhile can leave the log, and the table of the screens is known early. Returns what is wrong, undefined
 * when it is whole.
 * @throws Error when it could not be looked at
 */
export const checkDatabase = (file: string): string | undefined => {
  try {
    const db = openReadOnly(file);
    try {
      const tables = db
        .prepare(
          "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name IN ('play_log', 'old_plays', 'telemetry', 'activity'), name",
        )
        .pluck()
        .all() as string[];
      for (const table of ['sqlite_schema', ...tables]) {
        const found = db.pragma(`integrity_check(${quoted(table)})`, { simple: true }) as string;
        if (found !== 'ok') return findingOf(found);
      }
      return undefined;
    } finally {
      db.close();
    }
  } catch (error) {
    if (IS_DAMAGE.test((error as { code?: string }).code ?? '')) return (error as Error).message;
    throw error;
  }
};
