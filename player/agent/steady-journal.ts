/**
 * The journal on disk, whatever becomes of it: the picture must never depend on it. A damaged file is put aside and a new one begun.
 * What cannot be opened has no plays, takes none and is tried again; the core keeps what is not written (core/journal-writer.ts).
 * Called by one at a time (core/journal.ts sees to it).
 */
import type { JournalRow } from '../../shared/protocol/journal-chain.ts';
import type { JournalStore, OpenPlay } from '../core/journal.ts';
import type { Log } from '../core/ports.ts';
import { isDamage, removeDatabase, setAside } from './database-files.ts';
import { SqliteJournal } from './journal.store.ts';

/** With the first thing to be written after so long: every few seconds while something plays. */
const RETRY_MS = 60_000;
const CLOSED = new Error('journal used while closed');

interface Needs {
  readonly path: string;
  readonly log: Log;
  /** Milliseconds, never set. */
  readonly mono: () => number;
}

export class SteadyJournal implements JournalStore {
  readonly #needs: Needs;
  /** Undefined while it cannot be opened. */
  #disk: SqliteJournal | undefined;
  #failure: unknown = CLOSED;
  #triedAt = 0;
  #said = false;
  /** Where the core was told at the start that its numbers go on. */
  #from: string | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  start(): void {
    this.#open();
    if (!this.#disk) this.#sayUnreadable();
  }

  stop(): void {
    this.#close();
    this.#failure = CLOSED;
    this.#triedAt = Number.POSITIVE_INFINITY;
  }

  async head(): Promise<{ readonly seq: number; readonly hash: string } | undefined> {
    const head = await this.#atStart((disk) => disk.head());
    this.#from = head?.hash;
    return head;
  }

  async openPlays(): Promise<OpenPlay[]> {
    return (await this.#atStart((disk) => disk.openPlays())) ?? [];
  }

  saveOpen(play: OpenPlay): Promise<void> {
    return this.#use((disk) => disk.saveOpen(play));
  }

  beat(aliveAt: number): Promise<void> {
    return this.#use((disk) => disk.beat(aliveAt));
  }

  append(row: JournalRow): Promise<void> {
    return this.#use((disk) => disk.append(row));
  }

  page(limit: number): Promise<JournalRow[]> {
    return this.#use((disk) => disk.page(limit));
  }

  ofBoot(bootId: string): Promise<JournalRow[]> {
    return this.#use((disk) => disk.ofBoot(bootId));
  }

  rewrite(rows: readonly JournalRow[]): Promise<void> {
    return this.#use((disk) => disk.rewrite(rows));
  }

  forget(through: number): Promise<void> {
    return this.#use((disk) => disk.forget(through));
  }

  trim(bounds: { readonly endedBefore: number; readonly maxBytes: number }): Promise<number> {
    return this.#use((disk) => disk.trim(bounds));
  }

  async clear(): Promise<void> {
    try {
      await this.#use((disk) => disk.clear());
    } catch {
      // To delete rows a disk needs room; to delete files it does not.
      this.#close();
      removeDatabase(this.#needs.path);
      this.#open();
    }
  }

  /** The two questions on which the picture waits: always answered. */
  async #atStart<T>(work: (disk: SqliteJournal) => Promise<T>): Promise<T | undefined> {
    if (!this.#disk) return undefined;
    try {
      return await this.#sound(work);
    } catch (error) {
      this.#close();
      this.#failure = error;
      this.#sayUnreadable();
      return undefined;
    }
  }

  async #use<T>(work: (disk: SqliteJournal) => Promise<T>): Promise<T> {
    if (!this.#disk && this.#needs.mono() - this.#triedAt >= RETRY_MS) await this.#openLate();
    return this.#sound(work);
  }

  async #sound<T>(work: (disk: SqliteJournal) => Promise<T>): Promise<T> {
    if (!this.#disk) throw this.#failure;
    try {
      return await work(this.#disk);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#beginAnew(error);
      if (!this.#disk) throw this.#failure;
      return work(this.#disk);
    }
  }

  async #openLate(): Promise<void> {
    this.#open();
    // The numbers of two journals must not meet in one file: the core has begun to count without this one.
    const head = await this.#atStart((disk) => disk.head());
    if (head && head.hash !== this.#from) this.#beginAnew('it could not be read when the player started');
    if (!this.#disk) return;
    this.#said = false;
    this.#needs.log.info('the journal of plays can be opened again');
  }

  #open(): void {
    this.#triedAt = this.#needs.mono();
    const disk = new SqliteJournal(this.#needs.path, this.#needs.log);
    try {
      disk.start();
      this.#disk = disk;
    } catch (error) {
      this.#failure = error;
      if (isDamage(error)) this.#beginAnew(error);
    }
  }

  /** The server takes it from any number on: it knows plays by ids of their own (plays-ingest.ts). */
  #beginAnew(why: unknown): void {
    this.#close();
    const { path, log } = this.#needs;
    try {
      const name = setAside(path);
      log.error(`the journal of plays is damaged: plays not yet reported to the server may be lost. The file is kept as ${name}, and a new journal begins`, why);
      const disk = new SqliteJournal(path, log);
      disk.start();
      this.#disk = disk;
    } catch (error) {
      this.#failure = error;
    }
  }

  /** Once, until it can be. */
  #sayUnreadable(): void {
    if (!this.#said) this.#needs.log.error('the journal of plays cannot be opened: plays are kept in memory until it can, and are lost if the power fails', this.#failure);
    this.#said = true;
  }

  #close(): void {
    this.#disk?.stop();
    this.#disk = undefined;
  }
}
