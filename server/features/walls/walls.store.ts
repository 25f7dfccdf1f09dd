import type { Database } from '../../db/database.ts';
import { and, asc, eq, inArray, ne, sql } from '../../db/drizzle.ts';
import { devices, wallMembers, walls } from '../../db/schema.ts';
import { RecordsStore } from '../records.store.ts';

export type WallRow = typeof walls.$inferSelect;
type NewMemberRow = typeof wallMembers.$inferInsert;

export class WallsStore extends RecordsStore<typeof walls> {
  constructor(db: Database) {
    super(db, walls);
  }

  /** Returns the panels of a wall, sorted by row, then column. */
  members(wallIds: readonly string[]) {
    return this.db.orm
      .select({ member: wallMembers, device_name: devices.name })
      .from(wallMembers)
      .innerJoin(devices, eq(devices.id, wallMembers.device_id))
      .where(inArray(wallMembers.wall_id, [...wallIds]))
      .orderBy(asc(wallMembers.grid_row), asc(wallMembers.grid_col))
      .all()
      .map(({ member, device_name }) => ({ ...member, device_name }));
  }

  /**
   * Sets the panels of a wall, and removes these devices from other walls.
   * @returns other walls that lost a panel
   */
  replaceMembers(wallId: string, members: readonly NewMemberRow[]): string[] {
    const ids = members.map((m) => m.device_id);
    const moved = this.db.orm
      .selectDistinct({ wall: wallMembers.wall_id })
      .from(wallMembers)
      .where(and(inArray(wallMembers.device_id, ids), ne(wallMembers.wall_id, wallId)))
      .all()
      .map((row) => row.wall);
    this.db.orm.delete(wallMembers).where(eq(wallMembers.wall_id, wallId)).run();
    this.db.orm.delete(wallMembers).where(inArray(wallMembers.device_id, ids)).run();
    for (const member of members) this.db.orm.insert(wallMembers).values(member).run();
    return moved;
  }

  /** Clears the leader of a wall if it is no longer a panel of the wall. */
  clearLeaderOutside(wallId: string): void {
    this.db.orm
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
    const found = this.db.orm
      .select({ id: devices.id })
      .from(devices)
      .where(and(eq(devices.workspace_id, workspaceId), inArray(devices.id, [...ids])))
      .all();
    return new Set(found.map((row) => row.id));
  }
}
