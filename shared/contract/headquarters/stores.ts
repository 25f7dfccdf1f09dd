/** Stores of a chain, as headquarters (a server in role `hq`) sees them: their state, and the plays of all stores. */
import { z } from 'zod';
import { Offline } from '../../chain/enrolment-file.ts';
import { administers, nothing } from '../acts.ts';
import { endpointsOf, session, stream } from '../endpoint.ts';
import {
  between,
  Epoch,
  FlagOut,
  Int,
  Name,
  nameOf,
  paging,
  queryId,
  queryText,
  queryWord,
  Tags,
  textOf,
} from '../fields.ts';

const endpoint = endpointsOf('Stores');

/**
 * State of the connection. `new`: the store has no code, or has not used it. `up`: connected. `down`: no message for
 * 100 s. `left`: the store has left headquarters, and its plays stay.
 */
export const STORE_LINES = ['new', 'up', 'down', 'left'] as const;
/** Troubles of a store that need a person, worst first. The table of stores and its filter use this list. */
export const STORE_TROUBLES = [
  /** An incident that no person has looked at yet. */
  'incidents',
  'line_down',
  'screens_dark',
  /** The store refuses a campaign of headquarters. */
  'campaign_refused',
  'campaign_late',
  'disk_low',
  'clock_apart',
  /** Some screens do not have their newest program. */
  'screens_behind',
  /** Plays older than a day have not arrived here. */
  'plays_waiting',
] as const;
export type StoreTrouble = (typeof STORE_TROUBLES)[number];

export const Store = z.object({
  id: z.string(),
  name: z.string(),
  region: z.string(),
  tags: z.array(z.string()),
  note: z.string(),
  /** Location in degrees north and east; both null: the location is unknown. */
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  line: z.enum(STORE_LINES),
  /** Time of the last message; null: never. */
  heard_at: Epoch.nullable(),
  enrolled_at: Epoch.nullable(),
  left_at: Epoch.nullable(),
  /** Time at which the store's enrolment code expires; null: the store has no code. */
  code_expires_at: Epoch.nullable(),
  /** Names of the server and the workspace in the store. */
  server_name: z.string(),
  workspace_name: z.string(),
  /** SHA-256 of the key of the store's server, hex; null: no key yet. */
  fingerprint: z.string().nullable(),
  /** State in the store's last report; null: no report yet. */
  version: z.string().nullable(),
  screens_total: Int.nullable(),
  screens_online: Int.nullable(),
  screens_dark: Int.nullable(),
  screens_behind: Int.nullable(),
  /** Names of some of the dark screens. */
  dark_names: z.array(z.string()),
  disk_free_bytes: Int.nullable(),
  disk_total_bytes: Int.nullable(),
  /** Number of seconds by which the store's clock is ahead of headquarters' clock. */
  clock_seconds: z.number().nullable(),
  /** Maximum number of plays that may not have arrived here yet. */
  waiting: Int.nullable(),
  /** Number of incidents that no person has looked at. */
  incidents: Int,
  /**
   * Number of campaigns that the store will not have when they begin, and number of campaigns that it refuses. No
   * campaign is counted twice.
   */
  campaigns_late: Int,
  campaigns_refused: Int,
  /** The names of some campaigns that are late or refused. */
  campaigns_missed: z.array(z.object({ id: z.string(), name: z.string(), is_refused: z.boolean() })),
  troubles: z.array(z.enum(STORE_TROUBLES)),
  created_at: Epoch,
});
export type Store = z.infer<typeof Store>;

const viewer = session('viewer');
const manager = session('manager');

const which = { region: queryText(100), tag: queryText(50) };
const filters = {
  ...which,
  q: queryText(100),
  line: queryWord(STORE_LINES),
  trouble: queryWord(['any', ...STORE_TROUBLES]),
};
export const listStores = endpoint('GET /api/stores', {
  name: 'listStores',
  summary: 'The stores of the chain, by name or worst first',
  description:
    '`q` is looked for in names, regions, tags and notes. `trouble=any`: whatever needs a person. `place=none`: those of which nobody has said where they are.',
  access: viewer,
  query: z.object({
    ...filters,
    place: queryWord(['none']),
    order: queryWord(['name', 'worst'], 'name'),
    ...paging(100, 1000),
  }),
  response: z.array(Store),
});

/** Maximum number of stores on a map. */
export const MAX_PLACES = 20_000;
export const StorePlace = z.object({
  id: z.string(),
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  /** The worst trouble of the store; null: no trouble. */
  trouble: z.enum(STORE_TROUBLES).nullable(),
  line: z.enum(STORE_LINES),
});
export type StorePlace = z.infer<typeof StorePlace>;
export const StorePlaces = z.object({
  places: z.array(StorePlace),
  /** Number of selected stores without a location. */
  without: Int,
});
export type StorePlaces = z.infer<typeof StorePlaces>;
export const listStorePlaces = endpoint('GET /api/stores/places', {
  name: 'listStorePlaces',
  summary: 'Places and states of the stores, for a map',
  description: `By name, at most ${MAX_PLACES}. The filters are those of the list.`,
  access: viewer,
  query: z.object(filters),
  response: StorePlaces,
  etag: 'cached',
});

