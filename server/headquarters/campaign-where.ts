/** Which stores a campaign is for: pure, asked thousands of times at once. */
import type { CampaignWhere } from '../../shared/contract/campaigns.ts';
import type { StoreNow } from './store-book.ts';

type Placed = Pick<StoreNow, 'ref' | 'region' | 'tags' | 'key'>;

/** A store that is not enrolled (any more) is told nothing. */
export const meantBy = ({ regions, tags, store_ids }: CampaignWhere): ((store: Placed) => boolean) => {
  const [inRegions, named] = [new Set(regions), new Set(store_ids)];
  const withTags = new Set(tags.map((tag) => tag.toLowerCase()));
  const isByPlace = regions.length + tags.length > 0;
  const isAll = !isByPlace && store_ids.length === 0;
  const isPlaced = (store: Placed) =>
    (regions.length === 0 || inRegions.has(store.region)) &&
    (tags.length === 0 || store.tags.some((tag) => withTags.has(tag.toLowerCase())));
  return (store) => store.key !== null && (isAll || named.has(store.ref) || (isByPlace && isPlaced(store)));
};
