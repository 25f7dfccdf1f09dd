/**
 * Records that headquarters manages in a store, campaigns of headquarters in the store, and the slots (places in
 * headquarters' playlists) that the store fills.
 */
import { z } from 'zod';
import { PHASES, SlotLimits } from '../../chain/campaign.ts';
import { RANKS } from '../../program/ranks.ts';
import { everything, nothing, on } from '../acts.ts';
import { endpointsOf, read, session, write } from '../endpoint.ts';
import { Epoch, Int } from '../fields.ts';

const endpoint = endpointsOf('Chain');

export const MANAGED_KINDS = ['content', 'widgets', 'playlists', 'layouts'] as const;
export type ManagedKind = (typeof MANAGED_KINDS)[number];

export const ManagedRecord = z.object({
  kind: z.enum(MANAGED_KINDS),
  id: z.string(),
  campaign: z.string(),
  campaign_name: z.string(),
});
export type ManagedRecord = z.infer<typeof ManagedRecord>;

export const listManagedRecords = endpoint('GET /api/chain/records', {
  name: 'listHeldRecords',
  summary: 'Records that are headquarters’: the store shows them, and does not change them',
  description:
    'A request that would change one of these records gets 423. The list is empty when the workspace belongs to no headquarters.',
  access: read,
  response: z.array(ManagedRecord),
});

/** Reason why an item does not play in a slot: a reason of {@link NoRoom}, or the item is not ready yet. */
export const LEFT_OUT = ['kind', 'items', 'seconds', 'not_ready'] as const;

export const SlotItem = z.object({
  /** Id of the item in the store's playlist. */
  item_id: Int,
  name: z.string(),
  /** Kind of the item: `widget` for items of a widget; other kinds as in programs. */
  kind: z.string(),
  seconds: Int,
  /** Reason why the item does not play; null: the item plays. */
  left_out: z.enum(LEFT_OUT).nullable(),
});
export type SlotItem = z.infer<typeof SlotItem>;

export const StoreSlot = SlotLimits.extend({
  id: z.string(),
  campaign: z.string(),
  /** Name of headquarters' playlist that contains the slot. */
  in_playlist: z.string(),
  /** Playlist that the store has put into the slot; null: none, and the content from headquarters plays. */
  filled: z
    .object({
      playlist_id: z.string(),
      name: z.string(),
      /** Published items of the store's playlist, in order. */
      items: z.array(SlotItem),
    })
    .nullable(),
});
export type StoreSlot = z.infer<typeof StoreSlot>;

export const StoreCampaign = z.object({
  id: z.string(),
  /** Name of the campaign. Empty while the store only knows that headquarters wants the campaign. */
  name: z.string(),
  /** `rank` and the following fields up to `layout_id` are null until the contents of the campaign have arrived. */
  rank: z.enum(RANKS).nullable(),
  /** Start and end as local date-times by the clock of the store. */
  start_time: z.string().nullable(),
  end_time: z.string().nullable(),
  recurrence: z.string().nullable(),
  recurrence_end: z.string().nullable(),
  /** Whether the campaign begins with the files that have arrived, or only when all files have arrived. */
  begins: z.enum(['whole', 'parts']).nullable(),
  playlist_id: z.string().nullable(),
  layout_id: z.string().nullable(),
  timezone: z.string(),
  /** Screens with any of these tags; empty: all screens. */
  screen_tags: z.array(z.string()),
  /** Number of screens that the campaign selects now, and the names of the first of them. */
  screens: Int,
  screen_names: z.array(z.string()),
  /**
   * Number of the edition that headquarters wants the store to show; null: the store has left headquarters and keeps
   * its last edition.
   */
  wanted: Int.nullable(),
  /** Number of the edition that screens receive; null: no edition yet. */
  applied: Int.nullable(),
  /** Whether all files of the edition that screens receive have arrived. */
  is_whole: z.boolean(),
  /** Progress of the edition that headquarters wants; null: headquarters wants none. */
  phase: z.enum(PHASES).nullable(),
  /**
   * Total size in bytes of the files of the edition that headquarters wants, and number of bytes that have not arrived.
   */
  bytes: Int,
  bytes_left: Int,
  /** Download rate in bytes per second; null: nothing is being fetched. */
  rate: Int.nullable(),
  /** Number of the selected screens that have the edition; null: unknown. */
  ready: Int.nullable(),
  /** Reason why the campaign cannot be shown or fetched, in a sentence; empty: no problem. */
  why: z.string(),
  told_at: Epoch.nullable(),
  slots: z.array(StoreSlot),
});
export type StoreCampaign = z.infer<typeof StoreCampaign>;

export const listStoreCampaigns = endpoint('GET /api/chain/campaigns', {
  name: 'listStoreCampaigns',
  summary:
    'Campaigns of headquarters in this store, their progress, and the playlists in the places that the store fills',
  description: 'By start. After the store has left its headquarters: what has stayed.',
  access: read,
  response: z.array(StoreCampaign),
});

export const fillSlot = endpoint('PUT /api/chain/slots/{id}', {
  name: 'fillSlot',
  summary: 'Put a playlist of the store’s own into a place of a campaign, or nothing',
  description:
    'The playlist must be published, and all its items must fit: 400 names the item that does not fit, and the limit. The playlist then plays on all screens of the campaign.',
  access: write,
  acts: ({ params }) => [on('slot', params.id)],
  // Members without the right to publish may call this endpoint: the playlist is published already, so its content was
  // approved.
  shows: nothing,
  body: z.object({ playlist_id: z.string().min(1).nullable() }),
  response: StoreSlot,
});

export const dropCampaign = endpoint('DELETE /api/chain/campaigns/{id}', {
  name: 'dropCampaign',
  summary: 'Take what stayed of a campaign from the screens, after the store has left its headquarters',
  description:
    'Its playlists, layouts, widgets and contents are the store’s own since then, and stay in the library. 409: the store belongs to a headquarters, which ends its campaigns itself.',
  access: session('manager'),
  acts: () => [everything],
  shows: nothing,
  errors: [409],
});
