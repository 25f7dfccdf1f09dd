/** Creates the alert watch and its daily e-mail. */
import { AlertWatch } from '../features/alerts/alert-watch.ts';
import { alertRoutes } from '../features/alerts/alerts.routes.ts';
import { AlertsService, type Campaigns } from '../features/alerts/alerts.service.ts';
import { AlertsStore } from '../features/alerts/alerts.store.ts';
import { Digest } from '../features/alerts/digest.ts';
import type { ApprovalsService } from '../features/playlists/approvals.service.ts';
import { serverZone } from '../kernel/time/server-zone.ts';
import type { Programs } from '../programs/programs.ts';
import type { Kernel } from './kernel.ts';
import type { Presence } from './presence.ts';
import type { RealtimeParts } from './realtime.ts';
import type { ReportingParts } from './reporting.ts';
import type { UpkeepParts } from './upkeep.ts';

export const createAlerts = (
  kernel: Kernel,
  deps: {
    readonly presence: Pick<Presence, 'registry'>;
    readonly realtime: Pick<RealtimeParts, 'openFaults'>;
    readonly programs: Pick<Programs, 'program'>;
    readonly upkeep: Pick<UpkeepParts, 'notices' | 'problems' | 'mails' | 'origins'>;
    readonly reporting: Pick<ReportingParts, 'figures'>;
    /** Name of this server. */
    readonly server: () => string;
    readonly approvals: Pick<ApprovalsService, 'waiting'>;
    /** Campaigns of headquarters that a person must act on. */
    readonly campaigns: Campaigns;
  },
) => {
  const { presence, realtime, programs, upkeep, reporting, approvals, campaigns, server } = deps;
  const store = new AlertsStore(kernel.db);
  /** For tests, which call it directly and do not wait for timers; the same applies to the digest. */
  const watch = new AlertWatch({
    ...kernel,
    store,
    live: presence.registry,
    faults: realtime.openFaults,
    programs,
    problems: upkeep.problems,
    tell: upkeep.notices,
  });
  const digest = new Digest({
    ...kernel,
    store,
    mails: upkeep.mails,
    figures: reporting.figures,
    zone: serverZone,
    origin: () => upkeep.origins()[0]!,
    server,
  });
  const service = new AlertsService({ ...kernel, store, approvals, campaigns, tell: upkeep.notices });
  return { routes: alertRoutes(service, digest), parts: [watch, digest], watch, digest };
};
export type AlertParts = ReturnType<typeof createAlerts>;
