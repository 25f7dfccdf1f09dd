import type { Database } from '../../db/database.ts';
import { and, asc, count, eq, inArray, sql } from '../../db/drizzle.ts';
import { content, folders } from '../../db/schema.ts';

export type FolderRow = typeof folders.$inferSelect;

export class FoldersStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(workspaceId: string): FolderRow[] {
    return this.#db.orm
      .select()
      .from(folders)
      .where(eq(folders.workspace_id, workspaceId))
      .orderBy(asc(folders.created_at), asc(folders.id))
      .all();
  }

  find(workspaceId: string, id: string): FolderRow | undefined {
    return this.#db.orm
      .select()
      .from(folders)
      .where(and(eq(folders.id, id), eq(folders.workspace_id, workspaceId)))
      .get();
  }

  count(workspaceId: string): number {
    return this.#db.orm.select({ n: count() }).from(folders).where(eq(folders.workspace_id, workspaceId)).get()!.n;
  }

  /** The folder and all beneath it. */
  subtree(workspaceId: string, id: string): string[] {
    return this.#db.raw
      .prepare(
        `WITH RECURSIVE tree(id) AS (
           SELECT id FROM folders WHERE id = @id AND workspace_id = @workspaceId
           UNION SELECT f.id FROM folders f JOIN tree ON f.parent_id = tree.id WHERE f.workspace_id = @workspaceId
         ) SELECT id FROM tree`,
      )
      .pluck()
      .all({ id, workspaceId }) as string[];
  }

  insert(row: FolderRow): FolderRow {
    return this.#db.orm.insert(folders).values(row).returning().get();
  }

  update(id: string, change: Partial<FolderRow>): FolderRow {
    return this.#db.orm.update(folders).set(change).where(eq(folders.id, id)).returning().get();
  }

  /** Their content moves to the root; returns which. */
  delete(ids: readonly string[]): string[] {
    const moved = this.#db.orm
      .update(content)
      .set({ folder_id: null, revision: sql`${content.revision} + 1` })
      .where(inArray(content.folder_id, [...ids]))
      .returning({ id: content.id })
      .all();
    this.#db.orm
      .delete(folders)
      .where(inArray(folders.id, [...ids]))
      .run();
    return moved.map((row) => row.id);
  }
}
