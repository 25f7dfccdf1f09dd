import type BetterSqlite3 from 'better-sqlite3';
import type { PlanTarget } from '../../../shared/contract/screens/plans.ts';
import type { Database } from '../../db/database.ts';
import { designsShowing, type ShowingDesign } from '../../db/design-media.ts';
import { recent } from '../../kernel/time/recent.ts';

type Statement = BetterSqlite3.Statement;
const MAX_STATEMENTS = 100;

/** Table of each kind of record in an {@link Act}. */
const TABLES = {
  content: 'content',
  folder: 'folders',
  screen: 'devices',
  group: 'groups',
  playlist: 'playlists',
  layout: 'layouts',
  widget: 'widgets',
  kiosk: 'kiosk_pages',
  wall: 'walls',
} as const;
export type Named = keyof typeof TABLES;
const NAMES: Partial<Record<Named, string>> = { content: 'filename' };

/** Selects the records through which screens show a content, or may show it without another decision (in-use.ts). */
const CONTENT_STANDS = `
  SELECT 1 FROM published_items i WHERE i.content_id = @id
  UNION ALL SELECT 1 FROM zones z WHERE z.content_id = @id
  UNION ALL SELECT 1 FROM plans p WHERE p.content_id = @id
  UNION ALL SELECT 1 FROM walls w WHERE w.content_id = @id
  UNION ALL SELECT 1 FROM devices d WHERE d.default_content_id = @id
  UNION ALL SELECT 1 FROM "groups" g WHERE g.default_content_id = @id
  UNION ALL SELECT 1 FROM workspaces k WHERE k.default_content_id = @id
  UNION ALL SELECT 1 FROM workspaces k WHERE @id IN (k.logo_content_id, k.logo_dark_content_id)
  UNION ALL SELECT 1 FROM hq_campaigns a JOIN json_each(a.body, '$.slots') s
    WHERE a.state IN ('waiting', 'running') AND s.value ->> '$.content_id' = @id`;
const WIDGET_STANDS = `
  SELECT 1 FROM published_items i WHERE i.widget_id = @id
  UNION ALL SELECT 1 FROM zones z WHERE z.widget_id = @id
  UNION ALL SELECT 1 FROM plans p WHERE p.widget_id = @id`;
const waits = (column: 'content_id' | 'widget_id') => `
  UNION ALL SELECT 1 FROM playlist_items i JOIN publish_requests r ON r.playlist_id = i.playlist_id AND r.state = 'waiting'
    WHERE i.${column} = @id
  UNION ALL SELECT 1 FROM playlist_items i JOIN playlists p ON p.id = i.playlist_id AND p.owner_device_id IS NOT NULL
    WHERE i.${column} = @id`;

/**
 * Reads data for checks of rights: owners of records, and where records are used. Every query is limited to a
 * workspace.
 */
export class RightsStore {
  readonly #db: Database;
  /** Statements that are prepared on first use, because most servers need none of them. */
  readonly #statements = recent<string, Statement>(MAX_STATEMENTS);

  constructor(db: Database) {
    this.#db = db;
  }

