import { countAlerts } from '../../../shared/contract/alert-counts.ts';
import { listAlertRules, listAlerts, markAlerts, updateAlertRule } from '../../../shared/contract/alerts.ts';
import { type Bound, bind, Reply } from '../../http/api.ts';
import type { AlertsService } from './alerts.service.ts';

export const alertRoutes = (service: AlertsService): Bound[] => [
  bind(listAlerts, ({ actor, query }) => {
    const { records, total } = service.list(actor, query);
    return new Reply(records, { total });
  }),
  bind(countAlerts, ({ actor }) => service.counts(actor)),
  bind(markAlerts, ({ actor, body }) => service.mark(actor, body)),
  bind(listAlertRules, ({ actor }) => service.rules(actor)),
  bind(updateAlertRule, ({ actor, body }) => service.setRule(actor, body)),
];
