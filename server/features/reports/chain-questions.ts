/** Queries of a headquarters about the plays of all its stores, and their rows. The thread for reports answers them. */
export interface SumsQuestion {
  /** Numbers of the stores in the report. */
  readonly stores: readonly number[];
  /** First and last epoch day in headquarters' time zone, both included. */
  readonly from: number;
  readonly to: number;
  /** Name of the content; undefined: plays of any content. */
  readonly content: string | undefined;
  /** Id of a campaign; undefined: all plays, also those without a campaign. */
  readonly campaign: string | undefined;
  readonly by: 'campaign' | 'content' | 'store' | 'screen' | 'day';
  readonly limit: number;
  readonly offset: number;
}

export interface SumRow {
  /** Name of the content or screen; null for other groupings. */
  readonly name: string | null;
  /** Id of the campaign; null if the row covers several campaigns or none. */
  readonly campaign: string | null;
  /** Store number; null: the row may contain several stores. */
  readonly store: number | null;
  /** Epoch day; null: the row may contain several days. */
  readonly day: number | null;
  readonly plays: number;
  readonly ms: number;
  readonly stores: number;
  /** Number of screens; null: too many to count. */
  readonly screens: number | null;
}

export interface TotalsRow {
  readonly plays: number;
  readonly ms: number;
  readonly stores: number;
  readonly screens: number | null;
  readonly contents: number;
}

/** Queries about all stores that the thread for reports answers. */
export type ChainQuestion =
  | ({ readonly ask: 'sums' } & SumsQuestion)
  | ({ readonly ask: 'totals' } & Omit<SumsQuestion, 'by' | 'limit' | 'offset'>)
  | { readonly ask: 'names'; readonly campaigns: readonly string[]; readonly stores: readonly number[] };

/**
 * Maximum product of stores and days for which a report counts screens. Counting at this limit takes some hundred
 * milliseconds.
 */
const MAX_COUNTED = 20_000;

/** Returns whether screens are counted. The count is skipped for long periods in very many stores. */
export const isCountable = ({
  stores,
  from,
  to,
}: Pick<SumsQuestion, 'from' | 'to'> & { readonly stores: readonly unknown[] }): boolean =>
  stores.length * (to - from + 1) <= MAX_COUNTED;
