/** Campaigns of headquarters: what is shown in which stores, when and how strongly, and the progress of each store. */
import { z } from 'zod';
import { PHASES, SlotLimits } from '../chain/campaign.ts';
import { RANKS } from '../program/ranks.ts';
import { atOnce, everything, nothing } from './acts.ts';
import { Answer } from './approvals.ts';
import { endpointsOf, session } from './endpoint.ts';
import { Epoch, Int, Name, nameOf, paging, queryText, queryWord, Tag, textOf, whole } from './fields.ts';
import { CivilDate, DateTime } from './schedules.ts';

const endpoint = endpointsOf('Stores');

/** Maximum number of campaigns in a workspace. */
export const MAX_CAMPAIGNS = 2_000;
/** Maximum number of running campaigns of one store. */
export const MAX_RUNNING = 500;
/** Maximum number of slots in a campaign. */
export const MAX_SLOTS = 20;
const MAX_NAMED_STORES = 5_000;

/**
 * `waiting`: somebody else has to approve it; stores that ran it before continue with their edition. `running`: stores
 * should have it. It may have changed since; stores have the edition that was started last.
 */
export const CAMPAIGN_STATES = ['draft', 'waiting', 'running', 'stopped'] as const;

/** Stores that are in one of the regions and have one of the tags, or are named; all three empty: all stores. */
const Where = z.object({
  regions: z.array(nameOf(100)).max(200, 'must be at most 200 regions'),
  tags: z.array(Tag).max(50, 'must be at most 50 tags'),
  store_ids: z.array(z.string().min(1)).max(MAX_NAMED_STORES, `must name at most ${MAX_NAMED_STORES} stores`),
});
export type CampaignWhere = z.infer<typeof Where>;

const Slot = SlotLimits.extend({
  /** Id of the slot; absent for a new one. */
  id: z.string().min(1).max(64).optional(),
  name: Name,
  max_items: whole(1, 100),
  max_seconds: whole(1, 86_400),
  /** Number of items of the playlist before the slot. The item in front of it plays on while the slot is empty. */
  after: whole(0, 2_000),
  /** Content that plays while the store has not filled the slot; null: nothing plays. */
  content_id: z.string().nullable(),
});
export type CampaignSlot = z.infer<typeof Slot>;

/** Part of a campaign that people decide. */
export const CampaignBody = z.object({
  name: Name,
  note: textOf(1_000),
  rank: z.enum(RANKS),
  /** Published playlist in the library of headquarters; null for a layout that has its own zones. */
  playlist_id: z.string().min(1).nullable(),
  /** null: see `whole_screen`. */
  layout_id: z.string().min(1).nullable(),
  /** Without a layout. True: the whole screen; false: the largest zone of the store's layout. */
  whole_screen: z.boolean(),
  /** Times by the clocks of the stores. */
  start_time: DateTime,
  end_time: DateTime,
  recurrence: textOf(500).nullable(),
  recurrence_end: CivilDate.nullable(),
  /** `whole`: starts in a store when all of it has arrived. `parts`: starts on time with what has arrived. */
  begins: z.enum(['whole', 'parts']),
  where: Where,
  /** Screens in a store with one of these tags; empty: all screens. */
  screen_tags: z.array(Tag).max(20, 'must be at most 20 tags'),
  slots: z.array(Slot).max(MAX_SLOTS, `must be at most ${MAX_SLOTS} places`),
});
export type CampaignBody = z.infer<typeof CampaignBody>;

export const PhaseCounts = z.object({
  told: Int,
  fetching: Int,
  armed: Int,
  on_screens: Int,
  showing: Int,
  refused: Int,
  /** Number of stores that have not reported about the campaign or its edition. */
  unheard: Int,
  /** Number of stores that will not have the campaign when it begins, as far as known; refusing stores are included. */
  late: Int,
});
export type PhaseCounts = z.infer<typeof PhaseCounts>;

/** Refusal of a request to start the campaign. */
const CampaignRefusal = z.object({
  asked_by: z.string(),
  asked_by_id: z.string(),
  by: z.string(),
  by_id: z.string(),
  at: Epoch,
  /** Reason; empty: none was given. */
  answer: z.string(),
});
export type CampaignRefusal = z.infer<typeof CampaignRefusal>;

export const Campaign = CampaignBody.extend({
  id: z.string(),
  state: z.enum(CAMPAIGN_STATES),
  /** Edition that stores have, or had last; null: it was never started. */
  edition: Int.nullable(),
  /** True if a start now would produce a different edition, because the decisions or the contents changed since. */
  is_changed: z.boolean(),
  changed_by: z.string(),
  /** User who asked for the start, while it waits. Names are not unique. */
  asked_by: z.string().nullable(),
  asked_by_id: z.string().nullable(),
  /**
   * True if it waits, but the campaign or its contents changed since the request. Nobody can approve it; it must be
   * requested again.
   */
  is_stale: z.boolean(),
  approved_by: z.string().nullable(),
  /** Result of the last request if it was refused, until the next request or start; null: not refused. */
  refused: CampaignRefusal.nullable(),
  started_at: Epoch.nullable(),
  stopped_at: Epoch.nullable(),
  created_at: Epoch,
  updated_at: Epoch,
  /** Number of enrolled stores that it selects now; while stores have it, those that the started edition selects. */
  stores: Int,
  /** Phases of these stores while they should have it; otherwise null. */
  phases: PhaseCounts.nullable(),
});
export type Campaign = z.infer<typeof Campaign>;