export const StoreCounts = z.object({
  stores: Int,
  line: z.object({ new: Int, up: Int, down: Int, left: Int }),
  screens_total: Int,
  screens_online: Int,
  screens_dark: Int,
  /** Number of stores that need a person, in total and by trouble. */
  troubled: Int,
  troubles: z.record(z.enum(STORE_TROUBLES), Int),
  regions: z.array(z.string()),
  tags: z.array(z.string()),
});
export type StoreCounts = z.infer<typeof StoreCounts>;
export const countStores = endpoint('GET /api/stores/counts', {
  name: 'countStores',
  summary: 'How many stores there are, how they are, and which regions and tags',
  access: viewer,
  response: StoreCounts,
});

export const getStore = endpoint('GET /api/stores/{id}', {
  name: 'getStore',
  summary: 'A store',
  access: viewer,
  response: Store,
  etag: true,
});
const editable = {
  name: Name,
  region: nameOf(100).or(z.literal('')),
  tags: Tags,
  note: textOf(1000),
  latitude: between(-90, 90).nullable(),
  longitude: between(-180, 180).nullable(),
};
/** Adds the rule that a location has both coordinates or none. */
const hasBoth = <S extends z.ZodObject>(body: S): S =>
  body.superRefine((given, ctx) => {
    const { latitude = null, longitude = null } = given as { latitude?: number | null; longitude?: number | null };
    const of = { latitude: 'longitude', longitude: 'latitude' } as const;
    if ((latitude === null) === (longitude === null)) return;
    const missing = latitude === null ? 'latitude' : 'longitude';
    ctx.addIssue({ code: 'custom', path: [missing], message: `must be given together with ${of[missing]}` });
  });
export const createStore = endpoint('POST /api/stores', {
  name: 'createStore',
  summary: 'Add a store, which is enrolled with a code later',
  description: 'Names are given once (409). A place has latitude and longitude, or neither.',
  access: manager,
  acts: administers('chain'),
  shows: nothing,
  body: hasBoth(
    z.object({
      name: editable.name,
      region: editable.region.default(''),
      tags: editable.tags.default([]),
      note: editable.note.default(''),
      latitude: editable.latitude.optional(),
      longitude: editable.longitude.optional(),
    }),
  ),
  status: 201,
  response: Store,
  errors: [409],
});
export const updateStore = endpoint('PUT /api/stores/{id}', {
  name: 'updateStore',
  summary: 'Change a store’s name, region, tags, note or place',
  access: manager,
  acts: administers('chain'),
  shows: nothing,
  body: hasBoth(
    z.object({
      name: editable.name.optional(),
      region: editable.region.optional(),
      tags: editable.tags.optional(),
      note: editable.note.optional(),
      latitude: editable.latitude.optional(),
      longitude: editable.longitude.optional(),
    }),
  ),
  response: Store,
  errors: [409, 412],
  etag: true,
});
export const deleteStore = endpoint('DELETE /api/stores/{id}', {
  name: 'deleteStore',
  summary: 'Remove a store from the chain, with its plays at headquarters; the store itself goes on as ever',
  access: manager,
  acts: administers('chain'),
  shows: nothing,
});

export const EnrolmentCode = z.object({
  /**
   * Enrolment code of six groups of four letters, which a person enters in the admin window of the store. The code is
   * shown only this once.
   */
  code: z.string(),
  /** Addresses at which the store can reach headquarters. */
  addresses: z.array(z.string()),
  /** Data for the enrolment file of a store without a connection to headquarters (shared/chain/enrolment-file.ts). */
  offline: Offline,
  /** QR code with the text of the enrolment file, for a phone; null: the QR code could not be drawn. */
  qr_data_url: z.string().nullable(),
  expires_at: Epoch,
});
export type EnrolmentCode = z.infer<typeof EnrolmentCode>;
export const makeEnrolmentCode = endpoint('POST /api/stores/{id}/code', {
  name: 'makeEnrolmentCode',
  summary: 'Make the code with which a store is enrolled, or its PC replaced; good once, for 14 days',
  description:
    'A code that was made before is worth nothing any more. A store that is enrolled already stays so until another PC comes with the code: that one takes its place, and the old one is refused from then on.',
  access: manager,
  acts: administers('chain'),
  shows: nothing,
  status: 201,
  response: EnrolmentCode,
});

export const StoreIncident = z.object({
  id: z.string(),
  /** Kind of incident from shared/chain/wire.ts, or a kind that only a store of a newer version knows. */
  kind: z.string(),
  details: z.string(),
  at: Epoch,
  seen_at: Epoch.nullable(),
  seen_by: z.string().nullable(),
});
export type StoreIncident = z.infer<typeof StoreIncident>;
export const listStoreIncidents = endpoint('GET /api/stores/{id}/incidents', {
  name: 'listStoreIncidents',
  summary: 'Incidents of a store, newest first',
  access: viewer,
  query: z.object(paging(50, 500)),
  response: z.array(StoreIncident),
});
export const seeStoreIncidents = endpoint('POST /api/stores/{id}/incidents/seen', {
  name: 'seeStoreIncidents',
  summary: 'Say that somebody has looked at what went wrong',
  access: manager,
  acts: administers('chain'),
  shows: nothing,
});

