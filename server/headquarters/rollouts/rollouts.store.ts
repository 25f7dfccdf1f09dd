/** Stores rollouts of releases: one row per rollout, and one row for each of its stores. */
import { WAVE_STATES, type WaveMemory, type WaveState } from '../../../shared/chain/rollouts.ts';
import type { RolloutState, RolloutStore } from '../../../shared/contract/headquarters/rollouts.ts';
import type { Database } from '../../db/database.ts';

export interface RolloutRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly version: string;
  /** JSON of the release's files. */
  readonly files: string;
  readonly waves: string;
  readonly status: RolloutState;
  readonly wave: number;
  /** Start of the present wave, in epoch milliseconds. */
  readonly wave_at: number;
  readonly healthy_minutes: number;
  readonly stopped_at_store: number | null;
  /** JSON of the person who started the rollout, and the person's role, as stores see them. */
  readonly visitor: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface RolloutStoreRow extends WaveMemory {
  readonly store: number;
  readonly wave: number;
  readonly accepted: 0 | 1;
  readonly attempt: number;
  readonly before_incident: number | null;
}

export interface WaveCount {
  readonly wave: number;
  readonly state: WaveState;
  readonly stores: number;
}

const OPEN = "status IN ('running', 'paused', 'stopped')";
/** SQL filter by regions. JSON null: all regions. */
const IN_REGIONS = "AND (@regions = 'null' OR s.region IN (SELECT value FROM json_each(@regions)))";
const WORST = `CASE rs.state ${WAVE_STATES.map((state, i) => `WHEN '${state}' THEN ${i}`).join(' ')} END`;