const viewer = session('viewer');
const editor = session('editor');

export const listCampaigns = endpoint('GET /api/campaigns', {
  name: 'listCampaigns',
  summary: 'Campaigns, those that run or wait first, the newest first',
  access: viewer,
  query: z.object({ state: queryWord(CAMPAIGN_STATES), q: queryText(100), ...paging(50, 500) }),
  response: z.array(Campaign),
});
export const createCampaign = endpoint('POST /api/campaigns', {
  name: 'createCampaign',
  summary: 'Make a campaign; nothing is sent',
  description:
    'Whoever has a role in some regions alone decides about campaigns that reach no store elsewhere; others are 403, also to be changed, started or stopped.',
  access: editor,
  acts: () => [everything],
  shows: nothing,
  body: CampaignBody,
  status: 201,
  response: Campaign,
  errors: [404, 409],
  etag: true,
});
export const getCampaign = endpoint('GET /api/campaigns/{id}', {
  name: 'getCampaign',
  summary: 'A campaign, and how far it is in its stores',
  access: viewer,
  response: Campaign,
  etag: true,
});
export const updateCampaign = endpoint('PUT /api/campaigns/{id}', {
  name: 'updateCampaign',
  summary: 'Change a campaign',
  description:
    'Stores go on with the edition that they have, until it is started again. What waits for approval does so no longer.',
  access: editor,
  acts: () => [everything],
  shows: nothing,
  body: CampaignBody.partial(),
  response: Campaign,
  errors: [409, 412],
  etag: true,
});
export const deleteCampaign = endpoint('DELETE /api/campaigns/{id}', {
  name: 'deleteCampaign',
  summary: 'Delete a campaign that stores do not have',
  access: editor,
  acts: () => [everything],
  shows: nothing,
  errors: [409, 412],
});
export const startCampaign = endpoint('POST /api/campaigns/{id}/start', {
  name: 'startCampaign',
  summary: 'Give a campaign to its stores, as it is now',
  description:
    'It becomes an edition, which never changes; stores fetch it at once and show it when it begins. A store that lacks a value that it needs refuses it: while there are such stores the answer is 409 `values_lacking`, unless `lacking` is true. Where the workspace asks for approval, somebody else who approves has to start it too: until then it waits. 409 `request_stale` when the campaign, or what it shows, was changed since it was asked for. 409 also when it has nothing to show, or a store would have too many.',
  access: editor,
  acts: () => [everything],
  // The start of a user who needs approval waits.
  shows: nothing,
  /** `lacking`: start even if stores lack values that it needs. */
  body: z.object({ lacking: z.boolean('must be true or false').default(false) }),
  response: Campaign,
  errors: [409, 412],
  etag: true,
});
export const refuseCampaign = endpoint('POST /api/campaigns/{id}/refuse', {
  name: 'refuseCampaign',
  summary: 'Refuse to start a campaign that waits for approval, and say why',
  description:
    'For members who approve and administrators (403). It is what it was before it was asked for; the refusal stands on it until it is asked for again. 409 when it does not wait.',
  access: editor,
  acts: () => [everything],
  shows: nothing,
  body: Answer,
  response: Campaign,
  errors: [409, 412],
  etag: true,
});
export const stopCampaign = endpoint('POST /api/campaigns/{id}/stop', {
  name: 'stopCampaign',
  summary: 'Take a campaign from its stores: each goes on with what is its own',
  description: 'One that only waits for approval does so no longer.',
  access: editor,
  acts: () => [everything],
  shows: nothing,
  response: Campaign,
  errors: [409, 412],
  etag: true,
});

export const CampaignEdition = z.object({
  edition: Int,
  made_at: Epoch,
  made_by: z.string(),
  approved_by: z.string().nullable(),
  /** Bytes of its files. */
  bytes: Int,
  /** Decisions of people for this edition. */
  body: CampaignBody,
});
export type CampaignEdition = z.infer<typeof CampaignEdition>;
export const listEditions = endpoint('GET /api/campaigns/{id}/editions', {
  name: 'listEditions',
  summary: 'What stores were given of a campaign, the newest first',
  description: 'The newest 50 are kept.',
  access: viewer,
  query: z.object(paging(20, 100)),
  response: z.array(CampaignEdition),
});
export const rollBack = endpoint('POST /api/campaigns/{id}/roll-back', {
  name: 'rollBack',
  summary: 'Give stores an earlier edition again, as a new one',
  description:
    'At once, by whoever need not ask for approval. The campaign says what that edition said. 409: that edition is not kept, or a store would have too many.',
  access: editor,
  acts: () => [everything],
  shows: atOnce,
  body: z.object({ edition: whole(1, 1_000_000) }),
  response: Campaign,
  errors: [409, 412],
  etag: true,
});

