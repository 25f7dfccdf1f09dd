/**
 * Hears of a disk that is full, whatever it was that could not be written, and tells the operator: once, and again when
 * there is room. What is to be done without room each store decides for itself.
 */
import type { AssetStore, AssetWriter } from './asset-store.ts';
import type { JournalStore } from './journal.ts';
import type { Documents } from './ports.ts';

/** At the edge a small file fits again, and the next does not. */
const ROOM_BYTES = 4 * 1024 * 1024;
/** Node's and SQLite's words, and a browser's. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'QuotaExceededError']);

interface Stores {
  readonly documents: Documents;
  readonly assetStore: AssetStore;
  readonly journalStore: JournalStore;
}

interface Heard {
  /** What a full disk means here, for the operator. */
  readonly loses: string;
  /** Having done this it has been written: a file that was begun may still fill the disk. */
  readonly done?: readonly string[];
  /** What a call gives back writes, too. */
  readonly opens?: (result: unknown) => unknown;
}

interface Deps {
  readonly space: AssetStore['space'];
  readonly say: (level: 'info' | 'error', message: string) => void;
}

export class DiskRoom {
  readonly #deps: Deps;
  /** What could not be written and has not been written since. */
  readonly #lost = new Set<string>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The same stores; what their writing meets is heard. */
  watch({ documents, assetStore, journalStore }: Stores): Stores {
    const files = 'new files cannot be fetched';
    return {
      documents: this.#heard(documents, ['write'], { loses: 'instructions from the server cannot be stored' }),
      assetStore: this.#heard(assetStore, ['open'], {
        loses: files,
        done: [],
        opens: (writer) => this.#heard(writer as AssetWriter, ['write', 'finish'], { loses: files, done: ['finish'] }),
      }),
      journalStore: this.#heard(journalStore, ['append', 'saveOpen', 'beat'], {
        loses: 'plays wait in memory, and are lost if the power fails',
      }),
    };
  }

  #heard<T extends object>(
    store: T,
    writing: readonly (keyof T & string)[],
    { loses, done = writing, opens = (result) => result }: Heard,
  ): T {
    return new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        const call = (...given: unknown[]): unknown => Reflect.apply(value, target, given);
        if (!writing.some((each) => each === name)) return call;
        const isDone = done.some((each) => each === name);
        return async (...given: unknown[]) => opens(await this.#hear(call(...given), loses, isDone));
      },
    });
  }

  async #hear(writing: unknown, loses: string, isDone: boolean): Promise<unknown> {
    try {
      const result = await writing;
      if (isDone && this.#lost.has(loses)) await this.#look(loses);
      return result;
    } catch (error) {
      if (isFull(error)) this.#full(loses);
      throw error;
    }
  }

  #full(loses: string): void {
    const isNews = this.#lost.size === 0;
    this.#lost.add(loses);
    if (isNews)
      this.#deps.say('error', `The disk of this player is full: ${loses}. Make room on it, or give it less to show.`);
  }

  async #look(loses: string): Promise<void> {
    const space = await this.#deps.space().catch(() => null);
    if ((space && space.free < ROOM_BYTES) || !this.#lost.delete(loses) || this.#lost.size > 0) return;
    this.#deps.say('info', 'There is room on the disk of this player again.');
  }
}

const isFull = (error: unknown): boolean => {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return FULL.has(String(code)) || FULL.has(String(name));
};
