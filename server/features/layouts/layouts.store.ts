import type { Owner } from '../../../shared/contract/people/owner.ts';
import type { Database } from '../../db/database.ts';
import { and, asc, eq, inArray, isNull, or, sql } from '../../db/drizzle.ts';
import { layouts, plans, playlistItems, playlists, publishedItems, schedules, zones } from '../../db/schema.ts';
import { ofOwner, RecordsStore } from '../records.store.ts';

export type LayoutRow = typeof layouts.$inferSelect;
export type ZoneRow = typeof zones.$inferSelect;

/** Filter of layouts by owner. Without an owner, the layouts of both the store and headquarters are returned. */
export interface WhichLayouts {
  readonly templatesOnly: boolean;
  readonly owner?: Owner | undefined;
}

export class LayoutsStore extends RecordsStore<typeof layouts> {
  constructor(db: Database) {
    super(db, layouts);
  }

  /** Returns the templates, then the workspace's own layouts, oldest first. */
  list(workspaceId: string, { templatesOnly, owner }: WhichLayouts): LayoutRow[] {
    const own = ofOwner(layouts, 'layouts', { workspaceId, owner });
    const isTemplate = isNull(layouts.workspace_id);
    const seen = templatesOnly ? isTemplate : owner === undefined ? or(isTemplate, own) : own;
    return this.db.orm
      .select()
      .from(layouts)
      .where(seen)
      .orderBy(sql`${layouts.is_template} DESC`, asc(layouts.created_at), asc(layouts.id))
      .all();
  }

  /** Returns a layout of the workspace, or a template. */
  override find(workspaceId: string, id: string): LayoutRow | undefined {
    return this.db.orm
      .select()
      .from(layouts)
      .where(and(eq(layouts.id, id), or(isNull(layouts.workspace_id), eq(layouts.workspace_id, workspaceId))))
      .get();
  }

  zonesOf(layoutIds: readonly string[]): ZoneRow[] {
    return this.db.orm
      .select()
      .from(zones)
      .where(inArray(zones.layout_id, [...layoutIds]))
      .orderBy(asc(zones.position), asc(zones.id))
      .all();
  }

  /** Returns a zone of the workspace's layouts, or of a template. */
  findZone(workspaceId: string, zoneId: string): ZoneRow | undefined {
    return this.db.orm
      .select({ zone: zones })
      .from(zones)
      .innerJoin(layouts, eq(layouts.id, zones.layout_id))
      .where(and(eq(zones.id, zoneId), or(isNull(layouts.workspace_id), eq(layouts.workspace_id, workspaceId))))
      .get()?.zone;
  }

  insertMissing(row: typeof layouts.$inferInsert): boolean {
    return this.db.orm.insert(layouts).values(row).onConflictDoNothing().run().changes > 0;
  }

  insertZone(row: typeof zones.$inferInsert): ZoneRow {
    return this.db.orm.insert(zones).values(row).returning().get();
  }

  updateZone(id: string, change: Partial<typeof zones.$inferInsert>): void {
    this.db.orm.update(zones).set(change).where(eq(zones.id, id)).run();
  }

  deleteZones(ids: readonly string[]): void {
    this.db.orm
      .delete(zones)
      .where(inArray(zones.id, [...ids]))
      .run();
  }

  /**
   * Clears these zones from items and schedules, which then play in the largest zone.
   * @returns the playlists of these items, which have changed
   */
  forgetZones(ids: readonly string[]): string[] {
    const { orm } = this.db;
    const holding = (items: typeof playlistItems | typeof publishedItems) =>
      inArray(
        playlists.id,
        orm
          .select({ id: items.playlist_id })
          .from(items)
          .where(inArray(items.zone_id, [...ids])),
      );
    const edited = orm
      .update(playlists)
      .set({ revision: sql`${playlists.revision} + 1` })
      .where(or(holding(playlistItems), holding(publishedItems)))
      .returning({ id: playlists.id })
      .all();
    orm
      .update(plans)
      .set({ revision: sql`${plans.revision} + 1` })
      .where(inArray(plans.zone_id, [...ids]))
      .run();
    for (const table of [playlistItems, publishedItems, plans, schedules]) {
      orm
        .update(table)
        .set({ zone_id: null })
        .where(inArray(table.zone_id, [...ids]))
        .run();
    }
    return edited.map((row) => row.id);
  }
}
