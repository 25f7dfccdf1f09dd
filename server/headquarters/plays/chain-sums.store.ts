import type { Database as Connection } from 'better-sqlite3';
import { CAMPAIGN_ID_LENGTH } from '../../../shared/chain/campaign-ids.ts';
import {
  type ChainQuestion,
  isCountable,
  type SumRow,
  type SumsQuestion,
  type TotalsRow,
} from '../../features/reports/chain-questions.ts';

const CAMPAIGN = `CASE WHEN s.kind = 'of_campaign' THEN substr(s.ref, 1, ${CAMPAIGN_ID_LENGTH}) END`;
const KEYS = {
  campaign: { columns: `NULL AS name, NULL AS store, NULL AS day, ${CAMPAIGN} AS campaign`, group: 'campaign' },
  content: { columns: 's.name AS name, NULL AS store, NULL AS day, NULL AS campaign', group: 's.name' },
  store: { columns: 'NULL AS name, m.store AS store, NULL AS day, NULL AS campaign', group: 'm.store' },
  screen: { columns: 'd.name AS name, m.store AS store, NULL AS day, NULL AS campaign', group: 'm.device' },
  day: { columns: 'NULL AS name, NULL AS store, m.day AS day, NULL AS campaign', group: 'm.day' },
} as const;

type Which = Pick<SumsQuestion, 'stores' | 'from' | 'to' | 'content' | 'campaign'>;
/** Names of the SQL columns that can identify a row of sums. */
type Key = 'name' | 'store' | 'day' | 'campaign';

/** Queries the sums of all stores' plays. Runs in a thread. */
export class ChainSumsStore {
  readonly #raw: Connection;

  constructor(raw: Connection) {
    this.#raw = raw;
  }

  answer(question: ChainQuestion): unknown {
    switch (question.ask) {
      case 'sums':
        return this.sums(question);
      case 'totals':
        return this.totals(question);
      case 'names':
        return this.names(question.campaigns, question.stores);
    }
  }

