/** Pure functions: compute which values a campaign uses, and which stores lack them. */
import { valuesOf } from '../../../shared/chain/values.ts';
import type { CampaignValues } from '../../../shared/contract/headquarters/campaigns.ts';
import { collate } from '../../kernel/collate.ts';
import type { StoreNow } from '../stores/store-registry.ts';

/** Maximum number of stores that are named per value. The total number is always counted. */
const MAX_NAMED = 10;

/**
 * Returns the values with the stores that lack them. Required values that most stores lack come first.
 * @param asked names of values; true: a store must have the value
 */
export const lackingIn = (stores: readonly StoreNow[], asked: ReadonlyMap<string, boolean>): CampaignValues => {
  const have = stores
    .map((store) => ({ store, values: valuesOf(store) }))
    .sort((a, b) => collate(a.store.name, b.store.name));
  const rows = [...asked].map(([name, is_needed]) => {
    const lacking = have.filter(({ values }) => !Object.hasOwn(values, name));
    const named = lacking.slice(0, MAX_NAMED).map(({ store }) => ({ id: store.ref, name: store.name }));
    return { name, is_needed, lacking: lacking.length, stores: named };
  });
  return rows.sort((a, b) => urgencyOf(b) - urgencyOf(a) || collate(a.name, b.name));
};

const urgencyOf = ({ is_needed, lacking }: CampaignValues[number]): number => (is_needed ? lacking : 0);
