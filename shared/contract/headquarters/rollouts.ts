/** Rollout of headquarters' releases to the servers of its stores in waves, and the versions that these servers run. */
import { z } from 'zod';
import { WAVE_STATES, type WaveChoice } from '../../chain/rollouts.ts';
import { ReleaseVersion } from '../../protocol/releases/release-signature.ts';
import { everything, nothing } from '../acts.ts';
import { endpointsOf, session } from '../endpoint.ts';
import { Epoch, Id, Int, Name, nameOf, paging, queryWord, Tag, whole } from '../fields.ts';

const endpoint = endpointsOf('Stores');

const MAX_WAVES = 20;
const MAX_STORES = 5_000;
const DAY_MINUTES = 24 * 60;

const Choice = z.discriminatedUnion('which', [
  z.strictObject({
    which: z.literal('named'),
    ids: z.array(Id).min(1, 'must name at least one store').max(MAX_STORES, `must name at most ${MAX_STORES} stores`),
  }),
  z.strictObject({ which: z.literal('count'), count: whole(1, MAX_STORES) }),
  z.strictObject({ which: z.literal('region'), region: nameOf(100) }),
  z.strictObject({ which: z.literal('tag'), tag: Tag }),
  z.strictObject({ which: z.literal('rest') }),
]) satisfies z.ZodType<WaveChoice>;
export const Wave = z.object({ name: Name, stores: Choice });
export type Wave = z.infer<typeof Wave>;

export const ROLLOUT_STATES = ['running', 'paused', 'stopped', 'done', 'ended'] as const;
export type RolloutState = (typeof ROLLOUT_STATES)[number];

const StateCounts = z.object(
  Object.fromEntries(WAVE_STATES.map((state) => [state, Int])) as Record<(typeof WAVE_STATES)[number], typeof Int>,
);

export const StoreRollout = z.object({
  id: z.string(),
  version: ReleaseVersion,
  /**
   * State of the rollout. `stopped`: automatically at an unhealthy store, until a person decides. `ended`: by a person,
   * for good.
   */
  status: z.enum(ROLLOUT_STATES),
  /**
   * Store whose failure stopped the rollout, and the reason; null: the rollout did not stop, or the store was deleted.
   */
  stopped_at: z.object({ store_id: z.string(), store_name: z.string(), why: z.string() }).nullable(),
  /** Number of the current wave, from 0. */
  wave: Int,
  /** Waves in order, with the number of stores in each state. */
  waves: z.array(z.object({ name: z.string(), states: StateCounts })),
  /** Number of minutes for which all stores of a wave must be healthy before the next wave begins. */
  healthy_minutes: Int,
  /** User who started the rollout. */
  by: z.string(),
  created_at: Epoch,
  updated_at: Epoch,
});
export type StoreRollout = z.infer<typeof StoreRollout>;

export const RolloutStore = z.object({
  store_id: z.string(),
  store_name: z.string(),
  region: z.string(),
  /** Number of the store's wave, from 0. */
  wave: Int,
  /**
   * State of the store. unreachable: receives the order when it connects; told: has accepted the order, or has not
   * answered yet; unhealthy and refused: `why` has the reason.
   */
  state: z.enum(WAVE_STATES),
  why: z.string(),
  /** Version that the store reports; null: the store has never reported a version. */
  version: z.string().nullable(),
  told_at: Epoch.nullable(),
  /** Time since which the store is in this state. */
  at: Epoch,
});
export type RolloutStore = z.infer<typeof RolloutStore>;

const viewer = session('viewer');
const manager = session('manager');

export const StoreSoftware = z.object({
  /** Version of headquarters itself. */
  own: z.string(),
  /** Number of stores by version, newest version first; version null: stores that have never reported a version. */
  versions: z.array(z.object({ version: z.string().nullable(), stores: Int })),
  /** Releases for which a signed file was uploaded, newest first. */
  releases: z.array(
    z.object({
      version: ReleaseVersion,
      notes: z.string().nullable(),
      /** Number of signed files of the release. */
      files: Int,
      bytes: Int,
      /** Number of enrolled stores with an older version, or without a report. */
      behind: Int,
    }),
  ),
});
export type StoreSoftware = z.infer<typeof StoreSoftware>;
export const getStoreSoftware = endpoint('GET /api/stores/software', {
  name: 'getStoreSoftware',
  summary: 'Which versions the servers of the stores run, and which releases are here for them',
  access: viewer,
  response: StoreSoftware,
});

