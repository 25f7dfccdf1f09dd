/**
 * Records and campaigns of headquarters, for the people of a store. People of the store can view them and fill their
 * slots.
 */
import type { Phase, Readiness } from '../../../shared/chain/campaign.ts';
import { badRequest, conflict, notFound } from '../../../shared/contract/errors.ts';
import type { ManagedRecord, StoreCampaign, StoreSlot } from '../../../shared/contract/headquarters/managed.ts';
import { announce } from '../../kernel/bus.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { Actor, WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { ChainStore, TaggedScreen } from '../membership/chain.store.ts';
import type { CampaignHere, FillingRow, ManagedStore } from './managed.store.ts';
import type { Slots } from './slots.ts';

/** Maximum number of screen names listed per campaign. */
const NAMED = 20;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'activity'> {
  readonly store: ManagedStore;
  readonly screens: Pick<ChainStore, 'taggedScreens'>;
  readonly slots: Slots;
  /** Progress of campaigns from the link to headquarters; undefined: the link does not run. */
  readonly readiness: (workspaceId: string) => readonly Readiness[] | undefined;
  /** Time zone of the store's screens. */
  readonly timezone: () => string;
}

export class ManagedService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  records({ workspaceId }: WorkspaceActor): ManagedRecord[] {
    return this.#deps.store.records(workspaceId);
  }

  campaigns({ workspaceId }: WorkspaceActor): StoreCampaign[] {
    const { store, screens, slots, readiness, timezone } = this.#deps;
    const here = store.campaigns(workspaceId);
    if (here.length === 0) return [];
    const tagged = screens.taggedScreens(workspaceId);
    const places = Map.groupBy(slots.list(workspaceId), ({ campaign }) => campaign);
    const known = new Map(readiness(workspaceId)?.map((one) => [one.id, one]));
    return here
      .map((row) => ({
        ...toCampaign(row, { screens: tagged, timezone: timezone(), ready: known.get(row.id) }),
        slots: places.get(row.id) ?? [],
      }))
      .sort((a, b) => ((a.start_time ?? '') < (b.start_time ?? '') ? -1 : 1));
  }

  /** @throws ApiError 400 with the reason, 404 */
  fill(actor: WorkspaceActor, id: string, playlistId: string | null): StoreSlot {
    const { store, slots, db, activity } = this.#deps;
    const { workspaceId } = actor;
    return db.write(() => {
      const slot = store.slot(workspaceId, id);
      if (!slot) throw notFound('Place');
      if (playlistId !== null) {
        const playlist = store.playlist(workspaceId, playlistId);
        if (!playlist) throw notFound('Playlist');
        requireUsable(playlist);
        slots.requireFits(slot, playlistId);
      }
      if (slot.playlist_id !== playlistId) {
        store.fill(workspaceId, id, playlistId);
        activity.add({
          workspaceId,
          actor,
          action: playlistId === null ? 'chain.place_emptied' : 'chain.place_filled',
          details: `${slot.limits.name} (${slot.campaign_name})`,
        });
        announce(this.#deps, actor, { topic: 'chain' });
        // Announces a change of the playlist that contains the slot, so that programs with this playlist are compiled
        // again.
        announce(this.#deps, actor, { topic: 'playlists', ids: slot.in_playlist ? [slot.in_playlist] : [] });
      }
      return slots.view(store.slot(workspaceId, id)!);
    });
  }

  /** @throws ApiError 404, 409 */
  drop(actor: Actor, id: string): void {
    const { store, db, activity } = this.#deps;
    const { workspaceId } = actor;
    if (workspaceId === null)
      throw badRequest('You do not belong to a workspace yet. Ask for an invitation, or create a workspace.');
    if (store.isLinked(workspaceId))
      throw conflict(
        'Only headquarters can end this campaign. To remove the campaign from this store, leave headquarters first.',
      );
    db.write(() => {
      const name = store.drop(workspaceId, id);
      if (name === undefined) throw notFound('Campaign');
      activity.add({ workspaceId, actor, action: 'chain.campaign_dropped', details: name });
      announce(this.#deps, { ...actor, workspaceId }, { topic: 'chain' });
      announce(this.#deps, { ...actor, workspaceId }, { topic: 'schedules' });
    });
  }
}

const requireUsable = ({ name, published_ms, owner_device_id, is_held }: FillingRow): void => {
  if (is_held === 1)
    throw badRequest(
      'playlist_id: this playlist comes from headquarters; choose a playlist that was created in this store',
    );
  if (owner_device_id !== null)
    throw badRequest('playlist_id: this playlist belongs to one screen; choose or create another');
  if (published_ms === null) throw badRequest(`playlist_id: ${name} was never published; publish this playlist first`);
};

const phaseOf = ({ refused, wanted, applied, said, bytes_left }: CampaignHere): Phase => {
  if (refused !== null) return 'refused';
  if (applied === wanted) return 'on_screens';
  if (said === null) return 'told';
  return bytes_left > 0 ? 'fetching' : 'armed';
};

const toCampaign = (
  row: CampaignHere,
  {
    screens,
    timezone,
    ready,
  }: { readonly screens: readonly TaggedScreen[]; readonly timezone: string; readonly ready: Readiness | undefined },
): Omit<StoreCampaign, 'slots'> => {
  const { said, refused, wanted, ...more } = row;
  const wants = new Set(said?.screen_tags.map((tag) => tag.toLowerCase()));
  const isMeant = ({ tags }: TaggedScreen) => wants.size === 0 || tags.some((tag) => wants.has(tag.toLowerCase()));
  const meant = said === null || said.rank === 'offer' ? [] : screens.filter(isMeant);
  const isCurrent = ready !== undefined && ready.edition === wanted;
  return {
    ...more,
    rank: said?.rank ?? null,
    start_time: said?.start_time ?? null,
    end_time: said?.end_time ?? null,
    recurrence: said?.recurrence ?? null,
    recurrence_end: said?.recurrence_end ?? null,
    begins: said?.begins ?? null,
    playlist_id: said?.playlist_id ?? null,
    layout_id: said?.layout_id ?? null,
    timezone,
    screen_tags: [...(said?.screen_tags ?? [])],
    screens: meant.length,
    screen_names: meant.slice(0, NAMED).map(({ name }) => name),
    wanted,
    phase: wanted === null ? null : isCurrent ? ready.phase : phaseOf(row),
    bytes_left: isCurrent ? ready.bytes_left : row.bytes_left,
    rate: isCurrent ? ready.rate : null,
    ready: isCurrent ? ready.ready : null,
    why: (isCurrent ? ready.why : '') || (refused ?? ''),
  };
};
