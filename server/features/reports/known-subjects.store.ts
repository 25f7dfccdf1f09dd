import type { Statement } from 'better-sqlite3';
import type { Database } from '../../db/database.ts';

type Find = Statement<[{ workspace: string; id: string }]>;
/** Kinds of records that a filter can name, and whose records must exist in the workspace. */
export type Narrowing = 'group' | 'folder' | 'playlist' | 'plan';

/** Finds the records that a report can name: records of the workspace, and deleted records that played. */
export class KnownSubjectsStore {
  readonly #device: Find;
  readonly #present: Find;
  readonly #content: Find;
  readonly #narrowing: Readonly<Record<Narrowing, Find>>;

  constructor(db: Database) {
    const { raw } = db;
    const played = (kind: string) =>
      `SELECT 1 FROM play_subjects WHERE workspace_id = @workspace AND kind = '${kind}' AND ref = @id`;
    const present = 'SELECT 1 FROM devices WHERE workspace_id = @workspace AND id = @id';
    this.#present = raw.prepare(present);
    this.#device = raw.prepare(`${present} UNION ALL ${played('device')} LIMIT 1`);
    const there = (table: string): Find =>
      raw.prepare(`SELECT 1 FROM ${table} WHERE workspace_id = @workspace AND id = @id`);
    this.#narrowing = {
      group: there('groups'),
      folder: there('folders'),
      playlist: there('playlists'),
      plan: there('plans'),
    };
    this.#content = raw.prepare(
      `SELECT 1 FROM content WHERE workspace_id = @workspace AND id = @id UNION ALL ${played('content')} LIMIT 1`,
    );
  }

  isDevice(workspace: string, id: string): boolean {
    return this.#device.get({ workspace, id }) !== undefined;
  }

  /** Returns whether the device still exists. Uptime is only known for existing devices. */
  isPresentDevice(workspace: string, id: string): boolean {
    return this.#present.get({ workspace, id }) !== undefined;
  }

  has(kind: Narrowing, workspace: string, id: string): boolean {
    return this.#narrowing[kind].get({ workspace, id }) !== undefined;
  }

  isContent(workspace: string, id: string): boolean {
    return this.#content.get({ workspace, id }) !== undefined;
  }
}
