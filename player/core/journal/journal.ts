/** The play journal: one row per play, in order, linked by hashes. Rows stay until the server has committed them. */

import { type JournalRow, sealText } from '../../../shared/protocol/journal-chain.ts';
import type { Time, Undo } from '../ports.ts';
import { Serial } from '../serial.ts';
import { JournalWriter, type RowStore, type WriterDeps } from './journal-writer.ts';

/** A play that is on screen. Stored durably before it ends, so that a power cut still yields a play. */
export interface OpenPlay extends Omit<JournalRow, 'seq' | 'prev' | 'hash' | 'ended_at' | 'completed'> {
  /** The screen's id of this play. A play repeated after a page reload has the same id and another start. */
  readonly turn: string;
  readonly planned_end: number;
  /** The play was visible at least until this time (the alive time). Epoch milliseconds. */
  readonly alive_at: number;
}

/** Storage of the journal. Each method is atomic, and durable when it resolves. */
export interface JournalStore extends RowStore {
  openPlays(): Promise<OpenPlay[]>;
  saveOpen(play: OpenPlay): Promise<void>;
  /** Sets `alive_at` of all open plays. */
  beat(aliveAt: number): Promise<void>;
  /**
   * Sets `alive_at` for the plays of one run, cheaply: the value survives a crash of the process at once, and a power
   * cut after some seconds. Never rejects. Without this method only `beat` is used.
   */
  tick?(mark: { readonly boot_id: string; readonly alive_at: number }): Promise<void>;
  forget(through: number): Promise<void>;
}

export interface Shown {
  readonly turn: string;
  readonly item_id: number | null;
  readonly playlist_id: string | null;
  readonly content_id: string | null;
  readonly widget_id: string | null;
  readonly zone_id: string | null;
  readonly content_name: string;
  readonly started_at: number;
  readonly planned_end: number;
}

/**
 * Interval of retries after a refused write. Without `tick` also the interval of updates of `alive_at`, so that a crash
 * shortens a play by at most this time.
 */
const BEAT_MS = 5_000;
/** Interval of updates of `alive_at` if the store has `tick`. A crash shortens a play by at most this time. */
const TICK_MS = 500;
/** A page paints every second. Without a paint for this long, the page may be invisible. */
const SURE_MS = 1_500;
/** Maximum number of open plays, more than the zones of any layout. Beyond that, the oldest play is closed. */
const MOST_OPEN = 100;
/**
 * Number of ended plays whose ids are remembered. The screen repeats a report until it is acknowledged; the id shows
 * that the end is a repetition.
 */
const RECENT = 500;

interface Deps extends WriterDeps {
  readonly store: JournalStore;
  readonly time: Pick<Time, 'mono' | 'after'>;
}

/** An open play with its times on the current clock. */
interface Visible {
  play: OpenPlay;
  /**
   * Start time as reported by the screen. The screen's clock may have jumped since, so only the time between start and
   * end is reliable.
   */
  readonly stamp: number;
  /** Whether the disk has the play in its current form. */
  saved: boolean;
}

