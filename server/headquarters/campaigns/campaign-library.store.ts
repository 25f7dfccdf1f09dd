/** Reads headquarters' library for documents of campaigns: published records, never drafts. */
import type { CampaignBlob } from '../../../shared/chain/campaign.ts';
import type { Transition } from '../../../shared/program/program.ts';
import type { Database } from '../../db/database.ts';
import { mediaOfFile } from '../../db/design-media.ts';
import type { StoredBlock } from '../../db/schema.ts';
import type { CampaignLibrary, LibraryContent, LibraryItem, LibraryLayout, LibraryZone } from './campaign-document.ts';

interface ContentRow extends Omit<LibraryContent, 'file' | 'thumbnail'> {
  readonly sha256: string | null;
  readonly size: number;
  readonly mime: string;
  readonly thumbnail: string | null;
  readonly thumbnail_size: number;
  readonly thumbnail_mime: string;
}

interface ItemRow extends Omit<LibraryItem, 'blocks' | 'muted' | 'transition'> {
  readonly muted: 0 | 1;
  readonly blocks: string;
  readonly transition: string | null;
}

export class CampaignLibraryStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns the library of a workspace. Each call of its functions reads the current record from the database. */
  of(workspaceId: string): CampaignLibrary {
    return {
      playlist: (id) => {
        const row = this.#one(
          'SELECT id, name, description, published_ms, published_transition FROM playlists WHERE id = ? AND workspace_id = ?',
          id,
          workspaceId,
        );
        if (!row) return undefined;
        const { published_transition, ...rest } = row as Omit<ReturnType<CampaignLibrary['playlist']> & {}, 'items'> & {
          published_transition: string | null;
        };
        return { ...rest, transition: transitionOf(published_transition), items: this.#items(id) };
      },
      layout: (id) => {
        const row = this.#one(
          'SELECT id, name, width, height FROM layouts WHERE id = ? AND (workspace_id = ? OR workspace_id IS NULL)',
          id,
          workspaceId,
        );
        if (!row) return undefined;
        const zones = this.#db.raw
          .prepare(
            `SELECT id, name, x_percent, y_percent, width_percent, height_percent, z_index, zone_type, fit_mode, background_color,
               content_id, widget_id, playlist_id FROM zones WHERE layout_id = ? ORDER BY position, id`,
          )
          .all(id) as LibraryZone[];
        return { ...(row as Omit<LibraryLayout, 'zones'>), zones };
      },
      content: (id) => {
        const row = this.#one(
          `SELECT c.id, c.filename, c.mime_type, c.kind, c.duration_sec, c.width, c.height, c.remote_url, c.valid_from, c.valid_until,
             c.sha256, b.size, b.mime, c.thumbnail, t.size AS thumbnail_size, t.mime AS thumbnail_mime
           FROM content c LEFT JOIN blobs b ON b.sha256 = c.sha256 LEFT JOIN blobs t ON t.sha256 = c.thumbnail
           WHERE c.id = ? AND c.workspace_id = ?`,
          id,
          workspaceId,
        );
        if (!row) return undefined;
        const { sha256, size, mime, thumbnail, thumbnail_size, thumbnail_mime, ...rest } = row as ContentRow;
        return {
          ...rest,
          ...(rest.kind === 'design' && sha256 !== null && { shows: mediaOfFile(this.#db, sha256) }),
          file: blobOf(sha256, size, mime),
          thumbnail: blobOf(thumbnail, thumbnail_size, thumbnail_mime),
        };
      },
      widget: (id) => {
        const row = this.#one(
          'SELECT id, widget_type, name, config, valid_from, valid_until FROM widgets WHERE id = ? AND workspace_id = ?',
          id,
          workspaceId,
        );
        if (!row) return undefined;
        const widget = row as Omit<ReturnType<CampaignLibrary['widget']> & {}, 'config'> & { config: string };
        return { ...widget, config: JSON.parse(widget.config) as Record<string, unknown> };
      },
      kioskPage: (id) =>
        (
          this.#one('SELECT name FROM kiosk_pages WHERE id = ? AND workspace_id = ?', id, workspaceId) as
            | { name: string }
            | undefined
        )?.name,
    };
  }

  #items(playlistId: string): LibraryItem[] {
    const rows = this.#db.raw
      .prepare(
        `SELECT content_id, widget_id, zone_id, duration_sec, muted, blocks, transition, valid_from, valid_until
         FROM published_items WHERE playlist_id = ? ORDER BY sort_order, id`,
      )
      .all(playlistId) as ItemRow[];
    return rows.map(({ muted, blocks, transition, ...rest }) => ({
      ...rest,
      muted: muted === 1,
      blocks: JSON.parse(blocks) as StoredBlock[],
      transition: transitionOf(transition),
    }));
  }

  #one(sql: string, id: string, workspaceId: string): unknown {
    return this.#db.raw.prepare(sql).get(id, workspaceId);
  }
}

const transitionOf = (stored: string | null): Transition | null =>
  stored === null ? null : (JSON.parse(stored) as Transition);

const blobOf = (sha256: string | null, size: number, mime: string): CampaignBlob | null =>
  sha256 === null ? null : { sha256, size, mime };
