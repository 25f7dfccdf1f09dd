/**
 * The data of the player in this browser, in one IndexedDB. Writes are on disk when they resolve (`durability:
 * strict`).
 */

const NAME = 'vitrine-player';
const VERSION = 1;

export type StoreName = 'documents' | 'widgets' | 'assets' | 'chunks' | 'plays' | 'open_plays' | 'marks' | 'lease';

/**
 * Error when the quota of the browser is exhausted. The code equals the error code of a full disk, which the core
 * handles.
 */
class NoSpace extends Error {
  readonly code = 'ENOSPC';
}

export class Database {
  readonly #db: IDBDatabase;

  /**
   * @param lost called when the database was deleted, its disk failed, or a newer page in another tab upgrades it:
   * nothing can be stored anymore
   */
  static async open({ lost }: { lost: () => void }): Promise<Database> {
    const asked = indexedDB.open(NAME, VERSION);
    asked.onupgradeneeded = () => create(asked.result);
    const db = await answer(asked);
    db.onclose = lost;
    db.onversionchange = () => {
      db.close();
      lost();
    };
    return new Database(db);
  }

  constructor(db: IDBDatabase) {
    this.#db = db;
  }

  /**
   * Reads in one transaction. `work` may only await requests of the transaction, which ends as soon as no request is
   * pending.
   */
  async read<T>(stores: readonly StoreName[], work: (tx: IDBTransaction) => Promise<T>): Promise<T> {
    return work(this.#db.transaction(stores, 'readonly'));
  }

  /**
   * Writes atomically. `work` has the same restriction as in {@link read}. `relaxed` data survives the browser at once,
   * but a power cut only later.
   */
  async write<T>(
    stores: readonly StoreName[],
    work: (tx: IDBTransaction) => Promise<T> | T,
    durability: IDBTransactionDurability = 'strict',
  ): Promise<T> {
    const tx = this.#db.transaction(stores, 'readwrite', { durability });
    const committed = new Promise<void>((resolve, reject) => {
      tx.oncomplete = () => resolve();
      tx.onabort = () => reject(tx.error ?? new Error('the browser gave a write up'));
    });
    try {
      const result = await work(tx);
      await committed;
      return result;
    } catch (error) {
      committed.catch(() => {});
      if (isFull(error) || isFull(tx.error)) throw new NoSpace('the browser grants no more room');
      abort(tx);
      throw error;
    }
  }

  /** Called when the page goes away. Without the explicit commit the browser would drop the write. */
  removeNow(store: StoreName, key: string): void {
    const tx = this.#db.transaction([store], 'readwrite');
    tx.objectStore(store).delete(key);
    tx.commit();
  }
}

/** Resolves with the result of a request. */
export const answer = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function create(db: IDBDatabase): void {
  // Object stores whose keys are not part of the stored values.
  for (const name of ['documents', 'widgets', 'chunks', 'marks', 'lease'] satisfies StoreName[])
    db.createObjectStore(name);
  db.createObjectStore('assets' satisfies StoreName, { keyPath: 'sha256' });
  const plays = db.createObjectStore('plays' satisfies StoreName, { keyPath: 'seq' });
  plays.createIndex('boot_id', 'boot_id');
  plays.createIndex('ended_at', 'ended_at');
  db.createObjectStore('open_plays' satisfies StoreName, { keyPath: 'id' });
}

const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError';

function abort(tx: IDBTransaction): void {
  try {
    tx.abort();
  } catch {
    // The abort fails if the transaction has already ended. The error is ignored.
  }
}
