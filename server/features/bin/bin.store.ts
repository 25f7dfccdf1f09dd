import { BIN_DAYS, type BinEntry, type BinKind } from '../../../shared/contract/content/bin.ts';
import type { Database } from '../../db/database.ts';
import { fold } from '../../db/fold.ts';

const DAY = 86_400;

export interface BinRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly kind: BinKind;
  readonly ref: string;
  readonly name: string;
  /** Snapshot of the record, as JSON. */
  readonly record: string;
  readonly bytes: number;
  readonly user_id: string | null;
  readonly user_name: string;
  readonly created_at: number;
}
interface Filter {
  readonly kind?: BinKind | undefined;
  readonly q?: string | undefined;
  readonly ref?: string | undefined;
}

const MATCHING =
  'workspace_id = @workspaceId AND (@kind IS NULL OR kind = @kind) AND (@ref IS NULL OR ref = @ref) AND (@q IS NULL OR instr(vitrine_fold(name), @q) > 0)';

const ENTRY = `bin.id, kind, ref, name, bytes, user_id, user_name, created_at, created_at + ${BIN_DAYS * DAY} AS until,
  json_extract(record, '$.count') AS places`;

/** SQL for deleted and replaced records. Lists do not read the snapshots, which are as large as the records. */
export class BinStore {
  readonly #statements;

  constructor(db: Database) {
    const p = (sql: string) => db.raw.prepare(sql);
    this.#statements = {
      insert: p(
        `INSERT INTO bin (id, workspace_id, kind, ref, name, record, bytes, user_id, user_name, created_at)
         VALUES (@id, @workspace_id, @kind, @ref, @name, @record, @bytes, @user_id, @user_name, @created_at)`,
      ),
      addFile: p('INSERT OR IGNORE INTO bin_files (bin_id, sha256) VALUES (?, ?)'),
      find: p('SELECT * FROM bin WHERE id = ? AND workspace_id = ?'),
      some: p(
        `SELECT ${ENTRY} FROM json_each(@ids) i JOIN bin ON bin.id = i.value WHERE workspace_id = @workspaceId ORDER BY i.key`,
      ),
      list: p(
        `SELECT ${ENTRY} FROM bin WHERE ${MATCHING} ORDER BY created_at DESC, id DESC LIMIT @limit OFFSET @offset`,
      ),
      count: p(`SELECT count(*) FROM bin WHERE ${MATCHING}`).pluck(),
      delete: p('DELETE FROM bin WHERE id = ?'),
      empty: p('DELETE FROM bin WHERE workspace_id = ?'),
      oldest: p('SELECT id, workspace_id, name, bytes FROM bin WHERE bytes > 0 ORDER BY created_at, id LIMIT 1'),
    };
  }

  insert(row: BinRow, files: readonly string[]): void {
    this.#statements.insert.run(row);
    for (const sha256 of files) this.#statements.addFile.run(row.id, sha256);
  }

  find(workspaceId: string, id: string): BinRow | undefined {
    return this.#statements.find.get(id, workspaceId) as BinRow | undefined;
  }

  /** Returns a page of the list of entries, newest first, and the total. */
  page(
    workspaceId: string,
    { kind, q, ref, limit, offset }: Filter & { readonly limit: number; readonly offset: number },
  ): { records: BinEntry[]; total: number } {
    const asked = { workspaceId, kind: kind ?? null, ref: ref ?? null, q: q === undefined ? null : fold(q) };
    return {
      records: this.#statements.list.all({ ...asked, limit, offset }) as BinEntry[],
      total: this.#statements.count.get(asked) as number,
    };
  }

  /** Returns the given entries, in the given order. */
  some(workspaceId: string, ids: readonly string[]): BinEntry[] {
    return this.#statements.some.all({ workspaceId, ids: JSON.stringify(ids) }) as BinEntry[];
  }

  delete(id: string): void {
    this.#statements.delete.run(id);
  }

  /**
   * Deletes all entries of a workspace.
   * @returns the number of deleted entries
   */
  empty(workspaceId: string): number {
    return this.#statements.empty.run(workspaceId).changes;
  }

  /** Returns the oldest entry with files. */
  oldestWithFiles(): Pick<BinRow, 'id' | 'workspace_id' | 'name' | 'bytes'> | undefined {
    return this.#statements.oldest.get() as Pick<BinRow, 'id' | 'workspace_id' | 'name' | 'bytes'> | undefined;
  }
}
