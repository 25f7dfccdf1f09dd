/**
 * Removes what nobody refers to: at the start whatever a crash left, then every hour what was unreferenced an hour before
 * already, so that a player still fetching it, or a person undoing, is not cut off.
 */
import type { Database } from '../db/database.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { BlobsStore } from './blobs.store.ts';
import type { MediaStore } from './media-store.ts';

const EVERY_MS = 3_600_000;

export class MediaSweeper implements Lifecycle {
  readonly name = 'media-sweeper';
  readonly #db: Database;
  readonly #store: BlobsStore;
  readonly #media: MediaStore;
  readonly #onError: (error: unknown) => void;
  #suspects: ReadonlySet<string> = new Set();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #sweeping: Promise<void> | undefined;

  constructor(deps: { db: Database; store: BlobsStore; media: MediaStore; onError: (error: unknown) => void }) {
    this.#db = deps.db;
    this.#store = deps.store;
    this.#media = deps.media;
    this.#onError = deps.onError;
  }

  start(): void {
    this.#stopped = false;
    // Nobody was served yet: what is unreferenced now needs no grace.
    this.#suspects = new Set(this.#store.unreferenced());
    void this.sweep();
    this.#timer = setInterval(() => void this.sweep(), EVERY_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#sweeping;
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

  async #pass(): Promise<void> {
    const suspects = [...this.#suspects];
    this.#db.write(() => this.#store.deleteUnreferenced(suspects));
    await this.#db.durable();
    this.#suspects = new Set(this.#store.unreferenced());
    // Files go after their rows: a crash in between leaves a file without a row, which the next start finds here.
    for await (const sha256 of this.#media.stored()) {
      if (this.#stopped) return;
      if (!this.#store.exists(sha256)) this.#media.remove(sha256);
    }
  }
}
