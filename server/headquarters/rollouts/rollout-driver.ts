/**
 * Delivers releases to stores. Checks the state of all stores, computes the next step (shared/chain/rollouts.ts),
 * and sends update orders to the stores of the current wave. Each order is on the disk before it is sent. A store
 * recognises a repeated order by its id, so a repetition after a timeout or a restart has no effect.
 */
import { freshMemory, nextRolloutStep, type RolloutStep, type WaveStore } from '../../../shared/chain/rollouts.ts';
import type { ReleaseFile, Visitor } from '../../../shared/chain/wire.ts';
import type { ReleaseNotes } from '../../../shared/protocol/releases/release-signature.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { StoreNow, StoreRegistry } from '../stores/store-registry.ts';
import { type Downlink, NotDone } from '../transport/downlink.ts';
import type { RolloutRow, RolloutStoreRow, StoreRolloutsStore } from './rollouts.store.ts';

/** Maximum number of stores per workspace that receive, fetch or install a release at the same time. */
const MAX_AT_ONCE = 64;
/** Delays in milliseconds before an order is sent again: to a busy store, and to a store that did not answer. */
const BUSY_MS = 10_000;
const AGAIN_MS = 60_000;
const MINUTE_MS = 60_000;

interface Deps extends Pick<Parts, 'db' | 'clock' | 'mono' | 'log'> {
  readonly store: StoreRolloutsStore;
  readonly registry: Pick<StoreRegistry, 'all'>;
  readonly downlink: Pick<Downlink, 'request' | 'isListening'>;
  readonly notesOf: (version: string) => ReleaseNotes | null;
  /**
   * Called when the state of a rollout has changed, within the write transaction.
   * @param step automatic step of the rollout; absent: the state changed because a store has answered
   */
  readonly became: (rollout: RolloutRow, step?: RolloutStep) => void;
}

