/**
 * Campaigns of headquarters: the content, the stores, the times and the rank of a campaign, and the progress of each
 * store.
 */
import { z } from 'zod';
import { PHASES, SlotLimits } from '../../chain/campaign.ts';
import { RANKS } from '../../program/ranks.ts';
import { atOnce, everything, nothing } from '../acts.ts';
import { endpointsOf, session } from '../endpoint.ts';
import { Epoch, Int, Name, nameOf, paging, queryText, queryWord, Tag, textOf, whole } from '../fields.ts';
import { Answer } from '../people/approvals.ts';
import { CivilDate, DateTime } from '../screens/schedules.ts';

const endpoint = endpointsOf('Stores');

/** Maximum number of campaigns in a workspace. */
export const MAX_CAMPAIGNS = 2_000;
/** Maximum number of campaigns that run in one store at the same time. */
export const MAX_RUNNING = 500;
/** Maximum number of slots in a campaign. */
export const MAX_SLOTS = 20;
const MAX_NAMED_STORES = 5_000;

/**
 * State of a campaign. `waiting`: another person has to approve the start; stores that ran the campaign before continue
 * with their edition. `running`: stores should have the campaign. The campaign may have changed since the start; stores
 * have the edition that was started last.
 */
export const CAMPAIGN_STATES = ['draft', 'waiting', 'running', 'stopped'] as const;

/**
 * Selected stores: stores that are in one of the regions and have one of the tags, or that are named. If all three
 * lists are empty: all stores.
 */
const Where = z.object({
  regions: z.array(nameOf(100)).max(200, 'must be at most 200 regions'),
  tags: z.array(Tag).max(50, 'must be at most 50 tags'),
  store_ids: z.array(z.string().min(1)).max(MAX_NAMED_STORES, `must name at most ${MAX_NAMED_STORES} stores`),
});
export type CampaignWhere = z.infer<typeof Where>;

const Slot = SlotLimits.extend({
  /** Id of the slot; absent for a new slot. */
  id: z.string().min(1).max(64).optional(),
  name: Name,
  max_items: whole(1, 100),
  max_seconds: whole(1, 86_400),
  /**
   * Position of the slot: number of items of the playlist before it. While the slot is empty, the item before it stays
   * longer.
   */
  after: whole(0, 2_000),
  /** Content that plays while the store has not filled the slot; null: nothing plays. */
  content_id: z.string().nullable(),
});
export type CampaignSlot = z.infer<typeof Slot>;

/** The settings of a campaign that people choose. */
export const CampaignBody = z.object({
  name: Name,
  note: textOf(1_000),
  rank: z.enum(RANKS),
  /** Published playlist in the library of headquarters; null for a layout that has its own zones. */
  playlist_id: z.string().min(1).nullable(),
  /** Layout of the campaign; null: `whole_screen` decides where the playlist plays. */
  layout_id: z.string().min(1).nullable(),
  /**
   * Used without a layout. True: the playlist fills the whole screen; false: it plays in the largest zone of the
   * store's layout.
   */
  whole_screen: z.boolean(),
  /** Start and end by the clocks of the stores. */
  start_time: DateTime,
  end_time: DateTime,
  recurrence: textOf(500).nullable(),
  recurrence_end: CivilDate.nullable(),
  /**
   * When the campaign starts in a store. `whole`: after all files have arrived. `parts`: on time, with the files that
   * have arrived.
   */
  begins: z.enum(['whole', 'parts']),
  where: Where,
  /** Tags of screens in a store. Only screens with one of these tags show the campaign; empty: all screens. */
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
  /** Number of stores that have not reported about the campaign or its current edition. */
  unheard: Int,
  /**
   * Number of stores that will not have the campaign when it begins, according to the forecast. Includes stores that
   * refuse the campaign.
   */
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
  /** Reason of the refusal; empty: no reason was given. */
  answer: z.string(),
});
export type CampaignRefusal = z.infer<typeof CampaignRefusal>;

