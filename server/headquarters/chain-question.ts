import type { SumsQuestion } from './chain-sums.store.ts';

/** What the reports' thread is asked of all stores. */
export type ChainQuestion =
  | ({ readonly ask: 'sums' } & SumsQuestion)
  | ({ readonly ask: 'totals' } & Pick<SumsQuestion, 'stores' | 'from' | 'to' | 'content'>);
