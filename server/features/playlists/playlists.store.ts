import { MAX_VERSIONS, type PlaylistDevice } from '../../../shared/contract/content/playlists.ts';
import type { Owner } from '../../../shared/contract/people/owner.ts';
import type { Database } from '../../db/database.ts';
import { and, asc, desc, eq, getTableColumns, inArray, type SQL, sql } from '../../db/drizzle.ts';
import {
  content,
  devices,
  playlistItems,
  playlists,
  playlistVersions,
  publishedItems,
  type StoredBlock,
  widgets,
} from '../../db/schema.ts';
import { ofOwner, RecordsStore } from '../records.store.ts';

export type PlaylistRow = typeof playlists.$inferSelect;
export type ItemRow = typeof playlistItems.$inferSelect;
export type VersionRow = typeof playlistVersions.$inferSelect;
/** Fields of a device that are needed for its own playlist. */
export type OwnerDevice = Pick<typeof devices.$inferSelect, 'id' | 'name' | 'playlist_id' | 'revision'>;
/** An item of a playlist, joined with the record that it shows. */
export type JoinedItem = ReturnType<PlaylistsStore['items']>[number];

type Items = typeof playlistItems | typeof publishedItems;

/** Columns of an item except its id, its playlist and its transition. */
const PLAIN = 'content_id, widget_id, zone_id, duration_sec, muted, blocks, valid_from, valid_until';
/** Columns that are copied between playlists. */
const COPIED = `${PLAIN}, transition`;
/**
 * Columns that are copied within one playlist. Only such a copy keeps the slot (a place that stores fill); the copy of
 * an item in another playlist is an ordinary item.
 */
const KEPT = `${COPIED}, slot_id`;

/** Selects items of a draft or snapshot, each with the record that it shows. */
const joined = ({ orm }: Database, items: Items) =>
  orm
    .select({
      ...getTableColumns(items),
      filename: content.filename,
      mime_type: content.mime_type,
      thumbnail: content.thumbnail,
      content_duration: content.duration_sec,
      remote_url: content.remote_url,
      widget_name: widgets.name,
      widget_type: widgets.widget_type,
      widget_config: widgets.config,
      shown_from: sql<string | null>`coalesce(${content.valid_from}, ${widgets.valid_from})`,
      shown_until: sql<string | null>`coalesce(${content.valid_until}, ${widgets.valid_until})`,
    })
    .from(items)
    .leftJoin(content, eq(content.id, items.content_id))
    .leftJoin(widgets, eq(widgets.id, items.widget_id))
    .orderBy(asc(items.sort_order), asc(items.id));

const listed = ({ orm }: Database, where: SQL | undefined) =>
  orm
    .select({
      row: playlists,
      item_count: sql<number>`(SELECT count(*) FROM playlist_items i WHERE i.playlist_id = playlists.id)`,
    })
    .from(playlists)
    .where(where)
    .orderBy(asc(playlists.created_at), asc(playlists.id));

export class PlaylistsStore extends RecordsStore<typeof playlists> {
  readonly #list;
  readonly #items;
  readonly #item;
  readonly #itemIds;
  readonly #countItems;
  readonly #insertItem;
  readonly #toDraft;
  readonly #copyItem;
  readonly #shared;

