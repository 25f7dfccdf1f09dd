/** Settings of the whole server. */
import { z } from 'zod';
import { endpoint, session } from './endpoint.ts';
import { nameOf } from './fields.ts';

const tag = 'Server';

/** What mDNS, the pairing screen and the sign-in page call the server; DNS-SD instance names end at 63 bytes. */
const ServerName = nameOf(63).refine((s) => new TextEncoder().encode(s).length <= 63, 'must be at most 63 bytes');

export const ServerSettings = z.object({
  name: z.string(),
  /** Closed: only invited addresses may register. */
  registration: z.enum(['open', 'closed']),
});
export type ServerSettings = z.infer<typeof ServerSettings>;

export const getServerSettings = endpoint('GET /api/server/settings', {
  name: 'getServerSettings',
  tag,
  summary: 'The server’s settings',
  access: session('platform_admin'),
  response: ServerSettings,
});
export const updateServerSettings = endpoint('PUT /api/server/settings', {
  name: 'updateServerSettings',
  tag,
  summary: 'Change the server’s settings',
  description: 'Members that are absent stay as they are. What is stored here wins over the environment.',
  access: session('platform_admin'),
  body: z.object({ name: ServerName.optional(), registration: z.enum(['open', 'closed']).optional() }),
  response: ServerSettings,
});
