import type { Database } from '../../db/database.ts';
import { and, asc, count, eq, sql } from '../../db/drizzle.ts';
import { kioskPages } from '../../db/schema.ts';

export type KioskRow = typeof kioskPages.$inferSelect;

export class KioskStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(workspaceId: string): KioskRow[] {
    return this.#db.orm
      .select()
      .from(kioskPages)
      .where(eq(kioskPages.workspace_id, workspaceId))
      .orderBy(asc(kioskPages.created_at), asc(kioskPages.id))
      .all();
  }

  count(workspaceId: string): number {
    return (
      this.#db.orm.select({ n: count() }).from(kioskPages).where(eq(kioskPages.workspace_id, workspaceId)).get()?.n ?? 0
    );
  }

  find(workspaceId: string, id: string): KioskRow | undefined {
    return this.#db.orm
      .select()
      .from(kioskPages)
      .where(and(eq(kioskPages.id, id), eq(kioskPages.workspace_id, workspaceId)))
      .get();
  }

  /** Of any workspace: its render page is public. */
  findAnywhere(id: string): KioskRow | undefined {
    return this.#db.orm.select().from(kioskPages).where(eq(kioskPages.id, id)).get();
  }

  insert(row: typeof kioskPages.$inferInsert): KioskRow {
    return this.#db.orm.insert(kioskPages).values(row).returning().get();
  }

  update(id: string, change: Partial<typeof kioskPages.$inferInsert>): KioskRow {
    return this.#db.orm
      .update(kioskPages)
      .set({ ...change, revision: sql`${kioskPages.revision} + 1` })
      .where(eq(kioskPages.id, id))
      .returning()
      .get();
  }

  delete(id: string): void {
    this.#db.orm.delete(kioskPages).where(eq(kioskPages.id, id)).run();
  }
}