  #sql(text: string): Statement {
    let statement = this.#statements.get(text);
    if (!statement) this.#statements.set(text, (statement = this.#db.raw.prepare(text)));
    return statement;
  }

  #list(text: string, ...values: unknown[]): string[] {
    return this.#sql(text)
      .pluck()
      .all(...values) as string[];
  }

  /** Returns undefined when the workspace has no record with this id. */
  nameOf(what: Named, workspaceId: string, id: string): string | undefined {
    const column = NAMES[what] ?? 'name';
    return this.#sql(`SELECT ${column} FROM "${TABLES[what]}" WHERE id = ? AND workspace_id = ?`)
      .pluck()
      .get(id, workspaceId) as string | undefined;
  }

  /** Returns the names of existing records, in the order of the ids. */
  names(what: Named, workspaceId: string, ids: readonly string[]): string[] {
    return ids.flatMap((id) => this.nameOf(what, workspaceId, id) ?? []);
  }

  // — folders —

  /** Returns the folder of a content, null for the root; undefined when the content does not exist. */
  folderOf(workspaceId: string, contentId: string): string | null | undefined {
    return this.#sql('SELECT folder_id FROM content WHERE id = ? AND workspace_id = ?')
      .pluck()
      .get(contentId, workspaceId) as string | null | undefined;
  }

  /** Returns the parent of a folder, null for the root; undefined when the folder does not exist. */
  parentOf(workspaceId: string, folderId: string): string | null | undefined {
    return this.#sql('SELECT parent_id FROM folders WHERE id = ? AND workspace_id = ?')
      .pluck()
      .get(folderId, workspaceId) as string | null | undefined;
  }

  /** Returns whether a folder is one of the given roots, or lies within one of them. */
  isWithin(workspaceId: string, folderId: string, roots: readonly string[]): boolean {
    const found = this.#sql(
      `WITH RECURSIVE up(id, parent_id) AS (
         SELECT id, parent_id FROM folders WHERE id = @folderId AND workspace_id = @workspaceId
         UNION SELECT f.id, f.parent_id FROM folders f JOIN up ON f.id = up.parent_id
       ) SELECT 1 FROM up WHERE id IN (SELECT value FROM json_each(@roots)) LIMIT 1`,
    ).get({ folderId, workspaceId, roots: JSON.stringify(roots) });
    return found !== undefined;
  }

  /** Returns whether a folder, or a folder within it, has contents. */
  hasContents(workspaceId: string, folderId: string): boolean {
    const found = this.#sql(
      `WITH RECURSIVE down(id) AS (
         SELECT id FROM folders WHERE id = @folderId AND workspace_id = @workspaceId
         UNION SELECT f.id FROM folders f JOIN down ON f.parent_id = down.id
       ) SELECT 1 FROM content WHERE folder_id IN (SELECT id FROM down) LIMIT 1`,
    ).get({ folderId, workspaceId });
    return found !== undefined;
  }

  // — screens —

  /** Returns the devices in these groups. */
  membersOf(workspaceId: string, groupIds: readonly string[]): Set<string> {
    return new Set(
      this.#list(
        `SELECT m.device_id FROM group_members m JOIN "groups" g ON g.id = m.group_id
         WHERE g.workspace_id = ? AND g.id IN (SELECT value FROM json_each(?))`,
        workspaceId,
        JSON.stringify(groupIds),
      ),
    );
  }

  tagged(workspaceId: string, tag: string): string[] {
    return this.#list(
      'SELECT d.id FROM device_tags t JOIN devices d ON d.id = t.device_id WHERE t.tag = ? COLLATE NOCASE AND d.workspace_id = ?',
      tag,
      workspaceId,
    );
  }

  tagsOf(deviceId: string): string[] {
    return this.#list('SELECT tag FROM device_tags WHERE device_id = ?', deviceId);
  }

  /** Returns the tags in rules of groups. */
  ruleTags(workspaceId: string): string[] {
    return this.#list(
      'SELECT DISTINCT r.value FROM "groups" g, json_each(g.rule_tags) r WHERE g.workspace_id = ?',
      workspaceId,
    );
  }

  panels(wallId: string): string[] {
    return this.#list('SELECT device_id FROM wall_members WHERE wall_id = ?', wallId);
  }

  wallOf(deviceId: string): string | undefined {
    return this.#list('SELECT wall_id FROM wall_members WHERE device_id = ?', deviceId)[0];
  }

  /** Returns the screens that a playlist or layout is assigned to, regardless of what they show at the moment. */
  assignedTo(column: 'playlist_id' | 'layout_id', id: string): string[] {
    return this.#list(`SELECT id FROM devices WHERE ${column} = ?`, id);
  }

  /** Returns the screens of a message, and the names of its targets. */
  message(workspaceId: string, id: string) {
    const row = this.#sql(
      "SELECT json_extract(targets, '$.ids') AS ids, json_extract(targets, '$.words') AS words FROM messages WHERE id = ? AND workspace_id = ?",
    ).get(id, workspaceId) as { ids: string | null; words: string } | undefined;
    return (
      row && {
        deviceIds: row.ids ? row.ids.split(' ') : [],
        targets: JSON.parse(row.words) as readonly { readonly kind: PlanTarget['kind'] | 'all'; readonly id: string }[],
      }
    );
  }

  alert(workspaceId: string, id: string): { readonly kind: string; readonly ref: string } | undefined {
    return this.#sql('SELECT kind, ref FROM alerts WHERE id = ? AND workspace_id = ?').get(id, workspaceId) as
      | { kind: string; ref: string }
      | undefined;
  }

  // — uses: where records are shown —

  /** Returns the playlist of a draft's item, and the screen that owns the playlist. */
  itemOf(workspaceId: string, itemId: number) {
    return this.#sql(
      `SELECT p.id AS playlistId, p.owner_device_id AS owner,
         EXISTS (SELECT 1 FROM published_items o WHERE o.playlist_id = p.id AND o.id = i.id) AS isPublished
       FROM playlist_items i JOIN playlists p ON p.id = i.playlist_id WHERE i.id = ? AND p.workspace_id = ?`,
    ).get(itemId, workspaceId) as { playlistId: string; owner: string | null; isPublished: 0 | 1 } | undefined;
  }

  /** Returns the names of a screen's own playlist and of the screen; undefined for every other playlist. */
  ownPlaylist(workspaceId: string, id: string): { readonly name: string; readonly screen: string } | undefined {
    return this.#sql(
      `SELECT p.name, coalesce(d.name, p.name) AS screen FROM playlists p LEFT JOIN devices d ON d.id = p.owner_device_id
       WHERE p.id = ? AND p.workspace_id = ? AND p.owner_device_id IS NOT NULL`,
    ).get(id, workspaceId) as { name: string; screen: string } | undefined;
  }

  /** Returns the user who added a content; null when unknown, undefined when the content does not exist. */
  uploaderOf(workspaceId: string, contentId: string): string | null | undefined {
    return this.#sql('SELECT uploaded_by FROM content WHERE id = ? AND workspace_id = ?')
      .pluck()
      .get(contentId, workspaceId) as string | null | undefined;
  }

  playlistOfRequest(workspaceId: string, id: string): string | undefined {
    return this.#list('SELECT playlist_id FROM publish_requests WHERE id = ? AND workspace_id = ?', id, workspaceId)[0];
  }

  /** Returns the playlist of headquarters that contains the slot (a place that the store fills). */
  playlistOfSlot(workspaceId: string, id: string): string | undefined {
    return this.#list(
      'SELECT i.playlist_id FROM published_items i JOIN playlists p ON p.id = i.playlist_id WHERE i.slot_id = ? AND p.workspace_id = ?',
      id,
      workspaceId,
    )[0];
  }

  planOfSchedule(workspaceId: string, id: string): string | undefined {
    return this.#list('SELECT plan_id FROM schedules WHERE id = ? AND workspace_id = ?', id, workspaceId)[0];
  }

  /** Returns targets and content of a plan; undefined when the plan does not exist. */
  plan(workspaceId: string, id: string) {
    const shown = this.#sql('SELECT content_id, widget_id FROM plans WHERE id = ? AND workspace_id = ?').get(
      id,
      workspaceId,
    ) as { content_id: string | null; widget_id: string | null } | undefined;
    const targets = this.#sql('SELECT kind, ref AS id FROM plan_targets WHERE plan_id = ?');
    return shown && { ...shown, targets: targets.all(id) as PlanTarget[] };
  }

  /**
   * Returns the records that show a record as a part of themselves: widgets and kiosk pages whose config contains its id
   * (a picture, a page, or another widget), and designs.
   */
  naming(
    workspaceId: string,
    id: string,
  ): { readonly widgets: string[]; readonly kiosk: string[]; readonly designs: ShowingDesign[] } {
    const from = (table: string) =>
      this.#list(
        `SELECT id FROM ${table} WHERE workspace_id = ? AND id <> ? AND instr(config, ?) > 0`,
        workspaceId,
        id,
        id,
      );
    return {
      widgets: from('widgets'),
      kiosk: from('kiosk_pages'),
      designs: designsShowing(this.#db, workspaceId, id),
    };
  }

  /**
   * Returns whether screens show the record, or can show it later without another action of a person, such as by a
   * plan. Records in the bin that use it are checked separately (features/bin).
   */
  stands(what: 'content' | 'widget', id: string): boolean {
    const text =
      what === 'content' ? `${CONTENT_STANDS}${waits('content_id')}` : `${WIDGET_STANDS}${waits('widget_id')}`;
    return this.#sql(`SELECT EXISTS (${text})`).pluck().get({ id }) === 1;
  }

  /** Returns the default content of a screen or group, which plays when nothing else does. */
  fallbackOf(what: 'device' | 'group', id: string): string | null {
    const table = what === 'device' ? 'devices' : '"groups"';
    return (
      (this.#list(`SELECT default_content_id FROM ${table} WHERE id = ?`, id)[0] as string | null | undefined) ?? null
    );
  }

  contentOfWall(id: string): string | null {
    return (this.#list('SELECT content_id FROM walls WHERE id = ?', id)[0] as string | null | undefined) ?? null;
  }

  /** Returns the content and the widget that a zone of a layout shows when no item fills it. */
  zone(layoutId: string, id: string) {
    return this.#sql('SELECT content_id, widget_id FROM zones WHERE id = ? AND layout_id = ?').get(id, layoutId) as
      | { readonly content_id: string | null; readonly widget_id: string | null }
      | undefined;
  }
}