export class StoreRolloutsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @param stores store numbers with their waves */
  insert(
    row: RolloutRow,
    stores: readonly { readonly store: number; readonly wave: number }[],
    memory: WaveMemory,
  ): void {
    const { raw } = this.#db;
    raw
      .prepare(
        `INSERT INTO hq_rollouts (id, workspace_id, version, files, waves, status, wave, wave_at, healthy_minutes, stopped_at_store, visitor, created_at, updated_at)
           VALUES (@id, @workspace_id, @version, @files, @waves, @status, @wave, @wave_at, @healthy_minutes, @stopped_at_store, @visitor, @created_at, @updated_at)`,
      )
      .run(row);
    const add = raw.prepare('INSERT INTO hq_rollout_stores (rollout, store, wave, state, at) VALUES (?, ?, ?, ?, ?)');
    for (const { store, wave } of stores) add.run(row.id, store, wave, memory.state, memory.at);
  }

  find(workspaceId: string, id: string): RolloutRow | undefined {
    return this.#db.raw.prepare('SELECT * FROM hq_rollouts WHERE id = ? AND workspace_id = ?').get(id, workspaceId) as
      | RolloutRow
      | undefined;
  }

  /** Returns the rollouts of a workspace, the newest first. */
  list(workspaceId: string, { limit, offset }: { limit: number; offset: number }): RolloutRow[] {
    return this.#db.raw
      .prepare('SELECT * FROM hq_rollouts WHERE workspace_id = ? ORDER BY created_at DESC, rowid DESC LIMIT ? OFFSET ?')
      .all(workspaceId, limit, offset) as RolloutRow[];
  }

  count(workspaceId: string): number {
    return this.#db.raw
      .prepare('SELECT count(*) FROM hq_rollouts WHERE workspace_id = ?')
      .pluck()
      .get(workspaceId) as number;
  }

  /** Returns open rollouts of all workspaces. Each workspace has at most one. */
  open(): RolloutRow[] {
    return this.#db.raw.prepare(`SELECT * FROM hq_rollouts WHERE ${OPEN} ORDER BY created_at`).all() as RolloutRow[];
  }

  update(
    id: string,
    change: Pick<RolloutRow, 'status' | 'wave' | 'wave_at' | 'stopped_at_store' | 'updated_at'>,
  ): void {
    this.#db.raw
      .prepare(
        'UPDATE hq_rollouts SET status = @status, wave = @wave, wave_at = @wave_at, stopped_at_store = @stopped_at_store, updated_at = @updated_at WHERE id = @id',
      )
      .run({ ...change, id });
  }

  /** Deletes all but the newest rollouts of a workspace. */
  forget(workspaceId: string, kept: number): void {
    this.#db.raw
      .prepare(
        `DELETE FROM hq_rollouts WHERE workspace_id = @workspaceId AND id NOT IN (
           SELECT id FROM hq_rollouts WHERE workspace_id = @workspaceId ORDER BY created_at DESC, rowid DESC LIMIT @kept)`,
      )
      .run({ workspaceId, kept });
  }

  // — stores of a rollout —

  stores(id: string): RolloutStoreRow[] {
    return this.#db.raw.prepare('SELECT * FROM hq_rollout_stores WHERE rollout = ?').all(id) as RolloutStoreRow[];
  }

  findStore(id: string, store: number): RolloutStoreRow | undefined {
    return this.#db.raw.prepare('SELECT * FROM hq_rollout_stores WHERE rollout = ? AND store = ?').get(id, store) as
      | RolloutStoreRow
      | undefined;
  }

  remember(id: string, store: number, memory: WaveMemory): void {
    this.#db.raw
      .prepare(
        `UPDATE hq_rollout_stores SET state = @state, why = @why, at = @at, told_at = @told_at, before_online = @before_online, lacking_at = @lacking_at
           WHERE rollout = @id AND store = @store`,
      )
      .run({ ...memory, id, store });
  }

  /**
   * Records that an order is about to be sent. Remembers the newest incident of any store, because only later incidents
   * of this store count against the release.
   */
  recordOrder(id: string, store: number): void {
    this.#db.raw
      .prepare(
        `UPDATE hq_rollout_stores SET accepted = 0, before_incident = (SELECT coalesce(max(rowid), 0) FROM hq_incidents)
           WHERE rollout = ? AND store = ?`,
      )
      .run(id, store);
  }

  accept(id: string, store: number): void {
    this.#db.raw.prepare('UPDATE hq_rollout_stores SET accepted = 1 WHERE rollout = ? AND store = ?').run(id, store);
  }

  /** Prepares another attempt, with a new order id. */
  again(id: string, store: number, memory: WaveMemory): void {
    this.remember(id, store, memory);
    this.#db.raw
      .prepare(
        'UPDATE hq_rollout_stores SET attempt = attempt + 1, accepted = 0, before_incident = NULL WHERE rollout = ? AND store = ?',
      )
      .run(id, store);
  }

  /** Returns the first incident of each store since its order was sent. */
  incidents(id: string): Map<number, string> {
    const rows = this.#db.raw
      .prepare(
        `SELECT i.store, i.details, min(i.rowid) FROM hq_rollout_stores rs
           JOIN hq_incidents i ON i.store = rs.store AND i.rowid > rs.before_incident
           WHERE rs.rollout = ? AND rs.told_at IS NOT NULL GROUP BY i.store`,
      )
      .all(id) as { store: number; details: string }[];
    return new Map(rows.map(({ store, details }) => [store, details]));
  }

  /** @param regions only stores of these regions; null: all */
  counts(id: string, regions: readonly string[] | null): WaveCount[] {
    return this.#db.raw
      .prepare(
        `SELECT rs.wave, rs.state, count(*) AS stores FROM hq_rollout_stores rs JOIN hq_stores s ON s.id = rs.store
           WHERE rs.rollout = @id ${IN_REGIONS} GROUP BY rs.wave, rs.state`,
      )
      .all({ id, regions: JSON.stringify(regions) }) as WaveCount[];
  }

  /**
   * Returns the stores of a rollout, sorted by state (the worst first), then by wave and name.
   * @param state undefined:
   * any state
   */
  listStores(
    id: string,
    {
      state,
      regions,
      limit,
      offset,
    }: { state: WaveState | undefined; regions: readonly string[] | null; limit: number; offset: number },
  ): (Omit<RolloutStore, 'version'> & { readonly store: number })[] {
    return this.#db.raw
      .prepare(
        `SELECT s.id AS store, s.ref AS store_id, s.name AS store_name, s.region, rs.wave, rs.state, rs.why,
             rs.told_at / 1000 AS told_at, rs.at / 1000 AS at
           FROM hq_rollout_stores rs JOIN hq_stores s ON s.id = rs.store
           WHERE rs.rollout = @id ${state === undefined ? '' : 'AND rs.state = @state'} ${IN_REGIONS}
           ORDER BY ${WORST}, rs.wave, vitrine_order(s.name), s.id LIMIT @limit OFFSET @offset`,
      )
      .all({ id, state, regions: JSON.stringify(regions), limit, offset }) as (Omit<RolloutStore, 'version'> & {
      store: number;
    })[];
  }

  /** Returns the files that a store may fetch for open rollouts, one JSON text per rollout. */
  filesFor(store: number): string[] {
    return this.#db.raw
      .prepare(
        `SELECT r.files FROM hq_rollout_stores rs JOIN hq_rollouts r ON r.id = rs.rollout
           WHERE rs.store = ? AND rs.told_at IS NOT NULL AND r.${OPEN}`,
      )
      .pluck()
      .all(store) as string[];
  }
}
