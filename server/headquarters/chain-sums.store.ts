import type { Database as Connection } from 'better-sqlite3';
import { isCountable, type SumRow, type SumsQuestion, type TotalsRow } from './chain-question.ts';

const KEYS = {
  content: { columns: 's.name AS name, NULL AS store, NULL AS day', group: 's.name' },
  store: { columns: 'NULL AS name, m.store AS store, NULL AS day', group: 'm.store' },
  screen: { columns: 'd.name AS name, m.store AS store, NULL AS day', group: 'm.device' },
  day: { columns: 'NULL AS name, NULL AS store, m.day AS day', group: 'm.day' },
} as const;

/** Sums of all stores' plays. Read in a thread. */
export class ChainSumsStore {
  readonly #raw: Connection;

  constructor(raw: Connection) {
    this.#raw = raw;
  }

  /** Most plays first; days in order. */
  sums(question: SumsQuestion): { rows: SumRow[]; total: number } {
    const { by, limit, offset } = question;
    const { columns, group } = KEYS[by];
    const isScreens = by === 'screen';
    const order = by === 'day' ? 'day' : 'plays DESC, name, store';
    const found = this.#raw
      .prepare(
        `${this.#gathered(question, by)} SELECT ${columns}, sum(m.plays) AS plays, sum(m.ms) AS ms, count(DISTINCT m.store) AS stores,
           ${isScreens ? '1' : 'NULL'} AS screens, count(*) OVER () AS total
           ${NAMED} ${isScreens ? 'JOIN hq_subjects d ON d.id = m.device' : ''} ${ofContent(question)} GROUP BY ${group} ORDER BY ${order} LIMIT @limit OFFSET @offset`,
      )
      .all({ ...this.#values(question, isScreens ? 1 : 0), limit, offset }) as (SumRow & { total: number })[];
    const rows = found.map(({ total: _, ...row }) => row);
    const total = found[0]?.total ?? (offset > 0 ? this.sums({ ...question, limit: 1, offset: 0 }).total : 0);
    return { rows: isScreens ? rows : this.#withScreens(question, rows), total };
  }

  totals(question: Pick<SumsQuestion, 'stores' | 'from' | 'to' | 'content'>): TotalsRow {
    const found = this.#raw
      .prepare(
        `${this.#gathered(question, 'content')} SELECT coalesce(sum(m.plays), 0) AS plays, coalesce(sum(m.ms), 0) AS ms,
           count(DISTINCT m.store) AS stores, count(DISTINCT s.name) AS contents ${NAMED} ${ofContent(question)}`,
      )
      .get(this.#values(question, 0)) as Omit<TotalsRow, 'screens'>;
    const screens = isCountable(question)
      ? this.#raw
          .prepare(
            `${this.#gathered(question, 'screen')} SELECT count(DISTINCT m.device) ${NAMED} ${ofContent(question)}`,
          )
          .pluck()
          .get(this.#values(question, 1))
      : null;
    return { ...found, screens: screens as number | null };
  }

  #withScreens(question: SumsQuestion, rows: readonly SumRow[]): SumRow[] {
    if (!isCountable(question)) return [...rows];
    const { columns, group } = KEYS[question.by];
    const counted = this.#raw
      .prepare(
        `${this.#gathered(question, 'both')} SELECT ${columns}, count(DISTINCT m.device) AS screens ${NAMED} ${ofContent(question)} GROUP BY ${group}`,
      )
      .all(this.#values(question, 1)) as Pick<SumRow, 'name' | 'store' | 'day' | 'screens'>[];
    const keyOf = ({ name, store, day }: Pick<SumRow, 'name' | 'store' | 'day'>) => JSON.stringify([name, store, day]);
    const screens = new Map(counted.map((row) => [keyOf(row), row.screens]));
    return rows.map((row) => ({ ...row, screens: screens.get(keyOf(row)) ?? 0 }));
  }

  /**
   * The rows of the period, added up before anything is looked up of them: by day, or by everything else. Millions become
   * thousands.
   */
  #gathered({ stores }: Pick<SumsQuestion, 'stores'>, by: SumsQuestion['by'] | 'both'): string {
    const all = this.#raw.prepare('SELECT count(*) FROM hq_stores').pluck().get() as number;
    const isAll = stores.length >= all;
    const day = by === 'day' || by === 'both' ? 'day' : '0 AS day';
    const device = by === 'screen' || by === 'both' ? 'device' : '0 AS device';
    return `WITH m AS MATERIALIZED (SELECT ${day}, store, ${device}, shown, sum(plays) AS plays, sum(ms) AS ms FROM hq_sums
      WHERE scope = @scope AND day BETWEEN @from AND @to ${isAll ? '' : 'AND store IN (SELECT value FROM json_each(@stores))'}
      GROUP BY shown ${day === 'day' ? ', day' : ''} ${device === 'device' ? ', device' : ''})`;
  }

  #values(question: Pick<SumsQuestion, 'stores' | 'from' | 'to' | 'content'>, scope: 0 | 1) {
    const { from, to, stores, content } = question;
    return { scope, from, to, stores: JSON.stringify(stores), content: content ?? null };
  }
}

/** What is shown names its store, too: a subject is one of a store. */
const NAMED = 'FROM m JOIN hq_subjects s ON s.id = m.shown';
const ofContent = ({ content }: Pick<SumsQuestion, 'content'>): string =>
  content === undefined ? '' : 'WHERE s.name = @content COLLATE NOCASE';
