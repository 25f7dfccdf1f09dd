/** Which stores a campaign is for, and who may decide about those: pure, asked thousands of times at once. */
import type { CampaignWhere } from '../../shared/contract/campaigns.ts';
import { forbidden } from '../../shared/contract/errors.ts';
import type { Actor } from '../kernel/actor.ts';
import { isEdited } from './region-rights.ts';
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

/**
 * Somebody who has a role in some regions alone decides about campaigns that can reach no store elsewhere, also none
 * that is still to come.
 * @throws ApiError 403
 */
export const requireWithin = (
  actor: Pick<Actor, 'regions' | 'workspaceRole'>,
  { regions, tags, store_ids }: CampaignWhere,
  byRef: (ref: string) => Pick<StoreNow, 'region'> | undefined,
): void => {
  if (actor.regions === null) return;
  const isBounded = regions.length > 0 || (tags.length === 0 && store_ids.length > 0);
  const named = store_ids.map((ref) => byRef(ref)).filter((store) => store !== undefined);
  const places = [...regions.map((region) => ({ region })), ...named];
  if (!isBounded || !places.every((place) => isEdited(actor, place)))
    throw forbidden(
      'This campaign reaches stores outside of the regions that you decide about. Choose among yours.',
      'outside_rights',
    );
};
