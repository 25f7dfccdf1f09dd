/**
 * Connects the screen page to an agent on the same machine by loopback HTTP. All addresses are relative to the page's
 * own address.
 */
import type { Refresh } from '../../../shared/protocol/messages.ts';
import { backoff } from './backoff.ts';
import type { ScreenHost, ScreenReport, ScreenState } from './host.ts';
import { type ClockNews, type Exchange, HostClock } from './host-clock.ts';
import { ReportQueue } from './report-queue.ts';

/**
 * Number of clock exchanges at the start, without pauses. After that one exchange every 2 s follows a drifting clock.
 */
const FIRST_EXCHANGES = 6;
const EXCHANGE_EVERY_MS = 2_000;
/** Number of consecutive exchanges that decide whether an unexpected answer was late or the clock was set. */
const SETTLING_EXCHANGES = 4;
const BATCH = 100;
/** Delays of retries: 0.5, 1, 2 … 10 s. The host is a process on this machine and absent only while it restarts. */
const RETRY_BASE_MS = 500;
const RETRY_CEILING_MS = 10_000;
/** Time limit for sending waiting reports before a page of an earlier player run reloads. */
const TELL_WITHIN_MS = 2_000;
const RETELL_MS = 50;
const ANSWER_WITHIN_MS = 10_000;

export class AgentHost implements ScreenHost {
  #base: string;
  #clock = new HostClock();
  #reports = new ReportQueue();
  #listeners = new Set<(state: ScreenState) => void>();
  #state: ScreenState | null = null;
  #wallRefresh: Refresh | null = null;
  #events: EventSource | null = null;
  /** Id of the start of the player from which this page was loaded. */
  #run: string | null = null;
  #sending = false;
  #failures = { events: 0, reports: 0 };
  #timers = new Set<number>();
  #stopped = new AbortController();

  /** @param base address of the page, ending in `/TOKEN/` */
  constructor(base: string) {
    this.#base = base;
  }

