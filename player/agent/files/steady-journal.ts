/**
 * The journal on disk, tolerant of every fault, because the picture must never depend on it. A damaged file is set
 * aside and a new file begun. A journal that cannot be opened returns no plays, accepts none and is retried; the
 * core keeps unwritten plays (core/journal/journal-writer.ts). Callers must not overlap (ensured by
 * core/journal/journal.ts).
 */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { JournalRow } from '../../../shared/protocol/journal-chain.ts';
import type { JournalStore, OpenPlay } from '../../core/journal/journal.ts';
import type { Log } from '../../core/ports.ts';
import { AliveMark, type Mark } from './alive-mark.ts';
import { isDamage, removeDatabase, setAside } from './database-files.ts';
import { PRIVATE_FOLDER } from './files.ts';
import { SqliteJournal } from './journal.store.ts';

/** Delay until the next use retries to open the journal. */
const RETRY_MS = 60_000;
const CLOSED = new Error('the database of recorded plays is closed');

interface Deps {
  readonly path: string;
  readonly log: Log;
  /** Returns monotonic milliseconds. */
  readonly mono: () => number;
}

export class SteadyJournal implements JournalStore {
  readonly #deps: Deps;
  /** The open journal; undefined while it cannot be opened. */
  #disk: SqliteJournal | undefined;
  #failure: unknown = CLOSED;
  #triedAt = 0;
  #said = false;
  /**
   * Monotonic time of the last failed attempt to write a removed file again; undefined if the last attempt succeeded.
   */
  #putBackAt: number | undefined;
  /** Hash of the last row that the core received at the start. */
  #from: string | undefined;
  readonly #mark: AliveMark;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#mark = new AliveMark({ ...deps, path: `${deps.path}.alive` });
  }

  start(): void {
    this.#open();
    if (!this.#disk) this.#sayUnreadable();
  }

  stop(): Promise<void> {
    this.#close();
    this.#failure = CLOSED;
    this.#triedAt = Number.POSITIVE_INFINITY;
    return this.#mark.stop();
  }

  async head(): Promise<{ readonly seq: number; readonly hash: string } | undefined> {
    const head = await this.#atStart((disk) => disk.head());
    this.#from = head?.hash;
    return head;
  }

  async openPlays(): Promise<OpenPlay[]> {
    const [mark, plays] = [await this.#mark.read(), (await this.#atStart((disk) => disk.openPlays())) ?? []];
    return plays.map((play) =>
      play.boot_id === mark?.boot_id ? { ...play, alive_at: Math.max(play.alive_at, mark.alive_at) } : play,
    );
  }

  tick(mark: Mark): Promise<void> {
    return this.#mark.write(mark);
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
      // The file is deleted instead of its rows: deleting rows needs disk space, deleting files does not.
      this.#close();
      removeDatabase(this.#deps.path);
      this.#open();
    }
  }

  /** Does the disk work of the start. The promise never rejects, because the picture waits for it. */
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
    if (!this.#disk && this.#deps.mono() - this.#triedAt >= RETRY_MS) await this.#openLate();
    if (this.#disk && !this.#disk.isThere()) this.#putBack(this.#disk);
    return this.#sound(work);
  }

  /**
   * Writes the file again after it was removed or replaced. All its content is still readable while the database is
   * open.
   */
  #putBack(disk: SqliteJournal): void {
    const { path, log, mono } = this.#deps;
    if (this.#putBackAt !== undefined && mono() - this.#putBackAt < RETRY_MS) return;
    this.#putBackAt = mono();
    try {
      mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
      if (existsSync(path)) setAside(path);
      else removeDatabase(path);
      disk.copyTo(path);
      this.#close();
      this.#open();
      log.warn('the journal of plays was removed from the disk and is there again, with all that it had');
      this.#putBackAt = undefined;
    } catch (error) {
      if (isDamage(error)) return this.#beginAnew(error);
      log.error('the journal of plays was removed from the disk, and cannot be written again yet', error);
    }
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
    // The numbers of two journals must not mix in one file: the core has started to count without this journal.
    const head = await this.#atStart((disk) => disk.head());
    if (head && head.hash !== this.#from) this.#beginAnew('it could not be read when the player started');
    if (!this.#disk) return;
    this.#said = false;
    this.#deps.log.info('the journal of plays can be opened again');
  }

  #open(): void {
    this.#triedAt = this.#deps.mono();
    const disk = new SqliteJournal(this.#deps.path, this.#deps.log);
    try {
      disk.start();
      this.#disk = disk;
    } catch (error) {
      this.#failure = error;
      if (isDamage(error)) this.#beginAnew(error);
    }
  }

  /**
   * Starts a new journal. Its numbers may repeat earlier numbers: the server identifies plays by their ids
   * (plays-ingest.ts).
   */
  #beginAnew(why: unknown): void {
    this.#close();
    const { path, log } = this.#deps;
    try {
      const name = setAside(path);
      log.error(
        `the journal of plays is damaged: plays not yet reported to the server may be lost. The file is kept as ${name}, and a new journal begins`,
        why,
      );
      const disk = new SqliteJournal(path, log);
      disk.start();
      this.#disk = disk;
    } catch (error) {
      this.#failure = error;
    }
  }

  /** Logs the failure once, until the journal can be opened. */
  #sayUnreadable(): void {
    if (!this.#said)
      this.#deps.log.error(
        'the journal of plays cannot be opened: plays are kept in memory until it can, and are lost if the power fails',
        this.#failure,
      );
    this.#said = true;
  }

  #close(): void {
    this.#disk?.stop();
    this.#disk = undefined;
  }
}
