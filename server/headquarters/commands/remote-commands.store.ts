/** Stores commands: one row per command, and one row for each target store. */
import {
  REMOTE_COMMAND_STATES,
  type RemoteCommandState,
  type RemoteCommandStore,
} from '../../../shared/contract/headquarters/remote-commands.ts';
import type { Database } from '../../db/database.ts';

export interface RemoteCommandRow {
  readonly id: string;
  readonly workspace_id: string;
  /** JSON of the command. */
  readonly command: string;
  readonly tag: string | null;
  /** JSON of the sender and the sender's role, as stores see them. */
  readonly visitor: string;
  /** Time of creation in epoch milliseconds. */
  readonly created_at: number;
  readonly expires_at: number;
}

export interface Count {
  readonly state: RemoteCommandState;
  readonly stores: number;
  readonly screens: number;
  readonly acked: number;
  readonly failed: number;
}

/** The oldest open command for a store that has not expired. */
export type NextRow = RemoteCommandRow & {
  readonly state: 'waiting' | 'told';
  /** Time at which the command was sent, epoch milliseconds; null: the command was not sent. */
  readonly at: number | null;
};

/** Identifies a command for one store: the id of the command and the number of the store. */
export interface Whose {
  readonly order: string;
  readonly store: number;
}

export type Settled = Pick<RemoteCommandStore, 'state' | 'screens' | 'acked' | 'failed' | 'error'> & {
  /** Time of the result, in epoch milliseconds. */
  readonly at: number;
};

const OPEN = "state IN ('waiting', 'told')";
const WORST = `CASE os.state ${REMOTE_COMMAND_STATES.map((state, i) => `WHEN '${state}' THEN ${i}`).join(' ')} END`;

const LISTED = "workspace_id = @workspaceId AND (@by IS NULL OR visitor->>'id' = @by)";