export const CampaignStore = z.object({
  store_id: z.string(),
  store_name: z.string(),
  region: z.string(),
  /** `unheard`: the store has not reported about this edition. */
  phase: z.enum([...PHASES, 'unheard']),
  /** Edition that its screens have. */
  applied: Int.nullable(),
  bytes_left: Int,
  /** Bytes per second. */
  rate: Int.nullable(),
  /** Time at which all of it will be there at this rate; null: it is already there, or the time is unknown. */
  ready_at: Epoch.nullable(),
  /** True if it will not be there when the campaign begins, as far as known. */
  is_late: z.boolean(),
  /** It is late and the store is not connected: it waits for its connection. */
  is_waiting: z.boolean(),
  screens: Int,
  ready: Int,
  why: z.string(),
  told_at: Epoch.nullable(),
});
export type CampaignStore = z.infer<typeof CampaignStore>;
export const listCampaignStores = endpoint('GET /api/campaigns/{id}/stores', {
  name: 'listCampaignStores',
  summary: 'How far a running campaign is in each store, what needs somebody first',
  access: viewer,
  query: z.object({
    phase: queryWord([...PHASES, 'unheard', 'late']),
    q: queryText(100),
    ...paging(100, 1000),
  }),
  response: z.array(CampaignStore),
});

export const CampaignNeed = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(CAMPAIGN_STATES),
  start_time: DateTime,
  /** User who asked for the start, if the caller may approve it; null: it does not wait for the caller. */
  asked_by: z.string().nullable(),
  asked_by_id: z.string().nullable(),
  /** Stores that it selects; among them those that will not have it in time, and those that refuse it. */
  stores: Int,
  late: Int,
  refused: Int,
  /** Those of `late` that are not connected. A campaign that is late in such stores only is not listed. */
  waiting: Int,
});
export type CampaignNeed = z.infer<typeof CampaignNeed>;
export const listCampaignNeeds = endpoint('GET /api/campaigns/needs', {
  name: 'listCampaignNeeds',
  summary: 'Campaigns that need a person: they wait to be approved, or stores will not have them in time',
  description:
    'Those that wait first, then by the number of stores. Of stores it says what was so some seconds ago; who has a role in some regions alone hears of stores there.',
  access: viewer,
  query: z.object(paging(50, 200)),
  response: z.array(CampaignNeed),
});

export const CampaignValues = z.array(
  z.object({
    name: z.string(),
    /** True if its texts have no fallback for stores without a value. */
    is_needed: z.boolean(),
    /** Number of stores without a value, and the first ten of them. */
    lacking: Int,
    stores: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
);
export type CampaignValues = z.infer<typeof CampaignValues>;
export const listCampaignValues = endpoint('GET /api/campaigns/{id}/values', {
  name: 'listCampaignValues',
  summary: 'Values of stores that a campaign, started now, would show, and which stores lack them',
  description:
    'Stores that lack a value that is needed refuse the campaign, and go on with what they have. Empty where it could not be started.',
  access: viewer,
  response: CampaignValues,
});

const Hidden = z.object({
  what: z.enum(['schedule', 'playlist', 'campaign']),
  name: z.string(),
  screens: Int,
  stores: Int,
});
export const DryRun = z.object({
  /** `asking` while stores are asked. */
  state: z.enum(['asking', 'done']),
  asked_at: Epoch,
  /** Stores that it selects; those that have answered, cannot be reached, or have a version without this function. */
  stores: Int,
  answered: Int,
  unreached: Int,
  unable: Int,
  /** In the stores that answered: all screens, selected screens, and screens that would show something else. */
  screens: Int,
  meant: Int,
  changes: Int,
  /** Number of stores with such a screen. */
  changed_stores: Int,
  /** Contents that would no longer be shown, and contents that go before it; most screens first; 100 at most. */
  hidden: z.array(Hidden),
  before: z.array(Hidden),
  /** Values that it needs and some stores lack; those stores would refuse it. */
  lacking: CampaignValues,
});
export type DryRun = z.infer<typeof DryRun>;
export const startDryRun = endpoint('POST /api/campaigns/{id}/dry-run', {
  name: 'startDryRun',
  summary: 'Ask stores what a campaign, as it is now, would change; nothing is changed',
  description: 'Each store answers for itself. The answer comes by and by, and is kept for an hour.',
  access: editor,
  acts: nothing,
  shows: nothing,
  status: 201,
  response: DryRun,
  perMinute: 10,
});
export const getDryRun = endpoint('GET /api/campaigns/{id}/dry-run', {
  name: 'getDryRun',
  summary: 'What stores have answered so far',
  description: 'null: none was asked for, or it is too old.',
  access: viewer,
  response: DryRun.nullable(),
});
