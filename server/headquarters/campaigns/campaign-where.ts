/**
 * Computes which stores a campaign targets, and whether a person may decide about them. Pure, because it runs for
 * thousands of stores at once.
 */

import { forbidden } from '../../../shared/contract/errors.ts';
import type { CampaignWhere } from '../../../shared/contract/headquarters/campaigns.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import { isEdited } from '../stores/region-rights.ts';
import type { StoreNow } from '../stores/store-registry.ts';

type Placed = Pick<StoreNow, 'ref' | 'region' | 'tags' | 'key'>;

/** Returns a predicate for the targeted stores. A store that is not enrolled is never targeted. */
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
 * Returns whether a person may decide about a campaign. A person with roles in some regions only may do so when the
 * campaign cannot reach stores elsewhere, including stores that are added later.
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
      'This campaign includes stores outside your regions. Choose only stores in your regions.',
      'outside_rights',
    );
};
