/** Pairing: a person claims a player that shows a code. Allowed only for sessions; tokens are refused. */
import { z } from 'zod';
import { membership, nothing } from '../acts.ts';
import { endpointsOf, session } from '../endpoint.ts';
import { Epoch, Id, Name } from '../fields.ts';
import { Device } from './devices.ts';

const endpoint = endpointsOf('Devices');

/** Player that shows a code and waits until a person claims it. */
export const PendingPlayer = z.object({
  pending_id: z.string(),
  name: z.string(),
  platform: z.string(),
  ip_address: z.string().nullable(),
  /** Code on the player's screen; empty if `own_code` is true. */
  code: z.string(),
  /**
   * Whether the player has found several servers and therefore shows a code that it made itself and does not send. A
   * person must enter that code to claim the player, with or without `pending_id`.
   */
  own_code: z.boolean(),
  waiting_since: Epoch,
});
export type PendingPlayer = z.infer<typeof PendingPlayer>;

export const PairBody = z
  .object({
    /** Code on the screen; case, spaces and dashes do not matter. */
    code: z.string().max(40, 'must be at most 40 characters').nullish(),
    pending_id: Id.nullish(),
    name: z.union([Name, z.literal('')]).nullish(),
  })
  .refine((b) => Boolean(b.code?.trim()) || Boolean(b.pending_id), {
    path: ['code'],
    message: 'send code, pending_id, or both',
  });
export type PairBody = z.infer<typeof PairBody>;

export const pairDevice = endpoint('POST /api/devices/pair', {
  name: 'pairDevice',
  summary: 'Claim a player by its code, or by its id in the list of waiting ones',
  description:
    'An unknown or expired code is 404; after ten of them a user is refused for 15 minutes (429), right codes included. A player that hears more than one server believes only the one that can name the code on its screen: `pending_id` alone is 409 there, with `code` beside it that player is asked, with `code` alone the twenty that wait longest are.',
  access: session('editor'),
  acts: () => [membership],
  shows: nothing,
  body: PairBody,
  status: 201,
  response: Device,
  errors: [404, 409],
  etag: true,
  perMinute: 60,
});
export const listPending = endpoint('GET /api/devices/pending', {
  name: 'listPendingPlayers',
  summary: 'Players on the network that wait to be claimed, longest first',
  description:
    'On a self-hosted server only (403 on a hosted one): there the code is what proves that one stands before the screen.',
  access: session('editor'),
  acts: nothing,
  response: z.array(PendingPlayer),
});
