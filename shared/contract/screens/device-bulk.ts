/**
 * Changes, group memberships and commands for many devices at once. Additions to the contract (resource API, Devices).
 */
import { z } from 'zod';
import { type Act, atOnce, each, membership, nothing } from '../acts.ts';
import { endpointsOf, full, write } from '../endpoint.ts';
import { Id, Int, Ref, Success } from '../fields.ts';
import {
  CommandBody,
  CommandResult,
  chosenDevices,
  Device,
  DeviceChange,
  IdentifyBody,
  IdentifyResult,
  MAX_CHOSEN,
  resultsOf,
  showsPage,
} from './devices.ts';

const endpoint = endpointsOf('Devices');

/** Changes of a device that one request can make, including its playlist. */
const DeviceSet = DeviceChange.extend({ playlist_id: Ref.optional() });
export type DeviceSet = z.infer<typeof DeviceSet>;

/** One change that applies to several devices. */
const BulkChange = z
  .object({ ...chosenDevices, set: DeviceSet.optional(), join: Id.optional(), leave: Id.optional() })
  .refine(
    ({ set = {}, join, leave }) =>
      Object.values(set).some((value) => value !== undefined) || join !== undefined || leave !== undefined,
    {
      message: 'must contain at least one change: a field to set, or a group to add or remove',
      path: ['set'],
    },
  );
export type BulkChange = z.infer<typeof BulkChange>;

/** Change that undoes a bulk change. The answer to the bulk change contains it, so that a client can offer “undo”. */
const BackChange = z.object({
  device_ids: z.array(z.string()),
  set: Device.pick({
    name: true,
    notes: true,
    timezone: true,
    orientation: true,
    opening_hours: true,
    default_content_id: true,
    layout_id: true,
    playlist_id: true,
    tags: true,
  })
    .partial()
    .optional(),
  join: z.string().optional(),
  leave: z.string().optional(),
});
export type BackChange = z.infer<typeof BackChange>;

export const changeDevices = endpoint('POST /api/devices/bulk', {
  name: 'changeDevices',
  summary: 'Change many devices: what each is given, and the groups that they join and leave',
  description:
    'Each device is named once, in one of the changes: one change gives many the same, many changes give each its own, like names. `join` and `leave` are ids of groups without a rule. ' +
    'devices_updated: devices that are otherwise now. `undo`: the changes that put these back; they are good as `changes`. 404 when a device, playlist, layout, content or group does not exist, 409 for a group with a rule; nothing is changed then.',
  access: write,
  acts: ({ body: { changes } }) =>
    changes.flatMap(({ device_ids, set, join, leave }) => [
      ...each('screen', device_ids),
      ...(join === undefined && leave === undefined ? [] : [membership]),
      ...(set?.tags ? device_ids.map((id): Act => ({ on: 'tags', id, tags: set.tags ?? [] })) : []),
    ]),
  shows: ({ body: { changes } }) =>
    changes.map(({ device_ids: ids, set }) => ({
      by: 'fallback',
      of: 'device',
      ids,
      content_id: set?.default_content_id,
    })),
  body: z.object({
    changes: z
      .array(BulkChange)
      .min(1, 'must be at least one change')
      .max(MAX_CHOSEN, `must be at most ${MAX_CHOSEN} changes`)
      .superRefine((changes, ctx) => {
        const ids = changes.flatMap(({ device_ids }) => device_ids);
        if (ids.length > MAX_CHOSEN)
          ctx.addIssue({ code: 'custom', message: `must name at most ${MAX_CHOSEN} screens` });
        if (new Set(ids).size < ids.length)
          ctx.addIssue({ code: 'custom', message: 'must contain each screen only once' });
      }),
  }),
  response: Success.extend({ devices_updated: Int, undo: z.array(BackChange) }),
  errors: [404, 409],
});

export const commandDevices = endpoint('POST /api/devices/command', {
  name: 'commandDevices',
  summary: 'Send a command to many devices',
  description:
    'Answers as the command to a group does. 404 when one of the devices does not exist; nothing is sent then.',
  access: full,
  acts: ({ body }) => each('screen', body.device_ids),
  shows: ({ body }) => (showsPage(body.command) ? atOnce() : []),
  body: z.object({ ...chosenDevices, command: CommandBody }),
  response: resultsOf(CommandResult),
  errors: [404],
});

export const identifyDevices = endpoint('POST /api/devices/identify', {
  name: 'identifyDevices',
  summary: 'Show the names of many devices on their screens',
  description: 'As for a group. 404 when one of the devices does not exist; nothing is shown then.',
  access: full,
  acts: ({ body }) => each('screen', body.device_ids),
  shows: nothing,
  body: IdentifyBody.extend(chosenDevices),
  response: resultsOf(IdentifyResult),
  errors: [404],
});
