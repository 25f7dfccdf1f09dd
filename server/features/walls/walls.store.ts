import type { Database } from '../../db/database.ts';
import { and, asc, eq, inArray, ne, sql } from '../../db/drizzle.ts';
import { content, devices, playlists, wallMembers, walls } from '../../db/schema.ts';

export type WallRow = typeof walls.$inferSelect;
type NewMemberRow = typeof wallMembers.$inferInsert;

export class WallsStore {
  readonly #db: Database;
  readonly #count;

  constructor(db: Database) {
    this.#db = db;
    this.#count = db.raw.prepare('SELECT count(*) FROM walls WHERE workspace_id = ?').pluck();
  }

  list(workspaceId: string): WallRow[] {
    return this.#db.orm
      .select()
      .from(walls)
      .where(eq(walls.workspace_id, workspaceId))
      .orderBy(asc(walls.created_at), asc(walls.id))
      .all();
  }

  count(workspaceId: string): number {
    return this.#count.get(workspaceId) as number;
  }

  find(workspaceId: string, id: string): WallRow | undefined {
    return this.#db.orm
      .select()
      .from(walls)
      .where(and(eq(walls.id, id), eq(walls.workspace_id, workspaceId)))
      .get();
  }

  insert(row: typeof walls.$inferInsert): WallRow {
    return this.#db.orm.insert(walls).values(row).returning().get();
  }

  update(id: string, change: Partial<typeof walls.$inferInsert>): WallRow {
    return this.#db.orm
      .update(walls)
      .set({ ...change, revision: sql`${walls.revision} + 1` })
      .where(eq(walls.id, id))
      .returning()
      .get();
  }

  delete(id: string): void {
    this.#db.orm.delete(walls).where(eq(walls.id, id)).run();
  }

  /** By row, then column. */
  members(wallIds: readonly string[]) {
    return this.#db.orm
      .select({ member: wallMembers, device_name: devices.name })
      .from(wallMembers)
      .innerJoin(devices, eq(devices.id, wallMembers.device_id))
      .where(inArray(wallMembers.wall_id, [...wallIds]))
      .orderBy(asc(wallMembers.grid_row), asc(wallMembers.grid_col))
      .all()
      .map(({ member, device_name }) => ({ ...member, device_name }));
  }

  /** Takes these devices out of whatever wall they are in. @returns other walls that lost a panel */
  replaceMembers(wallId: string, members: readonly NewMemberRow[]): string[] {
    const ids = members.map((m) => m.device_id);
    const moved = this.#db.orm
      .selectDistinct({ wall: wallMembers.wall_id })
      .from(wallMembers)
      .where(and(inArray(wallMembers.device_id, ids), ne(wallMembers.wall_id, wallId)))
      .all()
      .map((row) => row.wall);
    this.#db.orm.delete(wallMembers).where(eq(wallMembers.wall_id, wallId)).run();
    this.#db.orm.delete(wallMembers).where(inArray(wallMembers.device_id, ids)).run();
    for (const member of members) this.#db.orm.insert(wallMembers).values(member).run();
    return moved;
  }

  /** A wall whose leader is no member any more has none. */
  clearLeaderOutside(wallId: string): void {
    this.#db.orm
      .update(walls)
      .set({ leader_device_id: null })
      .where(
        and(
          eq(walls.id, wallId),
          sql`${walls.leader_device_id} NOT IN (SELECT device_id FROM wall_members WHERE wall_id = ${wallId})`,
        ),
      )
      .run();
  }

  devicesOf(workspaceId: string, ids: readonly string[]): Set<string> {
    const found = this.#db.orm
      .select({ id: devices.id })
      .from(devices)
      .where(and(eq(devices.workspace_id, workspaceId), inArray(devices.id, [...ids])))
      .all();
    return new Set(found.map((row) => row.id));
  }

  contentExists(workspaceId: string, id: string): boolean {
    return (
      this.#db.orm
        .select({ id: content.id })
        .from(content)
        .where(and(eq(content.id, id), eq(content.workspace_id, workspaceId)))
        .get() !== undefined
    );
  }

  playlistExists(workspaceId: string, id: string): boolean {
    return (
      this.#db.orm
        .select({ id: playlists.id })
        .from(playlists)
        .where(and(eq(playlists.id, id), eq(playlists.workspace_id, workspaceId)))
        .get() !== undefined
    );
  }
}
