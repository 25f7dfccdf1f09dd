/** The part of the composition root that makes reports. Taking plays in belongs to realtime-parts.ts, where they arrive. */
import type { Database } from './db/database.ts';
import { KnownSubjectsStore } from './features/reports/known-subjects.store.ts';
import { PlaysStore } from './features/reports/plays.store.ts';
import type { Signer } from './features/reports/proof-export.ts';
import { ReportReader } from './features/reports/report-reader.ts';
import { ReportThreads } from './features/reports/report-threads.ts';
import { reportRoutes } from './features/reports/reports.routes.ts';
import { ReportsService } from './features/reports/reports.service.ts';
import { SummaryStore } from './features/reports/summary.store.ts';
import { UptimeStore } from './features/reports/uptime.store.ts';
import type { Bound } from './http/api.ts';
import type { Clock } from './kernel/clock.ts';
import type { Lifecycle } from './kernel/lifecycle.ts';

export interface ReportingParts {
  readonly routes: readonly Bound[];
  readonly parts: readonly Lifecycle[];
}

export const createReporting = ({
  db,
  clock,
  signer,
  zone = Intl.DateTimeFormat().resolvedOptions().timeZone,
}: {
  db: Database;
  clock: Clock;
  signer: Signer;
  zone?: string;
}): ReportingParts => {
  const reader = new ReportReader({ sums: new SummaryStore(db.raw), plays: new PlaysStore(db.raw), uptime: new UptimeStore(db.raw) });
  const threads = new ReportThreads({ file: db.file });
  const service = new ReportsService({ known: new KnownSubjectsStore(db), reader, threads, signer, clock, zone });
  return { routes: reportRoutes(service), parts: [threads] };
};
