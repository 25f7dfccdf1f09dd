/** Makes reports. Taking plays in belongs to realtime.ts, where they arrive. */

import { KnownSubjectsStore } from '../features/reports/known-subjects.store.ts';
import { ReportNamesStore } from '../features/reports/report-names.store.ts';
import { openReader } from '../features/reports/report-reader.ts';
import { ReportThreads } from '../features/reports/report-threads.ts';
import { reportRoutes } from '../features/reports/reports.routes.ts';
import { ReportsService } from '../features/reports/reports.service.ts';
import { serverZone } from '../kernel/server-zone.ts';
import type { Kernel } from './kernel.ts';

export const createReporting = (
  { db, clock, identity }: Kernel,
  { pathOf }: { /** Of a stored file. */ readonly pathOf: (sha256: string) => string },
) => {
  const reader = openReader(db.raw);
  const threads = new ReportThreads({ file: db.file });
  const service = new ReportsService({
    known: new KnownSubjectsStore(db),
    names: new ReportNamesStore(db),
    fileOf: pathOf,
    reader,
    threads,
    signer: identity,
    clock,
    zone: serverZone,
  });
  return { routes: reportRoutes(service), parts: [threads] };
};
