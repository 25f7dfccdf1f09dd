/** Rules for the content of a campaign, and for the records that it names. */

import { badRequest, conflict, notFound } from '../../../shared/contract/errors.ts';
import type { CampaignBody, CampaignSlot } from '../../../shared/contract/headquarters/campaigns.ts';
import { localIn } from '../../features/plans/local-times.ts';
import { requireTimes } from '../../features/plans/plan-rules.ts';
import { newId } from '../../kernel/ids.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import { isSeen } from '../stores/region-rights.ts';
import type { StoreRegistry } from '../stores/store-registry.ts';
import { workspaceOf } from '../stores/stores.service.ts';
import type { DecidedCampaign } from './campaign-document.ts';
import type { CampaignLibraryStore } from './campaign-library.store.ts';
import { requireWithin } from './campaign-where.ts';
import type { CampaignsStore } from './campaigns.store.ts';

/** Time zone for the check of recurrence rules. The choice of zone does not affect the result. */
const ANY_ZONE = 'UTC';

interface Deps {
  readonly store: Pick<CampaignsStore, 'named'>;
  readonly library: Pick<CampaignLibraryStore, 'of'>;
  readonly registry: Pick<StoreRegistry, 'byRef'>;
}

/**
 * Returns the checked campaign: times as local times of the stores, and an id for every slot.
 * @throws ApiError 400,
 * 403, 404, 409
 */
export const checked = (
  { store, library, registry }: Deps,
  actor: Actor,
  said: Omit<CampaignBody, 'slots'> & { readonly id: string; readonly slots: readonly CampaignSlot[] },
  before?: DecidedCampaign,
): DecidedCampaign => {
  const workspaceId = workspaceOf(actor);
  const other = store.named(workspaceId, said.name.toWellFormed());
  if (other !== undefined && other !== said.id)
    throw conflict(`Another campaign is called ${said.name}. Choose another name.`);
  const has = library.of(workspaceId);
  // Ids that the campaign named before are not checked, because their records or stores may have been deleted since.
  // The start of the campaign reports missing records.
  const known = new Set([
    ...[before?.playlist_id, before?.layout_id],
    ...(before?.where.store_ids ?? []),
    ...(before?.slots ?? []).map((slot) => slot.content_id),
  ]);
  const isNew = (id: string | null): id is string => id !== null && !known.has(id);
  if (isNew(said.playlist_id) && !has.playlist(said.playlist_id)) throw notFound('Playlist');
  if (isNew(said.layout_id) && !has.layout(said.layout_id)) throw notFound('Layout');
  for (const ref of said.where.store_ids.filter(isNew)) {
    const named = registry.byRef(ref);
    if (named?.workspace_id !== workspaceId || !isSeen(actor, named)) throw notFound('Store');
  }
  requireWithin(actor, said.where, (ref) => registry.byRef(ref));
  for (const { content_id } of said.slots) if (isNew(content_id) && !has.content(content_id)) throw notFound('Content');
  if (said.slots.length > 0 && said.playlist_id === null)
    throw badRequest('slots: are places in a playlist; choose a playlist first');
  const times = {
    start_time: localTime(said.start_time, 'start_time'),
    end_time: localTime(said.end_time, 'end_time'),
    recurrence: said.recurrence?.trim().replace(/^RRULE:/i, '') || null,
    recurrence_end: said.recurrence_end,
  };
  requireTimes(before && { ...before, timezone: ANY_ZONE }, { ...times, timezone: ANY_ZONE });
  return { ...said, ...times, slots: withIds(said.slots, before?.slots ?? []) };
};

/** @throws ApiError 400 */
const localTime = (text: string, name: string): string => {
  if (/(Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10)))
    throw badRequest(`${name}: must be a time without a time zone, because each store uses its own local time`);
  return localIn(ANY_ZONE, text, name);
};

/**
 * Gives an id to each new slot. Slots with a known id keep it, because stores save their choice of content by the
 * slot's id.
 * @throws
 * ApiError 400
 */
const withIds = (slots: readonly CampaignSlot[], before: DecidedCampaign['slots']): DecidedCampaign['slots'] => {
  const known = new Set(before.map(({ id }) => id));
  return slots.map(({ id = newId(), ...slot }, i) => {
    if (slots[i]!.id !== undefined && !known.delete(id))
      throw badRequest(
        `slots.${i}.id: must be the id of a place of this campaign, and each id only once; send no id for a new place`,
      );
    return { id, ...slot };
  });
};
