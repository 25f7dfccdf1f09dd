/** Reads and writes the brands of workspaces. */
import { workspaceCalled } from '../../../shared/contract/people/workspaces.ts';
import { type Brand, DEFAULT_BRAND, type StoredBrand } from '../../../shared/design/brand.ts';
import type { Database } from '../../db/database.ts';
import { eq } from '../../db/drizzle.ts';
import { organizations, workspaces } from '../../db/schema.ts';

export class BrandsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Returns the brand of a workspace, with the defaults for what was never set; undefined when there is no such
   * workspace. `displayName`: the name of the brand, or else of the workspace.
   */
  find(workspaceId: string): { readonly brand: Brand; readonly displayName: string } | undefined {
    const row = this.#db.orm
      .select({
        name: workspaces.name,
        organization: organizations.name,
        brand: workspaces.brand,
        logo_content_id: workspaces.logo_content_id,
        logo_dark_content_id: workspaces.logo_dark_content_id,
      })
      .from(workspaces)
      .innerJoin(organizations, eq(organizations.id, workspaces.organization_id))
      .where(eq(workspaces.id, workspaceId))
      .get();
    if (!row) return undefined;
    const { logo_content_id, logo_dark_content_id } = row;
    const brand = { ...DEFAULT_BRAND, ...row.brand, logo_content_id, logo_dark_content_id };
    return { brand, displayName: brand.name || workspaceCalled(row.name, row.organization) };
  }

  save(workspaceId: string, brand: Brand): void {
    const { logo_content_id, logo_dark_content_id, ...rest } = brand;
    this.#db.orm
      .update(workspaces)
      .set({ brand: rest satisfies StoredBrand, logo_content_id, logo_dark_content_id })
      .where(eq(workspaces.id, workspaceId))
      .run();
  }

  /** Returns the kind of a content of the workspace; undefined when the workspace has no such content. */
  kindOf(workspaceId: string, contentId: string): string | undefined {
    return this.#db.raw
      .prepare('SELECT kind FROM content WHERE id = ? AND workspace_id = ?')
      .pluck()
      .get(contentId, workspaceId) as string | undefined;
  }
}
