/** Requests of a claimed player (player protocol): `Authorization: Bearer <device_id>.<secret hex>`. */
import { z } from 'zod';
import { ServerProof } from '../../protocol/server-proof.ts';
import { FILE_TYPES } from '../content/content.ts';
import { device, endpointsOf, open, stream } from '../endpoint.ts';

const endpoint = endpointsOf('Players');

// Hash of a file. If the text is no hash, the answer is 404, as for a file that does not exist.
const Hash = z.string().max(200);

export const proveIdentity = endpoint('GET /api/player/identity', {
  name: 'proveServerIdentity',
  summary: 'The server proves that it holds the key whose fingerprint a player has pinned',
  description:
    'A claimed player asks before each connection, with a nonce of its own, and shows its secret only where the key is the pinned one and the signature, of "vitrine identity", a line feed and the nonce, is that key’s.',
  access: open,
  query: z.object({
    nonce: z.string('is missing').regex(/^[0-9a-f]{32,128}$/, 'must be 32 to 128 hexadecimal digits'),
  }),
  response: ServerProof,
});
export const getProgram = endpoint('GET /api/player/programs/{id}', {
  name: 'getPlayerProgram',
  summary: 'A program of this device; immutable',
  access: device,
  params: z.object({ id: Hash }),
  response: stream('application/json', 'cached'),
});
export const getAsset = endpoint('GET /api/player/assets/{sha256}', {
  name: 'getPlayerAsset',
  summary: 'A file that this device’s program needs; Range is honoured; immutable',
  access: device,
  params: z.object({ sha256: Hash }),
  // Media types of the answer include HTML, because pages of widgets are stored as files, too.
  response: stream([...FILE_TYPES, 'text/html'], 'ranges', 'cached'),
});
