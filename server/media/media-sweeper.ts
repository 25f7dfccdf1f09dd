/**
 * Removes unreferenced files. Every hour it deletes the files that lost their last reference while the server ran and
 * were already unreferenced an hour ago, so that a player that is downloading the file, or a person who undoes a
 * deletion, is not affected. Other unreferenced files (from a crash, or because an older database was restored) are
 * moved aside and can be restored.
 */

import { asNecessary } from '../kernel/disk/necessity.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Parts } from '../kernel/parts.ts';
import type { Aside } from './aside.ts';
import type { BlobsStore } from './blobs.store.ts';
import type { MediaStore } from './media-store.ts';

const EVERY_MS = 3_600_000;

interface Deps extends Pick<Parts, 'db' | 'bus'> {
  readonly room: { readonly isScarce: boolean };
  /** Deletes the oldest files in the bin. Returns the bytes that this may free; 0 when none is left. */
  readonly bin: { makeRoom(): number };
  readonly store: BlobsStore;
  readonly media: MediaStore;
  readonly aside: Aside;
  readonly onError: (error: unknown) => void;
  readonly note: (sentence: string) => void;
}

export class MediaSweeper implements Lifecycle {
  readonly name = 'media-sweeper';
  readonly #deps: Deps;
  #suspects: ReadonlySet<string> = new Set();
  /** Unreferenced rows found at the start. They lost their references before this server ran. */
  #foundAtStart: ReadonlySet<string> = new Set();
  /**
   * Hashes whose last reference, and then whose row, were deleted while this server ran. Their files are deleted next.
   */
  readonly #doomed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #sweeping: Promise<void> | undefined;
  #making: Promise<void> | undefined;
  #undo: () => void = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#stopped = false;
    // Runs before the first request is served, because a player may request a restored file at once.
    this.#attempt(() => this.#bringBack());
    this.#attempt(() => this.#deps.media.clearParts());
    // Skips the usual hour of waiting, because no request has been served yet, so nothing can be using these files.
    this.#foundAtStart = new Set(this.#deps.store.unreferenced());
    this.#suspects = this.#foundAtStart;
    void this.sweep();
    // On a full disk, a change of contents or of the bin starts a sweep at once, so that a deletion frees space.
    this.#undo = this.#deps.bus.on('changed', ({ topic }) => {
      if ((topic === 'content' || topic === 'bin') && this.#deps.room.isScarce) this.#sweepSoon();
    });
    this.#timer = setInterval(() => {
      if (this.#deps.room.isScarce) this.#sweepSoon();
      else void this.sweep();
    }, EVERY_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#undo();
    clearInterval(this.#timer);
    await this.#making;
    await this.#sweeping;
    this.#attempt(() => this.#deps.aside.count());
  }

  /** Runs one sweep of unused media. The promise never rejects. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#pass()
      .catch(this.#deps.onError)
      .finally(() => {
        this.#sweeping = undefined;
      });
    return this.#sweeping;
  }

  /** Runs `#makeRoom` only once at a time. It deletes records in the bin, and such a deletion starts another sweep. */
  #sweepSoon(): void {
    this.#making ??= this.#makeRoom()
      .catch(this.#deps.onError)
      .finally(() => {
        this.#making = undefined;
      });
  }

  /** Removes unreferenced files first. While that does not free enough space, removes the oldest files in the bin. */
  async #makeRoom(): Promise<void> {
    const { room, bin, store } = this.#deps;
    do {
      await this.#sweeping;
      this.#suspects = new Set(store.unreferenced());
      await this.sweep();
    } while (!this.#stopped && room.isScarce && bin.makeRoom() > 0);
  }

  async #pass(): Promise<void> {
    const { db, store, aside, media, note } = this.#deps;
    const suspects = [...this.#suspects];
    const gone = asNecessary(() => db.write(() => store.deleteUnreferenced(suspects)));
    for (const sha256 of gone) if (!this.#foundAtStart.has(sha256)) this.#doomed.add(sha256);
    await db.durable();
    this.#foundAtStart = new Set();
    this.#suspects = new Set(store.unreferenced());
    aside.begin();
    let count = 0;
    // Files are deleted after their rows. A crash in between leaves a file without a row, which this step moves aside
    // after the next start.
    for await (const sha256 of media.stored()) {
      if (this.#stopped) return;
      if (store.exists(sha256)) this.#doomed.delete(sha256);
      else if (!this.#doomed.has(sha256)) count += aside.put(sha256) ? 1 : 0;
      else if (media.remove(sha256)) this.#doomed.delete(sha256);
    }
    if (count > 0)
      note(
        `${count} media files that nothing refers to were put aside (media-aside). They come back when they are named again, and go after a week.`,
      );
    this.#bringBack();
    await aside.discard();
  }

  #bringBack(): void {
    const count = this.#deps.aside.bringBack((sha256) => this.#deps.store.exists(sha256));
    if (count > 0) this.#deps.note(`${count} media files that had been put aside came back: the database names them.`);
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#deps.onError(error);
    }
  }
}
