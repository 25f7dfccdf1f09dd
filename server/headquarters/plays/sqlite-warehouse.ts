/**
 * The warehouse in headquarters' own database, for chains of some hundred stores. No other program must be installed.
 */
import type { Epoch } from '../../../shared/chain/cursor.ts';
import type { Database } from '../../db/database.ts';
import type { ChainQuestion, SumRow, TotalsRow } from '../../features/reports/chain-questions.ts';
import { bytesOf, type Answer as Made, type Task } from '../../features/reports/report-tasks.ts';
import { Slices } from '../../kernel/threads/slices.ts';
import { LONG_TABLES, type WarehouseStore } from './warehouse.store.ts';
import {
  type CursorRow,
  movedOn,
  type Period,
  type SegmentRow,
  type SumsAsked,
  type Taken,
  type Warehouse,
  type Whose,
} from './warehouse.ts';

/**
 * Number of rows that one transaction of a deletion deletes. It takes some milliseconds in the tables with the most
 * indexes.
 */
const DELETED_AT_ONCE = 500;

interface Deps {
  readonly db: Database;
  readonly store: WarehouseStore;
  /** Thread for reports, so that reports do not block the event loop. */
  readonly threads: { runTask(task: Task): Promise<Made> };
}

export class SqliteWarehouse implements Warehouse {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async cursors({ id }: Whose): Promise<CursorRow[]> {
    return this.#deps.store.cursors(id);
  }

  begin({ id }: Whose, epoch: Epoch, head: string): Promise<void> {
    return this.#change(() => this.#deps.store.addEpoch(id, epoch, head));
  }

  storeSegment({ id }: Whose, { segment, marks, overlaps, subjects, sums, cursor, before }: Taken): Promise<void> {
    const store = this.#deps.store;
    return this.#change(() => {
      if (!store.moveCursor(id, cursor, before)) throw movedOn();
      const number = store.addSegment({ ...segment, store: id });
      for (const device of marks) store.addMark(id, device, number);
      for (const play of overlaps) store.addOverlap(id, play);
      const numbers = subjects.map((subject) => store.subject(id, subject));
      for (const { day, device, shown, plays, ms } of sums)
        store.addToSum(
          { day, store: id, device: device === null ? 0 : numbers[device]!, shown: numbers[shown]! },
          { plays, ms },
        );
    });
  }

  noteOverlaps({ id }: Whose, plays: readonly Buffer[]): Promise<void> {
    return this.#change(() => {
      for (const play of plays) this.#deps.store.addOverlap(id, play);
    });
  }

  async overlapsAmong({ id }: Whose, plays: readonly Buffer[]): Promise<Buffer[]> {
    return this.#deps.store.hasOverlaps(id) ? plays.filter((play) => this.#deps.store.isOverlap(id, play)) : [];
  }

  async endOf(pack: string): Promise<number> {
    return this.#deps.store.endOf(pack);
  }

  async packsIn({ ref }: Whose): Promise<{ pack: string; bytes: number }[]> {
    return this.#deps.store.packsIn(ref);
  }

  async isIn(paths: readonly string[], { id }: Whose, period: Period): Promise<boolean> {
    return this.#deps.store.isIn(paths, id, period);
  }

  async segmentFrom({ id }: Whose, epoch: string, first: number): Promise<SegmentRow | undefined> {
    return this.#deps.store.segmentFrom(id, epoch, first);
  }

  async newestSegments(
    stores: readonly Whose[],
    period: Period,
    page: { before: { to_ms: number; id: number }; limit: number },
  ): Promise<SegmentRow[]> {
    return this.#deps.store.newestSegments(idsOf(stores), period, page);
  }

  async segmentsOf(
    { id }: Whose,
    period: Period,
    page: { after: { to_ms: number; id: number }; limit: number },
  ): Promise<SegmentRow[]> {
    return this.#deps.store.segmentsOf(id, period, page);
  }

  async spansOf({ id }: Whose, period: Period): Promise<{ epoch: string; from: number; to: number }[]> {
    return this.#deps.store.spansOf(id, period);
  }

  async beginningOf({ id }: Whose, epoch: string, last: number, back: number): Promise<number> {
    return this.#deps.store.beginningOf(id, epoch, last, back);
  }

  async between(
    { id }: Whose,
    epoch: string,
    span: { from: number; to: number },
    limit: number,
  ): Promise<SegmentRow[]> {
    return this.#deps.store.between(id, epoch, span, limit);
  }

  sums(asked: SumsAsked): Promise<{ rows: SumRow[]; total: number }> {
    return this.#ask({ ask: 'sums', ...asked, stores: idsOf(asked.stores) });
  }

  totals(asked: Omit<SumsAsked, 'by' | 'limit' | 'offset'>): Promise<TotalsRow> {
    return this.#ask({ ask: 'totals', ...asked, stores: idsOf(asked.stores) });
  }

  campaignNames(campaigns: readonly string[], stores: readonly Whose[]): Promise<Record<string, string>> {
    return this.#ask({ ask: 'names', campaigns, stores: idsOf(stores) });
  }

  async thin({ id }: Whose): Promise<void> {
    const { db, store } = this.#deps;
    const slices = new Slices({ durable: () => db.durable() });
    for (const scope of [0, 1] as const)
      for (let day = store.dayAfter(scope, null); day !== undefined; day = store.dayAfter(scope, day)) {
        const of = day;
        db.write(() => store.deleteSums(scope, of, id));
        await slices.next();
      }
    for (const table of LONG_TABLES)
      for (let isMore = true; isMore; await slices.next())
        db.write(() => {
          isMore = store.deleteSome(table, id, DELETED_AT_ONCE);
        });
    await db.durable();
  }

  /** Does nothing, because foreign keys have deleted the rows of the store together with the store. */
  async forget(): Promise<void> {}

  async #ask<T>(question: ChainQuestion): Promise<T> {
    return JSON.parse(bytesOf(await this.#deps.threads.runTask({ do: 'chain', question })).toString()) as T;
  }

  async #change(change: () => void): Promise<void> {
    const { db } = this.#deps;
    db.write(change);
    await db.durable();
  }
}

const idsOf = (stores: readonly Whose[]): number[] => stores.map(({ id }) => id);
