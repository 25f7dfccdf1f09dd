/**
 * How far campaigns are in stores, as these tell every half minute: only what is otherwise than before is written, some
 * seconds later and in slices, and windows hear of it now and then.
 */
import { createHash } from 'node:crypto';
import type { Readiness } from '../../shared/chain/campaign.ts';
import { announce } from '../kernel/bus.ts';
import { seconds } from '../kernel/clock.ts';
import type { Parts } from '../kernel/parts.ts';
import type { LateStarts } from './late-starts.ts';
import type { WishesStore } from './wishes.store.ts';
import type { KnownStore } from './writer.ts';

const FLUSH_MS = 2_000;
/** Windows are told at most so often. */
const TELL_MS = 5_000;
/** Stores whose news are written in one turn. */
const AT_ONCE = 50;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'log'> {
  readonly store: Pick<WishesStore, 'told' | 'setTold'>;
  readonly isWanted: (store: Pick<KnownStore, 'ref'>, campaign: string) => boolean;
  readonly late: Pick<LateStarts, 'told'>;
}

export class ReadinessBook {
  readonly #deps: Deps;
  /** Hash of what each store told last, by its id. */
  readonly #known = new Map<string, string>();
  /** What is not on the disk yet, and when it was told: epoch seconds. */
  readonly #news = new Map<
    string,
    { readonly store: KnownStore; readonly told: readonly Readiness[]; readonly at: number }
  >();
  /** Workspaces whose windows have to be told. */
  readonly #changed = new Set<string>();
  #timers: NodeJS.Timeout[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timers = [
      setInterval(() => this.#flushSome(), FLUSH_MS).unref(),
      setInterval(() => this.announceChanges(), TELL_MS).unref(),
    ];
  }

  stop(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    this.flush();
  }

  /** A change was undone: nothing that is remembered can be believed. */
  forget(): void {
    this.#known.clear();
  }

  /** What a store tells next is looked at, also if it is what it told before. */
  lookAgain(ref: string): void {
    this.#known.delete(ref);
  }

  gone(ref: string): void {
    this.#known.delete(ref);
    this.#news.delete(ref);
  }

  heard(store: KnownStore, told: readonly Readiness[]): void {
    const hash = createHash('sha256').update(JSON.stringify(told)).digest('base64');
    if (this.#known.get(store.ref) === hash) return;
    this.#known.set(store.ref, hash);
    this.#news.set(store.ref, { store, told, at: seconds(this.#deps.clock) });
  }

  /** Writes everything at once. */
  flush(): void {
    while (this.#news.size > 0) if (!this.#write()) return;
  }

  announceChanges(): void {
    for (const workspaceId of this.#changed)
      announce(this.#deps, { workspaceId, userId: null }, { topic: 'campaigns' });
    this.#changed.clear();
  }

  #flushSome(): void {
    if (this.#news.size > 0 && this.#write() && this.#news.size > 0) setImmediate(() => this.#flushSome());
  }

  /** Some of the news. Returns false when the disk does not take it: it is tried again. */
  #write(): boolean {
    const { db, log } = this.#deps;
    const some = [...this.#news].slice(0, AT_ONCE);
    try {
      db.write(() => {
        for (const [, { store, told, at }] of some) this.#writeOne(store, told, at);
      });
    } catch (error) {
      log.warn('What stores told of campaigns could not be saved; it is tried again', { error });
      return false;
    }
    for (const [ref, news] of some) if (this.#news.get(ref) === news) this.#news.delete(ref);
    return true;
  }

  #writeOne(store: KnownStore, told: readonly Readiness[], told_at: number): void {
    const before = this.#deps.store.told(store.id);
    for (const one of told) {
      if (isSame(before.get(one.id), one) || !this.#deps.isWanted(store, one.id)) continue;
      this.#deps.store.setTold(store.id, { ...one, told_at });
      this.#deps.late.told(one.id, store.id);
      this.#changed.add(store.workspaceId);
    }
  }
}

const isSame = (before: Readiness | undefined, now: Readiness): boolean =>
  before !== undefined && (Object.keys(before) as (keyof Readiness)[]).every((key) => before[key] === now[key]);
