/** Stores documents (small texts under a name) in an object store of IndexedDB. */
import type { Documents } from '../../core/ports.ts';
import { answer, type Database } from './database.ts';

export class IdbDocuments implements Documents {
  readonly #db: Database;
  readonly #store: 'documents' | 'widgets';

  constructor(db: Database, store: 'documents' | 'widgets') {
    this.#db = db;
    this.#store = store;
  }

  read(name: string): Promise<string | undefined> {
    return this.#db.read([this.#store], (tx) => answer<string | undefined>(tx.objectStore(this.#store).get(name)));
  }

  write(name: string, text: string): Promise<void> {
    return this.#db.write([this.#store], (tx) => void tx.objectStore(this.#store).put(text, name));
  }

  remove(name: string): Promise<void> {
    return this.#db.write([this.#store], (tx) => void tx.objectStore(this.#store).delete(name));
  }

  async list(): Promise<string[]> {
    const keys = await this.#db.read([this.#store], (tx) => answer(tx.objectStore(this.#store).getAllKeys()));
    return keys.map(String).filter((name) => !name.endsWith(DAMAGED));
  }

  setAside(name: string): Promise<void> {
    return this.#db.write([this.#store], async (tx) => {
      const store = tx.objectStore(this.#store);
      const text = await answer<string | undefined>(store.get(name));
      if (text === undefined) return;
      store.put(text, name + DAMAGED);
      store.delete(name);
    });
  }
}

const DAMAGED = '.damaged';
