import type { PublishRequest } from '../../../shared/contract/people/approvals.ts';
import type { Database } from '../../db/database.ts';
import type { publishRequests } from '../../db/schema.ts';
import type { Reader } from '../../mails/words.ts';

type Row = typeof publishRequests.$inferSelect;
/**
 * `is_stale`: whether the playlist was edited since the request. `shows`: JSON of the hashes of the shown records at
 * the time of the request (ShownStore); null for older requests.
 */
export type RequestRow = Omit<PublishRequest, 'is_stale' | 'changed'> & {
  readonly is_stale: 0 | 1;
  readonly shows: string | null;
  readonly workspace_id: string;
};
export type Decision = Pick<Row, 'state' | 'decided_at' | 'decided_by' | 'decided_by_name' | 'answer'>;

interface Filter {
  readonly state: 'waiting' | 'decided' | undefined;
  readonly playlist_id: string | undefined;
}

const STALE = `(r.state = 'waiting' AND r.revision <> p.revision)`;
const COLUMNS = `r.id, r.workspace_id, r.playlist_id, p.name AS playlist_name, r.revision, r.shows, r.user_id, r.user_name, r.note, r.created_at, r.state,
  ${STALE} AS is_stale, r.decided_at, r.decided_by, r.decided_by_name, r.answer`;
const FROM = 'FROM publish_requests r JOIN playlists p ON p.id = r.playlist_id';
const MATCHING = `WHERE r.workspace_id = @workspaceId AND (@playlistId IS NULL OR r.playlist_id = @playlistId)
  AND (@state IS NULL OR (r.state = 'waiting') = (@state = 'waiting'))`;

/** Stores requests to publish, and decisions about them. */
export class ApprovalsStore {
  readonly #statements;

  constructor(db: Database) {
    const p = (sql: string) => db.raw.prepare(sql);
    this.#statements = {
      insert: p(
        `INSERT INTO publish_requests (id, workspace_id, playlist_id, revision, shows, user_id, user_name, note, created_at)
         VALUES (@id, @workspace_id, @playlist_id, @revision, @shows, @user_id, @user_name, @note, @created_at)`,
      ),
      find: p(`SELECT ${COLUMNS} ${FROM} WHERE r.id = ? AND r.workspace_id = ?`),
      waiting: p(`SELECT ${COLUMNS} ${FROM} WHERE r.playlist_id = ? AND r.state = 'waiting'`),
      decide: p(
        `UPDATE publish_requests SET state = @state, decided_at = @decided_at, decided_by = @decided_by,
           decided_by_name = @decided_by_name, answer = @answer WHERE id = @id`,
      ),
      longest: p(`SELECT ${COLUMNS} ${FROM} ${MATCHING} ORDER BY r.created_at, r.id LIMIT @limit OFFSET @offset`),
      newest: p(
        `SELECT ${COLUMNS} ${FROM} ${MATCHING} ORDER BY coalesce(r.decided_at, r.created_at) DESC, r.id DESC LIMIT @limit OFFSET @offset`,
      ),
      count: p(`SELECT count(*) ${FROM} ${MATCHING}`).pluck(),
      current: p(
        `SELECT ${COLUMNS} ${FROM} WHERE r.workspace_id = ? AND r.state = 'waiting' AND NOT ${STALE} ORDER BY r.created_at, r.id`,
      ),
      ready: p(
        `SELECT ${COLUMNS} ${FROM} WHERE r.workspace_id = @workspaceId AND r.state = 'waiting' AND NOT ${STALE}
           AND r.id IN (SELECT value FROM json_each(@ids)) ORDER BY r.created_at, r.id`,
      ),
      isNeeded: p('SELECT approval FROM workspaces WHERE id = ?').pluck(),
      approvers: p(
        `SELECT u.id, u.email, u.language FROM users u JOIN workspace_members m ON m.user_id = u.id
         WHERE m.workspace_id = ? AND u.email_alerts = 1 AND (m.role = 'workspace_admin' OR (m.role = 'workspace_editor' AND m.approves = 1))
         ORDER BY u.email`,
      ),
    };
  }

  insert(
    row: Pick<
      Row,
      'id' | 'workspace_id' | 'playlist_id' | 'revision' | 'shows' | 'user_id' | 'user_name' | 'note' | 'created_at'
    >,
  ): void {
    this.#statements.insert.run(row);
  }

  find(workspaceId: string, id: string): RequestRow | undefined {
    return this.#statements.find.get(id, workspaceId) as RequestRow | undefined;
  }

  /** Returns the waiting request of a playlist, even if the playlist was edited since. */
  waiting(playlistId: string): RequestRow | undefined {
    return this.#statements.waiting.get(playlistId) as RequestRow | undefined;
  }

  decide(id: string, decision: Decision): void {
    this.#statements.decide.run({ id, ...decision });
  }

  /**
   * Returns a page of the list of requests: waiting requests with the longest waiting first, decided requests with the
   * newest first.
   */
  page(
    workspaceId: string,
    { state, playlist_id }: Filter,
    page: { readonly limit: number; readonly offset: number },
  ): { rows: RequestRow[]; total: number } {
    const asked = { workspaceId, state: state ?? null, playlistId: playlist_id ?? null };
    const { longest, newest, count } = this.#statements;
    return {
      rows: (state === 'waiting' ? longest : newest).all({ ...asked, ...page }) as RequestRow[],
      total: count.get(asked) as number,
    };
  }

  /** Returns waiting requests whose playlists were not edited since the request, longest waiting first. */
  current(workspaceId: string): RequestRow[] {
    return this.#statements.current.all(workspaceId) as RequestRow[];
  }

  /** Returns the given requests that can be approved now, longest waiting first. */
  ready(workspaceId: string, ids: readonly string[]): RequestRow[] {
    return this.#statements.ready.all({ workspaceId, ids: JSON.stringify(ids) }) as RequestRow[];
  }

  /** Returns whether publishing needs approval in the workspace. */
  isNeeded(workspaceId: string): boolean {
    return this.#statements.isNeeded.get(workspaceId) === 1;
  }

  /** Returns members who approve and want mails. */
  approvers(workspaceId: string): (Reader & { readonly id: string })[] {
    return this.#statements.approvers.all(workspaceId) as (Reader & { id: string })[];
  }
}