export class RemoteCommandsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @param stores store numbers */
  insert(row: RemoteCommandRow, stores: readonly number[]): void {
    const { raw } = this.#db;
    raw
      .prepare(
        'INSERT INTO hq_orders (id, workspace_id, command, tag, visitor, created_at, expires_at) VALUES (@id, @workspace_id, @command, @tag, @visitor, @created_at, @expires_at)',
      )
      .run(row);
    raw
      .prepare('INSERT INTO hq_order_stores (order_id, store) SELECT ?, value FROM json_each(?)')
      .run(row.id, JSON.stringify(stores));
  }

  find(workspaceId: string, id: string): RemoteCommandRow | undefined {
    return this.#db.raw.prepare('SELECT * FROM hq_orders WHERE id = ? AND workspace_id = ?').get(id, workspaceId) as
      | RemoteCommandRow
      | undefined;
  }

  /**
   * Returns commands, newest first. Of two commands with the same time, the command that was created later comes
   * first.
   * @param by id of the author; absent: any author
   */
  list(workspaceId: string, { limit, offset }: { limit: number; offset: number }, by?: string): RemoteCommandRow[] {
    return this.#db.raw
      .prepare(
        `SELECT * FROM hq_orders WHERE ${LISTED} ORDER BY created_at DESC, rowid DESC LIMIT @limit OFFSET @offset`,
      )
      .all({ workspaceId, by, limit, offset }) as RemoteCommandRow[];
  }

  count(workspaceId: string, by?: string): number {
    return this.#db.raw
      .prepare(`SELECT count(*) FROM hq_orders WHERE ${LISTED}`)
      .pluck()
      .get({ workspaceId, by }) as number;
  }

  /** Returns the ids of all commands of a workspace, the oldest first. */
  ids(workspaceId: string): string[] {
    return this.#db.raw
      .prepare('SELECT id FROM hq_orders WHERE workspace_id = ? ORDER BY created_at, rowid')
      .pluck()
      .all(workspaceId) as string[];
  }

  /** Returns the ids of commands that have not expired. @param now epoch milliseconds */
  unexpired(workspaceId: string, now: number): string[] {
    return this.#db.raw
      .prepare('SELECT id FROM hq_orders WHERE workspace_id = ? AND expires_at > ?')
      .pluck()
      .all(workspaceId, now) as string[];
  }

  delete(id: string): void {
    this.#db.raw.prepare('DELETE FROM hq_orders WHERE id = ?').run(id);
  }

  /** Returns whether the command is still open: at least one store has not received it or has not answered it. */
  isOpen(id: string): boolean {
    return (
      this.#db.raw.prepare(`SELECT 1 FROM hq_order_stores WHERE order_id = ? AND ${OPEN} LIMIT 1`).get(id) !== undefined
    );
  }

  /** Returns the numbers of stores and screens for each state. */
  counts(id: string): Count[] {
    return this.#db.raw
      .prepare(
        `SELECT state, count(*) AS stores, sum(screens) AS screens, sum(acked) AS acked, sum(failed) AS failed
           FROM hq_order_stores WHERE order_id = ? GROUP BY state`,
      )
      .all(id) as Count[];
  }

  /**
   * Returns the stores of a command, sorted by state (the worst first), then by name.
   * @param state undefined: any state
   */
  stores(
    id: string,
    { state, limit, offset }: { state: RemoteCommandState | undefined; limit: number; offset: number },
  ): RemoteCommandStore[] {
    return this.#db.raw
      .prepare(
        `SELECT s.ref AS store_id, s.name AS store_name, s.region, os.state, os.screens, os.acked, os.failed, os.error,
             os.at / 1000 AS at
           FROM hq_order_stores os JOIN hq_stores s ON s.id = os.store
           WHERE os.order_id = @id ${state === undefined ? '' : 'AND os.state = @state'}
           ORDER BY ${WORST}, vitrine_order(s.name), s.id LIMIT @limit OFFSET @offset`,
      )
      .all({ id, state, limit, offset }) as RemoteCommandStore[];
  }

  /** Returns the oldest open command of a store that has not expired. @param now epoch milliseconds */
  next(store: number, now: number): NextRow | undefined {
    return this.#db.raw
      .prepare(
        `SELECT o.*, os.state, os.at FROM hq_order_stores os JOIN hq_orders o ON o.id = os.order_id
           WHERE os.store = ? AND os.${OPEN} AND o.expires_at > ? ORDER BY o.created_at, o.rowid LIMIT 1`,
      )
      .get(store, now) as NextRow | undefined;
  }

  /** Returns the commands that a store received and did not answer. */
  listUnanswered(store: number): RemoteCommandRow[] {
    return this.#db.raw
      .prepare(
        `SELECT o.* FROM hq_order_stores os JOIN hq_orders o ON o.id = os.order_id
           WHERE os.store = ? AND os.state = 'told'`,
      )
      .all(store) as RemoteCommandRow[];
  }

  /** Marks a command as sent. @param at epoch milliseconds */
  markSent({ order, store }: Whose, at: number): void {
    this.#db.raw
      .prepare(`UPDATE hq_order_stores SET state = 'told', at = ? WHERE order_id = ? AND store = ? AND ${OPEN}`)
      .run(at, order, store);
  }

  /**
   * Marks a command as not sent, because the store was not reached. If this command expires, the store has certainly
   * not executed it.
   */
  markUnsent({ order, store }: Whose): void {
    this.#db.raw
      .prepare(
        `UPDATE hq_order_stores SET error = '', at = iif(state = 'told', NULL, at), state = iif(state = 'told', 'waiting', state)
           WHERE order_id = ? AND store = ? AND state IN ('told', 'expired')`,
      )
      .run(order, store);
  }

  /** Stores the answer of a store, also after expiry. */
  settle({ order, store }: Whose, result: Settled): void {
    this.#db.raw
      .prepare(
        `UPDATE hq_order_stores SET state = @state, screens = @screens, acked = @acked, failed = @failed, error = @error, at = @at
           WHERE order_id = @order AND store = @store AND state IN ('told', 'expired')`,
      )
      .run({ ...result, order, store });
  }

  /**
   * Returns the workspaces with commands that expired in this period.
   * @param from epoch milliseconds, excluded
   * @param to epoch milliseconds, included
   */
  ended(from: number, to: number): string[] {
    return this.#db.raw
      .prepare('SELECT DISTINCT workspace_id FROM hq_orders WHERE expires_at > ? AND expires_at <= ?')
      .pluck()
      .all(from, to) as string[];
  }

  /**
   * Expires the unanswered rows of the commands that end in this period.
   * @param unanswered error text for commands that were sent without an answer, and that the store may have executed
   */
  expire({ from, to, unanswered }: { from: number; to: number; unanswered: string }): void {
    this.#db.raw
      .prepare(
        `UPDATE hq_order_stores SET error = iif(state = 'told', @unanswered, ''), state = 'expired', at = @to
           WHERE order_id IN (SELECT id FROM hq_orders WHERE expires_at > @from AND expires_at <= @to) AND ${OPEN}`,
      )
      .run({ from, to, unanswered });
  }

  /** Returns whether the command was sent and not answered. */
  isTold({ order, store }: Whose): boolean {
    return (
      this.#db.raw
        .prepare("SELECT 1 FROM hq_order_stores WHERE order_id = ? AND store = ? AND state = 'told'")
        .get(order, store) !== undefined
    );
  }

  /**
   * Stops a command for all stores that have not answered.
   * @param at epoch milliseconds
   * @param unanswered as in {@link
   * expire}
   */
  cancel(order: string, { at, unanswered }: { at: number; unanswered: string }): void {
    const { raw } = this.#db;
    raw
      .prepare(
        `UPDATE hq_order_stores SET error = iif(state = 'told', @unanswered, ''), state = iif(state = 'told', 'expired', 'taken_back'), at = @at
           WHERE order_id = @order AND ${OPEN}`,
      )
      .run({ order, at, unanswered });
    raw.prepare('UPDATE hq_orders SET expires_at = min(expires_at, ?) WHERE id = ?').run(at, order);
  }
}
