/** Commands to stores, as they are kept: one row of a command, and one for each store that it goes to. */
import { ORDER_STATES, type OrderState, type OrderStore } from '../../shared/contract/orders.ts';
import type { Database } from '../db/database.ts';

export interface OrderRow {
  readonly id: string;
  readonly workspace_id: string;
  /** JSON. */
  readonly command: string;
  readonly tag: string | null;
  /** JSON. */
  readonly visitor: string;
  /** Epoch milliseconds. */
  readonly created_at: number;
  readonly expires_at: number;
}

export interface Count {
  readonly state: OrderState;
  readonly stores: number;
  readonly screens: number;
  readonly acked: number;
  readonly failed: number;
}

/** What is to be said to a store next. */
export type NextRow = OrderRow & {
  readonly state: 'waiting' | 'told';
  /** When it was told, epoch milliseconds; null: never. */
  readonly at: number | null;
};

/** A command in a store. */
export interface Whose {
  readonly order: string;
  /** Number of the store. */
  readonly store: number;
}

export type Settled = Pick<OrderStore, 'state' | 'screens' | 'acked' | 'failed' | 'error'> & {
  /** Epoch milliseconds. */
  readonly at: number;
};

const OPEN = "state IN ('waiting', 'told')";
const WORST = `CASE os.state ${ORDER_STATES.map((state, i) => `WHEN '${state}' THEN ${i}`).join(' ')} END`;

const LISTED = "workspace_id = @workspaceId AND (@by IS NULL OR visitor->>'id' = @by)";

