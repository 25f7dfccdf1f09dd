import { listAlertRules, listAlerts } from '../../shared/contract/alerts.ts';
import { queryOf } from './query.ts';

/** More than anybody reads. */
export const ALERTS_SHOWN = 500;

export const alertsQuery = queryOf(['alerts', 'open'], listAlerts, { query: { limit: String(ALERTS_SHOWN) } });
export const endedAlertsQuery = queryOf(['alerts', 'ended'], listAlerts, { query: { state: 'ended', limit: '100' } });
export const alertRulesQuery = queryOf(['alerts', 'rules'], listAlertRules);
