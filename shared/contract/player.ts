/** What a claimed player fetches (player protocol): `Authorization: Bearer <device_id>.<secret hex>`. */
import { z } from 'zod';
import { device, endpoint, stream } from './endpoint.ts';

const tag = 'Players';

// What is no hash is simply not found.
const Hash = z.string().max(200);

export const getProgram = endpoint('GET /api/player/programs/{id}', {
  name: 'getPlayerProgram',
  tag,
  summary: 'A program of this device; immutable',
  access: device,
  params: z.object({ id: Hash }),
  response: stream('application/json'),
  errors: [404],
});
export const getAsset = endpoint('GET /api/player/assets/{sha256}', {
  name: 'getPlayerAsset',
  tag,
  summary: 'A file that this device’s program needs; Range is honoured; immutable',
  access: device,
  params: z.object({ sha256: Hash }),
  response: stream('application/octet-stream'),
  errors: [404, 416],
});
