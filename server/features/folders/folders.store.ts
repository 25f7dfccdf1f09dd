import type { Database } from '../../db/database.ts';
import { inArray, sql } from '../../db/drizzle.ts';
import { content, folders } from '../../db/schema.ts';
import { RecordsStore } from '../records.store.ts';

export type FolderRow = typeof folders.$inferSelect;

export class FoldersStore extends RecordsStore<typeof folders> {
  constructor(db: Database) {
    super(db, folders);
  }

  /** Returns the folder and all folders beneath it. */
  subtree(workspaceId: string, id: string): string[] {
    return this.db.raw
      .prepare(
        `WITH RECURSIVE tree(id) AS (
           SELECT id FROM folders WHERE id = @id AND workspace_id = @workspaceId
           UNION SELECT f.id FROM folders f JOIN tree ON f.parent_id = tree.id WHERE f.workspace_id = @workspaceId
         ) SELECT id FROM tree`,
      )
      .pluck()
      .all({ id, workspaceId }) as string[];
  }

  /** Deletes folders. The content in these folders moves to the root. Returns the ids of that content. */
  deleteAll(ids: readonly string[]): string[] {
    const moved = this.db.orm
      .update(content)
      .set({ folder_id: null, revision: sql`${content.revision} + 1` })
      .where(inArray(content.folder_id, [...ids]))
      .returning({ id: content.id })
      .all();
    this.db.orm
      .delete(folders)
      .where(inArray(folders.id, [...ids]))
      .run();
    return moved.map((row) => row.id);
  }
}
