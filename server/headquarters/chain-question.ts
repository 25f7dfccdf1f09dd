export interface SumsQuestion {
  /** Numbers of stores. */
  readonly stores: readonly number[];
  /** Epoch days in headquarters' zone, both included. */
  readonly from: number;
  readonly to: number;
  /** A name; undefined: all. */
  readonly content: string | undefined;
  /** An id; undefined: all, and what is of none. */
  readonly campaign: string | undefined;
  readonly by: 'campaign' | 'content' | 'store' | 'screen' | 'day';
  readonly limit: number;
  readonly offset: number;
}

export interface SumRow {
  /** Of the content or screen; null of all else. */
  readonly name: string | null;
  /** Its id; null where it may be several, or none. */
  readonly campaign: string | null;
  /** Number of the store; null where it may be several. */
  readonly store: number | null;
  /** Epoch day; null where it may be several. */
  readonly day: number | null;
  readonly plays: number;
  readonly ms: number;
  readonly stores: number;
  /** Null: too many to be counted. */
  readonly screens: number | null;
}

export interface TotalsRow {
  readonly plays: number;
  readonly ms: number;
  readonly stores: number;
  readonly screens: number | null;
  readonly contents: number;
}

/** What the reports' thread is asked of all stores. */
export type ChainQuestion =
  | ({ readonly ask: 'sums' } & SumsQuestion)
  | ({ readonly ask: 'totals' } & Omit<SumsQuestion, 'by' | 'limit' | 'offset'>)
  | { readonly ask: 'names'; readonly campaigns: readonly string[]; readonly stores: readonly number[] };

/** Days of stores in whose sums screens are counted: some hundred milliseconds. */
const MAX_COUNTED = 20_000;

/** Whether screens are counted: of long times in very many stores they are not. */
export const isCountable = ({
  stores,
  from,
  to,
}: Pick<SumsQuestion, 'from' | 'to'> & { readonly stores: readonly unknown[] }): boolean =>
  stores.length * (to - from + 1) <= MAX_COUNTED;
