/** What headquarters has in a store: records that it keeps, campaigns that it wants shown, places that the store fills. */
import { z } from 'zod';
import { PHASES, SlotLimits } from '../chain/campaign.ts';
import { RANKS } from '../program/ranks.ts';
import { everything, nothing, on } from './acts.ts';
import { endpointsOf, read, session, write } from './endpoint.ts';
import { Epoch, Int } from './fields.ts';

const endpoint = endpointsOf('Chain');

export const HELD_KINDS = ['content', 'widgets', 'playlists', 'layouts'] as const;
export type HeldKind = (typeof HELD_KINDS)[number];

export const HeldRecord = z.object({
  kind: z.enum(HELD_KINDS),
  id: z.string(),
  campaign: z.string(),
  campaign_name: z.string(),
});
export type HeldRecord = z.infer<typeof HeldRecord>;

export const listHeldRecords = endpoint('GET /api/chain/records', {
  name: 'listHeldRecords',
  summary: 'Records that are headquarters’: the store shows them, and does not change them',
  description: 'Whatever would change one of them answers 423. None where the workspace belongs to no headquarters.',
  access: read,
  response: z.array(HeldRecord),
});

/** Why an item does not play in a place: as {@link NoRoom}, or there is nothing to show yet. */
export const LEFT_OUT = ['kind', 'items', 'seconds', 'not_ready'] as const;

export const SlotItem = z.object({
  /** Of the playlist. */
  item_id: Int,
  name: z.string(),
  /** `widget` of whatever comes of one; else as programs call it. */
  kind: z.string(),
  seconds: Int,
  /** null: it plays. */
  left_out: z.enum(LEFT_OUT).nullable(),
});
export type SlotItem = z.infer<typeof SlotItem>;

export const StoreSlot = SlotLimits.extend({
  id: z.string(),
  campaign: z.string(),
  /** Headquarters' playlist in which it is. */
  in_playlist: z.string(),
  /** What the store has put there; null: nothing, and what headquarters gave plays instead. */
  filled: z
    .object({
      playlist_id: z.string(),
      name: z.string(),
      /** What screens have of it, in order. */
      items: z.array(SlotItem),
    })
    .nullable(),
});
export type StoreSlot = z.infer<typeof StoreSlot>;

export const StoreCampaign = z.object({
  id: z.string(),
  /** '' while nothing is known of it but that it is wanted. */
  name: z.string(),
  /** From here until `layout_id` null while what it says has not come. */
  rank: z.enum(RANKS).nullable(),
  /** By the clock of the store: local date-times. */
  start_time: z.string().nullable(),
  end_time: z.string().nullable(),
  recurrence: z.string().nullable(),
  recurrence_end: z.string().nullable(),
  /** Whether it begins with what has come, or only with all of it. */
  begins: z.enum(['whole', 'parts']).nullable(),
  playlist_id: z.string().nullable(),
  layout_id: z.string().nullable(),
  timezone: z.string(),
  /** Screens with any of these; none: all. */
  screen_tags: z.array(z.string()),
  /** That it is for now, and the names of the first of them. */
  screens: Int,
  screen_names: z.array(z.string()),
  /** The edition that headquarters wants; null: the store has left it, and keeps what it has. */
  wanted: Int.nullable(),
  /** The edition that screens are given; null: none yet. */
  applied: Int.nullable(),
  /** All files of what screens are given are here. */
  is_whole: z.boolean(),
  /** How far the wanted edition is; null: none is wanted. */
  phase: z.enum(PHASES).nullable(),
  /** Of its files, and of those what has not come. */
  bytes: Int,
  bytes_left: Int,
  /** Bytes a second; null: nothing comes. */
  rate: Int.nullable(),
  /** Of those screens, they have it; null: nobody knows. */
  ready: Int.nullable(),
  /** Why it cannot be shown, or does not come, in a sentence; '' where nothing is wrong. */
  why: z.string(),
  told_at: Epoch.nullable(),
  slots: z.array(StoreSlot),
});
export type StoreCampaign = z.infer<typeof StoreCampaign>;

export const listStoreCampaigns = endpoint('GET /api/chain/campaigns', {
  name: 'listStoreCampaigns',
  summary: 'What headquarters wants to be shown in this store, how far it is, and what the store puts into its places',
  description: 'By start. After the store has left its headquarters: what has stayed.',
  access: read,
  response: z.array(StoreCampaign),
});

export const fillSlot = endpoint('PUT /api/chain/slots/{id}', {
  name: 'fillSlot',
  summary: 'Put a playlist of the store’s own into a place of a campaign, or nothing',
  description:
    'It has to be published, and all of it has to fit: 400 names the item that does not, and the limit. It then plays on all screens of the campaign.',
  access: write,
  acts: ({ params }) => [on('slot', params.id)],
  // What was published was approved.
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