export class OrdersStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @param stores their numbers */
  insert(row: OrderRow, stores: readonly number[]): void {
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

  find(workspaceId: string, id: string): OrderRow | undefined {
    return this.#db.raw.prepare('SELECT * FROM hq_orders WHERE id = ? AND workspace_id = ?').get(id, workspaceId) as
      | OrderRow
      | undefined;
  }

  /** Newest first; of one moment, the one that was made last. @param by id of who gave them; absent: anybody */
  list(workspaceId: string, { limit, offset }: { limit: number; offset: number }, by?: string): OrderRow[] {
    return this.#db.raw
      .prepare(
        `SELECT * FROM hq_orders WHERE ${LISTED} ORDER BY created_at DESC, rowid DESC LIMIT @limit OFFSET @offset`,
      )
      .all({ workspaceId, by, limit, offset }) as OrderRow[];
  }

  count(workspaceId: string, by?: string): number {
    return this.#db.raw
      .prepare(`SELECT count(*) FROM hq_orders WHERE ${LISTED}`)
      .pluck()
      .get({ workspaceId, by }) as number;
  }

  /** Ids, oldest first. */
  ids(workspaceId: string): string[] {
    return this.#db.raw
      .prepare('SELECT id FROM hq_orders WHERE workspace_id = ? ORDER BY created_at, rowid')
      .pluck()
      .all(workspaceId) as string[];
  }

  /** Ids of those that can still be sent. @param now epoch milliseconds */
  unexpired(workspaceId: string, now: number): string[] {
    return this.#db.raw
      .prepare('SELECT id FROM hq_orders WHERE workspace_id = ? AND expires_at > ?')
      .pluck()
      .all(workspaceId, now) as string[];
  }

  delete(id: string): void {
    this.#db.raw.prepare('DELETE FROM hq_orders WHERE id = ?').run(id);
  }

  /** Whether a store has still to be told, or to answer. */
  isOpen(id: string): boolean {
    return (
      this.#db.raw.prepare(`SELECT 1 FROM hq_order_stores WHERE order_id = ? AND ${OPEN} LIMIT 1`).get(id) !== undefined
    );
  }

  /** For each state that a store is in. */
  counts(id: string): Count[] {
    return this.#db.raw
      .prepare(
        `SELECT state, count(*) AS stores, sum(screens) AS screens, sum(acked) AS acked, sum(failed) AS failed
           FROM hq_order_stores WHERE order_id = ? GROUP BY state`,
      )
      .all(id) as Count[];
  }

  /** Worst first, then by name. @param state undefined: any */
  stores(
    id: string,
    { state, limit, offset }: { state: OrderState | undefined; limit: number; offset: number },
  ): OrderStore[] {
    return this.#db.raw
      .prepare(
        `SELECT s.ref AS store_id, s.name AS store_name, s.region, os.state, os.screens, os.acked, os.failed, os.error,
             os.at / 1000 AS at
           FROM hq_order_stores os JOIN hq_stores s ON s.id = os.store
           WHERE os.order_id = @id ${state === undefined ? '' : 'AND os.state = @state'}
           ORDER BY ${WORST}, vitrine_order(s.name), s.id LIMIT @limit OFFSET @offset`,
      )
      .all({ id, state, limit, offset }) as OrderStore[];
  }

  /** Of a store, the one that was made first, if any can still be sent. @param now epoch milliseconds */
  next(store: number, now: number): NextRow | undefined {
    return this.#db.raw
      .prepare(
        `SELECT o.*, os.state, os.at FROM hq_order_stores os JOIN hq_orders o ON o.id = os.order_id
           WHERE os.store = ? AND os.${OPEN} AND o.expires_at > ? ORDER BY o.created_at, o.rowid LIMIT 1`,
      )
      .get(store, now) as NextRow | undefined;
  }

  /** Those that were told to a store and not answered. */
  told(store: number): OrderRow[] {
    return this.#db.raw
      .prepare(
        `SELECT o.* FROM hq_order_stores os JOIN hq_orders o ON o.id = os.order_id
           WHERE os.store = ? AND os.state = 'told'`,
      )
      .all(store) as OrderRow[];
  }

  /** @param at epoch milliseconds */
  tell({ order, store }: Whose, at: number): void {
    this.#db.raw
      .prepare(`UPDATE hq_order_stores SET state = 'told', at = ? WHERE order_id = ? AND store = ? AND ${OPEN}`)
      .run(at, order, store);
  }

  /** The store was not reached after all. One that is over by now was surely not done. */
  untell({ order, store }: Whose): void {
    this.#db.raw
      .prepare(
        `UPDATE hq_order_stores SET error = '', at = iif(state = 'told', NULL, at), state = iif(state = 'told', 'waiting', state)
           WHERE order_id = ? AND store = ? AND state IN ('told', 'expired')`,
      )
      .run(order, store);
  }

  /** An answer, also one that comes late. */
  settle({ order, store }: Whose, result: Settled): void {
    this.#db.raw
      .prepare(
        `UPDATE hq_order_stores SET state = @state, screens = @screens, acked = @acked, failed = @failed, error = @error, at = @at
           WHERE order_id = @order AND store = @store AND state IN ('told', 'expired')`,
      )
      .run({ ...result, order, store });
  }

  /** Workspaces whose orders ended in this stretch of time, epoch milliseconds. @param from excluded @param to included */
  ended(from: number, to: number): string[] {
    return this.#db.raw
      .prepare('SELECT DISTINCT workspace_id FROM hq_orders WHERE expires_at > ? AND expires_at <= ?')
      .pluck()
      .all(from, to) as string[];
  }

  /** What was not answered of those orders. @param unanswered why one that was told may have been done, in a sentence */
  expire({ from, to, unanswered }: { from: number; to: number; unanswered: string }): void {
    this.#db.raw
      .prepare(
        `UPDATE hq_order_stores SET error = iif(state = 'told', @unanswered, ''), state = 'expired', at = @to
           WHERE order_id IN (SELECT id FROM hq_orders WHERE expires_at > @from AND expires_at <= @to) AND ${OPEN}`,
      )
      .run({ from, to, unanswered });
  }

  /** Whether it was told and not answered. */
  isTold({ order, store }: Whose): boolean {
    return (
      this.#db.raw
        .prepare("SELECT 1 FROM hq_order_stores WHERE order_id = ? AND store = ? AND state = 'told'")
        .get(order, store) !== undefined
    );
  }

  /** Nothing of it is sent any more. @param at epoch milliseconds @param unanswered as in {@link expire} */
  takeBack(order: string, { at, unanswered }: { at: number; unanswered: string }): void {
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
