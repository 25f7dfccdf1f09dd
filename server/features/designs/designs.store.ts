/** Reads what the pages of designs need from other records: workspaces and files of contents. */
import type { ContentKind } from '../../../shared/contract/content/content.ts';
import type { Asset } from '../../../shared/program/program.ts';
import type { Database } from '../../db/database.ts';
import { and, eq, sql } from '../../db/drizzle.ts';
import { blobs, content } from '../../db/schema.ts';

/** A content of the library that a design shows. */
interface ShownFile {
  readonly id: string;
  readonly kind: ContentKind;
  readonly asset: Asset;
}

export class DesignsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns the id of the workspace of a content. */
  workspaceOf(contentId: string): string | undefined {
    return this.#db.orm.select({ id: content.workspace_id }).from(content).where(eq(content.id, contentId)).get()?.id;
  }

  /** Returns the pictures and clips among these contents that have a file, in the given order. */
  files(workspaceId: string, ids: readonly string[]): ShownFile[] {
    const rows = this.#db.orm
      .select({ id: content.id, kind: content.kind, sha256: blobs.sha256, size: blobs.size, mime: blobs.mime })
      .from(content)
      .innerJoin(blobs, eq(blobs.sha256, content.sha256))
      .where(
        and(
          eq(content.workspace_id, workspaceId),
          sql`${content.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
        ),
      )
      .all();
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id): ShownFile[] => {
      const row = byId.get(id);
      if (!row || (row.kind !== 'image' && row.kind !== 'video')) return [];
      const { sha256, size, mime, kind } = row;
      return [{ id, kind, asset: { sha256, size, mime } }];
    });
  }
}
