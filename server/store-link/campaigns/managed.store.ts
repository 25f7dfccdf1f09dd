/** SQL for the records of headquarters in a workspace, for the people of the store. */
import type { SlotLimits } from '../../../shared/chain/campaign.ts';
import type { ManagedRecord } from '../../../shared/contract/headquarters/managed.ts';
import type { Rank } from '../../../shared/program/ranks.ts';
import type { Database } from '../../db/database.ts';

export interface SlotRow {
  readonly id: string;
  readonly campaign: string;
  readonly campaign_name: string;
  readonly limits: SlotLimits;
  /** Playlist of headquarters that contains the slot; '': no playlist contains the slot any more. */
  readonly in_playlist: string;
  readonly playlist_id: string | null;
  readonly playlist_name: string | null;
}

/** The fields below describe the wanted edition, or the applied edition if no edition is wanted. */
interface Said {
  readonly rank: Rank;
  readonly start_time: string;
  readonly end_time: string;
  readonly recurrence: string | null;
  readonly recurrence_end: string | null;
  readonly begins: 'whole' | 'parts' | null;
  readonly playlist_id: string | null;
  readonly layout_id: string | null;
  readonly screen_tags: readonly string[];
}
const SAID = [
  'rank',
  'start_time',
  'end_time',
  'recurrence',
  'recurrence_end',
  'begins',
  'playlist_id',
  'layout_id',
  'screen_tags',
] as const satisfies (keyof Said)[];

export interface CampaignHere {
  readonly id: string;
  readonly name: string;
  readonly wanted: number | null;
  readonly applied: number | null;
  readonly is_whole: boolean;
  readonly refused: string | null;
  readonly told_at: number | null;
  /** Total size in bytes of all files that the wanted edition needs, and of the files that are missing. */
  readonly bytes: number;
  readonly bytes_left: number;
  /** Fields of the edition's document; null: the document has not been received. */
  readonly said: Said | null;
}

/** A playlist of the store, chosen for a slot. */
export interface FillingRow {
  readonly name: string;
  readonly published_ms: number | null;
  readonly owner_device_id: string | null;
  readonly is_held: 0 | 1;
}

/**
 * SQL that selects only the slots of current editions. The playlist chosen for another slot stays stored until an
 * edition contains this slot again.
 */
const SLOT = `SELECT s.id, s.campaign, s.limits, s.playlist_id, p.name AS playlist_name,
    coalesce((SELECT c.name FROM chain_campaigns c WHERE c.workspace_id = s.workspace_id AND c.campaign = s.campaign),
      (SELECT title FROM campaign_plans c WHERE c.workspace_id = s.workspace_id AND c.campaign = s.campaign), s.campaign) AS campaign_name,
    coalesce((SELECT i.playlist_id FROM published_items i JOIN playlists o ON o.id = i.playlist_id
      WHERE i.slot_id = s.id AND o.workspace_id = s.workspace_id), '') AS in_playlist
  FROM chain_slots s LEFT JOIN playlists p ON p.id = s.playlist_id
  WHERE s.workspace_id = @workspaceId AND EXISTS (SELECT 1 FROM published_items WHERE slot_id = s.id)`;

