/**
 * Number of alerts that need a person. Separate from other endpoints, because the admin window requests this number
 * first.
 */
import { z } from 'zod';
import { endpointsOf, read } from '../endpoint.ts';
import { Int } from '../fields.ts';

const endpoint = endpointsOf('Alerts');

export const AlertCounts = z.object({
  /** Number of lasting alerts that are neither acknowledged nor muted, by severity. */
  bad: Int,
  warn: Int,
  /** Number of all lasting alerts. */
  open: Int,
  /** Number of requests to publish that wait for the caller's approval; 0 for callers who cannot approve. */
  approvals: Int,
  /** For headquarters: number of campaigns that some store refuses, or will not have when they begin. */
  campaigns: Int,
  /**
   * Counts per kind of lasting alert. `severity`: severity of the worst alert. `loud`: alerts that are neither
   * acknowledged nor muted. `mine`, `nobodys`: alerts that are assigned to the caller, or to nobody.
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
