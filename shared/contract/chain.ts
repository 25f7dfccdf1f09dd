/** A store's side of a chain: the headquarters that a workspace belongs to, and how far it has its plays. */
import { z } from 'zod';
import { Incident } from '../chain/wire.ts';
import { administers, nothing } from './acts.ts';
import { endpointsOf, session } from './endpoint.ts';
import { Epoch, FlagOut, filled, Int } from './fields.ts';
import { ScheduleBlock, ScheduleBlockOut } from './playlists.ts';
import { WorkspaceRole } from './users.ts';

const endpoint = endpointsOf('Chain');

export const ChainIncident = z.object({
  id: z.string(),
  kind: Incident,
  /** In a sentence. */
  details: z.string(),
  at: Epoch,
});
export type ChainIncident = z.infer<typeof ChainIncident>;

export const ChainLink = z.object({
  /** What the store is called at headquarters. */
  name: z.string(),
  headquarters: z.string(),
  /** Of headquarters' key, hex. */
  fingerprint: z.string(),
  address: z.string(),
  /** It was enrolled by a file, and the line has never been up. */
  by_file: z.boolean(),
  enrolled_at: Epoch,
  enrolled_by: z.string(),
  /** The most that people of headquarters may do in this store's window; null: they do not come in. */
  may: WorkspaceRole.nullable(),
  /** Whether headquarters may bring this server to another version. */
  lets_update: FlagOut,
  /** `up`: headquarters answered the last request. `down`: it did not, and why is in `trouble`. `starting`: not tried yet. */
  line: z.enum(['starting', 'up', 'down']),
  /** In a sentence; null: nothing is wrong. */
  trouble: z.string().nullable(),
  /** When it answered last; null: not since the server started. */
  heard_at: Epoch.nullable(),
  /** Plays that headquarters has not yet, at most. */
  waiting: Int,
  /** Plays that it was given since the server started. */
  delivered: Int,
  /** Kilobytes a second in which files are fetched from headquarters, at most; null: as fast as it goes. */
  rate_kb: Int.nullable(),
  /** When files are fetched, by the clock of the server; none: always. */
  hours: z.array(ScheduleBlockOut),
  /** The newest first, 50 at most. */
  incidents: z.array(ChainIncident),
});
export type ChainLink = z.infer<typeof ChainLink>;

/** An object, since an answer is one; `link` null: the workspace belongs to no headquarters. */
export const ChainState = z.object({
  link: ChainLink.nullable(),
  /** Of this server's key, hex: what a chain's report says that it was signed with. */
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
    /** `https://hq.example.com:8711`, or host and port alone. */
    address: filled(300),
    code: filled(60),
    /** As `letHeadquarters` takes it. */
    may: WorkspaceRole.nullable().default('workspace_admin'),
    /** As `letHeadquartersUpdate` takes it. @default whether the person may say so */
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
    /** Kilobytes (1,000 bytes) a second, at most; null: as fast as it goes. */
    rate_kb: z.number().int('must be a whole number').min(8).max(1_000_000).nullable(),
    /** None: always. */
    hours: z.array(ScheduleBlock).max(100, 'must be at most 100 blocks'),
  }),
  response: ChainState,
  errors: [404],
});
export const letHeadquartersUpdate = endpoint('PUT /api/chain/updates', {
  name: 'letHeadquartersUpdate',
  summary: 'Say whether headquarters may bring this server to another version',
  description:
    'It concerns the whole server, so the platform’s administrator says it. A version is taken only as the publisher of this server has signed it, with a backup before, and the version before comes back where the new one does not run. 404: the workspace belongs to none.',
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
