/** The activity log (resource API, Activity log; decisions, Activity). */
import { z } from 'zod';
import { endpoint, read } from './endpoint.ts';
import { Epoch, paging, queryText } from './fields.ts';

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
  tag: 'Activity',
  summary: 'Who did what, newest first',
  access: read,
  query: z.object({ device_id: queryText(), ...paging(50, 200) }),
  response: z.array(ActivityEntry),
  errors: [404],
  paged: true,
});
