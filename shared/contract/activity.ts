/** The activity log (resource API, Activity log; decisions, Activity). */
import { z } from 'zod';
import { endpointsOf, read } from './endpoint.ts';
import { Epoch, paging, queryId } from './fields.ts';

const endpoint = endpointsOf('Activity');

/** Everything that is written down: noun and past participle. The admin window has a sentence for each. */
export type ActivityAction =
  | 'assignment.changed'
  | 'backup.deleted'
  | 'backup.made'
  | 'server.clock_confirmed'
  | 'content.added'
  | 'content.deleted'
  | 'content.replaced'
  | 'content.updated'
  | 'content.uploaded'
  | 'device.command'
  | 'device.deleted'
  | 'device.error'
  | 'device.identify'
  | 'device.layout_changed'
  | 'device.paired'
  | 'device.playlist_cleared'
  | 'device.plays_lost'
  | 'device.updated'
  | 'device.version_failed'
  | 'device.version_installed'
  | 'device.warning'
  | 'folder.created'
  | 'folder.deleted'
  | 'folder.updated'
  | 'group.command'
  | 'group.content_assigned'
  | 'group.created'
  | 'group.deleted'
  | 'group.device_added'
  | 'group.device_removed'
  | 'group.identify'
  | 'group.playlist_assigned'
  | 'group.updated'
  | 'invite.accepted'
  | 'invite.created'
  | 'invite.deleted'
  | 'kiosk.created'
  | 'kiosk.deleted'
  | 'kiosk.updated'
  | 'layout.created'
  | 'layout.deleted'
  | 'layout.updated'
  | 'member.added'
  | 'member.removed'
  | 'member.role_changed'
  | 'organization.role_changed'
  | 'organization.role_removed'
  | 'overlay.cleared'
  | 'overlay.shown'
  | 'playlist.assigned'
  | 'playlist.created'
  | 'playlist.deleted'
  | 'playlist.discarded'
  | 'playlist.edited'
  | 'playlist.published'
  | 'playlist.updated'
  | 'release.deleted'
  | 'release.uploaded'
  | 'rollout.aborted'
  | 'rollout.paused'
  | 'rollout.resumed'
  | 'rollout.started'
  | 'schedule.created'
  | 'schedule.deleted'
  | 'schedule.updated'
  | 'server.revoked_again'
  | 'server.updated'
  | 'token.created'
  | 'token.revoked'
  | 'user.deleted'
  | 'user.identity_released'
  | 'user.password_changed'
  | 'user.password_confirmed'
  | 'user.password_reset'
  | 'user.recovery_codes_renewed'
  | 'user.registered'
  | 'user.role_changed'
  | 'user.sign_in_failed'
  | 'user.signed_in'
  | 'user.signed_out'
  | 'user.two_factor_disabled'
  | 'user.two_factor_enabled'
  | 'user.updated'
  | 'wall.content_changed'
  | 'wall.created'
  | 'wall.deleted'
  | 'wall.devices_replaced'
  | 'wall.updated'
  | 'widget.created'
  | 'widget.deleted'
  | 'widget.updated'
  | 'workspace.created'
  | 'workspace.deleted'
  | 'workspace.exported'
  | 'workspace.updated';

export const ActivityEntry = z.object({
  id: z.string(),
  user_id: z.string().nullable(),
  /** Kept as it was, also when the user is gone; '' for what a device or the system did. */
  user_name: z.string(),
  device_id: z.string().nullable(),
  action: z.string(),
  details: z.string(),
  ip_address: z.string().nullable(),
  workspace_id: z.string(),
  created_at: Epoch,
});
export type ActivityEntry = z.infer<typeof ActivityEntry>;

export const listActivity = endpoint('GET /api/activity', {
  name: 'listActivity',
  summary: 'Who did what, newest first',
  access: read,
  query: z.object({ device_id: queryId, ...paging(50, 200) }),
  response: z.array(ActivityEntry),
  errors: [404],
});
