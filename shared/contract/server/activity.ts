/** Activity log (resource API, Activity log). */
import { z } from 'zod';
import { endpointsOf, read } from '../endpoint.ts';
import { Epoch, paging, queryId } from '../fields.ts';

const endpoint = endpointsOf('Activity');

/**
 * Actions in the activity log: a kind of record and a past participle, like `assignment.changed`. The admin window has
 * a sentence for each action.
 */
export type ActivityAction =
  | 'alert.rule_changed'
  | 'assignment.changed'
  | `bin.${'deleted' | 'emptied' | 'made_room' | 'restored'}`
  | `backup.${'brought_in' | 'deleted' | 'downloaded' | 'made' | 'restored'}`
  | `campaign.${'approval_asked' | 'approval_refused' | 'created' | 'deleted' | 'rolled_back' | 'started' | 'stopped' | 'updated'}`
  | `chain.${'campaign_applied' | 'campaign_dropped' | 'campaign_ended' | 'enrolled' | 'fetching_changed' | 'incident' | 'left'}`
  | `chain.${'place_emptied' | 'place_filled' | 'rights_changed' | 'stick_taken' | 'stick_written'}`
  | `content.${'added' | 'converted' | 'deleted' | 'original_restored' | 'replaced' | 'updated' | 'uploaded'}`
  | `device.${'command' | 'deleted' | 'error' | 'identify' | 'layout_changed' | 'paired' | 'playlist_cleared'}`
  | `device.${'plays_lost' | 'tagged' | 'updated' | 'version_failed' | 'version_installed' | 'warning'}`
  | `folder.${'created' | 'deleted' | 'updated'}`
  | `group.${'command' | 'content_assigned' | 'created' | 'deleted' | 'device_added' | 'device_removed' | 'identify'}`
  | `group.${'playlist_assigned' | 'updated'}`
  | `invite.${'accepted' | 'created' | 'deleted'}`
  | `kiosk.${'created' | 'deleted' | 'updated'}`
  | `layout.${'created' | 'deleted' | 'updated'}`
  | `message.${'sent' | 'withdrawn'}`
  | `member.${'added' | 'removed' | 'rights_changed' | 'role_changed'}`
  | `organization.${'role_changed' | 'role_removed'}`
  | `overlay.${'cleared' | 'shown'}`
  | `plan.${'created' | 'deleted' | 'updated'}`
  | `playlist.${'approval_asked' | 'approval_refused' | 'approval_withdrawn' | 'approved' | 'assigned' | 'created'}`
  | `playlist.${'deleted' | 'discarded' | 'edited' | 'published' | 'returned' | 'updated'}`
  | `release.${'deleted' | 'uploaded'}`
  | `report.${'deleted' | 'saved' | 'sent' | 'updated'}`
  | `rollout.${'aborted' | 'paused' | 'resumed' | 'started'}`
  | `schedule.${'created' | 'deleted' | 'updated'}`
  | `server.${'clock_confirmed' | 'revoked_again' | 'update_begun' | 'update_undone' | 'updated'}`
  | `store.${'acted' | 'code_made' | 'command_taken_back' | 'commanded' | 'created' | 'deleted' | 'enrolled' | 'incidents_seen' | 'left' | 'updated' | 'values_said' | 'values_said_many'}`
  | `store.${'left_out' | 'rollout_done' | 'rollout_ended' | 'rollout_paused' | 'rollout_resumed' | 'rollout_started' | 'rollout_stopped'}`
  | `store.${'stick_taken' | 'stick_written'}`
  | `token.${'created' | 'revoked'}`
  | `user.${'deleted' | 'identity_released' | 'password_changed' | 'password_confirmed' | 'password_reset'}`
  | `user.${'password_link_made' | 'password_link_used'}`
  | `user.${'recovery_codes_renewed' | 'registered' | 'role_changed' | 'sign_in_failed' | 'signed_in' | 'signed_out'}`
  | `user.${'two_factor_disabled' | 'two_factor_enabled' | 'updated'}`
  | `wall.${'content_changed' | 'created' | 'deleted' | 'devices_replaced' | 'updated'}`
  | `widget.${'created' | 'deleted' | 'updated'}`
  | `workspace.${'approval_ended' | 'approval_started' | 'brand_changed' | 'created' | 'deleted' | 'exported' | 'updated'}`;

export const ActivityEntry = z.object({
  id: z.string(),
  user_id: z.string().nullable(),
  /**
   * Name of the person at the time of the action. The name stays after the user is deleted. Empty for actions of a
   * device or the system.
   */
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
  summary: 'Activity log, newest first',
  access: read,
  query: z.object({ device_id: queryId, ...paging(50, 200) }),
  response: z.array(ActivityEntry),
  errors: [404],
});
