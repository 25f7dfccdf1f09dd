/** Creates reports. The parts that receive plays are in realtime.ts. */

import type { Mailer } from '../features/accounts/mail/mailer.ts';
import { ChosenSumsStore } from '../features/reports/chosen-sums.store.ts';
import { KnownSubjectsStore } from '../features/reports/known-subjects.store.ts';
import { PlannedCacheStore } from '../features/reports/planned/planned-cache.store.ts';
import { UptimeStore } from '../features/reports/planned/uptime.store.ts';
import { PlaysStore } from '../features/reports/plays.store.ts';
import { ReportNamesStore } from '../features/reports/report-names.store.ts';
import { ReportReader } from '../features/reports/report-reader.ts';
import { ReportThreads } from '../features/reports/report-threads.ts';
import { reportRoutes } from '../features/reports/reports.routes.ts';
import { ReportsService } from '../features/reports/reports.service.ts';
import { MonthlyReports } from '../features/reports/saved/monthly-reports.ts';
import { SavedReportsService } from '../features/reports/saved/saved-reports.service.ts';
import { SavedReportsStore } from '../features/reports/saved/saved-reports.store.ts';
import { SummaryStore } from '../features/reports/summary.store.ts';
import { serverZone } from '../kernel/time/server-zone.ts';
import type { Kernel } from './kernel.ts';

export const createReporting = (
  kernel: Kernel,
  deps: {
    /** Returns the path of a stored file. */
    readonly pathOf: (sha256: string) => string;
    readonly mails: Pick<Mailer, 'configured' | 'send'>;
    /** Returns the language of e-mails to an address. */
    readonly languageOf: (email: string) => string | null;
    readonly origin: () => string;
    /** Name of this server. */
    readonly server: () => string;
  },
) => {
  const { db, clock, identity } = kernel;
  const sums = new SummaryStore(db.raw);
  const reader = new ReportReader({
    sums,
    chosen: new ChosenSumsStore(db.raw, sums),
    plays: new PlaysStore(db.raw),
    uptime: new UptimeStore(db.raw),
  });
  const planned = new PlannedCacheStore(db);
  const threads = new ReportThreads({ file: db.file });
  const service = new ReportsService({
    known: new KnownSubjectsStore(db),
    names: new ReportNamesStore(db),
    fileOf: deps.pathOf,
    server: deps.server,
    reader,
    threads,
    keep: async (windows) => {
      db.write(() => planned.store(windows));
      await db.durable();
      await new Promise(setImmediate);
    },
    signer: identity,
    clock,
    zone: serverZone,
  });
  const store = new SavedReportsStore(db);
  const saved = new SavedReportsService({ ...kernel, store, reports: service, zone: serverZone });
  const monthly = new MonthlyReports({
    ...kernel,
    store,
    reports: service,
    mails: deps.mails,
    languageOf: deps.languageOf,
    zone: serverZone,
    origin: deps.origin,
  });
  return {
    routes: reportRoutes(service, saved),
    threads,
    parts: [threads, monthly],
    monthly,
    /** Returns the sums of a workspace on one day, YYYY-MM-DD. */
    figures: (workspaceId: string, day: string) => service.figures({ workspaceId }, day),
  };
};
export type ReportingParts = ReturnType<typeof createReporting>;
