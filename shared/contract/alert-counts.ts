/** How much needs a person: by itself, since the window asks for it before it has loaded anything else. */
import { z } from 'zod';
import { endpointsOf, read } from './endpoint.ts';
import { Int } from './fields.ts';

const endpoint = endpointsOf('Alerts');

export const AlertCounts = z.object({
  /** Those that last and are neither acknowledged nor muted. */
  bad: Int,
  warn: Int,
  /** All that last. */
  open: Int,
  /** What waits to be published and for who asks to approve; 0 for others. */
  approvals: Int,
  /** Of headquarters: campaigns that some store refuses, or will not have when they begin. */
  campaigns: Int,
  /**
   * Of each kind that lasts; `severity`: of the worst. `loud`: those that are neither acknowledged nor muted; `mine`,
   * `nobodys`: those that are assigned to who asks, or to nobody.
   */
  kinds: z.array(
    z.object({
      kind: z.string(),
      severity: z.enum(['bad', 'warn']),
      open: Int,
      loud: Int,
      mine: Int,
      nobodys: Int,
    }),
  ),
});
export type AlertCounts = z.infer<typeof AlertCounts>;

export const countAlerts = endpoint('GET /api/alerts/counts', {
  name: 'countAlerts',
  summary: 'How much needs a person',
  access: read,
  response: AlertCounts,
});
