/** Reads what designs need from other records: documents, workspaces, files of contents. Saves thumbnails. */
import type { ContentKind } from '../../../shared/contract/content/content.ts';
import type { Asset } from '../../../shared/program/program.ts';
import type { Database } from '../../db/database.ts';
import { and, desc, eq, inArray, isNotNull, sql } from '../../db/drizzle.ts';
import { blobs, content } from '../../db/schema.ts';

/** A content of the library that a design shows. */
interface ShownFile {
  readonly id: string;
  readonly kind: ContentKind;
  readonly asset: Asset;
}

/** A content that is a design, with its document and thumbnail. */
export interface StoredDesign {
  readonly id: string;
  readonly sha256: string;
  readonly thumbnail: string | null;
  readonly workspaceId: string;
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

  /** Returns id and document of the designs of a workspace, or of all workspaces; newest first. */
  designs(workspaceId?: string): { readonly id: string; readonly sha256: string }[] {
    const rows = this.#db.orm
      .select({ id: content.id, sha256: content.sha256 })
      .from(content)
      .where(
        and(
          eq(content.kind, 'design'),
          isNotNull(content.sha256),
          workspaceId === undefined ? undefined : eq(content.workspace_id, workspaceId),
        ),
      )
      .orderBy(desc(content.created_at))
      .all();
    return rows.map(({ id, sha256 }) => ({ id, sha256: sha256! }));
  }

  design(id: string): StoredDesign | undefined {
    const row = this.#db.orm
      .select({ sha256: content.sha256, thumbnail: content.thumbnail, workspaceId: content.workspace_id })
      .from(content)
      .where(and(eq(content.id, id), eq(content.kind, 'design')))
      .get();
    if (!row?.sha256) return undefined;
    const { sha256, thumbnail, workspaceId } = row;
    return { id, sha256, thumbnail, workspaceId };
  }

  /** Returns the thumbnails of pictures and clips among these contents, in the given order. */
  thumbnails(workspaceId: string, ids: readonly string[]): { readonly id: string; readonly thumbnail: string }[] {
    const rows = this.#db.orm
      .select({ id: content.id, thumbnail: content.thumbnail })
      .from(content)
      .where(
        and(
          eq(content.workspace_id, workspaceId),
          inArray(content.kind, ['image', 'video']),
          isNotNull(content.thumbnail),
          sql`${content.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
        ),
      )
      .all();
    const byId = new Map(rows.map((row) => [row.id, row.thumbnail]));
    return ids.flatMap((id) => {
      const thumbnail = byId.get(id);
      return thumbnail ? [{ id, thumbnail }] : [];
    });
  }

  /** Saves a thumbnail. Does not raise the revision, so no edit becomes stale. */
  setThumbnail(
    id: string,
    file: { readonly sha256: string; readonly size: number; readonly created_at: number },
  ): void {
    this.#db.orm
      .insert(blobs)
      .values({ ...file, mime: 'image/webp' })
      .onConflictDoNothing()
      .run();
    this.#db.orm.update(content).set({ thumbnail: file.sha256 }).where(eq(content.id, id)).run();
  }
}
