/**
 * Progress of campaigns in stores, which the stores report every half minute. The registry writes only changed reports
 * to the database, some seconds later and in slices. It notifies admin windows of changes at intervals.
 */
import { createHash } from 'node:crypto';
import type { Readiness } from '../../../shared/chain/campaign.ts';
import { announce } from '../../kernel/bus.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { KnownStore } from '../plays/segment-writer.ts';
import type { DesiredStatesStore } from '../transport/desired-states.store.ts';
import type { LateStarts } from './late-starts.ts';

const FLUSH_MS = 2_000;
/** Interval in milliseconds at which admin windows are notified. */
const TELL_MS = 5_000;
/** Maximum number of stores whose reports are written in one turn of the event loop. */
const AT_ONCE = 50;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'log'> {
  readonly store: Pick<DesiredStatesStore, 'listReports' | 'setTold'>;
  readonly isWanted: (store: Pick<KnownStore, 'ref'>, campaign: string) => boolean;
  readonly late: Pick<LateStarts, 'markReported'>;
}

export class ProgressRegistry {
  readonly #deps: Deps;
  /** Hash of the last report of each store, by store id. */
  readonly #known = new Map<string, string>();
  /** Reports that are not on the disk yet, with their time of arrival in epoch seconds. */
  readonly #news = new Map<
    string,
    { readonly store: KnownStore; readonly told: readonly Readiness[]; readonly at: number }
  >();
  /** Workspaces with changes that are not announced yet. */
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

  /** Clears the cached hashes after a transaction was rolled back, because its reports were not stored. */
  forget(): void {
    this.#known.clear();
  }

  /** Makes the registry process the next report of a store even if the report is unchanged. */
  expectFullReport(ref: string): void {
    this.#known.delete(ref);
  }

  gone(ref: string): void {
    this.#known.delete(ref);
    this.#news.delete(ref);
  }

  record(store: KnownStore, told: readonly Readiness[]): void {
    const hash = createHash('sha256').update(JSON.stringify(told)).digest('base64');
    if (this.#known.get(store.ref) === hash) return;
    this.#known.set(store.ref, hash);
    this.#news.set(store.ref, { store, told, at: seconds(this.#deps.clock) });
  }

  /** Writes all pending reports. */
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

  /** Writes some of the pending reports. Returns false when the write fails; the reports are written later. */
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
    const before = this.#deps.store.listReports(store.id);
    for (const one of told) {
      if (isSame(before.get(one.id), one) || !this.#deps.isWanted(store, one.id)) continue;
      this.#deps.store.setTold(store.id, { ...one, told_at });
      this.#deps.late.markReported(one.id, store.id);
      this.#changed.add(store.workspaceId);
    }
  }
}

const isSame = (before: Readiness | undefined, now: Readiness): boolean =>
  before !== undefined && (Object.keys(before) as (keyof Readiness)[]).every((key) => before[key] === now[key]);