export class ManagedStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  records(workspaceId: string): ManagedRecord[] {
    return this.#sql(
      `SELECT r.kind, r.id, r.campaign, c.name AS campaign_name FROM chain_records r
         JOIN chain_campaigns c ON c.workspace_id = r.workspace_id AND c.campaign = r.campaign WHERE r.workspace_id = ? ORDER BY r.kind, r.id`,
    ).all(workspaceId) as ManagedRecord[];
  }

  isLinked(workspaceId: string): boolean {
    return this.#sql('SELECT 1 FROM chain_links WHERE workspace_id = ?').get(workspaceId) !== undefined;
  }

  /** Returns the wanted campaigns, and the campaigns that stayed after the store left its headquarters. */
  campaigns(workspaceId: string): CampaignHere[] {
    const wanted = this.#sql(
      `SELECT campaign AS id, name, wanted, applied, is_whole, refused, told_at, bytes, doc,
         json_extract(coalesce(doc, applied_doc), ${SAID.map((name) => `'$.${name}'`)}) AS said
       FROM chain_campaigns WHERE workspace_id = ?`,
    ).all(workspaceId) as (Omit<CampaignHere, 'is_whole' | 'said' | 'bytes_left'> & {
      is_whole: 0 | 1;
      doc: string | null;
      said: string | null;
    })[];
    const stayed = this.#sql(
      `SELECT campaign AS id, title AS name, edition AS applied, json_array(rank, start_time, end_time, recurrence, recurrence_end,
           NULL, playlist_id, layout_id, json(screen_tags)) AS said
       FROM campaign_plans p WHERE workspace_id = ?
         AND NOT EXISTS (SELECT 1 FROM chain_campaigns c WHERE c.workspace_id = p.workspace_id AND c.campaign = p.campaign)`,
    ).all(workspaceId) as { id: string; name: string; applied: number; said: string }[];
    return [
      ...wanted.map(({ doc, is_whole, said, ...row }) => ({
        ...row,
        ...(doc === null ? { bytes_left: row.bytes } : this.#filesOf(doc)),
        is_whole: is_whole === 1,
        said: said === null ? null : saidIn(said),
      })),
      ...stayed.map(({ said, ...row }) => ({
        ...row,
        wanted: null,
        is_whole: true,
        refused: null,
        told_at: null,
        bytes: 0,
        bytes_left: 0,
        said: saidIn(said),
      })),
    ];
  }

  slots(workspaceId: string): SlotRow[] {
    return (this.#sql(`${SLOT} ORDER BY s.campaign, s.id`).all({ workspaceId }) as StoredSlot[]).map(toSlot);
  }

  slot(workspaceId: string, id: string): SlotRow | undefined {
    const row = this.#sql(`${SLOT} AND s.id = @id`).get({ workspaceId, id }) as StoredSlot | undefined;
    return row && toSlot(row);
  }

  /** Returns the slots that a playlist fills. */
  filledBy(playlistId: string): SlotRow[] {
    const workspaceId = this.#sql('SELECT workspace_id FROM playlists WHERE id = ?').pluck().get(playlistId);
    const rows = this.#sql(`${SLOT} AND s.playlist_id = @playlistId ORDER BY s.id`);
    return (rows.all({ workspaceId, playlistId }) as StoredSlot[]).map(toSlot);
  }

  playlist(workspaceId: string, id: string): FillingRow | undefined {
    return this.#sql(
      `SELECT name, published_ms, owner_device_id, EXISTS (SELECT 1 FROM chain_records WHERE kind = 'playlists' AND id = playlists.id) AS is_held
         FROM playlists WHERE id = ? AND workspace_id = ?`,
    ).get(id, workspaceId) as FillingRow | undefined;
  }

  fill(workspaceId: string, slotId: string, playlistId: string | null): void {
    this.#sql('UPDATE chain_slots SET playlist_id = ? WHERE workspace_id = ? AND id = ?').run(
      playlistId,
      workspaceId,
      slotId,
    );
  }

  /**
   * Deletes a campaign that the store kept when it left headquarters. Returns its name; undefined: no such campaign.
   */
  drop(workspaceId: string, campaign: string): string | undefined {
    const title = this.#sql('DELETE FROM campaign_plans WHERE workspace_id = ? AND campaign = ? RETURNING title')
      .pluck()
      .get(workspaceId, campaign) as string | undefined;
    this.#sql('DELETE FROM chain_slots WHERE workspace_id = ? AND campaign = ?').run(workspaceId, campaign);
    return title;
  }

  #filesOf(doc: string): { bytes: number; bytes_left: number } {
    return this.#sql(
      `SELECT coalesce(sum(size), 0) AS bytes, coalesce(sum(size) FILTER (WHERE NOT EXISTS (SELECT 1 FROM blobs WHERE sha256 = hash)), 0) AS bytes_left
       FROM (SELECT value ->> '$.file.sha256' AS hash, value ->> '$.file.size' AS size FROM json_each(@doc, '$.contents')
         UNION SELECT value ->> '$.thumbnail.sha256', value ->> '$.thumbnail.size' FROM json_each(@doc, '$.contents')) WHERE hash IS NOT NULL`,
    ).get({ doc }) as { bytes: number; bytes_left: number };
  }

  #sql(text: string) {
    return this.#db.raw.prepare(text);
  }
}

type StoredSlot = Omit<SlotRow, 'limits'> & { readonly limits: string };
const toSlot = (row: StoredSlot): SlotRow => ({ ...row, limits: JSON.parse(row.limits) as SlotLimits });

const saidIn = (text: string): Said => {
  const values = JSON.parse(text) as unknown[];
  return Object.fromEntries(SAID.map((name, i) => [name, values[i]])) as unknown as Said;
};
