/**
 * Messages to admin windows on `/api/live` (WebSocket; the client's first frame is `auth`, the answer `ready`).
 * Slow data: a hint that it is stale. Fast data: a patch.
 */
import { z } from 'zod';

export const LiveClientMessage = z.discriminatedUnion('type', [
  /** First frame: the session or access token. Closed with 4401 when it is not accepted. */
  z.object({ type: z.literal('auth'), token: z.string().max(200) }),
  z.object({ type: z.literal('ping') }),
]);
export type LiveClientMessage = z.infer<typeof LiveClientMessage>;

export const LiveServerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), workspace_id: z.string() }),
  z.object({ type: z.literal('pong') }),
  /** Records of a topic changed; `ids` absent: any of them. `by`: user id of who did it, null: the system. */
  z.object({ type: z.literal('stale'), topic: z.string(), ids: z.array(z.string()).optional(), by: z.string().nullable() }),
  /** A device's fast data, the members that changed. */
  z.object({
    type: z.literal('device'),
    device_id: z.string(),
    status: z.enum(['online', 'offline']).optional(),
    last_heartbeat: z.number().optional(),
    telemetry: z.record(z.string(), z.unknown()).optional(),
    /** What is on its screen now, by zone. */
    showing: z.array(z.record(z.string(), z.unknown())).optional(),
    screen_on: z.boolean().nullable().optional(),
    sync: z.record(z.string(), z.unknown()).optional(),
    /** The program it was told to show and whether it does: `waiting`, `ready` or `failed` with a reason. */
    program: z.object({ id: z.string(), state: z.enum(['waiting', 'ready', 'failed']), reason: z.string().optional() }).optional(),
    /** A new screenshot can be fetched; epoch seconds when it was taken. */
    screenshot_at: z.number().optional(),
  }),
  /** Players waiting to be claimed changed. */
  z.object({ type: z.literal('pending') }),
]);
export type LiveServerMessage = z.infer<typeof LiveServerMessage>;
