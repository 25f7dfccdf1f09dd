/** The play journal: one row a play, in order, chained; kept until the server has committed it. */

import { genesis, type JournalRow, rowHash, sealText } from '../../shared/protocol/journal-chain.ts';
import type { ClockReading } from './clock-sync.ts';
import type { Crypto, Log } from './ports.ts';
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
export interface JournalStore {
  /** Of the last row ever appended, delivered or not. */
  head(): Promise<{ readonly seq: number; readonly hash: string } | undefined>;
  openPlays(): Promise<OpenPlay[]>;
  saveOpen(play: OpenPlay): Promise<void>;
  /** Sets alive_at of every open play. */
  beat(aliveAt: number): Promise<void>;
  /** Appends the row and removes the open play with its id. */
  append(row: JournalRow): Promise<void>;
  /** Oldest first. */
  page(limit: number): Promise<JournalRow[]>;
  ofBoot(bootId: string): Promise<JournalRow[]>;
  /** Replaces rows of the same numbers, and the head when the last is among them. */
  rewrite(rows: readonly JournalRow[]): Promise<void>;
  forget(through: number): Promise<void>;
  /** Drops the oldest beyond either bound; returns how many. */
  trim(bounds: { readonly endedBefore: number; readonly maxBytes: number }): Promise<number>;
  clear(): Promise<void>;
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

const KEEP_MS = 90 * 24 * 3_600_000;
const KEEP_BYTES = 2 * 1024 ** 3;
/** Alive marks reach the disk this often: what a power cut may shorten a play by. */
const BEAT_MS = 5_000;
/** More than any layout has zones; beyond, the oldest is closed. */
const MOST_OPEN = 100;
const TRIM_EVERY_ROWS = 500;
/** Reports are retried by the screen until heard, so ends are remembered to recognize repetitions. */
const RECENT = 500;

interface Needs {
  readonly store: JournalStore;
  readonly crypto: Crypto;
  readonly log: Log;
  readonly bootId: string;
  readonly signingKey: () => string | null;
  readonly clock: () => ClockReading;
  /** A row is ready for delivery. */
  readonly appended: () => void;
}

export class Journal {
  readonly #needs: Needs;
  #open = new Map<string, OpenPlay>();
  #recent = new Set<string>();
  #head: { readonly seq: number; readonly hash: string } | undefined;
  #beatAt = Number.NEGATIVE_INFINITY;
  /** One at a time, in the order asked: rows must chain. */
  readonly #queue = new Serial();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** What was open when the last run ended is closed at its last sign of life. */
  async start(): Promise<void> {
    this.#head = await this.#needs.store.head();
    for (const play of await this.#needs.store.openPlays()) this.#open.set(keyOf(play), play);
    await this.closeOpen();
  }

  /** Everything asked for so far is on disk. What is open stays so; the next start closes it. */
  async stop(): Promise<void> {
    await this.#queue.run(async () => {
      if (this.#open.size > 0) await this.#needs.store.beat(Math.max(...[...this.#open.values()].map((play) => play.alive_at)));
    });
  }