// — plays of all stores —
const PERIOD =
  'start and end: dates, both included, by headquarters’ zone; default: the last 30 days. A play belongs to the day on which it started.';
const period = { start: queryText(10), end: queryText(10) };
const narrowed = { ...period, ...which, store_id: queryId, campaign_id: queryId, content: queryText(200) };
const NARROWED =
  'region and tag of the store, store_id, campaign_id, and content, a name, narrow it down, all at once. What a store put into a place of a campaign is the campaign’s, too.';

export const CHAIN_SUMS_BY = ['content', 'campaign', 'store', 'region', 'screen', 'day'] as const;
export const ChainSum = z.object({
  /**
   * Name of the content, campaign, store, region or screen, or the day as YYYY-MM-DD. A campaign has its current or
   * last name. Empty for plays without a campaign, for a campaign without a known name, and for stores without a
   * region.
   */
  name: z.string(),
  /** Id of the campaign, if the row is about a campaign; null for other rows, and for plays without a campaign. */
  campaign_id: z.string().nullable(),
  /** Id of the store, if the row is about a single store; otherwise null. */
  store_id: z.string().nullable(),
  store_name: z.string().nullable(),
  plays: Int,
  seconds: z.number(),
  /** Number of stores and number of screens that showed the content; screens null: too many to count. */
  stores: Int,
  screens: Int.nullable(),
});
export type ChainSum = z.infer<typeof ChainSum>;
export const sumChainPlays = endpoint('GET /api/stores/plays/sums', {
  name: 'sumChainPlays',
  summary: 'Plays of all stores, summed',
  description: `Most plays first; days in order. Contents of one name are one, whichever stores they lie in. ${NARROWED} ${PERIOD}`,
  access: viewer,
  query: z.object({ ...narrowed, by: queryWord(CHAIN_SUMS_BY, 'content'), ...paging(100, 5000) }),
  response: z.array(ChainSum),
  errors: [404],
});
export const ChainTotals = z.object({
  plays: Int,
  seconds: z.number(),
  stores: Int,
  /** Number of screens with plays; null: too many to count. */
  screens: Int.nullable(),
  contents: Int,
  /**
   * Selected stores that may have further plays of the period. `waiting`: number of plays that have not arrived here.
   */
  behind: z.array(z.object({ id: z.string(), name: z.string(), waiting: Int, heard_at: Epoch.nullable() })),
});
export type ChainTotals = z.infer<typeof ChainTotals>;
export const totalChainPlays = endpoint('GET /api/stores/plays/totals', {
  name: 'totalChainPlays',
  summary: 'Plays of all stores in all, and which stores may have more',
  description: `${NARROWED} ${PERIOD}`,
  access: viewer,
  query: z.object(narrowed),
  response: ChainTotals,
  errors: [404],
});
export const ChainPlay = z.object({
  store_id: z.string(),
  store_name: z.string(),
  device_id: z.string(),
  device_name: z.string(),
  content_name: z.string(),
  /** Campaign of the play; null: none. */
  campaign_id: z.string().nullable(),
  campaign_name: z.string().nullable(),
  started_ms: Int,
  ended_ms: Int,
  completed: FlagOut,
});
export type ChainPlay = z.infer<typeof ChainPlay>;
export const listChainPlays = endpoint('GET /api/stores/plays', {
  name: 'listChainPlays',
  summary: 'Single plays of all stores, newest first',
  description: `Pages of the newest thousands; all of them are in the export. ${NARROWED} ${PERIOD}`,
  access: viewer,
  query: z.object({ ...narrowed, ...paging(100, 500) }),
  response: z.array(ChainPlay),
  errors: [404],
});
export const exportChainPlays = endpoint('GET /api/stores/plays/export', {
  name: 'exportChainPlays',
  summary: 'Plays of all stores as CSV, or as a file that can be verified; streamed',
  description: `format=sums: the sums as CSV, by \`by\`. format=proof: the stores’ signed segments and headquarters’ signature, which "vitrine verify" checks down to each panel’s key; plays around the selection that a signature covers come along. Otherwise: Store,Region,Screen,Content,Started,Ended,Duration (sec),Completed,Campaign, store by store as they came in, times in UTC. format=missing: Store,Region,Screen,First missing,Last missing,Plays missing,After,Before as CSV: numbers of screens’ journals between plays of the selection that headquarters has no play of, with the ends of the plays around them, whatever content and campaign are asked for. A screen gave these plays up because its journal was full, or somebody removed them. ${NARROWED} ${PERIOD}`,
  access: viewer,
  query: z.object({
    ...narrowed,
    by: queryWord(CHAIN_SUMS_BY, 'content'),
    format: queryWord(['csv', 'sums', 'proof', 'missing']),
  }),
  response: stream(['text/csv', 'application/vnd.vitrine.chain'], 'named'),
  errors: [404],
});
