import type { ManagedKind } from '../../shared/contract/headquarters/managed.ts';
import type { Owner } from '../../shared/contract/people/owner.ts';
import type { Database } from '../db/database.ts';
import { type AnySQLiteColumn, and, asc, count, eq, type SQL, type SQLiteTable, sql } from '../db/drizzle.ts';
import { content, devices, groups, layouts, playlists, widgets } from '../db/schema.ts';

type RecordTable = SQLiteTable &
  Record<'id' | 'workspace_id' | 'created_at', AnySQLiteColumn> & {
    readonly revision?: AnySQLiteColumn;
    readonly name?: AnySQLiteColumn;
    readonly title?: AnySQLiteColumn;
  };

/** Columns of a schedule that refer to the records that it shows. */
const SHOWN = ['content_id', 'widget_id', 'layout_id', 'playlist_id'] as const;

const [id, workspaceId] = [sql.placeholder('id'), sql.placeholder('workspaceId')];
const finding = ({ orm }: Database, table: RecordTable) =>
  orm
    .select()
    .from(table)
    .where(and(eq(table.id, id), eq(table.workspace_id, workspaceId)))
    .prepare();
const counting = ({ orm }: Database, table: RecordTable) =>
  orm.select({ n: count() }).from(table).where(eq(table.workspace_id, workspaceId)).prepare();

/**
 * Returns the SQL condition for rows of a workspace: rows of the store itself, of headquarters, or of both. Rows of
 * headquarters may be few of many, so they are found by their ids; the `+` keeps SQLite from using the index by
 * workspace.
 */
export const ofOwner = (
  table: RecordTable,
  kind: ManagedKind,
  { workspaceId, owner }: { readonly workspaceId: string; readonly owner: Owner | undefined },
): SQL | undefined => {
  const isThere = eq(table.workspace_id, workspaceId);
  switch (owner) {
    case undefined:
      return isThere;
    case 'store':
      return and(
        isThere,
        sql`NOT EXISTS (SELECT 1 FROM chain_records r WHERE r.kind = ${kind} AND r.id = ${table}.id)`,
      );
    case 'headquarters':
      return sql`+${table}.workspace_id = ${workspaceId} AND ${table}.id IN (SELECT id FROM chain_records WHERE kind = ${kind} AND workspace_id = ${workspaceId})`;
    default:
      return owner satisfies never;
  }
};

/** SQL for rows of a table that belong to workspaces, and for checks of other records that nearly all tables need. */
export abstract class RecordsStore<T extends RecordTable> {
  protected readonly db: Database;
  readonly #table: RecordTable;
  /**
   * Statements that are prepared on first use, because building a statement costs more than running it, and must not
   * delay the start.
   */
  #find: ReturnType<typeof finding> | undefined;
  #count: ReturnType<typeof counting> | undefined;

  constructor(db: Database, table: T) {
    this.db = db;
    this.#table = table;
  }

  find(workspaceId: string, id: string): T['$inferSelect'] | undefined {
    this.#find ??= finding(this.db, this.#table);
    return this.#find.get({ workspaceId, id });
  }

  /** Returns the number of records in the workspace. */
  count(workspaceId: string): number {
    this.#count ??= counting(this.db, this.#table);
    return this.#count.get({ workspaceId })!.n;
  }

  /** Returns the names in the workspace that begin with `start`. */
  namesFrom(workspaceId: string, start: string): string[] {
    const { name, title, workspace_id } = this.#table;
    const column = name ?? title;
    if (!column) return [];
    return this.db.orm
      .select({ name: sql<string>`${column}` })
      .from(this.#table)
      .where(and(eq(workspace_id, workspaceId), sql`substr(${column}, 1, length(${start})) = ${start}`))
      .all()
      .map((row) => row.name);
  }

  /** Returns the records of the workspace, oldest first. */
  ofWorkspace(workspaceId: string): T['$inferSelect'][] {
    return this.oldestFirst(eq(this.#table.workspace_id, workspaceId));
  }

  protected oldestFirst(where: SQL | undefined): T['$inferSelect'][] {
    return this.db.orm
      .select()
      .from(this.#table)
      .where(where)
      .orderBy(asc(this.#table.created_at), asc(this.#table.id))
      .all();
  }

  insert(row: T['$inferInsert']): T['$inferSelect'] {
    return this.db.orm.insert(this.#table).values(row).returning().get();
  }

  /** Raises the revision of a record, if the table has revisions. */
  update(id: string, change: Partial<T['$inferInsert']>): T['$inferSelect'] {
    const { revision } = this.#table;
    return this.db.orm
      .update(this.#table)
      .set({ ...change, ...(revision && { revision: sql`${revision} + 1` }) })
      .where(eq(this.#table.id, id))
      .returning()
      .get();
  }

  delete(id: string): void {
    this.db.orm.delete(this.#table).where(eq(this.#table.id, id)).run();
  }

  /** Returns the columns of a device that are needed by records that refer to the device. */
  device(workspaceId: string, id: string) {
    const { name, playlist_id, timezone, revision } = devices;
    return this.db.orm
      .select({ id: devices.id, name, playlist_id, timezone, revision })
      .from(devices)
      .where(and(eq(devices.id, id), eq(devices.workspace_id, workspaceId)))
      .get();
  }

  /** Changes a reference of a device. @returns the device's revision */
  updateDevice(id: string, change: { playlist_id: string | null } | { layout_id: string | null }): number {
    return this.db.orm
      .update(devices)
      .set({ ...change, revision: sql`${devices.revision} + 1` })
      .where(eq(devices.id, id))
      .returning({ revision: devices.revision })
      .get().revision;
  }

  /**
   * Returns whether the workspace has the record. Layout templates belong to no workspace and are visible in all
   * workspaces.
   */
  exists(workspaceId: string, what: 'group' | 'content' | 'widget' | 'playlist' | 'layout', id: string): boolean {
    const table = { group: groups, content, widget: widgets, playlist: playlists, layout: layouts }[what];
    const row = this.db.orm.select({ workspace: table.workspace_id }).from(table).where(eq(table.id, id)).get();
    return row !== undefined && (row.workspace === workspaceId || row.workspace === null);
  }

  /**
   * Deletes plans, with their schedules, that show nothing else, and raises the revision of other plans that lose the
   * reference. Called within the write transaction that deletes the record, before references to it become null.
   */
  deleteSchedulesOfOnly(column: (typeof SHOWN)[number], id: string): void {
    const others = SHOWN.filter((other) => other !== column).map((other) => `${other} IS NULL`);
    const { raw } = this.db;
    raw.prepare(`DELETE FROM plans WHERE ${column} = ? AND ${others.join(' AND ')}`).run(id);
    raw.prepare(`UPDATE plans SET revision = revision + 1 WHERE ${column} = ?`).run(id);
  }
}
