import type { Database } from '../../../db/database.ts';
import { ChosenSumsStore } from '../chosen-sums.store.ts';
import { UptimeStore } from '../planned/uptime.store.ts';
import { PlaysStore } from '../plays.store.ts';
import { ReportReader } from '../report-reader.ts';
import { SummaryStore } from '../summary.store.ts';

/** For tests: opens the report reader without a worker thread. */
export const openReader = (raw: Database['raw']): ReportReader => {
  const sums = new SummaryStore(raw);
  const chosen = new ChosenSumsStore(raw, sums);
  return new ReportReader({ sums, chosen, plays: new PlaysStore(raw), uptime: new UptimeStore(raw) });
};
