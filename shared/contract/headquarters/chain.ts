/**
 * The connection of a store to its headquarters, as the store sees the connection: which headquarters a workspace
 * belongs to, and which plays that headquarters already has.
 */
import { z } from 'zod';
import { Incident } from '../../chain/wire.ts';
import { administers, nothing } from '../acts.ts';
import { ScheduleBlock, ScheduleBlockOut } from '../content/playlists.ts';
import { endpointsOf, session } from '../endpoint.ts';
import { Epoch, FlagOut, filled, Int } from '../fields.ts';
import { WorkspaceRole } from '../people/users.ts';

const endpoint = endpointsOf('Chain');

export const ChainIncident = z.object({
  id: z.string(),
  kind: Incident,
  /** Details of the incident in a sentence. */
  details: z.string(),
  at: Epoch,
});
export type ChainIncident = z.infer<typeof ChainIncident>;

export const ChainLink = z.object({
  /** Name of the store at headquarters. */
  name: z.string(),
  headquarters: z.string(),
  /** Fingerprint of headquarters' key, hex. */
  fingerprint: z.string(),
  address: z.string(),
  /** Whether the store was enrolled by a file and has never been connected to headquarters. */
  by_file: z.boolean(),
  enrolled_at: Epoch,
  enrolled_by: z.string(),
  /** Highest role that people of headquarters may have in this store's admin window; null: they have no access. */
  may: WorkspaceRole.nullable(),
  /** Whether headquarters may install another version on this server. */
  lets_update: FlagOut,
  /**
   * State of the connection. `up`: headquarters answered the last request. `down`: headquarters did not answer;
   * `trouble` has the reason. `starting`: no request was sent yet.
   */
  line: z.enum(['starting', 'up', 'down']),
  /** Problem in a sentence; null: none. */
  trouble: z.string().nullable(),
  /** Time of the last answer; null: none since the server started. */
  heard_at: Epoch.nullable(),
  /** Maximum number of plays that headquarters may still lack. */
  waiting: Int,
  /** Number of plays delivered to headquarters since the server started. */
  delivered: Int,
  /** Maximum rate for files from headquarters in kilobytes per second; null: no limit. */
  rate_kb: Int.nullable(),
  /** Hours in which files are fetched, by the clock of the server; empty: always. */
  hours: z.array(ScheduleBlockOut),
  /** The latest incidents, newest first, 50 at most. */
  incidents: z.array(ChainIncident),
});
export type ChainLink = z.infer<typeof ChainLink>;

/**
 * State of the chain. `link` null: the workspace belongs to no headquarters. The answer is an object with a nullable
 * field, because every answer of the API is an object.
 */
export const ChainState = z.object({
  link: ChainLink.nullable(),
  /**
   * Fingerprint of this server's key, hex. A report of all stores names this fingerprint as the key of the signatures.
   */
  fingerprint: z.string(),
});
export type ChainState = z.infer<typeof ChainState>;

const manager = session('manager');

export const getChain = endpoint('GET /api/chain', {
  name: 'getChain',
  summary: 'The headquarters of the current workspace, and how far it has its plays',
  access: manager,
  acts: nothing,
  response: ChainState,
});
export const enrolStore = endpoint('POST /api/chain', {
  name: 'enrolStore',
  summary: 'Enrol the current workspace with a headquarters, by the code that it made',
  description:
    'The server connects to `address` by HTTPS and goes on only where the key it meets is the one that the code names. 400: the code is none, or headquarters does not answer, is another, or refuses; the sentence says which. 409: the workspace belongs to a headquarters already.',
  access: manager,
  acts: administers('chain'),
  shows: nothing,
  body: z.object({
    /** Address of headquarters, like `https://hq.example.com:8711`, or only host and port. */
    address: filled(300),
    code: filled(60),
    /** Access of headquarters, as in `letHeadquarters`. */
    may: WorkspaceRole.nullable().default('workspace_admin'),
    /** Permission for updates, as in `letHeadquartersUpdate`. @default whether the person may set it */
    lets_update: z.boolean().optional(),
  }),
  status: 201,
  response: ChainState,
  errors: [409],
  perMinute: 10,
});
export const letHeadquarters = endpoint('PUT /api/chain', {
  name: 'letHeadquarters',
  summary: 'Say what people of headquarters may do in this workspace, at most',
  description:
    'null: they do not come in, and their commands are refused. How the store is, and what was shown, headquarters knows all the same. 404: the workspace belongs to none.',
  access: manager,
  acts: administers('chain'),
  shows: nothing,
  body: z.object({ may: WorkspaceRole.nullable() }),
  response: ChainState,
  errors: [404],
});
export const limitFetching = endpoint('PUT /api/chain/fetching', {
  name: 'limitFetching',
  summary: 'Say how fast and when files are fetched from headquarters',
  description:
    'Times are those of the server’s own zone. What a campaign shows and when, which is small, is always fetched at once. 404: the workspace belongs to none.',
  access: manager,
  acts: administers('chain'),
  shows: nothing,
  body: z.object({
    /** Maximum rate in kilobytes (1,000 bytes) per second; null: no limit. */
    rate_kb: z.number().int('must be a whole number').min(8).max(1_000_000).nullable(),
    /** Hours in which files are fetched; empty: always. */
    hours: z.array(ScheduleBlock).max(100, 'must be at most 100 blocks'),
  }),
  response: ChainState,
  errors: [404],
});
export const letHeadquartersUpdate = endpoint('PUT /api/chain/updates', {
  name: 'letHeadquartersUpdate',
  summary: 'Say whether headquarters may bring this server to another version',
  description:
    'Only for an administrator of the server, because an update concerns the whole server. The server installs only versions that are signed by its publisher, makes a backup first, and returns to the earlier version if the new version does not run. 404 when the workspace belongs to no headquarters.',
  access: session('platform_admin'),
  acts: administers('chain'),
  body: z.object({ lets_update: z.boolean() }),
  response: ChainState,
  errors: [404],
});
export const leaveChain = endpoint('DELETE /api/chain', {
  name: 'leaveChain',
  summary: 'Leave headquarters: everything goes on to play, and nothing is told to it any more',
  description: 'Headquarters is told, where it answers. 404: the workspace belongs to none.',
  access: manager,
  acts: administers('chain'),
  shows: nothing,
  errors: [404],
});
