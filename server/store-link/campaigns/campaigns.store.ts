/**
 * SQL for the campaigns of headquarters in a store: wanted editions, applied editions, and the files that these
 * editions need.
 */
import type { Statement } from 'better-sqlite3';
import type { CampaignBlob, CampaignDoc, WantedEdition } from '../../../shared/chain/campaign.ts';
import type { Values } from '../../../shared/chain/values.ts';
import type { ManagedRecord } from '../../../shared/contract/headquarters/managed.ts';
import type { Database } from '../../db/database.ts';
import { putDesignMedia } from '../../db/design-media.ts';
import { fold } from '../../db/fold.ts';
import type { Combined } from './combined.ts';

export interface CampaignRow {
  readonly campaign: string;
  readonly name: string;
  /** The edition that headquarters wants; null: headquarters no longer wants this campaign. */
  readonly wanted: number | null;
  readonly sha256: string;
  readonly bytes: number;
  /** JSON of the wanted edition; null: not received yet. */
  readonly doc: string | null;
  readonly applied: number | null;
  readonly applied_doc: string | null;
  /** 1: all files of the applied edition were present at the last check. */
  readonly is_whole: 0 | 1;
  readonly refused: string | null;
  readonly told_at: number;
  readonly armed_at: number | null;
}

type Kind = ManagedRecord['kind'];

/** An edition of a campaign that screens should show. */
export interface Effective {
  readonly doc: CampaignDoc;
  /** The document, exactly as received. */
  readonly text: string;
  readonly isWhole: boolean;
  /** Values for the placeholders of its widgets. */
  readonly values: Values;
}

/**
 * Values of this store: the latest values from headquarters (`wanted`), and per campaign the values that screens
 * show (`applied`).
 */
export interface KeptValues {
  readonly wanted: Values;
  readonly applied: Readonly<Record<string, Values>>;
}
const NO_VALUES: KeptValues = { wanted: {}, applied: {} };

/** Error: the id of a record of headquarters is already used by a record of another workspace on this server. */
export class Taken extends Error {}

const KINDS: readonly Kind[] = ['content', 'widgets', 'playlists', 'layouts'];

export class CampaignsStore {
  readonly #db: Database;
  readonly #statements = new Map<string, Statement>();

  constructor(db: Database) {
    this.#db = db;
  }

  rev(workspaceId: string): number {
    return (this.#sql('SELECT desired_rev FROM chain_links WHERE workspace_id = ?').pluck().get(workspaceId) ??
      0) as number;
  }

