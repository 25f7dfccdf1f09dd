/**
 * Detects a full disk by failed writes of any store. Reports the full disk to the operator once, and reports when there
 * is room again. Each store decides for itself what to do without room.
 */

import type { JournalStore } from '../journal/journal.ts';
import type { Documents } from '../ports.ts';
import type { AssetStore, AssetWriter } from './asset-store.ts';

/**
 * Number of free bytes from which the disk counts as not full. On a nearly full disk a small file still fits, and the
 * next file does not.
 */
const ROOM_BYTES = 4 * 1024 * 1024;
/** Error codes of Node, SQLite and browsers for a full disk. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'QuotaExceededError']);

interface Stores {
  readonly documents: Documents;
  readonly assetStore: AssetStore;
  readonly journalStore: JournalStore;
}

interface Heard {
  /** Consequence of a full disk for this store, as text for the operator. */
  readonly loses: string;
  /**
   * Methods that prove, if they succeed, that data was written completely. A file that was only begun may still fill
   * the disk.
   */
  readonly done?: readonly string[];
  /** Wraps an object that a call returns, because the methods of that object write as well. */
  readonly opens?: (result: unknown) => unknown;
}

interface Deps {
  readonly space: AssetStore['space'];
  readonly say: (level: 'info' | 'error', message: string) => void;
}

export class DiskRoom {
  readonly #deps: Deps;
  /** Kinds of data whose last write failed. This data is not on the disk. */
  readonly #lost = new Set<string>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Returns the same stores with their write errors observed. */
  watch({ documents, assetStore, journalStore }: Stores): Stores {
    const files = 'new files cannot be downloaded';
    return {
      documents: this.#heard(documents, ['write'], { loses: 'instructions from the server cannot be stored' }),
      assetStore: this.#heard(assetStore, ['open'], {
        loses: files,
        done: [],
        opens: (writer) => this.#heard(writer as AssetWriter, ['write', 'finish'], { loses: files, done: ['finish'] }),
      }),
      journalStore: this.#heard(journalStore, ['append', 'saveOpen', 'beat'], {
        loses: 'new plays are only in memory and are lost if the power fails',
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
      this.#deps.say(
        'error',
        `The disk of this player is full: ${loses}. Free some space on the disk, or show less content on this player.`,
      );
  }

  async #look(loses: string): Promise<void> {
    const space = await this.#deps.space().catch(() => null);
    if ((space && space.free < ROOM_BYTES) || !this.#lost.delete(loses) || this.#lost.size > 0) return;
    this.#deps.say('info', 'The disk of this player has free space again.');
  }
}

const isFull = (error: unknown): boolean => {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return FULL.has(String(code)) || FULL.has(String(name));
};