  shown(shown: Shown): Promise<void> {
    return this.#queue.run(async () => {
      const key = keyOf(shown);
      if (this.#open.has(key) || this.#recent.has(key)) return;
      const same = [...this.#open.values()].find((play) => play.turn === shown.turn);
      if (same) await this.#close(same, { ended_at: same.alive_at, completed: false });
      const [oldest] = this.#open.values();
      if (oldest && this.#open.size >= MOST_OPEN) await this.#close(oldest, { ended_at: oldest.alive_at, completed: false });
      const uncertainty = tenths(this.#needs.clock().uncertainty);
      const play: OpenPlay = {
        ...shown,
        content_name: plain(shown.content_name),
        id: this.#needs.crypto.uuid(),
        boot_id: this.#needs.bootId,
        uncertainty_ms: uncertainty,
        alive_at: shown.started_at,
      };
      // A mark left from before (another run, a clock since set back) must not count as this play's.
      if (this.#open.size === 0) await this.#needs.store.beat(shown.started_at);
      this.#open.set(key, play);
      await this.#needs.store.saveOpen(play);
    });
  }

  ended({ turn, ended_at, completed }: { turn: string; ended_at: number; completed: boolean }): Promise<void> {
    return this.#queue.run(async () => {
      const play = [...this.#open.values()].find((open) => open.turn === turn);
      if (play) await this.#close(play, { ended_at, completed });
    });
  }

  /** The screen painted at this instant. */
  alive(now: number): Promise<void> {
    for (const [key, play] of this.#open) this.#open.set(key, { ...play, alive_at: Math.max(play.alive_at, now) });
    if (this.#open.size === 0 || Math.abs(now - this.#beatAt) < BEAT_MS) return Promise.resolve();
    this.#beatAt = now;
    return this.#queue.run(() => this.#needs.store.beat(now));
  }

  /** The panel went off at this instant, whether or not the page comes to say so: it may not paint again before the morning. */
  endOpen(at: number): Promise<void> {
    return this.#queue.run(async () => {
      for (const play of [...this.#open.values()]) await this.#close(play, { ended_at: Math.min(at, play.planned_end), completed: at >= play.planned_end });
    });
  }

  /** The page that showed these is gone. */
  closeOpen(): Promise<void> {
    return this.#queue.run(async () => {
      for (const play of [...this.#open.values()]) {
        // The end of its turn may have been reached without being heard.
        const ended_at = Math.min(play.alive_at, play.planned_end);
        await this.#close(play, { ended_at, completed: play.alive_at >= play.planned_end });
      }
    });
  }

  /** Rows of this run that were stamped before the clock was compared are moved by what it was wrong. None of them was delivered yet. */
  clockStepped(delta: number): Promise<void> {
    return this.#queue.run(async () => {
      const { store, bootId } = this.#needs;
      for (const [key, play] of [...this.#open]) {
        if (play.uncertainty_ms !== null || play.boot_id !== bootId) continue;
        const moved = { ...play, started_at: play.started_at + delta, planned_end: play.planned_end + delta, alive_at: play.alive_at + delta };
        this.#open.set(key, moved); // the key keeps the screen's stamp, by which repetitions are known
        await store.saveOpen(moved);
      }
      if (this.#open.size > 0) await store.beat(Math.max(...[...this.#open.values()].map((play) => play.alive_at)));
      const rows = await store.ofBoot(bootId);
      const first = rows.findIndex((row) => row.uncertainty_ms === null);
      if (first < 0) return;
      let prev = rows[first]?.prev ?? '';
      const moved = rows.slice(first).map((row) => {
        const shift = row.uncertainty_ms === null ? delta : 0;
        const next = this.#chained({ ...row, prev, started_at: Math.round(row.started_at + shift), ended_at: Math.round(row.ended_at + shift) });
        prev = next.hash;
        return next;
      });
      await store.rewrite(moved);
      this.#head = moved.at(-1) ?? this.#head;
    });
  }

  pending(limit: number): Promise<JournalRow[]> {
    return this.#queue.run(() => this.#needs.store.page(limit));
  }

  forget(through: number): Promise<void> {
    return this.#queue.run(() => this.#needs.store.forget(through));
  }

  /** Vouches for the rows up to this one; undefined where the platform cannot sign. */
  seal(row: JournalRow): string | undefined {
    const key = this.#needs.signingKey();
    return key === null ? undefined : this.#needs.crypto.sign(key, sealText(row));
  }

  clear(): Promise<void> {
    return this.#queue.run(async () => {
      await this.#needs.store.clear();
      this.#open.clear();
      this.#recent.clear();
      this.#head = undefined;
    });
  }

  async #close(play: OpenPlay, { ended_at, completed }: { ended_at: number; completed: boolean }): Promise<void> {
    const { turn: _turn, planned_end: _end, alive_at: _alive, ...kept } = play;
    const seq = (this.#head?.seq ?? 0) + 1;
    const prev = this.#head?.hash ?? this.#genesis();
    const started_at = Math.round(play.started_at);
    const row = this.#chained({ ...kept, seq, prev, started_at, ended_at: Math.max(Math.round(ended_at), started_at), completed });
    await this.#needs.store.append(row);
    this.#head = row;
    this.#forgetOpen(play);
    if (seq % TRIM_EVERY_ROWS === 0) await this.#trim();
    this.#needs.appended();
  }

  #forgetOpen(play: OpenPlay): void {
    for (const [key, open] of this.#open) {
      if (open.id !== play.id) continue;
      this.#open.delete(key);
      this.#recent.add(key);
    }
    for (const oldest of this.#recent) {
      if (this.#recent.size <= RECENT) break;
      this.#recent.delete(oldest);
    }
  }

  #chained({ hash: _, ...row }: Omit<JournalRow, 'hash'> & { hash?: string }): JournalRow {
    return { ...row, hash: rowHash(this.#needs.crypto.sha256, row) };
  }

  #genesis(): string {
    const key = this.#needs.signingKey();
    return genesis(this.#needs.crypto.sha256, key === null ? null : this.#needs.crypto.publicKey(key));
  }

  /** By age only when the clock is sure: one that jumped ahead by a year would cost every row. */
  async #trim(): Promise<void> {
    const { now, uncertainty } = this.#needs.clock();
    const endedBefore = uncertainty === null ? Number.NEGATIVE_INFINITY : now - KEEP_MS;
    const dropped = await this.#needs.store.trim({ endedBefore, maxBytes: KEEP_BYTES });
    if (dropped > 0) this.#needs.log.warn(`the journal is full: the oldest ${dropped} plays were given up`);
  }
}

/** As the server keeps names: what is hashed here must be what can be hashed there. */
const plain = (name: string): string => name.replace(/\p{Cc}/gu, (control) => (control < '\u0080' ? ' ' : control)).slice(0, 2_000);
const tenths = (ms: number | null): number | null => ms && Math.round(ms * 10) / 10;

const keyOf = (play: { turn: string; started_at: number }): string => `${play.turn}@${play.started_at}`;
