/** Number of alerts that need a person. Separate from other endpoints, because the window asks for it first. */
import { z } from 'zod';
import { endpointsOf, read } from './endpoint.ts';
import { Int } from './fields.ts';

const endpoint = endpointsOf('Alerts');

export const AlertCounts = z.object({
  /** Lasting alerts that are neither acknowledged nor muted. */
  bad: Int,
  warn: Int,
  /** All lasting alerts. */
  open: Int,
  /** Requests to publish that wait for the caller to approve them; 0 for callers who do not approve. */
  approvals: Int,
  /** Headquarters: campaigns that some store refuses, or will not have when they begin. */
  campaigns: Int,
  /**
   * Counts per kind of lasting alert; `severity`: that of the worst one. `loud`: neither acknowledged nor muted;
   * `mine`, `nobodys`: assigned to the caller, or to nobody.
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
