/**
 * Foreign keys between tables, read from the database itself. The database deletes referring rows or clears their
 * references.
 */
import type { Database } from '../../db/database.ts';

export interface Reference {
  readonly table: string;
  readonly column: string;
  readonly target: string;
  /**
   * Effect of a deletion on the referring row. `goes`: the row is also deleted; `place`: the reference is cleared, and
   * restored with the record; `follows`: like `place`, but the reference is copied from another record that is
   * restored.
   */
  readonly fate: 'goes' | 'place' | 'follows';
}

/**
 * References that the database does not enforce, and copies of references: for example, the zone of a schedule is a
 * copy of its plan's zone.
 */
const UNENFORCED: readonly Reference[] = [
  { table: 'playlist_items', column: 'zone_id', target: 'zones', fate: 'place' },
  { table: 'published_items', column: 'zone_id', target: 'zones', fate: 'place' },
  { table: 'plans', column: 'zone_id', target: 'zones', fate: 'place' },
  { table: 'schedules', column: 'zone_id', target: 'zones', fate: 'follows' },
];
const FOLLOWING: ReadonlySet<string> = new Set(['schedules']);

export class References {
  readonly #all: readonly Reference[];
  readonly #from = new Map<string, readonly Reference[]>();
  readonly #keys = new Map<string, readonly string[]>();
  readonly #columns = new Map<string, readonly string[]>();
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
    const enforced = db.raw
      .prepare(
        `SELECT m.name AS "table", f."from" AS "column", f."table" AS target, f.on_delete AS onDelete
         FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table' AND f.on_delete <> 'NO ACTION'
         ORDER BY m.name, f."from"`,
      )
      .all() as { table: string; column: string; target: string; onDelete: string }[];
    const fateOf = (table: string, onDelete: string): Reference['fate'] =>
      onDelete === 'CASCADE' ? 'goes' : FOLLOWING.has(table) ? 'follows' : 'place';
    this.#all = [
      ...enforced.map(({ onDelete, ...found }) => ({ ...found, fate: fateOf(found.table, onDelete) })),
      ...UNENFORCED,
    ];
  }

  /** Returns the references to rows of a table. */
  to(target: string): readonly Reference[] {
    return this.#all.filter((reference) => reference.target === target);
  }

  /** Returns the references from rows of a table. */
  from(table: string): readonly Reference[] {
    let references = this.#from.get(table);
    if (!references) this.#from.set(table, (references = this.#all.filter((reference) => reference.table === table)));
    return references;
  }

  /** Returns the primary key columns of a table. */
  keyOf(table: string): readonly string[] {
    return this.#known(this.#keys, table, 'SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk');
  }

  columnsOf(table: string): readonly string[] {
    return this.#known(this.#columns, table, 'SELECT name FROM pragma_table_info(?)');
  }

  #known(known: Map<string, readonly string[]>, table: string, sql: string): readonly string[] {
    let names = known.get(table);
    if (!names) known.set(table, (names = this.#db.raw.prepare(sql).pluck().all(table) as string[]));
    return names;
  }
}
