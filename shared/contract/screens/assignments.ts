/** Assignments: playlist items of a single device (resource API, Assignments). */
import { z } from 'zod';
import { atOnce, on } from '../acts.ts';
import { ItemChange, NewItem, Order, PlaylistItem } from '../content/playlists.ts';
import { endpointsOf, read, write } from '../endpoint.ts';
import { Flag, Int, ItemIdParam, Success } from '../fields.ts';

const endpoint = endpointsOf('Assignments');
const OWN =
  'The first edit gives the device a playlist of its own when it has none, inherits one or shares one: named after it, holding a copy of what it played. Every edit is published at once; nobody else’s screen changes. The ETag is that of the playlist whose items the device lists.';

export const listAssignments = endpoint('GET /api/assignments/device/{deviceId}', {
  name: 'listAssignments',
  summary: 'The items of the playlist that the device has or inherits',
  description:
    'Of a playlist that is not the device’s alone, or that waits to be published: what is published, which is what the first edit copies.',
  access: read,
  response: z.array(PlaylistItem),
});
export const addAssignment = endpoint('POST /api/assignments/device/{deviceId}', {
  name: 'addAssignment',
  summary: 'Show a content or widget on one device',
  description: OWN,
  access: write,
  acts: ({ params }) => [on('screen', params.deviceId)],
  shows: atOnce,
  body: NewItem,
  status: 201,
  response: PlaylistItem,
  errors: [412],
  etag: true,
});
export const reorderAssignments = endpoint('POST /api/assignments/device/{deviceId}/reorder', {
  name: 'reorderAssignments',
  summary: 'Put a device’s items into a new order',
  description: `\`order\` must name every item exactly once. ${OWN}`,
  access: write,
  acts: ({ params }) => [on('screen', params.deviceId)],
  shows: atOnce,
  body: Order,
  response: z.array(PlaylistItem),
  errors: [412],
  etag: true,
});
export const copyAssignments = endpoint('POST /api/assignments/device/{deviceId}/copy-to/{targetDeviceId}', {
  name: 'copyAssignments',
  summary: 'Copy what one device plays to another',
  description:
    '`replace` empties the target first. 404 when there is nothing to copy. The ETag is that of the playlist whose items the target lists.',
  access: write,
  acts: ({ params }) => [on('screen', params.targetDeviceId)],
  shows: atOnce,
  body: z.object({ replace: z.boolean().nullish() }),
  response: Success.extend({ copied: Int }),
  errors: [412],
  etag: true,
});
export const AssignmentChange = ItemChange.extend({ muted: Flag.optional() });
export type AssignmentChange = z.infer<typeof AssignmentChange>;
export const updateAssignment = endpoint('PUT /api/assignments/{id}', {
  name: 'updateAssignment',
  summary: 'Change an item; muted goes live at once',
  description:
    'Published at once when the item is in a device’s own playlist; else the draft is edited. muted always goes live alone.',
  access: write,
  acts: ({ params }) => [on('item', params.id)],
  shows: ({ params, body }) => [{ by: 'item', id: params.id, isMuted: body.muted !== undefined }],
  params: z.object({ id: ItemIdParam }),
  body: AssignmentChange,
  response: PlaylistItem,
  errors: [412],
  etag: true,
});
export const removeAssignment = endpoint('DELETE /api/assignments/{id}', {
  name: 'removeAssignment',
  summary: 'Remove an item',
  access: write,
  acts: ({ params }) => [on('item', params.id)],
  shows: ({ params }) => [{ by: 'item', id: params.id, isMuted: false }],
  params: z.object({ id: ItemIdParam }),
  response: Success.extend({ content_id: z.string().nullable() }),
  errors: [412],
  etag: true,
});
