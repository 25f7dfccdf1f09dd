/** Prepared statements of tables that are known only at run time. */
import type BetterSqlite3 from 'better-sqlite3';
import type { Database } from '../../db/database.ts';
import { recent } from '../../kernel/time/recent.ts';

/** Maximum number of prepared statements: a few per table. */
const MAX_STATEMENTS = 200;

/**
 * Returns a function that prepares each statement once: preparing costs more than running, and there may be thousands of
 * rows.
 */
export const createStatements = (db: Database): ((text: string) => BetterSqlite3.Statement) => {
  const statements = recent<string, BetterSqlite3.Statement>(MAX_STATEMENTS);
  return (text) => {
    let statement = statements.get(text);
    if (!statement) {
      statement = db.raw.prepare(text);
      statements.set(text, statement);
    }
    return statement;
  };
};

export const quoted = (name: string): string => `"${name}"`;
