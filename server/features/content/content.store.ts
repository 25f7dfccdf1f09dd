import type { ContentQuery, ContentUsage } from '../../../shared/contract/content/content.ts';
import { managedRecord } from '../../../shared/contract/errors.ts';
import type { MediaFormat } from '../../../shared/formats/media-format.ts';
import type { Database } from '../../db/database.ts';
import { designsShowing, putDesignMedia } from '../../db/design-media.ts';
import { and, asc, count, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from '../../db/drizzle.ts';
import { fold } from '../../db/fold.ts';
import {
  blobs,
  content,
  devices,
  kioskPages,
  layouts,
  plans,
  playlistItems,
  playlists,
  publishedItems,
  schedules,
  walls,
  widgets,
  zones,
} from '../../db/schema.ts';
import { ofOwner, RecordsStore } from '../records.store.ts';

export type ContentRow = typeof content.$inferSelect;
export type NewContentRow = typeof content.$inferInsert;
interface Filter extends Pick<ContentQuery, 'folder' | 'folder_id' | 'q' | 'type' | 'validity' | 'owner'> {
  /**
   * Server's local times in minutes, used by the `validity` filter. Content that ends before `soon` counts as ending
   * soon.
   */
  readonly now: string;
  readonly soon: string;
}

/** The stored file of a content. */
export interface StoredFile {
  readonly sha256: string;
  readonly size: number;
  /** MIME type, detected from the bytes. */
  readonly mime: string;
}

const ordered = (column: unknown) => sql`vitrine_order(${column})`;

export class ContentStore extends RecordsStore<typeof content> {
  constructor(db: Database) {
    super(db, content);
  }

  list(workspaceId: string, query: ContentQuery & Filter): ContentRow[] {
    const { id, created_at, search_name, file_size } = content;
    const orders: Record<ContentQuery['sort'], SQL[]> = {
      newest: [sql`${created_at} DESC`, sql`${id} DESC`],
      oldest: [asc(created_at), asc(id)],
      name: [asc(search_name), asc(id)],
      size: [sql`${file_size} DESC`, sql`${id} DESC`],
    };
    return this.db.orm
      .select()
      .from(content)
      .where(this.#matching(workspaceId, query))
      .orderBy(...orders[query.sort])
      .limit(query.limit)
      .offset(query.offset)
      .all();
  }

  countOf(workspaceId: string, filter: Filter): number {
    return this.db.orm.select({ n: count() }).from(content).where(this.#matching(workspaceId, filter)).get()!.n;
  }

  /** Returns the labels (free texts) that contents of the workspace have. */
  labels(workspaceId: string): { folder: string; count: number }[] {
    return this.db.orm
      .select({ folder: content.folder, count: sql<number>`count(*)` })
      .from(content)
      .where(and(eq(content.workspace_id, workspaceId), sql`${content.folder} <> ''`))
      .groupBy(content.folder)
      .orderBy(ordered(content.folder), asc(content.folder))
      .all();
  }

  override insert(row: NewContentRow): ContentRow {
    return super.insert({ ...row, search_name: fold(row.filename) });
  }

  /** Saves a change by a person, and raises the revision. */
  override update(id: string, change: Partial<NewContentRow>): ContentRow {
    const { filename } = change;
    return super.update(id, { ...change, ...(filename !== undefined && { search_name: fold(filename) }) });
  }

  /**
   * Saves a change by the server itself, such as a thumbnail or a copy. Does not raise the revision, so no edit becomes
   * stale.
   * @returns undefined: the content is gone
   */
  note(id: string, change: Partial<Omit<NewContentRow, 'filename'>>): ContentRow | undefined {
    return this.db.orm.update(content).set(change).where(eq(content.id, id)).returning().get();
  }

  /** @throws ApiError 423 for a content that headquarters has sent. The database refuses a change of its file. */
  requireOwn(id: string): void {
    const campaign = this.db.raw
      .prepare(
        `SELECT coalesce(c.name, '') FROM chain_records r LEFT JOIN chain_campaigns c
           ON c.workspace_id = r.workspace_id AND c.campaign = r.campaign WHERE r.kind = 'content' AND r.id = ?`,
      )
      .pluck()
      .get(id) as string | undefined;
    if (campaign !== undefined) throw managedRecord(campaign);
  }

  schedulesWith(id: string): string[] {
    return this.db.orm
      .select({ id: schedules.id })
      .from(schedules)
      .where(eq(schedules.content_id, id))
      .all()
      .map((row) => row.id);
  }

  /** Returns every record of the workspace that uses the content, sorted by name. */
  usage(workspaceId: string, id: string): Omit<ContentUsage, 'screens'> {
    const { orm } = this.db;
    const listed = (table: typeof walls | typeof devices | typeof widgets | typeof kioskPages, is: SQL) =>
      orm
        .select({ id: table.id, name: table.name })
        .from(table)
        .where(and(eq(table.workspace_id, workspaceId), is))
        .orderBy(ordered(table.name), asc(table.id))
        .all();
    // Drizzle omits the table name in selections, so `playlists.id` is spelled out: `id` alone would be the id of the
    // item.
    const has = (table: typeof playlistItems | typeof publishedItems) =>
      sql<number>`EXISTS (SELECT 1 FROM ${table} AS i WHERE i.playlist_id = playlists.id AND i.content_id = ${id})`;
    const [draft, published] = [has(playlistItems), has(publishedItems)];
    const holding = orm
      .select({ id: playlists.id, name: playlists.name, draft, published })
      .from(playlists)
      .where(and(eq(playlists.workspace_id, workspaceId), or(draft, published)))
      .orderBy(ordered(playlists.name), asc(playlists.id))
      .all();
    const planned = orm
      .select({
        id: plans.id,
        title: plans.title,
        only: sql<number>`${plans.widget_id} IS NULL AND ${plans.layout_id} IS NULL AND ${plans.playlist_id} IS NULL`,
      })
      .from(plans)
      .where(and(eq(plans.workspace_id, workspaceId), eq(plans.content_id, id)))
      .orderBy(asc(plans.start_time), asc(plans.id))
      .all();
    return {
      playlists: holding.map((p) => ({ ...p, draft: p.draft === 1, published: p.published === 1 })),
      schedules: planned.map((s) => ({ ...s, only: s.only === 1 })),
      walls: listed(walls, eq(walls.content_id, id)),
      devices: listed(devices, eq(devices.default_content_id, id)),
      layouts: orm
        .selectDistinct({ id: layouts.id, name: layouts.name })
        .from(zones)
        .innerJoin(layouts, eq(layouts.id, zones.layout_id))
        .where(and(eq(zones.content_id, id), eq(layouts.workspace_id, workspaceId)))
        .orderBy(ordered(layouts.name), asc(layouts.id))
        .all(),
      widgets: listed(widgets, sql`instr(${widgets.config}, ${id}) > 0`),
      kiosk_pages: listed(kioskPages, sql`instr(${kioskPages.config}, ${id}) > 0`),
      designs: designsShowing(this.db, workspaceId, id),
    };
  }

  deviceNames(ids: readonly string[]): { id: string; name: string }[] {
    return this.db.orm
      .select({ id: devices.id, name: devices.name })
      .from(devices)
      .where(sql`${devices.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
      .orderBy(ordered(devices.name), asc(devices.id))
      .all();
  }

  addBlob(blob: typeof blobs.$inferInsert): void {
    // The file may have been stored by a version that read no codecs, so its format is filled in now.
    const known = blob.format ? { target: blobs.sha256, set: { format: blob.format } } : undefined;
    const insert = this.db.orm.insert(blobs).values(blob);
    (known ? insert.onConflictDoUpdate(known) : insert.onConflictDoNothing()).run();
  }

  /** Stores the contents that the design in a stored file shows. */
  setShown(sha256: string, contentIds: readonly string[]): void {
    putDesignMedia(this.db, sha256, contentIds);
  }

  /** Returns the codecs of stored files, by hash. Files with unknown codecs are left out. */
  formatsOf(hashes: readonly string[]): ReadonlyMap<string, MediaFormat> {
    const rows = this.db.raw
      .prepare(
        'SELECT sha256, format FROM blobs WHERE format IS NOT NULL AND sha256 IN (SELECT value FROM json_each(?))',
      )
      .all(JSON.stringify(hashes)) as { sha256: string; format: string }[];
    return new Map(rows.map(({ sha256, format }) => [sha256, JSON.parse(format) as MediaFormat]));
  }

  /**
   * Returns the files of videos and sounds without known codecs, newest first.
   * @param without hashes to skip
   */
  withoutFormat(without: readonly string[], limit: number): Pick<StoredFile, 'sha256' | 'size'>[] {
    return this.db.raw
      .prepare(
        `SELECT b.sha256, b.size FROM content c JOIN blobs b ON b.sha256 = c.sha256
         WHERE c.kind IN ('video', 'audio') AND b.format IS NULL AND b.sha256 NOT IN (SELECT value FROM json_each(@without))
         GROUP BY b.sha256 ORDER BY max(c.created_at) DESC LIMIT @limit`,
      )
      .all({ without: JSON.stringify(without), limit }) as Pick<StoredFile, 'sha256' | 'size'>[];
  }

  setFormat(sha256: string, format: MediaFormat): void {
    this.db.orm.update(blobs).set({ format }).where(eq(blobs.sha256, sha256)).run();
  }

  /** Returns the contents with a file, by workspace. */
  showing(sha256: string): ReadonlyMap<string, readonly string[]> {
    const rows = this.db.orm
      .select({ id: content.id, workspace: content.workspace_id })
      .from(content)
      .where(eq(content.sha256, sha256))
      .all();
    const byWorkspace = Map.groupBy(rows, ({ workspace }) => workspace);
    return new Map([...byWorkspace].map(([workspace, some]) => [workspace, some.map(({ id }) => id)]));
  }

  file(sha256: string): StoredFile | undefined {
    return this.db.orm
      .select({ sha256: blobs.sha256, size: blobs.size, mime: blobs.mime })
      .from(blobs)
      .where(eq(blobs.sha256, sha256))
      .get();
  }

  /** Returns the thumbnail of another content with the same file, so that the file is not inspected twice. */
  thumbnailOf(sha256: string): string | null {
    return (
      this.db.orm
        .select({ thumbnail: content.thumbnail })
        .from(content)
        .where(and(eq(content.sha256, sha256), isNotNull(content.thumbnail)))
        .limit(1)
        .get()?.thumbnail ?? null
    );
  }

  /** Returns contents without a thumbnail whose file ffmpeg can read. */
  withoutThumbnail(): ContentRow[] {
    return this.db.orm
      .select()
      .from(content)
      .where(
        and(
          isNull(content.thumbnail),
          isNotNull(content.sha256),
          or(eq(content.kind, 'video'), eq(content.mime_type, 'image/bmp')),
        ),
      )
      .orderBy(asc(content.created_at))
      .all();
  }

  /** Returns contents with a remote address and without a local copy, except pages, which are shown live. */
  uncopied(): ContentRow[] {
    return this.db.orm
      .select()
      .from(content)
      .where(
        and(
          isNotNull(content.remote_url),
          isNull(content.sha256),
          inArray(content.kind, ['image', 'video', 'audio', 'pdf', 'web']),
          or(sql`${content.kind} <> 'web'`, isNull(content.fetched_at), isNotNull(content.fetch_error)),
        ),
      )
      .orderBy(asc(content.created_at))
      .all();
  }

  #matching(workspaceId: string, { folder, folder_id, q, type, validity, owner, now, soon }: Filter): SQL | undefined {
    const kinds = type === 'web' ? (['web', 'embed'] as const) : type ? [type] : [];
    return and(
      ofOwner(content, 'content', { workspaceId, owner }),
      folder === undefined ? undefined : eq(content.folder, folder),
      folder_id === undefined
        ? undefined
        : folder_id === null
          ? isNull(content.folder_id)
          : eq(content.folder_id, folder_id),
      q === undefined ? undefined : sql`instr(${content.search_name}, ${fold(q)}) > 0`,
      kinds.length === 0 ? undefined : inArray(content.kind, [...kinds]),
      validity === 'over' ? lte(content.valid_until, now) : undefined,
      validity === 'soon' ? and(gt(content.valid_until, now), lte(content.valid_until, soon)) : undefined,
      validity === 'future' ? gt(content.valid_from, now) : undefined,
    );
  }
}
