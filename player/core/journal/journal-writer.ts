/**
 * Writes finished plays into the journal in order. Each play gets the next number and the hash of the play before it. A
 * play that the disk refuses waits in memory and gets its number when it is written.
 */

import { genesis, type JournalRow, rowHash } from '../../../shared/protocol/journal-chain.ts';
import type { ClockReading } from '../connection/clock-sync.ts';
import type { Host } from '../ports.ts';

/**
 * A finished play that has no number in the hash chain yet. Two runs must never give the same number to two plays, and
 * unwritten plays are lost with their run.
 */
export type EndedPlay = Omit<JournalRow, 'seq' | 'prev' | 'hash'>;

/** Storage of journal rows. Each method is atomic, and durable when it resolves. */
export interface RowStore {
  /** Returns the row that was appended last, delivered or not. */
  head(): Promise<{ readonly seq: number; readonly hash: string } | undefined>;
  /** Appends the row and removes the open play with its id. Has no effect if the row already exists. */
  append(row: JournalRow): Promise<void>;
  /** Returns the oldest rows first. */
  page(limit: number): Promise<JournalRow[]>;
  ofBoot(bootId: string): Promise<JournalRow[]>;
  /** Replaces the rows with the same numbers. If the last row is among them, its stored hash is updated too. */
  rewrite(rows: readonly JournalRow[]): Promise<void>;
  /**
   * Removes rows that ended before `endedBefore`, and the oldest rows beyond `maxBytes`. Returns the number of removed
   * rows.
   */
  trim(bounds: { readonly endedBefore: number; readonly maxBytes: number }): Promise<number>;
  clear(): Promise<void>;
}

const KEEP_MS = 90 * 24 * 3_600_000;
const KEEP_BYTES = 2 * 1024 ** 3;
const TRIM_EVERY_ROWS = 500;
/**
 * Maximum number of plays that wait in memory: two days of items of 10 s, about 10 MB. Beyond that, the oldest plays
 * are dropped.
 */
const MOST_WAITING = 20_000;
/**
 * Maximum number of rows written in one batch. Each row is a write that waits for the disk, so larger batches would
 * delay the clock and the page.
 */
const WRITTEN_AT_ONCE = 50;

export interface WriterDeps extends Pick<Host, 'crypto' | 'log'> {
  readonly store: RowStore;
  readonly bootId: string;
  readonly signingKey: () => string | null;
  readonly clock: () => ClockReading;
  /** Called when a row is ready for delivery. */
  readonly appended: () => void;
  /**
   * Maximum number of plays in memory while the disk refuses writes. Beyond that, the oldest plays are dropped.
   * @default 20_000
   */
  readonly mostWaiting?: number;
}

/** Writes rows into the journal. Callers must not call a method before the previous call has ended. */
export class JournalWriter {
  readonly #deps: Required<WriterDeps>;
  #head: { readonly seq: number; readonly hash: string } | undefined;
  #waiting: EndedPlay[] = [];
  /**
   * Number of dropped plays before the first waiting play. Their numbers stay unused, which shows the gap to the
   * server.
   */
  #givenUp = 0;
  /** Clock correction in ms that the disk still needs for the rows of this run whose times are uncertain. */
  #unmoved = 0;
  /**
   * Since the disk began to refuse writes: the number of plays that had to wait, and the number of dropped plays.
   * Undefined while the disk accepts writes.
   */
  #trouble: { waited: number; lost: number } | undefined;

  constructor(deps: WriterDeps) {
    this.#deps = { mostWaiting: MOST_WAITING, ...deps };
  }

  async start(): Promise<void> {
    this.#head = await this.#deps.store.head();
  }

  /** Writes all waiting plays. Plays that cannot be written are lost. */
  async stop(): Promise<void> {
    await this.write(Number.POSITIVE_INFINITY);
    const lost = this.#waiting.length + (this.#trouble?.lost ?? 0);
    if (lost > 0) this.#deps.log.error(`${lost} plays could not be written and are lost`);
  }

  get behind(): boolean {
    return this.#waiting.length > 0 || this.#unmoved !== 0;
  }