  /** Resolves when the clock is known, because nothing can be shown on time without it. Retries until `stop`. */
  async start(): Promise<void> {
    this.#listen();
    for (let exchanged = 0; exchanged < FIRST_EXCHANGES && !this.#stopped.signal.aborted; ) {
      if ((await this.#exchange()) !== 'failed') exchanged++;
      else await this.#pause(RETRY_BASE_MS);
    }
    this.#keepExchanging();
  }

  stop(): void {
    this.#stopped.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#events?.close();
    this.#events = null;
    this.#listeners.clear();
  }

  subscribe(listener: (state: ScreenState) => void): () => void {
    this.#listeners.add(listener);
    if (this.#state) listener(this.#state);
    return () => this.#listeners.delete(listener);
  }

  report(report: ScreenReport): void {
    this.#reports.add(report);
    // Reports are sent after the current task, so that all reports of one frame travel in one request.
    queueMicrotask(() => void this.#send());
  }

  assetUrl(sha256: string): string {
    return new URL(`assets/${sha256}`, this.#base).href;
  }

  now(): number {
    return this.#clock.at(performance.now());
  }

  wallRefresh(): Refresh | null {
    return this.#wallRefresh;
  }

  async widgetData(path: string): Promise<unknown> {
    const response = await this.#fetch(`widget-data?path=${encodeURIComponent(path)}`);
    return response.ok && response.status !== 204 ? response.json() : null;
  }

  async pageProblem(address: string, signal: AbortSignal): Promise<string | null> {
    const response = await this.#fetch(`page-problem?address=${encodeURIComponent(address)}`, { signal }).catch(
      () => null,
    );
    const answer: unknown = response?.ok ? await response.json() : null;
    if (!isObject(answer)) return 'the player did not answer';
    return typeof answer.problem === 'string' ? answer.problem : null;
  }

  #fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const signal = AbortSignal.any([
      this.#stopped.signal,
      AbortSignal.timeout(ANSWER_WITHIN_MS),
      ...(init.signal ? [init.signal] : []),
    ]);
    return fetch(new URL(path, this.#base), { cache: 'no-store', ...init, signal });
  }

  #listen(): void {
    const events = new EventSource(new URL('events', this.#base));
    this.#events = events;
    events.onopen = () => (this.#failures.events = 0);
    events.addEventListener('run', ({ data }: MessageEvent<string>) => void this.#belongTo(data));
    events.onmessage = (event: MessageEvent<string>) => this.#take(event.data);
    // Called when the host's clock was set. Until the next exchange the page would show the wrong item.
    events.addEventListener('clock', () => void this.#settle());
    events.onerror = () => {
      // EventSource reconnects by itself after a lost connection, but not after an error response.
      if (events.readyState !== EventSource.CLOSED) return;
      this.#after(backoff(this.#failures.events++, RETRY_BASE_MS, RETRY_CEILING_MS), () => this.#listen());
    };
  }

  /**
   * Reloads the page after the player restarted, perhaps with another version. Sends the waiting reports before that.
   */
  async #belongTo(run: string): Promise<void> {
    this.#run ??= run;
    if (this.#run === run) return;
    const patience = performance.now() + TELL_WITHIN_MS;
    while (this.#reports.size > 0 && performance.now() < patience) {
      await this.#send();
      await this.#pause(RETELL_MS);
    }
    location.reload();
  }

  #take(text: string): void {
    const state = screenStateOrNull(text);
    if (!state) return console.error('the host sent something that is not a screen state');
    this.#state = state;
    this.#tell();
  }

  #tell(): void {
    if (!this.#state) return;
    for (const listener of this.#listeners) {
      try {
        listener(this.#state);
      } catch (error) {
        console.error(error);
      }
    }
  }

  async #exchange(): Promise<ClockNews | 'failed'> {
    try {
      const sent = performance.now();
      const response = await this.#fetch(`clock?t0=${sent}`);
      const received = performance.now();
      const answer: unknown = await response.json();
      if (!isObject(answer) || typeof answer.t1 !== 'number') return 'failed';
      this.#wallRefresh = isRefresh(answer.wall_refresh) ? answer.wall_refresh : null;
      return this.#clock.add({ ...onTheWire(response.url, { sent, received }), server: answer.t1 });
    } catch {
      return 'failed';
    }
  }

  async #settle(): Promise<void> {
    for (let exchanged = 0; exchanged < SETTLING_EXCHANGES; exchanged++) {
      const news = await this.#exchange();
      // Wakes listeners that sleep until an instant of the old clock, because the instant is now at another time.
      if (news === 'stepped') this.#tell();
      if (news === 'settled' || news === 'failed') return;
    }
  }

  #keepExchanging(): void {
    this.#after(EXCHANGE_EVERY_MS, () => void this.#settle().finally(() => this.#keepExchanging()));
  }

  async #send(): Promise<void> {
    if (this.#sending || this.#reports.size === 0) return;
    this.#sending = true;
    const batch = this.#reports.batch(BATCH);
    const delivered = await this.#post(batch);
    this.#sending = false;
    if (delivered) {
      this.#failures.reports = 0;
      this.#reports.delivered(batch);
      void this.#send();
    } else {
      this.#after(backoff(this.#failures.reports++, RETRY_BASE_MS, RETRY_CEILING_MS), () => void this.#send());
    }
  }

  async #post(batch: readonly ScreenReport[]): Promise<boolean> {
    try {
      // The type `application/json` forces a preflight request on every other origin, so that no page in a zone can
      // post reports.
      const response = await this.#fetch('report', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(batch),
      });
      // Reports that the host refuses as malformed count as delivered. Otherwise they would be refused forever and
      // block all later reports.
      return response.ok || response.status === 400;
    } catch {
      return false;
    }
  }

  /** Waits for some milliseconds. After the host has stopped, the promise never resolves. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.#after(ms, resolve));
  }

  #after(ms: number, run: () => void): void {
    if (this.#stopped.signal.aborted) return;
    const timer = window.setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms);
    this.#timers.add(timer);
  }
}

/**
 * Returns the times at which the request left and the answer arrived, as measured by the browser's network process.
 * These times are more exact than those of the main thread, which is busy with rendering.
 */
function onTheWire(url: string, here: Pick<Exchange, 'sent' | 'received'>): Pick<Exchange, 'sent' | 'received'> {
  const entry = performance.getEntriesByName(url, 'resource').at(-1);
  // Clears the browser's list of request timings. The list is limited, and requests for files of the program fill it
  // too.
  performance.clearResourceTimings();
  if (!(entry instanceof PerformanceResourceTiming)) return here;
  const { requestStart: sent, responseStart: received } = entry;
  return here.sent <= sent && sent < received && received <= here.received + 1 ? { sent, received } : here;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isRefresh = (value: unknown): value is Refresh =>
  isObject(value) && typeof value.at === 'number' && typeof value.period_ms === 'number';

/**
 * Checks only that the value is a screen state. The agent has checked every field with the schema, and the schema would
 * add a third to the bundle.
 */
export function screenStateOrNull(text: string): ScreenState | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(value)) return null;
  const sound =
    (value.phase === 'searching' && Array.isArray(value.servers)) ||
    (value.phase === 'choosing' && typeof value.code === 'string' && Array.isArray(value.servers)) ||
    (value.phase === 'pairing' && typeof value.code === 'string' && typeof value.claim_url === 'string') ||
    (value.phase === 'playing' &&
      typeof value.screen_on === 'boolean' &&
      (value.program === null || (isObject(value.program) && value.program.format === 1)));
  return sound ? (value as ScreenState) : null;
}
