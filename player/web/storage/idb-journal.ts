/** Stores the journal of plays in IndexedDB. */
import type { JournalRow } from '../../../shared/protocol/journal-chain.ts';
import type { JournalStore, OpenPlay } from '../../core/journal/journal.ts';
import { answer, type Database } from './database.ts';

/** Number of rows that are measured to estimate the size of all rows. */
const SAMPLE = 100;

export class IdbJournal implements JournalStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  head(): Promise<{ seq: number; hash: string } | undefined> {
    return this.#db.read(['marks'], (tx) => answer(tx.objectStore('marks').get('head')));
  }

  /**
   * Returns the open plays. Their last alive time (`alive_at`) is one entry for all open plays, not one write per play.
   */
  async openPlays(): Promise<OpenPlay[]> {
    return this.#db.read(['open_plays', 'marks'], async (tx) => {
      const alive = (await answer<number | undefined>(tx.objectStore('marks').get('alive'))) ?? 0;
      const plays = await answer<OpenPlay[]>(tx.objectStore('open_plays').getAll());
      return plays
        .map((play) => ({ ...play, alive_at: Math.max(play.alive_at, alive) }))
        .sort((a, b) => a.started_at - b.started_at);
    });
  }

  saveOpen(play: OpenPlay): Promise<void> {
    return this.#db.write(['open_plays'], (tx) => void tx.objectStore('open_plays').put(play));
  }

  beat(aliveAt: number): Promise<void> {
    return this.#db.write(['marks'], (tx) => void tx.objectStore('marks').put(aliveAt, 'alive'));
  }

  async tick({ alive_at }: { alive_at: number }): Promise<void> {
    await this.#db
      .write(['marks'], (tx) => void tx.objectStore('marks').put(alive_at, 'alive'), 'relaxed')
      .catch(() => {});
  }

  append(row: JournalRow): Promise<void> {
    return this.#db.write(['plays', 'open_plays', 'marks'], (tx) => {
      put(tx, row);
      tx.objectStore('open_plays').delete(row.id);
    });
  }

  page(limit: number): Promise<JournalRow[]> {
    return this.#db.read(['plays'], (tx) => answer(tx.objectStore('plays').getAll(null, limit)));
  }

  ofBoot(bootId: string): Promise<JournalRow[]> {
    return this.#db.read(['plays'], (tx) => answer(tx.objectStore('plays').index('boot_id').getAll(bootId)));
  }

  rewrite(rows: readonly JournalRow[]): Promise<void> {
    return this.#db.write(['plays', 'marks'], async (tx) => {
      const head = await answer<{ seq: number } | undefined>(tx.objectStore('marks').get('head'));
      for (const row of rows) {
        if (row.seq === head?.seq) put(tx, row);
        else tx.objectStore('plays').put(row);
      }
    });
  }

  forget(through: number): Promise<void> {
    return this.#db.write(['plays'], (tx) => void tx.objectStore('plays').delete(IDBKeyRange.upperBound(through)));
  }

  async trim({ endedBefore, maxBytes }: { endedBefore: number; maxBytes: number }): Promise<number> {
    return this.#db.write(['plays'], async (tx) => {
      const plays = tx.objectStore('plays');
      const old =
        endedBefore > 0
          ? await answer(plays.index('ended_at').getAllKeys(IDBKeyRange.upperBound(endedBefore, true)))
          : [];
      for (const seq of old) plays.delete(seq);
      const rows = await answer(plays.count());
      const sample = await answer<JournalRow[]>(plays.getAll(null, SAMPLE));
      const each = JSON.stringify(sample).length / Math.max(1, sample.length);
      if (rows * each <= maxBytes) return old.length;
      // Deletes a tenth of the rows at a time, so that a full journal need not delete rows for each new row.
      const surplus = await answer(plays.getAllKeys(null, Math.ceil(rows / 10)));
      plays.delete(IDBKeyRange.upperBound(surplus.at(-1)));
      return old.length + surplus.length;
    });
  }

  clear(): Promise<void> {
    return this.#db.write(['plays', 'open_plays', 'marks'], (tx) => {
      for (const name of ['plays', 'open_plays', 'marks']) tx.objectStore(name).clear();
    });
  }
}

function put(tx: IDBTransaction, row: JournalRow): void {
  tx.objectStore('plays').put(row);
  tx.objectStore('marks').put({ seq: row.seq, hash: row.hash }, 'head');
}