export const Campaign = CampaignBody.extend({
  id: z.string(),
  state: z.enum(CAMPAIGN_STATES),
  /** Number of the edition that stores have, or had last; null: the campaign was never started. */
  edition: Int.nullable(),
  /**
   * Whether a start now would produce a different edition, because the decisions or the contents changed since the
   * last start.
   */
  is_changed: z.boolean(),
  changed_by: z.string(),
  /** User who requested the start, while the request waits. Names are not unique. */
  asked_by: z.string().nullable(),
  asked_by_id: z.string().nullable(),
  /**
   * Whether the campaign or its contents changed while the request was waiting. Nobody can approve such a request;
   * it must be sent again.
   */
  is_stale: z.boolean(),
  approved_by: z.string().nullable(),
  /** Result of the last request if it was refused, until the next request or start; null: not refused. */
  refused: CampaignRefusal.nullable(),
  started_at: Epoch.nullable(),
  stopped_at: Epoch.nullable(),
  created_at: Epoch,
  updated_at: Epoch,
  /**
   * Number of enrolled stores that the campaign selects now. While stores have the campaign: number of stores that the
   * started edition selects.
   */
  stores: Int,
  /** Number of these stores in each phase, while they should have the campaign; otherwise null. */
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
    'Members with a role in some regions only can create, change, start and stop campaigns whose stores are all in these regions; other campaigns are 403.',
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
  // A start by a user who needs approval becomes a request and shows nothing yet.
  shows: nothing,
  /** `lacking`: true starts the campaign even if some stores lack values that the campaign needs. */
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
  description: 'If the campaign is only waiting for approval, its request is withdrawn.',
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
  /** Total size of the edition's files in bytes. */
  bytes: Int,
  /** The settings that people had chosen for this edition. */
  body: CampaignBody,
});
export type CampaignEdition = z.infer<typeof CampaignEdition>;
export const listEditions = endpoint('GET /api/campaigns/{id}/editions', {
  name: 'listEditions',
  summary: 'Editions of a campaign that stores got, the newest first',
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
  /** Number of the edition that the store's screens have. */
  applied: Int.nullable(),
  bytes_left: Int,
  /** Download rate in bytes per second. */
  rate: Int.nullable(),
  /** Time at which all files will have arrived at this rate; null: all files have arrived, or the time is unknown. */
  ready_at: Epoch.nullable(),
  /** Whether the files will not have arrived when the campaign begins, according to the forecast. */
  is_late: z.boolean(),
  /** Whether the campaign is late and the store is not connected, so that the campaign waits for the connection. */
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
  /** User who requested the start, if the caller may approve the request; null: no request waits for the caller. */
  asked_by: z.string().nullable(),
  asked_by_id: z.string().nullable(),
  /**
   * Number of stores that the campaign selects, of stores that will not have it in time, and of stores that refuse it.
   */
  stores: Int,
  late: Int,
  refused: Int,
  /** Number of late stores that are not connected. A campaign that is late only in such stores is not listed. */
  waiting: Int,
});
export type CampaignNeed = z.infer<typeof CampaignNeed>;
export const listCampaignNeeds = endpoint('GET /api/campaigns/needs', {
  name: 'listCampaignNeeds',
  summary: 'Campaigns that need a person: they wait to be approved, or stores will not have them in time',
  description:
    'Campaigns that wait for approval come first, then campaigns by their number of stores. The facts about stores are some seconds old. Members with a role in some regions only see the stores in these regions.',
  access: viewer,
  query: z.object(paging(50, 200)),
  response: z.array(CampaignNeed),
});

export const CampaignValues = z.array(
  z.object({
    name: z.string(),
    /** Whether the texts of the campaign have no default for stores without this value. */
    is_needed: z.boolean(),
    /** Number of stores without this value, and the first ten of these stores. */
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
export const CampaignPreview = z.object({
  /** State of the preview. `asking`: stores are still being queried. */
  state: z.enum(['asking', 'done']),
  asked_at: Epoch,
  /**
   * Number of stores that the campaign selects, of stores that have answered, of stores that cannot be reached, and of
   * stores whose version lacks this function.
   */
  stores: Int,
  answered: Int,
  unreached: Int,
  unable: Int,
  /**
   * In the stores that answered: number of all screens, of selected screens, and of screens that would show other
   * content.
   */
  screens: Int,
  meant: Int,
  changes: Int,
  /** Number of stores with a screen that would show other content. */
  changed_stores: Int,
  /**
   * Contents that would no longer be shown, and contents that take precedence over the campaign. Contents on most
   * screens come first; 100 at most.
   */
  hidden: z.array(Hidden),
  before: z.array(Hidden),
  /** Values that the campaign needs and some stores lack; those stores would refuse the campaign. */
  lacking: CampaignValues,
});
export type CampaignPreview = z.infer<typeof CampaignPreview>;
export const startDryRun = endpoint('POST /api/campaigns/{id}/dry-run', {
  name: 'startDryRun',
  summary: 'Ask stores what a campaign, as it is now, would change; nothing is changed',
  description: 'Each store answers for itself. The answer comes by and by, and is kept for an hour.',
  access: editor,
  acts: nothing,
  shows: nothing,
  status: 201,
  response: CampaignPreview,
  perMinute: 10,
});
export const getDryRun = endpoint('GET /api/campaigns/{id}/dry-run', {
  name: 'getDryRun',
  summary: 'Answers of stores so far',
  description: 'null: none was asked for, or it is too old.',
  access: viewer,
  response: CampaignPreview.nullable(),
});
