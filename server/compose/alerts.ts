/** Makes what watches for what needs a person. */
import { AlertWatch } from '../features/alerts/alert-watch.ts';
import { alertRoutes } from '../features/alerts/alerts.routes.ts';
import { AlertsService } from '../features/alerts/alerts.service.ts';
import { AlertsStore } from '../features/alerts/alerts.store.ts';
import type { ApprovalsService } from '../features/playlists/approvals.service.ts';
import type { Notices } from '../upkeep/notices/notices.ts';
import type { Kernel } from './kernel.ts';
import type { Presence } from './presence.ts';

export const createAlerts = (
  kernel: Kernel,
  {
    presence,
    notices,
    approvals,
  }: {
    presence: Pick<Presence, 'book'>;
    notices: Pick<Notices, 'alertsRaised' | 'alertsEnded'>;
    approvals: Pick<ApprovalsService, 'waiting'>;
  },
) => {
  const store = new AlertsStore(kernel.db);
  /** Serves tests, which do not wait for a clock. */
  const watch = new AlertWatch({ ...kernel, store, live: presence.book, tell: notices });
  return { routes: alertRoutes(new AlertsService({ ...kernel, store, approvals })), parts: [watch], watch };
};
export type AlertParts = ReturnType<typeof createAlerts>;
