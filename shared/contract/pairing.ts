/** Pairing: a person claims a player that shows a code (decisions, Device). A session's business; tokens are refused. */
import { z } from 'zod';
import { Device } from './devices.ts';
import { endpoint, session } from './endpoint.ts';
import { Epoch, Id, Name } from './fields.ts';

const tag = 'Devices';

/** A player that waits to be claimed. */
export const PendingPlayer = z.object({
  pending_id: z.string(),
  name: z.string(),
  platform: z.string(),
  ip_address: z.string().nullable(),
  code: z.string(),
  waiting_since: Epoch,
});
export type PendingPlayer = z.infer<typeof PendingPlayer>;

export const PairBody = z
  .object({
    /** As the screen shows it; case, spaces and dashes don't matter. */
    code: z.string().max(40, 'must be at most 40 characters').nullish(),
    pending_id: Id.nullish(),
    name: z.union([Name, z.literal('')]).nullish(),
  })
  .refine((b) => Boolean(b.code?.trim()) !== Boolean(b.pending_id), { path: ['code'], message: 'send exactly one of code and pending_id' });
export type PairBody = z.infer<typeof PairBody>;

export const pairDevice = endpoint('POST /api/devices/pair', {
  name: 'pairDevice',
  tag,
  summary: 'Claim a player by its code, or by its id in the list of waiting ones',
  description: 'An unknown or expired code is 404; after ten of them a user is refused for 15 minutes (429), right codes included.',
  access: session('editor'),
  body: PairBody,
  status: 201,
  response: Device,
  errors: [404, 429],
  etag: true,
  perMinute: 60,
});
export const listPending = endpoint('GET /api/devices/pending', {
  name: 'listPendingPlayers',
  tag,
  summary: 'Players on the network that wait to be claimed, longest first',
  description: 'On a self-hosted server only (403 on a hosted one): there the code is what proves that one stands before the screen.',
  access: session('editor'),
  response: z.array(PendingPlayer),
  paged: true,
});
