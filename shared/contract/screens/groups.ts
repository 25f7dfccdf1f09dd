/** Groups of devices (resource API, Groups). */
import { z } from 'zod';
import { atOnce, membership, nothing, on } from '../acts.ts';
import { COPY_NAME, CopyBody } from '../content/copies.ts';
import { endpointsOf, full, read, write } from '../endpoint.ts';
import { Color, DurationSec, Epoch, Id, Int, Name, Ref, Success, Tags } from '../fields.ts';
import { CommandBody, CommandResult, Device, IdentifyBody, IdentifyResult, resultsOf, showsPage } from './devices.ts';

/** Maximum number of groups in a workspace. */
export const MAX_GROUPS = 1000;

const endpoint = endpointsOf('Groups');

export const Group = z.object({
  id: z.string(),
  name: z.string(),
  color: z.string(),
  /** Playlist that members inherit if they have no own playlist. */
  playlist_id: z.string().nullable(),
  /**
   * Content that plays when nothing else plays, for members that have no such content. If a device is in several
   * groups, the group with the oldest membership counts.
   */
  default_content_id: z.string().nullable(),
  /**
   * Tags of the group's rule. All devices that have every one of these tags are members; null: people choose the
   * members.
   */
  rule_tags: z.array(z.string()).nullable(),
  device_count: Int,
  workspace_id: z.string().nullable(),
  created_at: Epoch,
});
export type Group = z.infer<typeof Group>;

/** Tags of a group's rule; null or [] means that the group has no rule. */
const RuleTags = Tags.nullable().transform((tags) => (tags?.length ? tags : null));

export const listGroups = endpoint('GET /api/groups', {
  name: 'listGroups',
  summary: 'All groups, oldest first',
  access: read,
  response: z.array(Group),
});
export const countGroups = endpoint('GET /api/groups/counts', {
  name: 'countGroups',
  summary:
    'Facts about each group with members: how many are online, how many inherit its playlist, and the first few names',
  access: read,
  response: z.array(z.object({ group_id: z.string(), online: Int, inheriting: Int, names: z.array(z.string()) })),
});
export const createGroup = endpoint('POST /api/groups', {
  name: 'createGroup',
  summary: 'Make a group',
  access: write,
  acts: () => [membership],
  shows: nothing,
  body: z.object({ name: Name, color: Color.nullish(), rule_tags: RuleTags.optional() }),
  status: 201,
  response: Group,
});
export const duplicateGroup = endpoint('POST /api/groups/{id}/duplicate', {
  name: 'duplicateGroup',
  summary: 'Copy a group: its colour and its members, or its rule',
  description: `The copy has no playlist, no default content and no plans, so that no screen changes. ${COPY_NAME}`,
  access: write,
  acts: () => [membership],
  shows: nothing,
  body: CopyBody,
  status: 201,
  response: Group,
});
export const updateGroup = endpoint('PUT /api/groups/{id}', {
  name: 'updateGroup',
  summary: 'Rename or recolour a group, or give it a default content or a rule',
  description:
    'rule_tags: from now on its members are the devices with all of these tags. null or [] takes the rule away; the members stay, and people choose them again.',
  access: write,
  acts: ({ params, body }) => [on('group', params.id), ...(body.rule_tags === undefined ? [] : [membership])],
  shows: ({ params, body }) => [{ by: 'fallback', of: 'group', ids: [params.id], content_id: body.default_content_id }],
  body: z.object({ name: Name, color: Color, default_content_id: Ref, rule_tags: RuleTags }).partial(),
  response: Group,
});
export const deleteGroup = endpoint('DELETE /api/groups/{id}', {
  name: 'deleteGroup',
  summary: 'Delete a group; its schedules go on for each member',
  description:
    'Each schedule of the group becomes one per member. schedules_converted: schedules created; devices: members. 400 when that would be more schedules than a workspace holds.',
  access: write,
  acts: () => [membership],
  shows: nothing,
  response: Success.extend({ schedules_converted: Int, devices: Int }),
});
export const listGroupDevices = endpoint('GET /api/groups/{id}/devices', {
  name: 'listGroupDevices',
  summary: 'The members of a group, by name',
  access: read,
  response: z.array(Device),
});
export const addGroupDevice = endpoint('POST /api/groups/{id}/devices', {
  name: 'addGroupDevice',
  summary: 'Add a device to a group',
  description:
    'Answers with the group’s playlist, which the device inherits when it has none of its own. A device may be in many groups. 409 when the group has a rule, which alone decides.',
  access: write,
  acts: () => [membership],
  shows: nothing,
  body: z.object({ device_id: Id }),
  status: 201,
  errors: [409],
  response: Success.extend({ playlist_id: z.string().nullable() }),
});
export const removeGroupDevice = endpoint('DELETE /api/groups/{id}/devices/{deviceId}', {
  name: 'removeGroupDevice',
  summary: 'Take a device out of a group',
  description: '409 when the group has a rule, which alone decides.',
  access: write,
  acts: () => [membership],
  shows: nothing,
  errors: [409],
});
const Updated = Success.extend({ devices_updated: Int });
export const assignGroupContent = endpoint('POST /api/groups/{id}/assign-content', {
  name: 'assignGroupContent',
  summary: 'Add a content to every member’s own playlist, and publish',
  access: write,
  acts: ({ params }) => [on('group', params.id)],
  shows: atOnce,
  body: z.object({ content_id: Id, duration_sec: DurationSec.nullish() }),
  response: Updated,
});
export const assignGroupPlaylist = endpoint('POST /api/groups/{id}/assign-playlist', {
  name: 'assignGroupPlaylist',
  summary: 'Give the group a playlist that members without their own inherit',
  description: 'devices_updated: members that now play it.',
  access: write,
  acts: ({ params }) => [on('group', params.id)],
  shows: nothing,
  body: z.object({ playlist_id: Id }),
  response: Updated,
});
export const commandGroup = endpoint('POST /api/groups/{id}/command', {
  name: 'commandGroup',
  summary: 'Send a command to every member',
  description:
    'Waits 2 s at the most. sent: reached a player, whatever it answered; offline: did not, and gets it when it comes back before the command expires (60 s; update 24 h). An empty group is 200 with zeros.',
  access: full,
  acts: ({ params }) => [on('group', params.id)],
  shows: ({ body }) => (showsPage(body) ? atOnce() : []),
  body: CommandBody,
  response: resultsOf(CommandResult),
});
export const identifyGroup = endpoint('POST /api/groups/{id}/identify', {
  name: 'identifyGroup',
  summary: 'Show each member’s name on its screen',
  description:
    'As for a device. sent: players that have it; offline: the others, older players included; an empty group is 200 with zeros.',
  access: full,
  acts: ({ params }) => [on('group', params.id)],
  shows: nothing,
  body: IdentifyBody,
  response: resultsOf(IdentifyResult),
});