  constructor(db: Database) {
    super(db, playlists);
    const { orm } = db;
    // These statements are prepared once, because they answer most requests, and building a statement costs more than
    // running it.
    this.#list = listed(db, eq(playlists.workspace_id, sql.placeholder('workspace'))).prepare();
    this.#items = joined(db, playlistItems)
      .where(eq(playlistItems.playlist_id, sql.placeholder('playlist')))
      .prepare();
    this.#item = joined(db, playlistItems)
      .where(eq(playlistItems.id, sql.placeholder('id')))
      .prepare();
    this.#itemIds = db.raw
      .prepare('SELECT id FROM playlist_items WHERE playlist_id = ? ORDER BY sort_order, id')
      .pluck();
    this.#insertItem = orm
      .insert(playlistItems)
      .values({
        playlist_id: sql.placeholder('playlist_id'),
        content_id: sql.placeholder('content_id'),
        widget_id: sql.placeholder('widget_id'),
        zone_id: sql.placeholder('zone_id'),
        sort_order: sql.placeholder('sort_order'),
        duration_sec: sql.placeholder('duration_sec'),
        valid_from: sql.placeholder('valid_from'),
        valid_until: sql.placeholder('valid_until'),
      })
      .returning()
      .prepare();
    this.#toDraft = orm
      .update(playlists)
      .set({ status: 'draft', updated_at: sql`${sql.placeholder('now')}`, revision: sql`${playlists.revision} + 1` })
      .where(eq(playlists.id, sql.placeholder('id')))
      .returning()
      .prepare();
    this.#copyItem = db.raw.prepare(
      `INSERT INTO playlist_items (playlist_id, sort_order, ${COPIED})
       SELECT @playlistId, @sort_order, ${PLAIN},
         coalesce(transition, (SELECT published_transition FROM playlists WHERE id = @from))
       FROM published_items WHERE playlist_id = @from AND id = @id`,
    );
    this.#shared = db.raw
      .prepare(
        `SELECT EXISTS (SELECT 1 FROM devices WHERE playlist_id = @p AND id <> @d)
             OR EXISTS (SELECT 1 FROM "groups" WHERE playlist_id = @p)
             OR EXISTS (SELECT 1 FROM walls WHERE playlist_id = @p)
             OR EXISTS (SELECT 1 FROM plans WHERE playlist_id = @p)
             OR EXISTS (SELECT 1 FROM chain_slots WHERE playlist_id = @p)
             OR EXISTS (SELECT 1 FROM campaign_plans WHERE playlist_id = @p)
             OR EXISTS (SELECT 1 FROM chain_records WHERE kind = 'playlists' AND id = @p)`,
      )
      .pluck();
    this.#countItems = db.raw.prepare('SELECT count(*) FROM playlist_items WHERE playlist_id = ?').pluck();
  }

  list(workspaceId: string, owner?: Owner) {
    if (owner === undefined) return this.#list.all({ workspace: workspaceId });
    return listed(this.db, ofOwner(playlists, 'playlists', { workspaceId, owner })).all();
  }

  /** Makes a playlist a draft because its items changed. This is the most frequent edit. `now`: epoch seconds. */
  toDraft(id: string, now: number): PlaylistRow {
    return this.#toDraft.get({ id, now });
  }

  countItems(playlistId: string): number {
    return this.#countItems.get(playlistId) as number;
  }

  /** Returns the draft in order, each item with the record that it shows. */
  items(playlistId: string) {
    return this.#items.all({ playlist: playlistId });
  }

  /** Returns an item, joined with the record that it shows. */
  item(id: number) {
    return this.#item.get({ id });
  }

  findItem(playlistId: string, itemId: number): ItemRow | undefined {
    return this.db.orm
      .select()
      .from(playlistItems)
      .where(and(eq(playlistItems.id, itemId), eq(playlistItems.playlist_id, playlistId)))
      .get();
  }

  insertItem(
    item: Pick<
      ItemRow,
      | 'playlist_id'
      | 'content_id'
      | 'widget_id'
      | 'zone_id'
      | 'sort_order'
      | 'duration_sec'
      | 'valid_from'
      | 'valid_until'
    >,
  ): ItemRow {
    return this.#insertItem.get(item);
  }

  updateItem(itemId: number, change: Partial<typeof playlistItems.$inferInsert>): void {
    this.db.orm.update(playlistItems).set(change).where(eq(playlistItems.id, itemId)).run();
  }

  deleteItem(itemId: number): void {
    this.db.orm.delete(playlistItems).where(eq(playlistItems.id, itemId)).run();
  }

  itemIds(playlistId: string): number[] {
    return this.#itemIds.all(playlistId) as number[];
  }

  /** Numbers the items 0, 1, 2 … in the given order. Writes only items that moved. */
  setOrder(playlistId: string, ids: readonly number[]): void {
    const set = this.db.raw.prepare(
      'UPDATE playlist_items SET sort_order = ? WHERE id = ? AND playlist_id = ? AND sort_order <> ?',
    );
    for (const [order, id] of ids.entries()) set.run(order, id, playlistId, order);
  }

  setBlocks(itemId: number, blocks: StoredBlock[]): void {
    this.db.orm.update(playlistItems).set({ blocks }).where(eq(playlistItems.id, itemId)).run();
  }

  /** Copies the draft, with its transitions, to what screens play. Items keep their ids. */
  publishItems(playlistId: string): void {
    this.#replaceItems(playlistId, 'playlist_items', 'published_items');
    this.db.raw.prepare('UPDATE playlists SET published_transition = transition WHERE id = ?').run(playlistId);
  }

  /** Saves the published items as the newest version. */
  saveVersion(
    { id, published_ms, published_transition }: PlaylistRow,
    by: Pick<VersionRow, 'user_id' | 'user_name' | 'asked_by_name'>,
  ): void {
    const { orm, raw } = this.db;
    const version = { ...by, playlist_id: id, published_ms: published_ms!, transition: published_transition };
    orm
      .insert(playlistVersions)
      .values({ ...version, items: this.published(id) })
      .run();
    raw
      .prepare(
        'DELETE FROM playlist_versions WHERE playlist_id = @id AND id NOT IN (SELECT id FROM playlist_versions WHERE playlist_id = @id ORDER BY id DESC LIMIT @keep)',
      )
      .run({ id, keep: MAX_VERSIONS });
  }

  /** Returns versions without their items, newest first. */
  versions(playlistId: string) {
    const { id, published_ms, user_name, asked_by_name } = playlistVersions;
    const item_count = sql<number>`json_array_length(${playlistVersions.items})`;
    return this.db.orm
      .select({ id, published_ms, user_name, asked_by_name, item_count })
      .from(playlistVersions)
      .where(eq(playlistVersions.playlist_id, playlistId))
      .orderBy(desc(id))
      .all();
  }

  version(playlistId: string, id: number): VersionRow | undefined {
    return this.db.orm
      .select()
      .from(playlistVersions)
      .where(and(eq(playlistVersions.playlist_id, playlistId), eq(playlistVersions.id, id)))
      .get();
  }

  /**
   * Returns the items of a version in order, each with the current record that it shows. Items whose content or widget
   * was deleted are left out.
   */
  itemsOfVersion({ items, playlist_id }: Pick<VersionRow, 'items' | 'playlist_id'>): JoinedItem[] {
    const stored = items as unknown as ItemRow[];
    const ids = (of: 'content_id' | 'widget_id') =>
      sql`(SELECT value FROM json_each(${JSON.stringify(stored.map((item) => item[of]))}))`;
    const { orm } = this.db;
    const contents = new Map<string | null, typeof content.$inferSelect>(
      orm
        .select()
        .from(content)
        .where(sql`${content.id} IN ${ids('content_id')}`)
        .all()
        .map((row) => [row.id, row]),
    );
    const shownWidgets = new Map<string | null, typeof widgets.$inferSelect>(
      orm
        .select()
        .from(widgets)
        .where(sql`${widgets.id} IN ${ids('widget_id')}`)
        .all()
        .map((row) => [row.id, row]),
    );
    return stored.flatMap((item): JoinedItem[] => {
      const file = contents.get(item.content_id);
      const widget = shownWidgets.get(item.widget_id);
      const shown = file ?? widget;
      if (!shown) return [];
      return [
        {
          ...item,
          playlist_id,
          filename: file?.filename ?? null,
          mime_type: file?.mime_type ?? null,
          thumbnail: file?.thumbnail ?? null,
          content_duration: file?.duration_sec ?? null,
          remote_url: file?.remote_url ?? null,
          widget_name: widget?.name ?? null,
          widget_type: widget?.widget_type ?? null,
          widget_config: widget?.config ?? null,
          shown_from: shown.valid_from,
          shown_until: shown.valid_until,
        },
      ];
    });
  }

  /** Makes a version the draft. Items keep their ids; a deleted zone becomes null. */
  draftFrom(version: VersionRow): void {
    const { orm, raw } = this.db;
    this.deleteItems(version.playlist_id);
    const columns = Object.keys(getTableColumns(playlistItems));
    const zone = raw.prepare('SELECT id FROM zones WHERE id = ?').pluck();
    for (const [sort_order, item] of this.itemsOfVersion(version).entries()) {
      const row = Object.fromEntries(columns.map((name) => [name, item[name as keyof ItemRow]])) as ItemRow;
      const zone_id = zone.get(row.zone_id) as string | undefined;
      orm
        .insert(playlistItems)
        .values({ ...row, sort_order, zone_id })
        .run();
    }
  }

  /** Copies what screens play back to the draft. Items keep their ids. */
  discardItems(playlistId: string): void {
    this.#replaceItems(playlistId, 'published_items', 'playlist_items');
    this.db.raw.prepare('UPDATE playlists SET transition = published_transition WHERE id = ?').run(playlistId);
  }

  #replaceItems(playlistId: string, from: string, to: string): void {
    const columns = `id, playlist_id, sort_order, ${KEPT}`;
    this.db.raw.prepare(`DELETE FROM ${to} WHERE playlist_id = ?`).run(playlistId);
    this.db.raw
      .prepare(`INSERT INTO ${to} (${columns}) SELECT ${columns} FROM ${from} WHERE playlist_id = ?`)
      .run(playlistId);
  }

  /** Mutes or unmutes an item in the draft and in what screens play. */
  setMuted(playlistId: string, itemId: number, muted: boolean): void {
    for (const items of [playlistItems, publishedItems])
      this.db.orm
        .update(items)
        .set({ muted })
        .where(and(eq(items.id, itemId), eq(items.playlist_id, playlistId)))
        .run();
  }

  /**
   * Raises the revisions of playlists that lost items with a content or widget. Gaps in the order stay, so that items
   * restored from the bin return to their positions.
   */
  itemsGone(playlistIds: readonly string[]): void {
    const edited = this.db.raw.prepare('UPDATE playlists SET revision = revision + 1 WHERE id = ?');
    for (const playlist of playlistIds) edited.run(playlist);
  }

  /** Numbers the items of a draft without gaps: 0, 1, 2 … Called before and after each edit of items. */
  closeGaps(playlist: string): void {
    const { raw } = this.db;
    const isDense = raw.prepare(
      'SELECT coalesce(max(sort_order), -1) = count(*) - 1 FROM playlist_items WHERE playlist_id = ?',
    );
    if (isDense.pluck().get(playlist) === 1) return;
    raw
      .prepare(
        `UPDATE playlist_items SET sort_order = r.place FROM (
           SELECT id, row_number() OVER (ORDER BY sort_order, id) - 1 AS place FROM playlist_items WHERE playlist_id = @playlist
         ) AS r WHERE playlist_items.playlist_id = @playlist AND playlist_items.id = r.id AND playlist_items.sort_order <> r.place`,
      )
      .run({ playlist });
  }

  /** Returns playlists whose draft or snapshot contains one of these contents or widgets. */
  playlistsWith(subject: { contentIds?: readonly string[]; widgetIds?: readonly string[] }): string[] {
    const of = (table: Items) => {
      const isIt = subject.contentIds
        ? inArray(table.content_id, [...subject.contentIds])
        : inArray(table.widget_id, [...(subject.widgetIds ?? [])]);
      return this.db.orm.selectDistinct({ id: table.playlist_id }).from(table).where(isIt).all();
    };
    return [...new Set([...of(playlistItems), ...of(publishedItems)].map((row) => row.id))];
  }

  /** Returns whether anything except this device plays the playlist. */
  sharedBeyond(playlistId: string, deviceId: string): boolean {
    return this.#shared.get({ p: playlistId, d: deviceId }) === 1;
  }

  /** Returns name, layout and screen size of devices, sorted by name. */
  devices(ids: readonly string[]): Omit<PlaylistDevice, 'source'>[] {
    const { id: device_id, name, layout_id, orientation, screen_width, screen_height } = devices;
    return this.db.orm
      .select({ device_id, name, layout_id, orientation, screen_width, screen_height })
      .from(devices)
      .where(sql`${devices.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
      .orderBy(sql`vitrine_order(${devices.name})`, asc(devices.created_at), asc(devices.id))
      .all();
  }

  playlistOfItem(workspaceId: string, itemId: number): PlaylistRow | undefined {
    return this.db.orm
      .select({ row: playlists })
      .from(playlistItems)
      .innerJoin(playlists, eq(playlists.id, playlistItems.playlist_id))
      .where(and(eq(playlistItems.id, itemId), eq(playlists.workspace_id, workspaceId)))
      .get()?.row;
  }

  /** Returns the items that screens play, in order. */
  published(playlistId: string): ItemRow[] {
    return this.db.orm
      .select()
      .from(publishedItems)
      .where(eq(publishedItems.playlist_id, playlistId))
      .orderBy(asc(publishedItems.sort_order), asc(publishedItems.id))
      .all();
  }

  /** Returns the items that screens play, in order, each with the record that it shows. */
  publishedWithSubjects(playlistId: string): JoinedItem[] {
    return joined(this.db, publishedItems).where(eq(publishedItems.playlist_id, playlistId)).all();
  }

  deleteItems(playlistId: string): void {
    this.db.orm.delete(playlistItems).where(eq(playlistItems.playlist_id, playlistId)).run();
  }

  /**
   * Copies the items of a draft to another playlist. Leaves out slots (places that stores fill) without a content or
   * widget.
   */
  copyDraft(from: string, to: string): void {
    this.db.raw
      .prepare(
        `INSERT INTO playlist_items (playlist_id, sort_order, ${COPIED})
         SELECT @to, row_number() OVER (ORDER BY sort_order, id) - 1, ${COPIED} FROM playlist_items
         WHERE playlist_id = @from AND (content_id IS NOT NULL OR widget_id IS NOT NULL)`,
      )
      .run({ from, to });
  }

  /**
   * Appends copies of published items, with new ids.
   * @returns the new ids by the ids of the originals
   */
  appendCopies(playlistId: string, items: readonly ItemRow[]): Map<number, number> {
    this.closeGaps(playlistId);
    const first = this.countItems(playlistId);
    const copy = ({ id, playlist_id: from }: ItemRow, sort_order: number) =>
      Number(this.#copyItem.run({ id, from, playlistId, sort_order }).lastInsertRowid);
    // Leaves out slots (places that stores fill), which show no content or widget themselves.
    const shown = items.filter((item) => item.content_id !== null || item.widget_id !== null);
    return new Map(shown.map((item, i) => [item.id, copy(item, first + i)]));
  }
}
