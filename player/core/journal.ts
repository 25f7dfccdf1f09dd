/** The play journal: one row a play, in order, chained; kept until the server has committed it. */

import { type JournalRow, sealText } from '../../shared/protocol/journal-chain.ts';
import { JournalWriter, type RowStore, type WriterDeps } from './journal-writer.ts';
import type { Time, Undo } from './ports.ts';
import { Serial } from './serial.ts';

/** A play that is on screen. Durable before its end, so that a power cut still yields a play. */
export interface OpenPlay extends Omit<JournalRow, 'seq' | 'prev' | 'hash' | 'ended_at' | 'completed'> {
  /** The screen's name of the turn; the same turn painted again (a reloaded page) starts at another time. */
  readonly turn: string;
  readonly planned_end: number;
  /** Known to be visible until then. */
  readonly alive_at: number;
}

/** Each method is atomic and durable when it resolves. */
export interface JournalStore extends RowStore {
  openPlays(): Promise<OpenPlay[]>;
  saveOpen(play: OpenPlay): Promise<void>;
  /** Sets alive_at of every open play. */
  beat(aliveAt: number): Promise<void>;
  /**
   * The same for the plays of one run, cheaply: it outlives the process at once, and a power cut after seconds. Never
   * rejects. Absent: `beat` is all there is.
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
 * This often the disk is asked again for what it refused; and where it has no cheaper mark, alive marks reach it: what
 * a crash may shorten a play by.
 */
const BEAT_MS = 5_000;
/** What a crash may shorten a play by, where it has. */
const TICK_MS = 500;
/** A page paints every second. One that has not for so long may not be seen any more. */
const SURE_MS = 1_500;
/** More than any layout has zones; beyond, the oldest is closed. */
const MOST_OPEN = 100;
/** Reports are retried by the screen until heard, so ends are remembered to recognize repetitions. */
const RECENT = 500;

interface Deps extends WriterDeps {
  readonly store: JournalStore;
  readonly time: Pick<Time, 'mono' | 'after'>;
}

/** An open play, on the clock as it is read now. */
interface Visible {
  play: OpenPlay;
  /**
   * Its start as the screen said it. The screen may count by a clock that has jumped since, so only how long after it a
   * play ended means anything.
   */
  readonly stamp: number;
  /** As it is here it is on disk. */
  saved: boolean;
}

export class Journal {
  readonly #deps: Deps;
  readonly #writer: JournalWriter;
  #open = new Map<string, Visible>();
  #recent = new Set<string>();
  #beatAt = Number.NEGATIVE_INFINITY;
  /** Not by the server's clock: that may be set. */
  #paintedAt = Number.NEGATIVE_INFINITY;
  #cancelTick: Undo | undefined;
  /** The last jump, and what the clock said after it. */
  #jump = { delta: 0, after: 0 };
  /** One at a time, in the order asked: rows must chain. */
  readonly #queue = new Serial();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#writer = new JournalWriter(deps);
  }

  /** What was open when the last run ended is closed at its last sign of life. */
  async start(): Promise<void> {
    await this.#writer.start();
    for (const play of await this.#deps.store.openPlays())
      this.#open.set(keyOf(play), { play, stamp: play.started_at, saved: true });
    await this.closeOpen();
  }

  /** Everything asked for so far is on disk. What is open stays so; the next start closes it. */
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
      // A mark left from before (another run, a clock since set back) must not count as this play's.
      if (this.#open.size > 1 || (await this.#mark())) await this.#saveOpen();
    });
  }

  /** `ended_at` is by the clock by which the screen said the start, wherever that clock has jumped since. */
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
      // First what is over: a mark behind its end must not count as its sign of life.
      await this.#writer.write();
      if (await this.#mark()) await this.#saveOpen();
    });
  }

  /** Nobody follows any more what is shown: it was on the screen until now, unless it had stopped painting before. */
  unseen(): void {
    if (this.#isPainting) this.#seen(this.#deps.clock().now);
    this.#paintedAt = Number.NEGATIVE_INFINITY;
    this.#cancelTick?.();
  }

  /**
   * The panel went off at this instant, whether or not the page comes to say so: it may not paint again before the
   * morning.
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

  /** The page that showed these is gone. */
  closeOpen(): Promise<void> {
    return this.#queue.run(async () => {
      for (const visible of [...this.#open.values()]) await this.#closeAtLastSign(visible);
    });
  }

  /**
   * The clock has jumped. What is on screen goes on being shown as long as it really is: it began by so much earlier or
   * later than was thought. What is over stays as it was written, but for `first`: rows of this run from before the
   * clock was compared.
   */
  clockStepped(delta: number, { first }: { readonly first: boolean }): Promise<void> {
    // At once: whatever is waiting to be done is told instants of the new clock from now on.
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

  /** Vouches for the rows up to this one; undefined where the platform cannot sign. */
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

  /** Past the queue: what waits for a slow disk in there must not keep this from being marked. */
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

  /** The end of its turn may have been reached without being heard; what was seen after it was another turn's. */
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
      // The clock may have jumped meanwhile; then it is saved once more.
      visible.saved = visible.play.started_at === play.started_at;
    }
  }

  /** The last sign of life of whatever is open. */
  async #mark(): Promise<boolean> {
    const marks = [...this.#open.values()].map(({ play }) => play.alive_at);
    return marks.length === 0 || this.#writer.attempt(() => this.#deps.store.beat(Math.max(...marks)));
  }

  /**
   * The screen follows a jump a moment later: an instant that is nearer to what its clock said before is moved like
   * what is open.
   */
  #onThisClock(instant: number): number {
    const { delta, after } = this.#jump;
    const before = delta > 0 ? instant < after - delta / 2 : instant > this.#deps.clock().now - delta / 2;
    return before ? instant + delta : instant;
  }
}

/** As the server keeps names: what is hashed here must be what can be hashed there. */
const plain = (name: string): string =>
  name.replace(/\p{Cc}/gu, (control) => (control < '\u0080' ? ' ' : control)).slice(0, 2_000);
const tenths = (ms: number | null): number | null => ms && Math.round(ms * 10) / 10;

const keyOf = (play: { turn: string; started_at: number }): string => `${play.turn}@${play.started_at}`;
