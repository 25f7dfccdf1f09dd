/**
 * Messages to admin windows on `/api/live` (WebSocket; the client's first frame is `auth`, the answer is `ready`). For
 * data that changes rarely, a message only says that the data is stale. For data that changes often, a message contains
 * the changed fields.
 */
import { z } from 'zod';
import { ProgramState } from '../contract/screens/devices.ts';
import { Showing, SyncReport } from './messages.ts';
import { Telemetry } from './telemetry.ts';
import { WindowId } from './window.ts';

export const LiveClientMessage = z.discriminatedUnion('type', [
  /**
   * First frame: the session or access token. Closed with 4401 if the token is not accepted. `takes`: optional messages
   * that the client supports; the server ignores unknown names.
   */
  z.object({
    type: z.literal('auth'),
    token: z.string().max(200),
    takes: z.array(z.string().max(40)).max(20).optional(),
  }),
  z.object({ type: z.literal('ping') }),
]);
export type LiveClientMessage = z.infer<typeof LiveClientMessage>;

/** The kinds of records whose changes are announced. */
const Topic = z.enum([
  'content',
  'folders',
  'playlists',
  'devices',
  'layouts',
  'groups',
  'schedules',
  'plans',
  'walls',
  'widgets',
  'kiosk',
  'overlays',
  'messages',
  'alerts',
  'approvals',
  'reports',
  'bin',
  'plays',
  'activity',
  'members',
  'tokens',
  'pending',
  'settings',
  'chain',
  'stores',
  'campaigns',
  'brand',
]);
export type Topic = z.infer<typeof Topic>;

/** Fast changing data of a device (resource API, Device): only the changed fields. */
const DevicePatch = z
  .object({
    status: z.enum(['online', 'offline']),
    last_heartbeat: z.number(),
    telemetry: Telemetry,
    showing: z.array(Showing),
    screen_on: z.boolean().nullable(),
    sync: SyncReport,
    program: ProgramState,
    /** A new screenshot is available; epoch seconds when it was taken. */
    screenshot_at: z.number(),
  })
  .partial();
export type DevicePatch = z.infer<typeof DevicePatch>;

const PatchOfDevice = z.object({ device_id: z.string(), ...DevicePatch.shape });
export type PatchOfDevice = z.infer<typeof PatchOfDevice>;

export const LiveServerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), workspace_id: z.string() }),
  z.object({ type: z.literal('pong') }),
  /**
   * Records of a topic changed. `ids` absent: any record of the topic may have changed. `by`: user id of the person who
   * changed them; null: the system. `window`: the admin window that made the change, if its request named it.
   */
  z.object({
    type: z.literal('stale'),
    topic: Topic,
    ids: z.array(z.string()).optional(),
    by: z.string().nullable(),
    window: WindowId.optional(),
  }),
  z.object({ type: z.literal('device'), ...PatchOfDevice.shape }),
  /**
   * Patches of several devices at once, for admin windows that support them: 5,000 screens send 330 changes a second.
   */
  z.object({ type: z.literal('devices'), patches: z.array(PatchOfDevice) }),
  /** Sent when the list of players that wait to be claimed has changed. */
  z.object({ type: z.literal('pending') }),
]);
export type LiveServerMessage = z.infer<typeof LiveServerMessage>;
