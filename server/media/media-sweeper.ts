/**
 * Removes what nobody refers to: every hour what lost its last reference while this server ran, and had lost it an hour before already,
 * so that a player still fetching it, or a person undoing, is not cut off. What else nothing refers to (a crash left it, or the database
 * is another than yesterday's) is put aside and can come back.
 */
import type { Database } from '../db/database.ts';
import type { Bus } from '../kernel/bus.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import { asNecessary } from '../kernel/necessity.ts';
import type { Aside } from './aside.ts';
import type { BlobsStore } from './blobs.store.ts';
import type { MediaStore } from './media-store.ts';

const EVERY_MS = 3_600_000;

export class MediaSweeper implements Lifecycle {
  readonly name = 'media-sweeper';
  readonly #db: Database;
  readonly #room: { readonly isScarce: boolean };
  readonly #bus: Bus;
  readonly #store: BlobsStore;
  readonly #media: MediaStore;
  readonly #aside: Aside;
  readonly #onError: (error: unknown) => void;
  readonly #note: (sentence: string) => void;
  #suspects: ReadonlySet<string> = new Set();
  /** Rows that were there at the start although nobody referred to them: their files were not seen to be deleted. */
  #foundAtStart: ReadonlySet<string> = new Set();
  /** Their last reference went while this server ran, then their row; the file is next. */
  readonly #doomed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #sweeping: Promise<void> | undefined;
  #undo: () => void = () => {};

  constructor(deps: {
    db: Database;
    room: { readonly isScarce: boolean };
    bus: Bus;
    store: BlobsStore;
    media: MediaStore;
    aside: Aside;
    onError: (error: unknown) => void;
    note: (sentence: string) => void;
  }) {
    this.#db = deps.db;
    this.#room = deps.room;
    this.#bus = deps.bus;
    this.#store = deps.store;
    this.#media = deps.media;
    this.#aside = deps.aside;
    this.#onError = deps.onError;
    this.#note = deps.note;
  }

  start(): void {
    this.#stopped = false;
    // Before anybody is served: a player may ask for it at once.
    this.#attempt(() => this.#bringBack());
    this.#attempt(() => this.#media.clearParts());
    // Nobody was served yet: what is unreferenced now needs no grace.
    this.#foundAtStart = new Set(this.#store.unreferenced());
    this.#suspects = this.#foundAtStart;
    void this.sweep();
    // On a full disk what is deleted must make room now, not in an hour.
    this.#undo = this.#bus.on('changed', ({ topic }) => {
      if (topic === 'content' && this.#room.isScarce) void this.#sweepNow();
    });
    this.#timer = setInterval(() => void this.sweep(), EVERY_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#undo();
    clearInterval(this.#timer);
    await this.#sweeping;
    this.#attempt(() => this.#aside.count());
  }

  /** One pass; never rejects. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#pass()
      .catch(this.#onError)
      .finally(() => {
        this.#sweeping = undefined;
      });
    return this.#sweeping;
  }

  async #sweepNow(): Promise<void> {
    await this.#sweeping;
    this.#suspects = new Set(this.#store.unreferenced());
    await this.sweep();
  }

  async #pass(): Promise<void> {
    const suspects = [...this.#suspects];
    const gone = asNecessary(() => this.#db.write(() => this.#store.deleteUnreferenced(suspects)));
    for (const sha256 of gone) if (!this.#foundAtStart.has(sha256)) this.#doomed.add(sha256);
    await this.#db.durable();
    this.#foundAtStart = new Set();
    this.#suspects = new Set(this.#store.unreferenced());
    this.#aside.begin();
    let count = 0;
    // Files go after their rows: a crash in between leaves a file without a row, which the next start finds here.
    for await (const sha256 of this.#media.stored()) {
      if (this.#stopped) return;
      if (this.#store.exists(sha256)) this.#doomed.delete(sha256);
      else if (!this.#doomed.has(sha256)) count += this.#aside.put(sha256) ? 1 : 0;
      else if (this.#media.remove(sha256)) this.#doomed.delete(sha256);
    }
    if (count > 0) this.#note(`${count} media files that nothing refers to were put aside (media-aside). They come back when they are named again, and go after a week.`);
    this.#bringBack();
    await this.#aside.giveUp();
  }

  #bringBack(): void {
    const count = this.#aside.bringBack((sha256) => this.#store.exists(sha256));
    if (count > 0) this.#note(`${count} media files that had been put aside came back: the database names them.`);
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#onError(error);
    }
  }
}
