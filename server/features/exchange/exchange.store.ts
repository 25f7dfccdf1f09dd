import type { Database } from '../../db/database.ts';

/** The names by which an import finds what is there. */
export class ExchangeStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Null: several have the name. */
  devicesByName(workspaceId: string): Map<string, string | null> {
    const names = new Map<string, string | null>();
    for (const { id, name } of this.#named('SELECT id, name FROM devices WHERE workspace_id = ?', workspaceId)) names.set(name, names.has(name) ? null : id);
    return names;
  }

  /** Of several of one name the oldest. */
  groupsByName(workspaceId: string): Map<string, string> {
    const names = new Map<string, string>();
    for (const { id, name } of this.#named('SELECT id, name FROM "groups" WHERE workspace_id = ? ORDER BY created_at, id', workspaceId)) if (!names.has(name)) names.set(name, id);
    return names;
  }

  #named(sql: string, workspaceId: string): { id: string; name: string }[] {
    return this.#db.raw.prepare(sql).all(workspaceId) as { id: string; name: string }[];
  }
}
