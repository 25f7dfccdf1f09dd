/**
 * Fills the slots of campaigns with playlists of the store. Content that does not fit is refused, never cut silently.
 */
import { fill, type NoRoom, slotKind } from '../../../shared/chain/slots.ts';
import { badRequest } from '../../../shared/contract/errors.ts';
import type { SlotItem, StoreSlot } from '../../../shared/contract/headquarters/managed.ts';
import type { Programs } from '../../programs/programs.ts';
import type { ManagedStore, SlotRow } from './managed.store.ts';

interface Deps {
  readonly store: ManagedStore;
  readonly programs: Pick<Programs, 'publishedItems'>;
}

interface Candidate extends Omit<SlotItem, 'left_out'> {
  /** Whether the item has content that screens can show already. */
  readonly isReady: boolean;
}

/** Names of the kinds of content in sentences for people. */
const KINDS: Readonly<Record<string, string>> = {
  image: 'images',
  video: 'videos',
  pdf: 'PDF files',
  widget: 'widgets',
  audio: 'audio',
};
const OTHER_KIND = 'web pages';
const OTHER = 'web';

export class Slots {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  list(workspaceId: string): StoreSlot[] {
    return this.#deps.store.slots(workspaceId).map((row) => this.view(row));
  }

  view({ id, campaign, limits, in_playlist, playlist_id, playlist_name }: SlotRow): StoreSlot {
    return {
      ...limits,
      id,
      campaign,
      in_playlist,
      filled:
        playlist_id === null
          ? null
          : { playlist_id, name: playlist_name ?? '', items: judged(limits, this.#candidates(playlist_id)) },
    };
  }

  /**
   * Checks that the published items of a playlist fit into each slot that it fills. Called within the write transaction
   * that publishes the playlist.
   * @throws ApiError 400
   */
  requireStillFits(playlistId: string): void {
    for (const slot of this.#deps.store.filledBy(playlistId)) this.requireFits(slot, playlistId);
  }

  /** @throws ApiError 400 with the item and the limit */
  requireFits({ limits, campaign_name }: Pick<SlotRow, 'limits' | 'campaign_name'>, playlistId: string): void {
    const candidates = this.#candidates(playlistId);
    const [first] = fill(limits, candidates).left;
    if (!first) return;
    const { item, because } = first;
    const where = `${item.name} does not fit in the place ${limits.name} of the headquarters campaign ${campaign_name}`;
    const seconds = candidates.reduce((sum, one) => sum + one.seconds, 0);
    const why: Record<NoRoom, string> = {
      kind: `not allowed there: ${KINDS[item.kind] ?? OTHER_KIND}`,
      items: `items allowed there: ${limits.max_items}`,
      seconds: `the limit is ${limits.max_seconds} s, and the playlist lasts ${seconds} s`,
    };
    throw badRequest(`${where}: ${why[because]}.`);
  }

  #candidates(playlistId: string): Candidate[] {
    return this.#deps.programs.publishedItems(playlistId).map(({ row, item }) => ({
      item_id: row.id,
      name: row.name ?? '',
      kind: slotKind({ widget_id: row.widget_id, kind: item?.kind ?? row.kind ?? OTHER }),
      seconds: row.item_seconds,
      isReady: item !== undefined,
    }));
  }
}

/** Decides which items fit by the same rule as the screens: an item without content yet needs no room. */
const judged = (limits: SlotRow['limits'], candidates: readonly Candidate[]): SlotItem[] => {
  const { left } = fill(
    limits,
    candidates.filter(({ isReady }) => isReady),
  );
  const because = new Map(left.map(({ item, because: why }) => [item, why]));
  return candidates.map((candidate) => {
    const { isReady, ...item } = candidate;
    return { ...item, left_out: isReady ? (because.get(candidate) ?? null) : 'not_ready' };
  });
};
