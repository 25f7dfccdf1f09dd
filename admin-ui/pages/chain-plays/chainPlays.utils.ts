/** Parses the address of the page with the plays of all stores, and prepares its rows. */
import { CHAIN_SUMS_BY, type ChainSum } from '../../../shared/contract/headquarters/stores.ts';
import type { ChainPlaysOf, ChainSumsBy } from '../../api/chain/stores.ts';
import { isoDays, type Range } from '../../domain/time/period.utils.ts';
import type { Measure } from '../../domain/time/playsChart.utils.ts';

export type Search = {
  readonly [K in 'range' | 'from' | 'to' | 'region' | 'tag' | 'store' | 'campaign' | 'content' | 'view' | 'by']?:
    | string
    | undefined;
};
/** Filters of the report in the address. */
export type Narrow = Pick<Search, 'region' | 'tag' | 'store' | 'campaign' | 'content'>;

/** Returns the report parameters for the server. Empty filters are left out. */
export const reportOf = (range: Range, { region, tag, store, campaign, content }: Narrow): ChainPlaysOf => ({
  ...isoDays(range),
  ...(region && { region }),
  ...(tag && { tag }),
  ...(store && { store_id: store }),
  ...(campaign && { campaign_id: campaign }),
  ...(content && { content }),
});

export const viewOf = ({ view }: Search): ChainSumsBy => CHAIN_SUMS_BY.find((one) => one === view) ?? 'content';

/** Returns a unique key of a row. Two screens, stores or campaigns may have the same name. */
export const keyOf = ({ name, campaign_id, store_id }: ChainSum): string => `${campaign_id ?? store_id ?? ''} ${name}`;

/** Returns the rows sorted by the measured value. Days keep their calendar order. */
export const orderedBy = (rows: readonly ChainSum[], view: ChainSumsBy, measure: Measure): ChainSum[] =>
  view === 'day' || measure === 'plays' ? [...rows] : rows.toSorted((a, b) => b.seconds - a.seconds);

/** Returns the filter that a click on a row sets; undefined if the row has none. */
export const narrowedBy = ({ name, campaign_id, store_id }: ChainSum, view: ChainSumsBy): Search | undefined => {
  switch (view) {
    case 'content':
      return { content: name };
    case 'campaign':
      return campaign_id === null ? undefined : { campaign: campaign_id };
    case 'store':
      return store_id === null ? undefined : { store: store_id };
    case 'region':
      return name === '' ? undefined : { region: name };
    case 'day':
      return { from: name, to: name };
    case 'screen':
      return undefined;
    default:
      return view satisfies never;
  }
};