  async add(play: EndedPlay): Promise<void> {
    this.#waiting.push(play);
    await this.write();
    if (this.#trouble) this.#trouble.waited++;
    if (this.#waiting.length <= this.#deps.mostWaiting) return;
    this.#waiting.shift();
    this.#givenUp++;
    if (this.#trouble) this.#trouble.lost++;
  }

  /** Writes the oldest plays first. */
  async write(most = WRITTEN_AT_ONCE): Promise<void> {
    if (!(await this.#moveRows())) return;
    let written = 0;
    for (; written < most; written++) {
      const [play] = this.#waiting;
      if (!play) break;
      const row = this.#numbered(play);
      if (!(await this.attempt(() => this.#deps.store.append(row)))) return;
      this.#waiting.shift();
      this.#givenUp = 0;
      this.#head = row;
      if (row.seq % TRIM_EVERY_ROWS === 0) await this.attempt(() => this.#trim());
      this.#deps.appended();
    }
    if (this.#trouble && !this.behind && written > 0) this.#recovered(this.#trouble);
  }

  /** Returns false if the disk refuses the write. Logged once until a write succeeds again. */
  async attempt(write: () => Promise<unknown>): Promise<boolean> {
    try {
      await write();
      return true;
    } catch (error) {
      if (!this.#trouble)
        this.#deps.log.error(`plays cannot be written and wait in memory, at most ${this.#deps.mostWaiting}`, error);
      this.#trouble ??= { waited: 0, lost: 0 };
      return false;
    }
  }

  /**
   * Shifts the times of those plays of this run that were visible before the first clock comparison, by `delta` ms.
   * Rows on disk are corrected with the next write. None of these plays was delivered yet.
   */
  move(delta: number): void {
    this.#waiting = this.#waiting.map((play) =>
      play.uncertainty_ms === null && play.boot_id === this.#deps.bootId
        ? { ...play, started_at: Math.round(play.started_at + delta), ended_at: Math.round(play.ended_at + delta) }
        : play,
    );
    this.#unmoved += delta;
  }

  /**
   * Returns rows for delivery, without gaps, because a message numbers its plays by the first play. Includes only rows
   * on disk: after a power cut the next run would give the numbers of unwritten plays to other plays, and a verifier of
   * the chain would report a forgery.
   */
  async page(limit: number): Promise<JournalRow[]> {
    if (this.#unmoved !== 0) return [];
    const rows = await this.#deps.store.page(limit);
    const gap = rows.findIndex((row, i) => i > 0 && row.seq !== rows[i - 1]!.seq + 1);
    return gap < 0 ? rows : rows.slice(0, gap);
  }

  async clear(): Promise<void> {
    await this.#deps.store.clear();
    this.#head = this.#trouble = undefined;
    this.#waiting = [];
    this.#givenUp = this.#unmoved = 0;
  }

  /**
   * Corrects the times of uncertain rows on the disk before a row is added, because the times of later rows are right
   * already.
   */
  async #moveRows(): Promise<boolean> {
    if (this.#unmoved === 0) return true;
    const { store, bootId } = this.#deps;
    const done = await this.attempt(async () => {
      const rows = await store.ofBoot(bootId);
      const first = rows.findIndex((row) => row.uncertainty_ms === null);
      if (first < 0) return;
      const moved = this.#rechained(rows.slice(first));
      await store.rewrite(moved);
      this.#head = moved.at(-1);
    });
    if (!done) return false;
    this.#unmoved = 0;
    this.#deps.appended();
    return true;
  }

  #rechained(rows: readonly JournalRow[]): JournalRow[] {
    let prev = rows[0]!.prev;
    return rows.map((row) => {
      const shift = row.uncertainty_ms === null ? this.#unmoved : 0;
      const next = this.#chained({
        ...row,
        prev,
        started_at: Math.round(row.started_at + shift),
        ended_at: Math.round(row.ended_at + shift),
      });
      prev = next.hash;
      return next;
    });
  }

  #numbered(play: EndedPlay): JournalRow {
    return this.#chained({
      ...play,
      seq: (this.#head?.seq ?? 0) + this.#givenUp + 1,
      prev: this.#head?.hash ?? this.#genesis(),
    });
  }

  #chained({ hash: _, ...row }: Omit<JournalRow, 'hash'> & { hash?: string }): JournalRow {
    return { ...row, hash: rowHash(this.#deps.crypto.sha256, row) };
  }

  #genesis(): string {
    const { crypto, signingKey } = this.#deps;
    const key = signingKey();
    return genesis(crypto.sha256, key === null ? null : crypto.publicKey(key));
  }

  #recovered({ waited, lost }: { waited: number; lost: number }): void {
    this.#trouble = undefined;
    this.#deps.log.warn(
      `plays can be written again: ${waited} had to wait${lost > 0 ? `, the oldest ${lost} of them were given up` : ''}`,
    );
  }

  /** Removes rows by age only when the clock is certain: a clock that is ahead by a year would remove every row. */
  async #trim(): Promise<void> {
    const { now, uncertainty } = this.#deps.clock();
    const endedBefore = uncertainty === null ? Number.NEGATIVE_INFINITY : now - KEEP_MS;
    const dropped = await this.#deps.store.trim({ endedBefore, maxBytes: KEEP_BYTES });
    if (dropped > 0) this.#deps.log.warn(`the journal is full: the oldest ${dropped} plays were given up`);
  }
}
