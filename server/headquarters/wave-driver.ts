/**
 * Brings releases to stores: looks how they are, remembers what follows from that (shared/chain/waves.ts), and tells
 * those whose turn it is. What is to be told stands on the disk before it is; a store knows an order again by its id, so
 * that one which has not answered, or a headquarters that was started anew, does nothing twice.
 */
import { freshMemory, nextWaves, type WaveStore, type WavesStep } from '../../shared/chain/waves.ts';
import type { ReleaseFile, Visitor } from '../../shared/chain/wire.ts';
import type { ReleaseNotes } from '../../shared/protocol/release-signature.ts';
import type { Parts } from '../kernel/parts.ts';
import { type Downlink, NotDone } from './downlink.ts';
import type { StoreBook, StoreNow } from './store-book.ts';
import type { RolloutRow, RolloutStoreRow, WavesStore } from './waves.store.ts';

/** Stores that are told, fetch or install at once, of each workspace. */
const MAX_AT_ONCE = 64;
/** A store that is busy is told after so long, and one that was told and says nothing is told again. */
const BUSY_MS = 10_000;
const AGAIN_MS = 60_000;
const MINUTE_MS = 60_000;

interface Deps extends Pick<Parts, 'db' | 'clock' | 'mono' | 'log'> {
  readonly store: WavesStore;
  readonly book: Pick<StoreBook, 'all'>;
  readonly downlink: Pick<Downlink, 'ask' | 'isListening'>;
  readonly notesOf: (version: string) => ReleaseNotes | null;
  /** Something came of a rollout. Within the write. @param step what it does now by itself */
  readonly became: (rollout: RolloutRow, step?: WavesStep) => void;
}

export class WaveDriver {
  readonly #deps: Deps;
  readonly #busy = new Map<number, Promise<void>>();
  /** Stores that are left alone until then ({@link Parts.mono}). */
  readonly #held = new Map<number, number>();
  #since: number;
  #isOver = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#since = deps.clock.now();
  }

  /** From now on stores are heard. */
  start(): void {
    this.#since = this.#deps.clock.now();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#busy.values());
  }

  /** Resolves when no store is being told anything. For tests. */
  async idle(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy.values());
  }

  /** Looks how all rollouts are, and does what comes next. */
  look(): void {
    // Nobody is blamed for being late by a clock that jumped.
    if (this.#isOver || this.#deps.clock.doubtful) return;
    for (const rollout of this.#deps.store.open()) this.#lookAt(rollout);
  }

  #lookAt(rollout: RolloutRow): void {
    const { db, store, book, clock, became } = this.#deps;
    const now = clock.now();
    const rows = store.stores(rollout.id);
    const incidents = store.incidents(rollout.id);
    const known = new Map(book.all(rollout.workspace_id).map((one) => [one.id, one]));
    const stores = rows.flatMap((row) => {
      const is = known.get(row.store);
      return is ? this.#factsOf(rollout, row, is, incidents.get(row.store)) : [];
    });
    const waves = JSON.parse(rollout.waves) as unknown[];
    const step = nextWaves(
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
        for (const id of step.tell) store.tell(rollout.id, id);
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

  /** Tells a store that was not heard to have heard. */
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
    // A headquarters that dies now knows that the store may have been told.
    await db.durable();
    try {
      await downlink.ask({ id }, 'update', {
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
      // Somebody may have decided otherwise in the meantime.
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

/** By it a store knows an order again. */
const orderIdOf = ({ id }: Pick<RolloutRow, 'id'>, { attempt }: Pick<RolloutStoreRow, 'attempt'>): string =>
  `${id}.${attempt}`;
