import type { MediaFormat } from '../../../shared/formats/media-format.ts';
import type { Database } from '../../db/database.ts';

export interface PlayedContent {
  readonly id: string;
  readonly filename: string;
  readonly kind: string;
  readonly format: MediaFormat | null;
}

export interface PlayingScreen {
  readonly id: string;
  readonly name: string;
  /** Reported formats as JSON text; null when the player does not report formats. */
  readonly formats: string | null;
}

/** Adds the contents that the designs among contents show. `shown`: a query of one column. */
const withMedia = (shown: string): string =>
  `WITH shown(id) AS (${shown})
   SELECT id FROM shown UNION SELECT m.content_id FROM shown
     CROSS JOIN content d ON d.id = shown.id JOIN design_media m ON m.sha256 = d.sha256`;

const CONTENT =
  'SELECT c.id, c.filename, c.kind, b.format FROM content c LEFT JOIN blobs b ON b.sha256 = c.sha256 WHERE c.workspace_id = @workspaceId';

export class PlaybackStore {
  readonly #statements;

  constructor(db: Database) {
    const p = (sql: string) => db.raw.prepare(sql);
    this.#statements = {
      content: p(`${CONTENT} AND c.id = @id`),
      ofPlaylist: p(
        `${CONTENT} AND c.kind IN ('video', 'audio') AND c.id IN (${withMedia('SELECT content_id FROM playlist_items WHERE playlist_id = @id')})`,
      ),
      ofLayout: p(
        `${CONTENT} AND c.kind IN ('video', 'audio') AND c.id IN (${withMedia(
          `SELECT content_id FROM zones WHERE layout_id = @id
           UNION SELECT i.content_id FROM zones z JOIN published_items i ON i.playlist_id = z.playlist_id WHERE z.layout_id = @id`,
        )})`,
      ),
      layout: p('SELECT 1 FROM layouts WHERE id = ? AND workspace_id = ?'),
      playlist: p('SELECT 1 FROM playlists WHERE id = ? AND workspace_id = ?'),
      screens: p(
        'SELECT id, name, formats FROM devices WHERE workspace_id = ? ORDER BY vitrine_order(name), created_at, id',
      ),
    };
  }

  content(workspaceId: string, id: string): PlayedContent | undefined {
    const row = this.#statements.content.get({ workspaceId, id }) as StoredContent | undefined;
    return row && parsed(row);
  }

  /** Returns videos and sounds of a playlist's draft, also as a part of its designs, each once. */
  contentsOf(workspaceId: string, id: string): PlayedContent[] {
    return (this.#statements.ofPlaylist.all({ workspaceId, id }) as StoredContent[]).map(parsed);
  }

  /** Returns videos and sounds in the zones of a layout, and in the published playlists of its zones, each once. */
  contentsOfLayout(workspaceId: string, id: string): PlayedContent[] {
    return (this.#statements.ofLayout.all({ workspaceId, id }) as StoredContent[]).map(parsed);
  }

  hasLayout(workspaceId: string, id: string): boolean {
    return this.#statements.layout.get(id, workspaceId) !== undefined;
  }

  hasPlaylist(workspaceId: string, id: string): boolean {
    return this.#statements.playlist.get(id, workspaceId) !== undefined;
  }

  /** Returns screens, sorted by name. */
  screens(workspaceId: string): PlayingScreen[] {
    return this.#statements.screens.all(workspaceId) as PlayingScreen[];
  }
}

type StoredContent = Omit<PlayedContent, 'format'> & { readonly format: string | null };
const parsed = (row: StoredContent): PlayedContent => ({
  ...row,
  format: row.format === null ? null : (JSON.parse(row.format) as MediaFormat),
});
