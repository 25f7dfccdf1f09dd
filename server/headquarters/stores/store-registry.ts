/**
 * Current state of all stores. Kept in memory, because thousands of stores report every half minute, and admin
 * windows request pages of the most urgent stores. Reports are written to the disk some seconds later.
 */
import type { z } from 'zod';
import type { Values } from '../../../shared/chain/values.ts';
import { LINE_SILENCE_MS, Presence } from '../../../shared/chain/wire.ts';
import type { Store } from '../../../shared/contract/headquarters/stores.ts';
import { announce } from '../../kernel/bus.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { StoreRow, StoresStore } from './stores.store.ts';

const FLUSH_MS = 5_000;
/** Interval in milliseconds of announcements to admin windows when a store has changed. */
const TELL_MS = 5_000;

type Told = z.infer<typeof Presence>;

/** Numbers of campaigns that a store misses or refuses, and the names of some of them. */
export interface Missed {
  readonly late: number;
  readonly refused: number;
  readonly named: Store['campaigns_missed'];
}
export const NONE_MISSED: Missed = { late: 0, refused: 0, named: [] };

export interface StoreNow extends Omit<StoreRow, 'presence'> {
  readonly presence: Told | null;
  readonly line: 'new' | 'up' | 'down' | 'left';
  readonly missed: Missed;
}
/** Fields of a store's state that are stored. The other fields are computed from the time and from campaigns. */
export type KeptStore = Omit<StoreNow, 'line' | 'missed'>;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'log'> {
  readonly store: StoresStore;
}