export class Journal {
  readonly #deps: Deps;
  readonly #writer: JournalWriter;
  #open = new Map<string, Visible>();
  #recent = new Set<string>();
  #beatAt = Number.NEGATIVE_INFINITY;
  /** Monotonic time of the last paint. The server's clock is not used because it may be set. */
  #paintedAt = Number.NEGATIVE_INFINITY;
  #cancelTick: Undo | undefined;
  /** Size of the last clock jump in milliseconds, and the time after it. */
  #jump = { delta: 0, after: 0 };
  /** Runs writes one at a time and in order, because rows are chained. */
  readonly #queue = new Serial();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#writer = new JournalWriter(deps);
  }

  /** Closes the plays that were open when the last run ended. Each play ends at its last stored `alive_at`. */
  async start(): Promise<void> {
    await this.#writer.start();
    for (const play of await this.#deps.store.openPlays())
      this.#open.set(keyOf(play), { play, stamp: play.started_at, saved: true });
    await this.closeOpen();
  }

  /** Writes everything that was requested so far. Open plays are not ended; the next start ends them. */
  async stop(): Promise<void> {
    this.unseen();
    await this.#queue.run(async () => {
      await this.#writer.stop();
      await this.#mark();
    });
  }

  shown(shown: Shown): Promise<void> {
    return this.#queue.run(async () => {
      const key = keyOf(shown);
      if (this.#open.has(key) || this.#recent.has(key)) return;
      const same = this.#ofTurn(shown.turn);
      if (same) await this.#closeAtLastSign(same);
      const [oldest] = this.#open.values();
      if (this.#open.size >= MOST_OPEN) await this.#closeAtLastSign(oldest!);
      const started_at = this.#onThisClock(shown.started_at);
      const play: OpenPlay = {
        ...shown,
        started_at,
        planned_end: shown.planned_end + (started_at - shown.started_at),
        content_name: plain(shown.content_name),
        id: this.#deps.crypto.uuid(),
        boot_id: this.#deps.bootId,
        uncertainty_ms: tenths(this.#deps.clock().uncertainty),
        alive_at: started_at,
      };
      this.#open.set(key, { play, stamp: shown.started_at, saved: false });
      // An `alive_at` that another run stored, or that was stored before the clock was set back, must not count for
      // this play.
      if (this.#open.size > 1 || (await this.#mark())) await this.#saveOpen();
    });
  }

  /** Ends a play. `ended_at` is on the same clock as the reported start, even if that clock has jumped since. */
  ended({ turn, ended_at, completed }: { turn: string; ended_at: number; completed: boolean }): Promise<void> {
    return this.#queue.run(async () => {
      const visible = this.#ofTurn(turn);
      if (visible)
        await this.#close(visible, { ended_at: visible.play.started_at + (ended_at - visible.stamp), completed });
    });
  }

  /** The screen painted at this instant. */
  alive(now: number): Promise<void> {
    this.#paintedAt = this.#deps.time.mono();
    this.#seen(now);
    this.#tick();
    const isDue = this.#deps.store.tick
      ? this.#writer.behind || [...this.#open.values()].some(({ saved }) => !saved)
      : this.#open.size > 0 || this.#writer.behind;
    if (!isDue || Math.abs(now - this.#beatAt) < BEAT_MS) return Promise.resolve();
    this.#beatAt = now;
    return this.#queue.run(async () => {
      // Writes finished plays first: an alive time after the end of a play must not extend that play.
      await this.#writer.write();
      if (await this.#mark()) await this.#saveOpen();
    });
  }

  /**
   * Handles the loss of the last page. Visible content counts as shown until now, unless the page had stopped painting
   * before.
   */
  unseen(): void {
    if (this.#isPainting) this.#seen(this.#deps.clock().now);
    this.#paintedAt = Number.NEGATIVE_INFINITY;
    this.#cancelTick?.();
  }

  /**
   * Ends all open plays at the instant when the panel went off. The page may not report this, because it may not paint
   * again until morning.
   */
  endOpen(at: number): Promise<void> {
    return this.#queue.run(async () => {
      const end = this.#onThisClock(at);
      for (const visible of [...this.#open.values()]) {
        const { planned_end } = visible.play;
        await this.#close(visible, { ended_at: Math.min(end, planned_end), completed: end >= planned_end });
      }
    });
  }

  /** Ends the open plays of a page that is gone. */
  closeOpen(): Promise<void> {
    return this.#queue.run(async () => {
      for (const visible of [...this.#open.values()]) await this.#closeAtLastSign(visible);
    });
  }

  /**
   * Adjusts to a clock jump. The times of open plays shift by `delta`, so their real duration stays the same. Finished
   * plays stay as written. With `first`, the rows of this run from before the first clock comparison shift as well.
   */
  clockStepped(delta: number, { first }: { readonly first: boolean }): Promise<void> {
    // These values are set before any queued work runs, because that work already receives times of the new clock.
    this.#jump = { delta, after: this.#deps.clock().now };
    for (const visible of this.#open.values()) {
      const { play } = visible;
      if (play.boot_id !== this.#deps.bootId) continue;
      visible.play = {
        ...play,
        started_at: play.started_at + delta,
        planned_end: play.planned_end + delta,
        alive_at: play.alive_at + delta,
      };
      visible.saved = false;
    }
    if (first) this.#writer.move(delta);
    return this.#queue.run(async () => {
      await this.#writer.write();
      await this.#saveOpen();
      await this.#mark();
    });
  }

  pending(limit: number): Promise<JournalRow[]> {
    return this.#queue.run(() => this.#writer.page(limit));
  }

  forget(through: number): Promise<void> {
    return this.#queue.run(() => this.#deps.store.forget(through));
  }

  /** Signs the hash of this row, and so all rows up to it. Undefined if the platform cannot sign. */
  seal(row: JournalRow): string | undefined {
    const key = this.#deps.signingKey();
    return key === null ? undefined : this.#deps.crypto.sign(key, sealText(row));
  }

  clear(): Promise<void> {
    return this.#queue.run(async () => {
      await this.#writer.clear();
      this.#open.clear();
    });
  }

  get #isPainting(): boolean {
    return this.#deps.time.mono() - this.#paintedAt <= SURE_MS;
  }

  #seen(at: number): void {
    for (const visible of this.#open.values())
      visible.play = { ...visible.play, alive_at: Math.max(visible.play.alive_at, at) };
  }

  /** Does not wait in the queue: work that waits for a slow disk must not delay the update of `alive_at`. */
  #tick(): void {
    const { store, time, bootId, clock } = this.#deps;
    this.#cancelTick?.();
    if (!store.tick || this.#open.size === 0) return;
    void store.tick({
      boot_id: bootId,
      alive_at: Math.max(...[...this.#open.values()].map(({ play }) => play.alive_at)),
    });
    this.#cancelTick = time.after(TICK_MS, () => {
      if (!this.#isPainting) return;
      this.#seen(clock().now);
      this.#tick();
    });
  }

  /**
   * Ends the play at its planned end at the latest. The end report may have been lost, and later values of `alive_at`
   * belong to another play.
   */
  #closeAtLastSign(visible: Visible): Promise<void> {
    const { alive_at, planned_end } = visible.play;
    return this.#close(visible, { ended_at: Math.min(alive_at, planned_end), completed: alive_at >= planned_end });
  }

  async #close(visible: Visible, { ended_at, completed }: { ended_at: number; completed: boolean }): Promise<void> {
    const { turn: _turn, planned_end: _end, alive_at: _alive, ...kept } = visible.play;
    const started_at = Math.round(kept.started_at);
    this.#forgetOpen(visible);
    await this.#writer.add({ ...kept, started_at, ended_at: Math.max(Math.round(ended_at), started_at), completed });
  }

  #forgetOpen(gone: Visible): void {
    for (const [key, open] of this.#open) {
      if (open !== gone) continue;
      this.#open.delete(key);
      this.#recent.add(key);
    }
    for (const oldest of this.#recent) {
      if (this.#recent.size <= RECENT) break;
      this.#recent.delete(oldest);
    }
  }

  #ofTurn(turn: string): Visible | undefined {
    return [...this.#open.values()].find(({ play }) => play.turn === turn);
  }

  async #saveOpen(): Promise<void> {
    for (const visible of this.#open.values()) {
      const { play } = visible;
      if (visible.saved || !(await this.#writer.attempt(() => this.#deps.store.saveOpen(play)))) continue;
      // The clock may have jumped during the write. In this case the play is saved again.
      visible.saved = visible.play.started_at === play.started_at;
    }
  }

  /** Stores the latest `alive_at` of the open plays, the time until which they were visible. */
  async #mark(): Promise<boolean> {
    const marks = [...this.#open.values()].map(({ play }) => play.alive_at);
    return marks.length === 0 || this.#writer.attempt(() => this.#deps.store.beat(Math.max(...marks)));
  }

  /**
   * Converts an instant to the current clock. For a moment after a clock jump, the screen still sends times of the old
   * clock: an instant that is nearer to the old time gets the size of the jump added.
   */
  #onThisClock(instant: number): number {
    const { delta, after } = this.#jump;
    const before = delta > 0 ? instant < after - delta / 2 : instant > this.#deps.clock().now - delta / 2;
    return before ? instant + delta : instant;
  }
}

/** Converts names to the form in which the server stores them, so that both sides compute the same hash. */
const plain = (name: string): string =>
  name.replace(/\p{Cc}/gu, (control) => (control < '\u0080' ? ' ' : control)).slice(0, 2_000);
const tenths = (ms: number | null): number | null => ms && Math.round(ms * 10) / 10;

const keyOf = (play: { turn: string; started_at: number }): string => `${play.turn}@${play.started_at}`;