  all(workspaceId: string): CampaignRow[] {
    return this.#sql('SELECT * FROM chain_campaigns WHERE workspace_id = ? ORDER BY campaign').all(
      workspaceId,
    ) as CampaignRow[];
  }

  values(workspaceId: string): KeptValues {
    const text = this.#sql('SELECT store_values FROM chain_links WHERE workspace_id = ?').pluck().get(workspaceId);
    return { ...NO_VALUES, ...(JSON.parse((text ?? '{}') as string) as Partial<KeptValues>) };
  }

  #keepValues(workspaceId: string, change: Partial<KeptValues>): void {
    this.#sql('UPDATE chain_links SET store_values = ? WHERE workspace_id = ?').run(
      JSON.stringify({ ...this.values(workspaceId), ...change }),
      workspaceId,
    );
  }

  /** Stores a newer desired state. Campaigns that the state does not name are no longer wanted. */
  want(
    workspaceId: string,
    { rev, values, campaigns, at }: { rev: number; values: Values; campaigns: readonly WantedEdition[]; at: number },
  ): void {
    this.#keepValues(workspaceId, { wanted: values });
    this.#sql('UPDATE chain_links SET desired_rev = ?, desired_at = ? WHERE workspace_id = ?').run(
      rev,
      at,
      workspaceId,
    );
    this.#sql(
      `UPDATE chain_campaigns SET wanted = NULL, doc = NULL, refused = NULL WHERE workspace_id = @workspaceId
         AND campaign NOT IN (SELECT value FROM json_each(@ids))`,
    ).run({ workspaceId, ids: JSON.stringify(campaigns.map(({ id }) => id)) });
    const put = this.#sql(
      `INSERT INTO chain_campaigns (workspace_id, campaign, wanted, sha256, bytes, told_at)
         VALUES (@workspaceId, @id, @edition, @sha256, @bytes, @at)
       ON CONFLICT (workspace_id, campaign) DO UPDATE SET wanted = excluded.wanted, sha256 = excluded.sha256, bytes = excluded.bytes,
         told_at = excluded.told_at, doc = NULL, refused = NULL, armed_at = NULL
         WHERE sha256 <> excluded.sha256 OR wanted IS NOT excluded.wanted`,
    );
    for (const edition of campaigns) put.run({ ...edition, workspaceId, at });
    // Deletes campaigns that were never applied and are no longer wanted.
    this.#sql('DELETE FROM chain_campaigns WHERE workspace_id = ? AND wanted IS NULL AND applied IS NULL').run(
      workspaceId,
    );
    this.#keepFiles(workspaceId);
  }

  /** Stores the received document of the wanted edition. */
  setDoc(workspaceId: string, { id, name }: CampaignDoc, text: string, blobs: readonly CampaignBlob[]): void {
    this.#sql('UPDATE chain_campaigns SET doc = ?, name = ? WHERE workspace_id = ? AND campaign = ?').run(
      text,
      name,
      workspaceId,
      id,
    );
    const put = this.#sql(
      'INSERT OR IGNORE INTO chain_files (workspace_id, campaign, sha256, size, mime) VALUES (?, ?, ?, ?, ?)',
    );
    for (const { sha256, size, mime } of blobs) put.run(workspaceId, id, sha256, size, mime);
  }

  setRefused(workspaceId: string, campaign: string, why: string | null): void {
    this.#sql('UPDATE chain_campaigns SET refused = ? WHERE workspace_id = ? AND campaign = ?').run(
      why,
      workspaceId,
      campaign,
    );
  }

  setArmed(workspaceId: string, campaign: string, at: number): void {
    this.#sql(
      'UPDATE chain_campaigns SET armed_at = ? WHERE workspace_id = ? AND campaign = ? AND armed_at IS NULL',
    ).run(at, workspaceId, campaign);
  }

  /** Returns the given files that are not in the media store. */
  lacking(sha256s: readonly string[]): string[] {
    return this.#sql('SELECT value FROM json_each(?) WHERE value NOT IN (SELECT sha256 FROM blobs)')
      .pluck()
      .all(JSON.stringify(sha256s)) as string[];
  }

  /** Records a received file that is in the media store. */
  addFile({ sha256, size, mime }: CampaignBlob, at: number): void {
    this.#sql('INSERT OR IGNORE INTO blobs (sha256, size, mime, created_at) VALUES (?, ?, ?, ?)').run(
      sha256,
      size,
      mime,
      at,
    );
  }

  /**
   * Makes the library and the plans match these campaigns, and deletes all other records of headquarters. Called within
   * a write transaction, so that either all changes are applied or none.
   * @throws Taken with a sentence
   */
  apply(
    workspaceId: string,
    effective: readonly Effective[],
    { contents, widgets, playlists, layouts, slots }: Combined,
    { timezone, at }: { timezone: string; at: number },
  ): void {
    this.#sql('INSERT INTO chain_applying (one) VALUES (1)').run();
    const before = this.#sql('SELECT kind, id FROM chain_records WHERE workspace_id = ?').all(workspaceId) as Pick<
      ManagedRecord,
      'kind' | 'id'
    >[];
    const now = { content: contents, widgets, playlists, layouts };
    for (const kind of KINDS)
      for (const { record } of now[kind]) this.#requireFree(workspaceId, kind, record.id, record);

    for (const { record } of contents) {
      const { id, file, thumbnail, shows = [], ...rest } = record;
      this.#sql(
        `INSERT INTO content (id, workspace_id, filename, search_name, mime_type, kind, file_size, duration_sec, width, height, remote_url,
             sha256, thumbnail, valid_from, valid_until, created_at, updated_at)
           VALUES (@id, @workspaceId, @filename, @search, @mime_type, @kind, @size, @duration_sec, @width, @height, @remote_url,
             @sha256, @thumbnail, @valid_from, @valid_until, @at, @at)
         ON CONFLICT (id) DO UPDATE SET filename = excluded.filename, search_name = excluded.search_name, mime_type = excluded.mime_type,
           kind = excluded.kind, file_size = excluded.file_size, duration_sec = excluded.duration_sec, width = excluded.width,
           height = excluded.height, remote_url = excluded.remote_url, sha256 = excluded.sha256, thumbnail = excluded.thumbnail,
           valid_from = excluded.valid_from, valid_until = excluded.valid_until, updated_at = excluded.updated_at, revision = revision + 1
           WHERE (filename, mime_type, kind, duration_sec, width, height, remote_url, sha256, thumbnail, valid_from, valid_until)
             IS NOT (excluded.filename, excluded.mime_type, excluded.kind, excluded.duration_sec, excluded.width, excluded.height,
               excluded.remote_url, excluded.sha256, excluded.thumbnail, excluded.valid_from, excluded.valid_until)`,
      ).run({
        ...rest,
        id,
        workspaceId,
        search: fold(rest.filename),
        size: file?.size ?? 0,
        sha256: file?.sha256 ?? null,
        thumbnail: thumbnail?.sha256 ?? null,
        at,
      });
      if (file) putDesignMedia(this.#db, file.sha256, shows);
    }
    for (const { record } of widgets)
      this.#sql(
        `INSERT INTO widgets (id, workspace_id, widget_type, name, config, valid_from, valid_until, created_at, updated_at)
           VALUES (@id, @workspaceId, @widget_type, @name, @config, @valid_from, @valid_until, @at, @at)
         ON CONFLICT (id) DO UPDATE SET widget_type = excluded.widget_type, name = excluded.name, config = excluded.config,
           valid_from = excluded.valid_from, valid_until = excluded.valid_until, updated_at = excluded.updated_at, revision = revision + 1
           WHERE (widget_type, name, config, valid_from, valid_until)
             IS NOT (excluded.widget_type, excluded.name, excluded.config, excluded.valid_from, excluded.valid_until)`,
      ).run({ ...record, config: JSON.stringify(record.config), workspaceId, at });
    for (const { record } of playlists) {
      const { items, transition, ...rest } = record;
      this.#sql(
        `INSERT INTO playlists (id, workspace_id, name, description, status, published_ms, transition, published_transition, created_at, updated_at)
           VALUES (@id, @workspaceId, @name, @description, 'published', @published_ms, @transition, @transition, @at, @at)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = excluded.description, status = 'published',
           published_ms = excluded.published_ms, transition = excluded.transition, published_transition = excluded.published_transition,
           updated_at = excluded.updated_at, revision = revision + 1`,
      ).run({ ...rest, transition: transition && JSON.stringify(transition), workspaceId, at });
    }
    for (const { record } of layouts) {
      const { zones, ...rest } = record;
      this.#sql(
        `INSERT INTO layouts (id, workspace_id, name, width, height, created_at, updated_at)
           VALUES (@id, @workspaceId, @name, @width, @height, @at, @at)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, width = excluded.width, height = excluded.height,
           updated_at = excluded.updated_at, revision = revision + 1`,
      ).run({ ...rest, workspaceId, at });
      this.#sql('DELETE FROM zones WHERE layout_id = ?').run(record.id);
      for (const [position, zone] of zones.entries())
        this.#sql(
          `INSERT INTO zones (id, layout_id, position, name, x_percent, y_percent, width_percent, height_percent, z_index, zone_type,
               fit_mode, background_color, content_id, widget_id, playlist_id)
             VALUES (@id, @layout_id, @position, @name, @x_percent, @y_percent, @width_percent, @height_percent, @z_index, @zone_type,
               @fit_mode, @background_color, @content_id, @widget_id, @playlist_id)`,
        ).run({ ...zone, layout_id: record.id, position });
    }
    for (const { record } of playlists) this.#setItems(record.id, record.items);
    this.#setSlots(workspaceId, slots, effective);
    this.#keepValues(workspaceId, {
      applied: Object.fromEntries(effective.map(({ doc, values }) => [doc.id, values])),
    });
    this.#setPlans(workspaceId, effective, { timezone, at });

    const still = new Set(KINDS.flatMap((kind) => now[kind].map(({ record }) => `${kind} ${record.id}`)));
    for (const { kind, id } of before)
      if (!still.has(`${kind} ${id}`)) this.#sql(`DELETE FROM ${kind} WHERE id = ?`).run(id);
    this.#sql('DELETE FROM chain_records WHERE workspace_id = ?').run(workspaceId);
    for (const kind of KINDS)
      for (const { campaign, record } of now[kind])
        this.#sql('INSERT INTO chain_records (workspace_id, kind, id, campaign) VALUES (?, ?, ?, ?)').run(
          workspaceId,
          kind,
          record.id,
          campaign,
        );
    const applied = new Map(effective.map((one) => [one.doc.id, one]));
    for (const { campaign, wanted } of this.all(workspaceId)) {
      const one = applied.get(campaign);
      if (!one && wanted === null)
        this.#sql('DELETE FROM chain_campaigns WHERE workspace_id = ? AND campaign = ?').run(workspaceId, campaign);
      else
        this.#sql(
          'UPDATE chain_campaigns SET applied = ?, applied_doc = ?, is_whole = ? WHERE workspace_id = ? AND campaign = ?',
        ).run(one?.doc.edition ?? null, one?.text ?? null, one?.isWhole ? 1 : 0, workspaceId, campaign);
    }
    this.#keepFiles(workspaceId);
    this.#sql('DELETE FROM chain_applying').run();
  }

  /** @throws Taken. Records that the store kept from an earlier headquarters pass: headquarters owns them again. */
  #requireFree(workspaceId: string, kind: Kind, id: string, record: object): void {
    const row = this.#sql(`SELECT workspace_id FROM ${kind} WHERE id = ?`).get(id) as
      | { workspace_id: string | null }
      | undefined;
    if (!row || row.workspace_id === workspaceId) return;
    const name = 'filename' in record ? record.filename : 'name' in record ? record.name : id;
    throw new Taken(`${String(name)} has an id that another workspace of this server already uses.`);
  }

  /** Items keep their ids if no item has changed, so that a screen that plays them continues. */
  #setItems(playlistId: string, items: Combined['playlists'][number]['record']['items']): void {
    const rows = items.map(({ slot, blocks, transition, muted, ...item }, sort_order) => ({
      ...item,
      playlist_id: playlistId,
      sort_order,
      muted: muted ? 1 : 0,
      blocks: JSON.stringify(blocks),
      transition: transition && JSON.stringify(transition),
      slot_id: slot?.id ?? null,
    }));
    const columns = [
      'content_id',
      'widget_id',
      'zone_id',
      'sort_order',
      'duration_sec',
      'muted',
      'blocks',
      'valid_from',
      'valid_until',
      'transition',
      'slot_id',
    ] as const;
    const had = this.#sql(`SELECT ${columns.join(', ')} FROM playlist_items WHERE playlist_id = ? ORDER BY sort_order`)
      .raw()
      .all(playlistId);
    if (JSON.stringify(had) === JSON.stringify(rows.map((row) => columns.map((column) => row[column])))) return;
    this.#sql('DELETE FROM playlist_items WHERE playlist_id = ?').run(playlistId);
    this.#sql('DELETE FROM published_items WHERE playlist_id = ?').run(playlistId);
    const put = this.#sql(
      `INSERT INTO playlist_items (playlist_id, ${columns.join(', ')}) VALUES (@playlist_id, ${columns.map((column) => `@${column}`).join(', ')})`,
    );
    for (const row of rows) put.run(row);
    this.#sql(
      `INSERT INTO published_items (id, playlist_id, ${columns.join(', ')})
         SELECT id, playlist_id, ${columns.join(', ')} FROM playlist_items WHERE playlist_id = ?`,
    ).run(playlistId);
  }

  /**
   * The playlist that the store chose for a slot is kept while the campaign exists, because headquarters may return to
   * an edition with that slot.
   */
  #setSlots(workspaceId: string, slots: Combined['slots'], effective: readonly Effective[]): void {
    this.#sql(
      `DELETE FROM chain_slots WHERE workspace_id = @workspaceId AND id NOT IN (SELECT value FROM json_each(@ids))
         AND (playlist_id IS NULL OR campaign NOT IN (SELECT value FROM json_each(@campaigns)))`,
    ).run({
      workspaceId,
      ids: JSON.stringify(slots.map(({ id }) => id)),
      campaigns: JSON.stringify(effective.map(({ doc }) => doc.id)),
    });
    for (const { id, campaign, limits } of slots)
      this.#sql(
        `INSERT INTO chain_slots (workspace_id, id, campaign, limits) VALUES (?, ?, ?, ?)
         ON CONFLICT (workspace_id, id) DO UPDATE SET campaign = excluded.campaign, limits = excluded.limits`,
      ).run(workspaceId, id, campaign, JSON.stringify(limits));
  }

  #setPlans(
    workspaceId: string,
    effective: readonly Effective[],
    { timezone, at }: { timezone: string; at: number },
  ): void {
    const planned = effective.filter(({ doc }) => doc.rank !== 'offer');
    this.#sql(
      'DELETE FROM campaign_plans WHERE workspace_id = @workspaceId AND campaign NOT IN (SELECT value FROM json_each(@ids))',
    ).run({ workspaceId, ids: JSON.stringify(planned.map(({ doc }) => doc.id)) });
    for (const { doc } of planned) {
      const { id, name, edition, rank, screen_tags, playlist_id, layout_id, ...times } = doc;
      const { start_time, end_time, recurrence, recurrence_end } = times;
      this.#sql(
        `INSERT INTO campaign_plans (workspace_id, campaign, edition, title, rank, screen_tags, playlist_id, layout_id, start_time, end_time,
             timezone, recurrence, recurrence_end, created_at)
           VALUES (@workspaceId, @id, @edition, @name, @rank, @tags, @playlist_id, @layout_id, @start_time, @end_time, @timezone,
             @recurrence, @recurrence_end, @at)
         ON CONFLICT (workspace_id, campaign) DO UPDATE SET edition = excluded.edition, title = excluded.title, rank = excluded.rank,
           screen_tags = excluded.screen_tags, playlist_id = excluded.playlist_id, layout_id = excluded.layout_id,
           start_time = excluded.start_time, end_time = excluded.end_time, timezone = excluded.timezone,
           recurrence = excluded.recurrence, recurrence_end = excluded.recurrence_end`,
      ).run({
        ...{ workspaceId, id, edition, name, rank, playlist_id, layout_id },
        ...{ start_time, end_time, timezone, recurrence, recurrence_end },
        tags: JSON.stringify(screen_tags),
        at,
      });
    }
  }

  /** Deletes the file records that neither the wanted nor the applied edition needs. */
  #keepFiles(workspaceId: string): void {
    this.#sql(
      `DELETE FROM chain_files WHERE workspace_id = @workspaceId AND NOT EXISTS (
         SELECT 1 FROM chain_campaigns c WHERE c.workspace_id = chain_files.workspace_id AND c.campaign = chain_files.campaign
           AND (instr(coalesce(c.doc, ''), chain_files.sha256) > 0 OR instr(coalesce(c.applied_doc, ''), chain_files.sha256) > 0))`,
    ).run({ workspaceId });
  }

  #sql(text: string): Statement {
    let statement = this.#statements.get(text);
    if (!statement) this.#statements.set(text, (statement = this.#db.raw.prepare(text)));
    return statement;
  }
}
