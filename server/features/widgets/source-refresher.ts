/**
 * Keeps feeds, forecasts and pictures of widgets fresh in the background, for widgets on screens and for widgets that
 * were viewed within the hour. No request waits for the internet. Failed sources are retried with growing pauses.
 */
import type { LRUCache } from 'lru-cache';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import { recent } from '../../kernel/time/recent.ts';
import { isOver } from '../../kernel/time/window.ts';
import type { Brought } from './source-fetcher.ts';
import type { SourcesStore } from './sources.store.ts';
import { freshFor, type Source } from './sources.ts';

const AT_ONCE = 4;
const LOOK_EVERY_MS = 20_000;
/** Time for which a viewed source is kept fresh. */
const INTEREST_MS = 60 * 60_000;
const MAX_INTEREST = 2000;
/** Seconds after which an unused source is deleted. */
const KEEP_UNUSED = 60 * 24 * 3600;

/** Longer than any delay of a retry. A retry further in the future was planned by another clock. */
const LONGEST_RETRY_MS = 2 * 3_600_000;
/**
 * Returns the delay of a retry: 1, 2, 4 … 32 minutes, then every hour, ±20 %, so that not all servers request a
 * recovered feed in the same second.
 */
export const retryDelayMs = (failures: number, random: () => number = Math.random): number =>
  Math.min(2 ** (failures - 1), 60) * 60_000 * (0.8 + random() * 0.4);

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock'> {
  readonly store: SourcesStore;
  readonly fetcher: { bring(source: Source, etag: string | null, stop: AbortSignal): Promise<Brought> };
  /** Reader of feeds, which is ended together with the refresher. */
  readonly feeds: { end(): void };
  /** Returns the sources of all widgets on screens. Called again when these sources may have changed. */
  readonly onScreens: () => Source[];
  readonly onError: (error: unknown) => void;
}

export class SourceRefresher implements Lifecycle {
  readonly name = 'widget-sources';
  readonly #deps: Deps;
  #screens: Source[] | undefined;
  readonly #interest: LRUCache<string, Source>;
  readonly #running = new Map<string, Promise<void>>();
  readonly #failures = new Map<string, { count: number; notBefore: number }>();
  readonly #queue: Source[] = [];
  #timer: NodeJS.Timeout | undefined;
  #abort = new AbortController();
  #started = false;
  #undo: (() => void)[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#interest = recent(MAX_INTEREST, { ttl: INTEREST_MS, perf: deps.clock });
  }

  start(): void {
    const { bus, clock, db, store } = this.#deps;
    this.#started = true;
    this.#abort = new AbortController();
    const relevant = new Set(['widgets', 'playlists', 'schedules', 'kiosk', 'content']);
    this.#undo = [
      bus.on('changed', ({ topic, screens }) => {
        if (relevant.has(topic) && screens !== false) this.#outdate();
      }),
      bus.on('workspaceGone', () => this.#outdate()),
    ];
    this.#timer = setInterval(() => this.runDue(), LOOK_EVERY_MS).unref();
    if (!clock.doubtful) db.write(() => store.deleteUntouched(seconds(clock) - KEEP_UNUSED));
    this.runDue();
  }

  async stop(): Promise<void> {
    this.#started = false;
    clearInterval(this.#timer);
    for (const undo of this.#undo.splice(0)) undo();
    this.#queue.length = 0;
    this.#abort.abort();
    this.#deps.feeds.end();
    await Promise.all(this.#running.values());
  }

  /** Notes that sources were viewed: fetches those that are not fresh, and keeps all of them fresh for an hour. */
  want(sources: readonly Source[]): void {
    for (const source of sources) this.#interest.set(source.key, source);
    this.#fetchDue(sources);
  }

  /** Resolves when none of these sources is being fetched. Never rejects. */
  async settled(sources: readonly Source[]): Promise<void> {
    const waiting = () => sources.flatMap(({ key }) => this.#running.get(key) ?? []);
    const queued = () => sources.some(({ key }) => this.#queue.some((source) => source.key === key));
    while (this.#started && (waiting().length > 0 || queued())) await Promise.race([...this.#running.values()]);
  }

  /** Fetches due sources. */
  runDue(): void {
    this.#interest.purgeStale();
    try {
      this.#screens ??= this.#deps.onScreens();
    } catch (error) {
      this.#deps.onError(error);
    }
    this.#fetchDue([...(this.#screens ?? []), ...this.#interest.values()]);
  }

  #outdate(): void {
    if (this.#screens === undefined) return;
    this.#screens = undefined;
    // Waits 200 ms, so that other changes at the same moment cause no further run.
    setTimeout(() => this.#started && this.runDue(), 200).unref();
  }

  #fetchDue(sources: readonly Source[]): void {
    if (!this.#started) return;
    const now = this.#deps.clock.now();
    for (const source of sources) {
      if (this.#running.has(source.key) || this.#queue.some(({ key }) => key === source.key)) continue;
      if (this.#dueAt(source) <= now) this.#queue.push(source);
    }
    this.#next();
  }

  #dueAt(source: Source): number {
    const failed = this.#failures.get(source.key);
    if (failed)
      return isOver({ end: failed.notBefore, now: this.#deps.clock.now(), length: LONGEST_RETRY_MS })
        ? 0
        : failed.notBefore;
    const state = this.#deps.store.state(source.key);
    if (!state?.fetched_at) return 0;
    // Fetches data from the future again: it was fetched before the clock was set back.
    if (state.fetched_at * 1000 > this.#deps.clock.now()) return 0;
    return (state.fetched_at + freshFor[source.kind]) * 1000;
  }

  #next(): void {
    while (this.#started && this.#running.size < AT_ONCE && this.#queue.length > 0) {
      const source = this.#queue.shift()!;
      const done = this.#refresh(source)
        .catch(this.#deps.onError)
        .finally(() => {
          this.#running.delete(source.key);
          this.#next();
        });
      this.#running.set(source.key, done);
    }
  }

  async #refresh(source: Source): Promise<void> {
    const { db, store, clock, fetcher } = this.#deps;
    const before = store.find(source.key);
    let brought: Brought;
    try {
      brought = await fetcher.bring(source, before?.data ? before.etag : null, this.#abort.signal);
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      const count = (this.#failures.get(source.key)?.count ?? 0) + 1;
      this.#failures.set(source.key, { count, notBefore: clock.now() + retryDelayMs(count) });
      db.write(() => store.saveFailed(source.key, seconds(clock), (error as Error).message.slice(0, 300)));
      return;
    }
    this.#failures.delete(source.key);
    db.write(() => {
      if (brought) store.saveGood(source.key, seconds(clock), brought);
      else store.saveSame(source.key, seconds(clock));
    });
    // Looks for due sources again, because the pictures of a feed are known only after the feed is fetched.
    if (source.kind === 'feed' && brought) this.#outdate();
    await db.durable();
  }
}
