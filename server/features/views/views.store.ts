import type { View } from '../../../shared/contract/screens/views.ts';
import type { Database } from '../../db/database.ts';
import { and, asc, eq, sql } from '../../db/drizzle.ts';
import { views } from '../../db/schema.ts';

/** Owner of views: a user in a workspace. */
export interface Owner {
  readonly workspaceId: string;
  readonly userId: string;
}

export class ViewsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(owner: Owner): View[] {
    const { id, name, query, created_at } = views;
    return this.#db.orm
      .select({ id, name, query, created_at })
      .from(views)
      .where(isOf(owner))
      .orderBy(sql`vitrine_order(${name})`, asc(id))
      .all() as View[];
  }

  insert({ workspaceId, userId }: Owner, view: View): void {
    this.#db.orm
      .insert(views)
      .values({ ...view, workspace_id: workspaceId, user_id: userId })
      .run();
  }

  update(owner: Owner, id: string, change: Partial<Pick<View, 'name' | 'query'>>): void {
    this.#db.orm
      .update(views)
      .set(change)
      .where(and(isOf(owner), eq(views.id, id)))
      .run();
  }

  /** @returns whether the view existed */
  delete(owner: Owner, id: string): boolean {
    return (
      this.#db.orm
        .delete(views)
        .where(and(isOf(owner), eq(views.id, id)))
        .run().changes > 0
    );
  }
}

const isOf = ({ workspaceId, userId }: Owner) => and(eq(views.workspace_id, workspaceId), eq(views.user_id, userId));
