import { countAlerts } from '../../../shared/contract/server/alert-counts.ts';
import {
  getAlertDigest,
  listAlertRules,
  listAlerts,
  markAlerts,
  updateAlertDigest,
  updateAlertRule,
} from '../../../shared/contract/server/alerts.ts';
import { type Bound, bind, Reply } from '../../http/api.ts';
import type { AlertsService } from './alerts.service.ts';
import type { Digest } from './digest.ts';

export const alertRoutes = (service: AlertsService, digest: Digest): Bound[] => [
  bind(listAlerts, ({ actor, query }) => {
    const { records, total } = service.list(actor, query);
    return new Reply(records, { total });
  }),
  bind(countAlerts, ({ actor }) => service.counts(actor)),
  bind(markAlerts, ({ actor, body }) => service.mark(actor, body)),
  bind(listAlertRules, ({ actor }) => service.rules(actor)),
  bind(updateAlertRule, ({ actor, body }) => service.setRule(actor, body)),
  bind(getAlertDigest, ({ actor }) => digest.get(actor)),
  bind(updateAlertDigest, ({ actor, body }) => digest.set(actor, body)),
];
