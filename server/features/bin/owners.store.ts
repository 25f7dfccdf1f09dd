/** Finds the record that a row belongs to, with its name. */
import type BetterSqlite3 from 'better-sqlite3';
import type { Owner, Row } from './snapshot.ts';
import { quoted } from './statements.store.ts';
import { KINDS, MEMBERS, NAMES, OWNERS } from './tables.ts';

export class Owners {
  readonly #sql: (text: string) => BetterSqlite3.Statement;

  constructor(sql: (text: string) => BetterSqlite3.Statement) {
    this.#sql = sql;
  }

  /** Returns the owner of one row. */
  of(table: string, row: Row): Owner {
    return this.finder()(table, row);
  }

  /** Returns a function that finds owners. Names are cached, because a content may be in a playlist a thousand times. */
  finder(): (table: string, row: Row) => Owner {
    const known = new Map<string, Owner>();
    return (table, row) => {
      const [column, of] = OWNERS[table] ?? ['id', table];
      const id = String(row[column]);
      const key = `${of} ${id}`;
      let owner = known.get(key);
      if (!owner) known.set(key, (owner = { kind: KINDS[of] ?? 'other', id, name: this.#nameOf(of, id) }));
      return owner;
    };
  }

  /** The screens and groups of a group, wall or plan count as places, too. */
  memberOf(table: string, row: Row): Owner | undefined {
    const of = table === 'plan_targets' ? (row.kind === 'tag' ? undefined : `${row.kind}s`) : MEMBERS.get(table);
    if (!of) return undefined;
    const id = String(row.ref ?? row.device_id);
    return { kind: KINDS[of]!, id, name: this.#nameOf(of, id) };
  }

  #nameOf(table: string, id: string): string {
    const key = table === 'campaign_plans' ? 'campaign' : 'id';
    return String(
      this.#sql(`SELECT ${NAMES[table] ?? 'name'} FROM ${quoted(table)} WHERE ${key} = ?`)
        .pluck()
        .get(id) ?? '',
    );
  }
}
