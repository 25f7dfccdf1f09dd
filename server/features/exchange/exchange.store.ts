import type { Database } from '../../db/database.ts';
import { putSetting, readSetting } from '../../db/settings-rows.ts';

/** Table of each kind of record. The kind `published` marks that a playlist was published. */
const TABLES = {
  content: 'content',
  widget: 'widgets',
  kiosk_page: 'kiosk_pages',
  layout: 'layouts',
  playlist: 'playlists',
  published: 'playlists',
  group: '"groups"',
  schedule: 'schedules',
} as const;
export type MadeKind = keyof typeof TABLES | 'item';

/** Reads what an import needs: names of existing records, and the records that an interrupted import has made. */
export class ExchangeStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns devices by name; null for a name that several devices have. */
  devicesByName(workspaceId: string): Map<string, string | null> {
    const names = new Map<string, string | null>();
    for (const { id, name } of this.#named('SELECT id, name FROM devices WHERE workspace_id = ?', workspaceId))
      names.set(name, names.has(name) ? null : id);
    return names;
  }

  /** Returns groups by name. If several groups have the same name, the oldest group is returned. */
  groupsByName(workspaceId: string): Map<string, string> {
    const names = new Map<string, string>();
    for (const { id, name } of this.#named(
      'SELECT id, name FROM "groups" WHERE workspace_id = ? ORDER BY created_at, id',
      workspaceId,
    ))
      if (!names.has(name)) names.set(name, id);
    return names;
  }

  // — notes: rows of the settings, each with a record that an import has made —

  /** Returns the id of the interrupted import of the workspace; undefined when there is none. */
  unfinished(workspaceId: string): string | undefined {
    return readSetting(this.#db.raw, headOf(workspaceId)) as string | undefined;
  }

  setUnfinished(workspaceId: string, of: string | undefined): void {
    if (of !== undefined) putSetting(this.#db.raw, headOf(workspaceId), of);
    else this.#db.raw.prepare('DELETE FROM settings WHERE key = ?').run(headOf(workspaceId));
  }

  note(workspaceId: string, step: number): unknown {
    return readSetting(this.#db.raw, noteOf(workspaceId, step));
  }

  putNote(workspaceId: string, step: number, note: unknown): void {
    putSetting(this.#db.raw, noteOf(workspaceId, step), note);
  }

  /** Deletes at most `limit` notes of the workspace. Returns the number of deleted notes. */
  forgetNotes(workspaceId: string, limit: number): number {
    const [from, to] = [`import/${workspaceId}/`, `import/${workspaceId}0`];
    return this.#db.raw
      .prepare('DELETE FROM settings WHERE key IN (SELECT key FROM settings WHERE key > ? AND key < ? LIMIT ?)')
      .run(from, to, limit).changes;
  }

  exists(kind: MadeKind, workspaceId: string, id: string): boolean {
    const { raw } = this.#db;
    if (kind === 'item') return raw.prepare('SELECT 1 FROM playlist_items WHERE id = ?').get(Number(id)) !== undefined;
    return (
      raw.prepare(`SELECT 1 FROM ${TABLES[kind]} WHERE id = ? AND workspace_id = ?`).get(id, workspaceId) !== undefined
    );
  }

  #named(sql: string, workspaceId: string): { id: string; name: string }[] {
    return this.#db.raw.prepare(sql).all(workspaceId) as { id: string; name: string }[];
  }
}

const headOf = (workspaceId: string): string => `import/${workspaceId}`;
const noteOf = (workspaceId: string, step: number): string => `import/${workspaceId}/${step}`;