  /** Returns the sums of the period. The most played rows come first; sums by day are in order of days. */
  sums(question: SumsQuestion): { rows: SumRow[]; total: number } {
    const { by, limit, offset } = question;
    const { columns, group } = KEYS[by];
    const isScreens = by === 'screen';
    const order = by === 'day' ? 'day' : 'plays DESC, name, store, campaign';
    const found = this.#raw
      .prepare(
        `${this.#gathered(question, by)} SELECT ${columns}, sum(m.plays) AS plays, sum(m.ms) AS ms, count(DISTINCT m.store) AS stores,
           ${isScreens ? '1' : 'NULL'} AS screens, count(*) OVER () AS total
           ${NAMED} ${isScreens ? 'JOIN hq_subjects d ON d.id = m.device' : ''} GROUP BY ${group} ORDER BY ${order} LIMIT @limit OFFSET @offset`,
      )
      .all({ ...this.#values(question, isScreens ? 1 : 0), limit, offset }) as (SumRow & { total: number })[];
    const rows = found.map(({ total: _, ...row }) => row);
    const total = found[0]?.total ?? (offset > 0 ? this.sums({ ...question, limit: 1, offset: 0 }).total : 0);
    return { rows: isScreens ? rows : this.#withScreens(question, rows), total };
  }

  totals(question: Which): TotalsRow {
    const found = this.#raw
      .prepare(
        `${this.#gathered(question, 'content')} SELECT coalesce(sum(m.plays), 0) AS plays, coalesce(sum(m.ms), 0) AS ms,
           count(DISTINCT m.store) AS stores, count(DISTINCT s.name) AS contents ${NAMED}`,
      )
      .get(this.#values(question, 0)) as Omit<TotalsRow, 'screens'>;
    const screens = isCountable(question)
      ? this.#raw
          .prepare(`${this.#gathered(question, 'screen')} SELECT count(DISTINCT m.device) ${NAMED}`)
          .pluck()
          .get(this.#values(question, 1))
      : null;
    return { ...found, screens: screens as number | null };
  }

  /** Returns the newest known name of each campaign, taken from the received plays. */
  names(campaigns: readonly string[], stores: readonly number[]): Record<string, string> {
    const found = this.#raw
      .prepare(
        `SELECT c.ref, c.name FROM json_each(@stores) w JOIN hq_subjects c ON c.store = w.value
           WHERE c.kind = 'campaign' AND c.ref IN (SELECT value FROM json_each(@campaigns)) AND c.name <> '' ORDER BY c.named_ms, c.name`,
      )
      .all({ stores: JSON.stringify(stores), campaigns: JSON.stringify(campaigns) }) as { ref: string; name: string }[];
    return Object.fromEntries(found.map(({ ref, name }) => [ref, name]));
  }

  #withScreens(question: SumsQuestion, rows: readonly SumRow[]): SumRow[] {
    if (!isCountable(question)) return [...rows];
    const { columns, group } = KEYS[question.by];
    const counted = this.#raw
      .prepare(
        `${this.#gathered(question, 'both')} SELECT ${columns}, count(DISTINCT m.device) AS screens ${NAMED} GROUP BY ${group}`,
      )
      .all(this.#values(question, 1)) as Pick<SumRow, Key | 'screens'>[];
    const keyOf = ({ name, store, day, campaign }: Pick<SumRow, Key>) => JSON.stringify([name, store, day, campaign]);
    const screens = new Map(counted.map((row) => [keyOf(row), row.screens]));
    return rows.map((row) => ({ ...row, screens: screens.get(keyOf(row)) ?? 0 }));
  }

  /**
   * SQL that sums the rows of the period before any join. Groups the rows by content, and also by day or screen if the
   * report needs that. Reduces millions of rows to thousands.
   */
  #gathered(question: Pick<SumsQuestion, 'stores' | 'content' | 'campaign'>, by: SumsQuestion['by'] | 'both'): string {
    const all = this.#raw.prepare('SELECT count(*) FROM hq_stores').pluck().get() as number;
    const isAll = question.stores.length >= all;
    const day = by === 'day' || by === 'both' ? 'day' : '0 AS day';
    const device = by === 'screen' || by === 'both' ? 'device' : '0 AS device';
    return `WITH m AS MATERIALIZED (SELECT ${day}, store, ${device}, shown, sum(plays) AS plays, sum(ms) AS ms FROM hq_sums
      WHERE scope = @scope AND day BETWEEN @from AND @to ${isAll ? '' : 'AND store IN (SELECT value FROM json_each(@stores))'} ${narrowed(question)}
      GROUP BY shown ${day === 'day' ? ', day' : ''} ${device === 'device' ? ', device' : ''})`;
  }

  #values({ from, to, stores, content, campaign }: Which, scope: 0 | 1) {
    const narrow = { content: content ?? null, campaign: campaign ?? null };
    return { scope, from, to, stores: JSON.stringify(stores), ...narrow };
  }
}

/**
 * SQL join with the table of subjects (content, screens, campaigns). A subject belongs to one store, so the join needs
 * no condition on the store.
 */
const NAMED = 'FROM m JOIN hq_subjects s ON s.id = m.shown';
/**
 * SQL condition that selects subjects (content, screens, campaigns) before anything is added up, because nearly all
 * rows have other subjects.
 */
const narrowed = ({ content, campaign }: Pick<SumsQuestion, 'content' | 'campaign'>): string => {
  if (content === undefined && campaign === undefined) return '';
  const named = content === undefined ? '' : 'AND s.name = @content COLLATE NOCASE';
  // SQL pattern that matches refs (ids of subjects) of the form “campaign id, space, kind and ref of the content”.
  const of =
    campaign === undefined
      ? ''
      : `AND s.kind = 'of_campaign' AND s.ref > @campaign || ' ' AND s.ref < @campaign || '!'`;
  return `AND shown IN (SELECT s.id FROM json_each(@stores) w JOIN hq_subjects s ON s.store = w.value WHERE true ${named} ${of})`;
};
