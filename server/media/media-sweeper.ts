/**
 * Removes what nobody refers to: every hour what lost its last reference while this server ran, and had lost it an hour
 * before already, so that a player still fetching it, or a person undoing, is not cut off. What else nothing refers to
 * (a crash left it, or the database is another than yesterday's) is put aside and can come back.
 */
import type { Lifecycle } from '../kernel/lifecycle.ts';
import { asNecessary } from '../kernel/necessity.ts';
import type { Parts } from '../kernel/parts.ts';
import type { Aside } from './aside.ts';
import type { BlobsStore } from './blobs.store.ts';
import type { MediaStore } from './media-store.ts';

const EVERY_MS = 3_600_000;

interface Deps extends Pick<Parts, 'db' | 'bus'> {
  readonly room: { readonly isScarce: boolean };
  /** Gives up the oldest files in the bin. Returns how many bytes that may free; 0: none is left. */
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
  /** Rows that were there at the start although nobody referred to them: their files were not seen to be deleted. */
  #foundAtStart: ReadonlySet<string> = new Set();
  /** Their last reference went while this server ran, then their row; the file is next. */
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
    // Before anybody is served: a player may ask for it at once.
    this.#attempt(() => this.#bringBack());
    this.#attempt(() => this.#deps.media.clearParts());
    // Nobody was served yet: what is unreferenced now needs no grace.
    this.#foundAtStart = new Set(this.#deps.store.unreferenced());
    this.#suspects = this.#foundAtStart;
    void this.sweep();
    // On a full disk what is deleted must make room now, not in an hour.
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

  /** One pass; never rejects. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#pass()
      .catch(this.#deps.onError)
      .finally(() => {
        this.#sweeping = undefined;
      });
    return this.#sweeping;
  }

  /** One after the other: what the bin gives up is announced, too. */
  #sweepSoon(): void {
    this.#making ??= this.#makeRoom()
      .catch(this.#deps.onError)
      .finally(() => {
        this.#making = undefined;
      });
  }

  /** What nobody refers to goes first; as long as that is not enough, the oldest in the bin. */
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
    // Files go after their rows: a crash in between leaves a file without a row, which the next start finds here.
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
    await aside.giveUp();
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
