/**
 * Fingerprint of a playlist's draft: a hash of each record that screens would show, so that a changed record can be
 * named.
 */
import { createHash } from 'node:crypto';
import type { ChangedRecord } from '../../../shared/contract/people/approvals.ts';
import type { Database } from '../../db/database.ts';

/** Hashes by `kind id`. The hash of the playlist's items has the key `playlist id`. */
export type Shown = Readonly<Record<string, string>>;

type Kind = ChangedRecord['kind'];
interface Found {
  readonly id: string;
  readonly seen: string;
  /** Config as JSON text, which may name other records. */
  readonly config: string | null;
}

/** Finds ids in addresses within configs of widgets and kiosk pages. */
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/**
 * Columns of each kind that people edit and screens show. A remote content counts by its address, because the server
 * updates its copy without an edit.
 */
const SEEN = {
  content: `SELECT id, NULL AS config, CASE WHEN remote_url IS NULL THEN json_array(sha256, mime_type, valid_from, valid_until)
      ELSE json_array(remote_url, valid_from, valid_until) END AS seen FROM content`,
  widget: 'SELECT id, config, json_array(widget_type, config, valid_from, valid_until) AS seen FROM widgets',
  kiosk: 'SELECT id, config, config AS seen FROM kiosk_pages',
} as const satisfies Partial<Record<Kind, string>>;
const KINDS = Object.keys(SEEN) as (keyof typeof SEEN)[];

const ITEMS = `SELECT json_array(p.transition, (SELECT json_group_array(json_array(content_id, widget_id, zone_id, duration_sec, muted,
      blocks, valid_from, valid_until, transition, slot_id))
    FROM (SELECT * FROM playlist_items WHERE playlist_id = p.id ORDER BY sort_order, id))) FROM playlists p WHERE p.id = ?`;
const NAMES = {
  playlist: 'SELECT name FROM playlists WHERE id = ?',
  content: 'SELECT filename FROM content WHERE id = ?',
  widget: 'SELECT name FROM widgets WHERE id = ?',
  kiosk: 'SELECT name FROM kiosk_pages WHERE id = ?',
} as const satisfies Record<Kind, string>;

export class ShownStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  #sql(text: string) {
    return this.#db.raw.prepare(text);
  }

  /** Returns the fingerprint of the draft, with the records that its widgets, kiosk pages and designs show. */
  of(workspaceId: string, playlistId: string): Shown {
    const shown: Record<string, string> = {};
    const items = this.#sql(ITEMS).pluck().get(playlistId) as string | undefined;
    shown[`playlist ${playlistId}`] = hashOf(items ?? '');
    const seen = new Set<string>();
    let next = this.#sql(
      `SELECT content_id FROM playlist_items WHERE playlist_id = @id AND content_id IS NOT NULL
       UNION SELECT widget_id FROM playlist_items WHERE playlist_id = @id AND widget_id IS NOT NULL`,
    )
      .pluck()
      .all({ id: playlistId }) as string[];
    while (next.length > 0) {
      for (const id of next) seen.add(id);
      const named = new Set<string>();
      for (const kind of KINDS)
        for (const { id, seen: text, config } of this.#found(kind, workspaceId, next)) {
          shown[`${kind} ${id}`] = hashOf(text);
          for (const [other] of config?.matchAll(ID) ?? []) if (!seen.has(other)) named.add(other);
        }
      for (const id of this.#mediaOf(next)) if (!seen.has(id)) named.add(id);
      next = [...named];
    }
    return shown;
  }

  /** Returns the records whose hashes differ. A deleted record was an item, so the playlist itself has changed too. */
  changed(before: Shown, now: Shown): ChangedRecord[] {
    return [...new Set([...Object.keys(before), ...Object.keys(now)])]
      .filter((key) => before[key] !== now[key])
      .map((key) => {
        const [kind, id] = key.split(' ') as [Kind, string];
        const name = this.#sql(NAMES[kind]).pluck().get(id) as string | undefined;
        return { kind, id, name: name ?? '' };
      });
  }

  /** Returns the ids of the contents that the designs among these contents show. */
  #mediaOf(ids: readonly string[]): string[] {
    return this.#sql(
      `SELECT DISTINCT m.content_id FROM json_each(?) i CROSS JOIN content d ON d.id = i.value
         JOIN design_media m ON m.sha256 = d.sha256`,
    )
      .pluck()
      .all(JSON.stringify(ids)) as string[];
  }

  #found(kind: keyof typeof SEEN, workspaceId: string, ids: readonly string[]): Found[] {
    return this.#sql(`${SEEN[kind]} WHERE workspace_id = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY id`).all(
      workspaceId,
      JSON.stringify(ids),
    ) as Found[];
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);
