import { type AlertKind, listAlertRules, listAlerts } from '../../shared/contract/alerts.ts';
import { queryOf } from './query.ts';

/** More than anybody reads. */
export const ALERTS_SHOWN = 500;

/** What lasts of one kind, the newest first. */
export const alertsQuery = (kind: AlertKind, limit: number) =>
  queryOf(['alerts', 'open', kind, limit], listAlerts, { query: { kind, limit: String(limit) } });
export const endedAlertsQuery = queryOf(['alerts', 'ended'], listAlerts, { query: { state: 'ended', limit: '100' } });
export const alertRulesQuery = queryOf(['alerts', 'rules'], listAlertRules);
