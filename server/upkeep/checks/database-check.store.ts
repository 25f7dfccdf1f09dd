/** Checks the integrity of a database in use. */
import { findingOf, openReadOnly } from '../../db/read-only.ts';

/** Matches SQLite's error codes for a file with wrong content, or a disk that cannot read the file. */
const IS_DAMAGE = /^SQLITE_(CORRUPT|NOTADB|IOERR)/;

const quoted = (name: string): string => `'${name.replaceAll("'", "''")}'`;

/**
 * Checks each table with its indexes, beginning with small tables. Each check is a separate read transaction, so that
 * the WAL can be checkpointed in between, and the table of screens is checked early. Returns the damage; undefined when
 * the database is intact.
 * @throws Error when the check was not possible
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