const asked = {
  version: ReleaseVersion,
  waves: z.array(Wave).min(1, 'must be at least one wave').max(MAX_WAVES, `must be at most ${MAX_WAVES} waves`),
};
export const RolloutPreview = z.object({
  waves: z.array(
    z.object({
      name: z.string(),
      stores: Int,
      /** Number of stores that can be reached now. */
      up: Int,
      screens: Int,
    }),
  ),
  /** Number of enrolled stores that already run this version or a newer version. */
  have: Int,
  /** Number of enrolled stores that no wave selects. */
  left: Int,
});
export type RolloutPreview = z.infer<typeof RolloutPreview>;
export const previewStoreRollout = endpoint('POST /api/stores/rollouts/preview', {
  name: 'previewStoreRollout',
  summary: 'How many stores each wave of a rollout would have',
  description: 'Each store belongs to the first wave that means it; those that run the version already to none.',
  access: manager,
  acts: nothing,
  shows: nothing,
  body: z.object(asked),
  response: RolloutPreview,
});
export const createStoreRollout = endpoint('POST /api/stores/rollouts', {
  name: 'createStoreRollout',
  summary: 'Bring a release to the servers of the stores, wave by wave',
  description:
    'The next wave begins when all stores of those before have been healthy for `healthy_minutes`: they run the version, their line is up, and all screens that were online before are again. Everything stops at the first store that is not: that still runs another version 30 minutes after it was told, is silent for 15 minutes, lacks screens for 10, went back by itself, or had an incident. Stores that are away get it when they come. Each store takes it only where it lets headquarters, and as its publisher signed it. 400 where no store is meant; 409 while another rollout has not ended, and for a release without signed files here.',
  access: manager,
  acts: () => [everything],
  shows: nothing,
  body: z.object({ ...asked, healthy_minutes: whole(0, DAY_MINUTES).default(30) }),
  status: 201,
  response: StoreRollout,
  errors: [404, 409],
});
export const listStoreRollouts = endpoint('GET /api/stores/rollouts', {
  name: 'listStoreRollouts',
  summary: 'Rollouts of releases to stores, newest first',
  description: 'The newest 100 are kept.',
  access: viewer,
  query: z.object(paging(20, 100)),
  response: z.array(StoreRollout),
});
export const getStoreRollout = endpoint('GET /api/stores/rollouts/{id}', {
  name: 'getStoreRollout',
  summary: 'A rollout to stores, and how far its waves are',
  access: viewer,
  response: StoreRollout,
});
export const listRolloutStores = endpoint('GET /api/stores/rollouts/{id}/stores', {
  name: 'listRolloutStores',
  summary: 'How a rollout is doing in each store, worst first',
  access: viewer,
  query: z.object({ state: queryWord(WAVE_STATES), ...paging(100, 1000) }),
  response: z.array(RolloutStore),
});
export const pauseStoreRollout = endpoint('POST /api/stores/rollouts/{id}/pause', {
  name: 'pauseStoreRollout',
  summary: 'Tell no further store for now',
  description: '409 unless it runs. Stores that were told go on.',
  access: manager,
  acts: () => [everything],
  shows: nothing,
  response: StoreRollout,
  errors: [409],
});
export const resumeStoreRollout = endpoint('POST /api/stores/rollouts/{id}/resume', {
  name: 'resumeStoreRollout',
  summary: 'Go on, also after it stopped by itself',
  description:
    'Stores that are not healthy, or refused, are tried again; one that runs the version by now counts as healthy. 409 unless it is paused or stopped.',
  access: manager,
  acts: () => [everything],
  shows: nothing,
  response: StoreRollout,
  errors: [409],
});
export const leaveOutOfRollout = endpoint('POST /api/stores/rollouts/{id}/leave-out', {
  name: 'leaveOutOfRollout',
  summary: 'Go on without a store',
  description:
    'The store gets no further commands of this rollout, but still carries out earlier ones. A stopped rollout continues if no other store is unhealthy. 404 when the store is not in the rollout; 409 when the rollout has ended.',
  access: manager,
  acts: () => [everything],
  shows: nothing,
  body: z.object({ store_id: Id }),
  response: StoreRollout,
  errors: [409],
});
export const endStoreRollout = endpoint('POST /api/stores/rollouts/{id}/end', {
  name: 'endStoreRollout',
  summary: 'End it for good',
  description: 'Stores that have the version keep it. 409 when it has ended already.',
  access: manager,
  acts: () => [everything],
  shows: nothing,
  response: StoreRollout,
  errors: [409],
});
