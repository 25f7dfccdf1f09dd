import { type AlertKind, getAlertDigest, listAlertRules, listAlerts } from '../../shared/contract/server/alerts.ts';
import { queryOf } from './requests/query.ts';

/** Maximum number of open alerts that the list loads. Nobody reads more. */
export const ALERTS_SHOWN = 500;
/** Maximum number of ended alerts that the list loads. */
export const ENDED_SHOWN = 100;

/** Filter of the alerts by assignment: all, assigned to this user, or unassigned. */
export type Whose = 'all' | 'me' | 'nobody';

/** Query for the open alerts of one kind, newest first. */
export const alertsQuery = (kind: AlertKind, whose: Whose, limit: number) =>
  queryOf(['alerts', 'open', kind, whose, limit], listAlerts, {
    query: { kind, limit: String(limit), ...(whose !== 'all' && { assigned: whose }) },
  });
export const endedAlertsQuery = queryOf(['alerts', 'ended'], listAlerts, {
  query: { state: 'ended', limit: String(ENDED_SHOWN) },
});
export const alertRulesQuery = queryOf(['alerts', 'rules'], listAlertRules);
export const alertDigestQuery = queryOf(['alerts', 'digest'], getAlertDigest);
