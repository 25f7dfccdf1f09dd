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

type ByRef = (ref: string) => Pick<StoreNow, 'region'> | undefined;

/**
 * Somebody who has a role in some regions alone decides about campaigns that can reach no store elsewhere, also none
 * that is still to come.
 */
export const isWithin = (
  actor: Pick<Actor, 'regions' | 'workspaceRole'>,
  { regions, tags, store_ids }: CampaignWhere,
  byRef: ByRef,
): boolean => {
  if (actor.regions === null) return true;
  const isBounded = regions.length > 0 || (tags.length === 0 && store_ids.length > 0);
  const named = store_ids.map((ref) => byRef(ref)).filter((store) => store !== undefined);
  const places = [...regions.map((region) => ({ region })), ...named];
  return isBounded && places.every((place) => isEdited(actor, place));
};

/** @throws ApiError 403 */
export const requireWithin = (actor: Parameters<typeof isWithin>[0], where: CampaignWhere, byRef: ByRef): void => {
  if (!isWithin(actor, where, byRef))
    throw forbidden(
      'This campaign reaches stores outside of the regions that you decide about. Choose among yours.',
      'outside_rights',
    );
};