export class RolloutDriver {
  readonly #deps: Deps;
  readonly #busy = new Map<number, Promise<void>>();
  /** Stores that get no order until this monotonic time ({@link Parts.mono}), by store number. */
  readonly #held = new Map<number, number>();
  #since: number;
  #isOver = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#since = deps.clock.now();
  }

  /**
   * Starts to measure the silence of stores. Silence before this call does not count, because headquarters was not
   * running.
   */
  start(): void {
    this.#since = this.#deps.clock.now();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#busy.values());
  }

  /** Resolves when no delivery is running. For tests. */
  async idle(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy.values());
  }

  /** Checks all rollouts and performs the next step of each. */
  runDue(): void {
    // Does nothing while the clock is untrusted, because after a jump of the clock all stores would look late.
    if (this.#isOver || this.#deps.clock.doubtful) return;
    for (const rollout of this.#deps.store.open()) this.#lookAt(rollout);
  }

  #lookAt(rollout: RolloutRow): void {
    const { db, store, registry, clock, became } = this.#deps;
    const now = clock.now();
    const rows = store.stores(rollout.id);
    const incidents = store.incidents(rollout.id);
    const known = new Map(registry.all(rollout.workspace_id).map((one) => [one.id, one]));
    const stores = rows.flatMap((row) => {
      const is = known.get(row.store);
      return is ? this.#factsOf(rollout, row, is, incidents.get(row.store)) : [];
    });
    const waves = JSON.parse(rollout.waves) as unknown[];
    const step = nextRolloutStep(
      now,
      {
        ...rollout,
        waves: waves.length,
        status: rollout.status as 'running' | 'paused' | 'stopped',
        healthy_ms: rollout.healthy_minutes * MINUTE_MS,
        at_once: MAX_AT_ONCE,
        listening_since: this.#since,
      },
      stores,
    );
    if (step.changed.size > 0 || step.status !== rollout.status || step.wave !== rollout.wave)
      db.write(() => {
        for (const [id, memory] of step.changed) store.remember(rollout.id, id, memory);
        for (const id of step.tell) store.recordOrder(rollout.id, id);
        const { status, wave, wave_at, stop } = step;
        store.update(rollout.id, { status, wave, wave_at, stopped_at_store: stop?.store ?? null, updated_at: now });
        became(rollout, step);
      });
    if (step.status === 'done') return;
    for (const { store: id, state, accepted } of rows)
      if ((step.changed.get(id)?.state ?? state) === 'told' && accepted === 0) this.#tell(rollout, id);
  }

  #factsOf(rollout: RolloutRow, row: RolloutStoreRow, is: StoreNow, incident: string | undefined): WaveStore {
    const { presence, heard_at, line } = is;
    const { update } = presence ?? {};
    return {
      ...row,
      id: row.store,
      line: line === 'up' || line === 'left' ? line : 'down',
      heard_at: heard_at === null ? null : heard_at * 1000,
      listens: this.#deps.downlink.isListening(is) && !this.#isHeld(is.id),
      version: presence?.version ?? null,
      online: presence?.screens.online ?? 0,
      incident: incident ?? null,
      update: update?.id === orderIdOf(rollout, row) ? update : null,
    };
  }

  /** Sends the order to a store that has not accepted it. */
  #tell(rollout: RolloutRow, id: number): void {
    const { downlink, store, log } = this.#deps;
    if (this.#busy.size >= MAX_AT_ONCE || this.#busy.has(id) || this.#isHeld(id)) return;
    if (!downlink.isListening({ id })) return;
    const row = store.findStore(rollout.id, id);
    if (row?.state !== 'told' || row.accepted === 1) return;
    const telling = this.#say(rollout, row)
      .catch((error: unknown) => {
        log.warn('A store could not be told of its version; it is tried again', { error });
        this.#hold(id, BUSY_MS);
      })
      .finally(() => this.#busy.delete(id));
    this.#busy.set(id, telling);
  }

  async #say(rollout: RolloutRow, row: RolloutStoreRow): Promise<void> {
    const { db, store, downlink, notesOf, became } = this.#deps;
    const { store: id } = row;
    // The order is marked as sent before it is sent. After a crash, headquarters then knows that the store may have
    // received it.
    await db.durable();
    try {
      await downlink.request({ id }, 'update', {
        id: orderIdOf(rollout, row),
        visitor: JSON.parse(rollout.visitor) as Visitor,
        version: rollout.version,
        files: JSON.parse(rollout.files) as ReleaseFile[],
        notes: notesOf(rollout.version),
      });
      db.write(() => store.accept(rollout.id, id));
    } catch (error) {
      if (!(error instanceof NotDone)) throw error;
      this.#notDone(rollout, row, error);
    } finally {
      db.write(() => became(rollout));
    }
  }

  #notDone(rollout: RolloutRow, row: RolloutStoreRow, { code, message }: NotDone): void {
    const { db, store, clock } = this.#deps;
    const now = clock.now();
    if (code === 'silent') return this.#hold(row.store, AGAIN_MS);
    if (code === 'busy') this.#hold(row.store, BUSY_MS);
    const isHeard = code !== 'away' && code !== 'busy';
    db.write(() => {
      // Reads the state again, because a person may have changed the rollout while the request was running.
      if (store.findStore(rollout.id, row.store)?.state !== 'told') return;
      const memory = freshMemory(now);
      store.remember(rollout.id, row.store, isHeard ? { ...memory, state: 'refused', why: message } : memory);
    });
  }

  #hold(store: number, ms: number): void {
    this.#held.set(store, this.#deps.mono() + ms);
  }

  #isHeld(store: number): boolean {
    const until = this.#held.get(store);
    if (until === undefined) return false;
    if (until > this.#deps.mono()) return true;
    this.#held.delete(store);
    return false;
  }
}

/** Returns the id by which a store recognises a repeated order. */
const orderIdOf = ({ id }: Pick<RolloutRow, 'id'>, { attempt }: Pick<RolloutStoreRow, 'attempt'>): string =>
  `${id}.${attempt}`;
