/**
 * Commands of headquarters to screens of its stores. A command can be sent to any set of stores, and each store returns
 * a result.
 */
import { z } from 'zod';
import { atOnce, everything, nothing } from '../acts.ts';
import { endpointsOf, session } from '../endpoint.ts';
import { Epoch, Int, nameOf, paging, queryWord, Tag, whole } from '../fields.ts';
import { CommandBody } from '../screens/devices.ts';

const endpoint = endpointsOf('Stores');

/**
 * Result in a store, worst first. `refused`: the store did not carry out the command. `expired`: the store was not
 * reached in time, or did not answer. `waiting`: the store has not received the command yet. `told`: the store has
 * received the command and not answered.
 */
export const REMOTE_COMMAND_STATES = ['refused', 'expired', 'taken_back', 'waiting', 'told', 'done'] as const;
export type RemoteCommandState = (typeof REMOTE_COMMAND_STATES)[number];
/** Maximum number of stores that one request names by their ids. A filter can select more stores. */
const MAX_STORES = 5_000;
const WEEK_MINUTES = 7 * 24 * 60;

export const RemoteCommand = z.object({
  id: z.string(),
  command: z.object({ type: z.string(), payload: z.record(z.string(), z.unknown()) }),
  /** Tag of the selected screens; null: all screens of a store. */
  tag: z.string().nullable(),
  /** User who sent the command. */
  by: z.string(),
  created_at: Epoch,
  /** Time after which no store receives the command. */
  expires_at: Epoch,
  /** Number of stores by result. */
  states: z.object({ refused: Int, expired: Int, taken_back: Int, waiting: Int, told: Int, done: Int }),
  /**
   * In the stores that have answered: number of all screens, of screens that succeeded, and of screens that failed. The
   * other screens receive the command later.
   */
  screens: Int,
  acked: Int,
  failed: Int,
});
export type RemoteCommand = z.infer<typeof RemoteCommand>;

/** Selection of stores by their ids, or by the properties that they have at this moment. */
const StoreChoice = z.discriminatedUnion('which', [
  z.strictObject({
    which: z.literal('named'),
    ids: z
      .array(z.string())
      .min(1, 'must name at least one store')
      .max(MAX_STORES, `must name at most ${MAX_STORES} stores`)
      .refine((ids) => new Set(ids).size === ids.length, 'must contain each store only once'),
  }),
  z.strictObject({ which: z.literal('all'), region: nameOf(100).optional(), tag: Tag.optional() }),
]);

const viewer = session('viewer');
const editor = session('editor');

export const createRemoteCommand = endpoint('POST /api/stores/orders', {
  name: 'createOrder',
  summary: 'Send a command to screens of many stores',
  description:
    'To the stores named, or to all that are enrolled and have this region and tag. A store that cannot be reached is told as soon as it can, until `lasts_minutes` are over. Stores do it with the rights of whoever sends it, as far as each lets headquarters. 404 where a store does not exist, 400 where none is meant; nothing is sent then. 409: too many commands are under way.',
  access: editor,
  acts: () => [everything],
  // Every command counts as content that needs approval: in stores, users who need approval here have only the role
  // viewer.
  shows: atOnce,
  body: z.object({
    command: CommandBody,
    tag: Tag.nullable().default(null),
    stores: StoreChoice,
    lasts_minutes: whole(1, WEEK_MINUTES).default(60),
  }),
  status: 201,
  response: RemoteCommand,
  errors: [404, 409],
});
export const listRemoteCommands = endpoint('GET /api/stores/orders', {
  name: 'listOrders',
  summary: 'Commands that were sent to stores, newest first',
  description: 'The newest 500 are kept.',
  access: viewer,
  query: z.object(paging(20, 100)),
  response: z.array(RemoteCommand),
});
export const getRemoteCommand = endpoint('GET /api/stores/orders/{id}', {
  name: 'getOrder',
  summary: 'A command to stores, and how many have done it',
  access: viewer,
  response: RemoteCommand,
});

export const RemoteCommandStore = z.object({
  store_id: z.string(),
  store_name: z.string(),
  region: z.string(),
  state: z.enum(REMOTE_COMMAND_STATES),
  /** Number of selected screens in the store, of screens that succeeded, and of screens that failed. */
  screens: Int,
  acked: Int,
  failed: Int,
  /** Reason why the command failed or may have failed; empty: no failure. */
  error: z.string(),
  /** Time of the last change; null: the command waits. */
  at: Epoch.nullable(),
});
export type RemoteCommandStore = z.infer<typeof RemoteCommandStore>;
export const listRemoteCommandStores = endpoint('GET /api/stores/orders/{id}/stores', {
  name: 'listOrderStores',
  summary: 'Result of a command in each store, worst first',
  access: viewer,
  query: z.object({ state: queryWord(REMOTE_COMMAND_STATES), ...paging(100, 1000) }),
  response: z.array(RemoteCommandStore),
});
export const cancelRemoteCommand = endpoint('DELETE /api/stores/orders/{id}', {
  name: 'takeBackOrder',
  summary: 'Take a command back from the stores that were not told yet',
  description:
    'No store is told any more. What a store has done stays done, and one that was told and has not answered may have done it. The command stays in the list.',
  access: editor,
  acts: () => [everything],
  shows: nothing,
});