export class StoreRegistry implements Lifecycle {
  readonly name = 'stores';
  readonly #deps: Deps;
  #rows: Map<number, KeptStore> | undefined;
  /** Missed campaigns, by number of the store. */
  #missed: ReadonlyMap<number, Missed> = new Map();
  readonly #byRef = new Map<string, number>();
  /** Stores whose last report is not on the disk yet. */
  readonly #dirty = new Set<number>();
  /**
   * Two sets: workspaces with changes that are not announced yet, and stores that were connected at the last
   * announcement.
   */
  readonly #changed = new Set<string>();
  readonly #up = new Set<number>();
  readonly #onGone: ((id: number) => void)[] = [];
  readonly #onHeard: (() => void)[] = [];
  #timers: NodeJS.Timeout[] = [];
  #off = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#off = this.#deps.bus.on('workspaceGone', (workspaceId) => this.#removeAll(workspaceId));
    this.#timers = [
      setInterval(() => this.flush(), FLUSH_MS).unref(),
      setInterval(() => this.notifyChanges(), TELL_MS).unref(),
    ];
  }

  stop(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    this.#off();
    this.flush();
  }

  /** Returns the stores of a workspace. */
  all(workspaceId: string): StoreNow[] {
    const now = seconds(this.#deps.clock);
    return [...this.#all().values()]
      .filter((row) => row.workspace_id === workspaceId)
      .map((row) => this.#now(row, now));
  }

  byRef(ref: string): StoreNow | undefined {
    const rows = this.#all();
    const row = rows.get(this.#byRef.get(ref) ?? -1);
    return row && this.#now(row, seconds(this.#deps.clock));
  }

  byId(id: number): StoreNow | undefined {
    const row = this.#all().get(id);
    return row && this.#now(row, seconds(this.#deps.clock));
  }

  /** Returns the store whose server has this key. */
  byKey(key: string): StoreNow | undefined {
    for (const row of this.#all().values()) if (row.key === key) return this.#now(row, seconds(this.#deps.clock));
    return undefined;
  }

  /**
   * Reads a store again from the database. The caller calls it within the write transaction that changes the store; the
   * cache is reset when the transaction is rolled back. The same transaction revokes the credentials of a server that
   * is no longer the store's server, so that a crash cannot separate both changes.
   */
  refresh(id: number): void {
    const { db, store, clock } = this.#deps;
    const keyOf = () => this.#all().get(id)?.key ?? null;
    const before = keyOf();
    this.#read(id);
    if (before !== null && keyOf() !== before) store.revokeKey(before, seconds(clock));
    db.afterCommit(() => {
      this.#read(id);
      if (before !== null && keyOf() !== before) for (const gone of this.#onGone) gone(id);
    });
  }

  /**
   * Updates the values of many stores in memory, without reading thousands of rows. Must be called as the last step of
   * the write transaction, which must not fail afterwards.
   */
  valued(changes: readonly { readonly id: number; readonly values: Values }[]): void {
    const rows = this.#all();
    for (const { id, values } of changes) {
      const row = rows.get(id);
      if (row) rows.set(id, { ...row, values, revision: row.revision + 1 });
    }
  }

  /** Calls `gone` with the number of a store after the server of the store left, was removed or was replaced. */
  onGone(gone: (id: number) => void): void {
    this.#onGone.push(gone);
  }

  /** Calls the function whenever a store has sent its presence. */
  onHeard(listener: () => void): void {
    this.#onHeard.push(listener);
  }

  /** Clears the cache after a transaction was rolled back. */
  forget(): void {
    this.#rows = undefined;
    this.#byRef.clear();
    this.#dirty.clear();
  }

  /**
   * Records the presence of a store.
   * @param clockMs milliseconds by which the clock of the store is ahead; null:
   * unknown
   * @param at time of the presence, epoch seconds
   */
  record(id: number, presence: Told, clockMs: number | null, at = seconds(this.#deps.clock)): void {
    const row = this.#all().get(id);
    if (!row) return;
    const { incidents: _, ...kept } = presence;
    this.#all().set(id, {
      ...row,
      presence: { ...kept, incidents: [] },
      heard_at: at,
      clock_ms: clockMs === null ? null : Math.round(clockMs),
    });
    this.#dirty.add(id);
    this.#up.add(id);
    this.#changed.add(row.workspace_id);
    for (const listener of this.#onHeard) listener();
  }

  flush(): void {
    const { db, store, log } = this.#deps;
    if (this.#dirty.size === 0) return;
    const ids = [...this.#dirty];
    try {
      db.write(() => {
        for (const id of ids) {
          const row = this.#rows?.get(id);
          if (row) store.setHeard(id, { ...row, presence: JSON.stringify(row.presence) });
        }
      });
      for (const id of ids) this.#dirty.delete(id);
    } catch (error) {
      log.warn('What stores told could not be saved; it is tried again', { error });
    }
  }

  /** Notifies admin windows of stores whose state has changed, including stores that have lost their connection. */
  notifyChanges(): void {
    const now = seconds(this.#deps.clock);
    for (const id of this.#up) {
      const row = this.#rows?.get(id);
      if (row && lineOf(row, now) === 'up') continue;
      this.#up.delete(id);
      if (row) this.#changed.add(row.workspace_id);
    }
    for (const workspaceId of this.#changed) announce(this.#deps, { workspaceId, userId: null }, { topic: 'stores' });
    this.#changed.clear();
  }

  /** Sets the missed campaigns of all stores, by store number. Stores without an entry miss none. */
  setMissed(missed: ReadonlyMap<number, Missed>): void {
    this.#missed = missed;
  }

  /** Removes the stores of a deleted workspace. Their rows were deleted with the workspace. */
  #removeAll(workspaceId: string): void {
    const gone = [...this.#all().values()].filter((row) => row.workspace_id === workspaceId);
    if (gone.length === 0) return;
    this.#deps.db.write(() => {
      for (const { id } of gone) this.refresh(id);
    });
  }

  #now(row: KeptStore, now: number): StoreNow {
    return { ...row, line: lineOf(row, now), missed: this.#missed.get(row.id) ?? NONE_MISSED };
  }

  #all(): Map<number, KeptStore> {
    if (this.#rows) return this.#rows;
    const rows = this.#deps.store.all();
    this.#rows = new Map(rows.map((row) => [row.id, parsed(row)]));
    for (const { id, ref } of rows) this.#byRef.set(ref, id);
    return this.#rows;
  }

  #read(id: number): void {
    const rows = this.#all();
    const before = rows.get(id);
    const row = this.#deps.store.find(id);
    if (!row) {
      rows.delete(id);
      if (before) this.#byRef.delete(before.ref);
      return;
    }
    this.#byRef.set(row.ref, id);
    const fresh = parsed(row);
    // Keeps the report that is in memory, because it is newer than the report in the database row.
    const { presence, heard_at, clock_ms } = before && this.#dirty.has(id) ? before : fresh;
    rows.set(id, { ...fresh, presence, heard_at, clock_ms });
  }
}

const parsed = (row: StoreRow): KeptStore => {
  const told = row.presence === null ? undefined : Presence.safeParse(JSON.parse(row.presence));
  return { ...row, presence: told?.success ? told.data : null };
};

const lineOf = ({ key, left_at, heard_at, presence }: KeptStore, now: number): StoreNow['line'] => {
  if (key === null) return left_at === null ? 'new' : 'left';
  // A store whose presence came by a transfer file never counts as connected, however recent the presence is.
  if (presence?.has) return 'down';
  return heard_at !== null && now - heard_at <= LINE_SILENCE_MS / 1000 ? 'up' : 'down';
};
