import type { Database } from '../../db/database.ts';
import type { Which } from './ingest/play-tables.ts';

/** A filter of a report with the names of its records. */
export interface NamedFilter {
  readonly kind: 'device' | 'content' | 'label' | 'folder' | 'playlist' | 'group' | 'tag' | 'plan';
  readonly names: readonly string[];
}

/** SQL for the current name of a record, or the last name of a deleted record that played. */
const NAMES = {
  device: `SELECT coalesce((SELECT name FROM devices WHERE id = @id), (SELECT name FROM play_subjects WHERE workspace_id = @workspaceId AND kind = 'device' AND ref = @id))`,
  content: `SELECT coalesce((SELECT filename FROM content WHERE id = @id), (SELECT name FROM play_subjects WHERE workspace_id = @workspaceId AND kind = 'content' AND ref = @id))`,
  folder: 'SELECT name FROM folders WHERE workspace_id = @workspaceId AND id = @id',
  playlist: 'SELECT name FROM playlists WHERE workspace_id = @workspaceId AND id = @id',
  group: 'SELECT name FROM groups WHERE workspace_id = @workspaceId AND id = @id',
  plan: `SELECT coalesce(nullif(p.title, ''), (SELECT name FROM playlists WHERE id = p.playlist_id), (SELECT filename FROM content WHERE id = p.content_id), (SELECT name FROM widgets WHERE id = p.widget_id), '')
    FROM plans p WHERE p.workspace_id = @workspaceId AND p.id = @id`,
} as const;

export class ReportNamesStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  filters(workspaceId: string, which: Which): NamedFilter[] {
    const name = (kind: keyof typeof NAMES, id: string) =>
      (this.#db.raw.prepare(NAMES[kind]).pluck().get({ workspaceId, id }) as string | null) ?? '';
    const one = (kind: keyof typeof NAMES, id: string | undefined) =>
      id === undefined ? [] : [{ kind, names: [name(kind, id)] }];
    const said = (kind: 'label' | 'tag', text: string | undefined) =>
      text === undefined ? [] : [{ kind, names: [text] }];
    const contents = which.contentIds === undefined ? [] : (JSON.parse(which.contentIds) as string[]);
    return [
      ...one('plan', which.planId),
      ...one('content', which.contentId),
      ...(contents.length === 0
        ? []
        : [{ kind: 'content' as const, names: contents.map((id) => name('content', id)) }]),
      ...said('label', which.label),
      ...one('folder', which.folderId),
      ...one('playlist', which.playlistId),
      ...one('device', which.deviceId),
      ...one('group', which.groupId),
      ...said('tag', which.tag),
    ];
  }

  /**
   * Returns the name of the workspace's brand or of the workspace, the hash of the thumbnail of its logo, and the main
   * colour of its brand.
   */
  store(workspaceId: string): { readonly name: string; readonly logo: string | null; readonly color: string | null } {
    return this.#db.raw
      .prepare(
        `SELECT coalesce(nullif(w.brand ->> '$.name', ''), w.name) AS name, c.thumbnail AS logo, w.brand ->> '$.primary' AS color
         FROM workspaces w LEFT JOIN content c ON c.id = w.logo_content_id AND c.workspace_id = w.id WHERE w.id = ?`,
      )
      .get(workspaceId) as { name: string; logo: string | null; color: string | null };
  }
}
