/** Saved reports: reports with a name and filters. They may be sent each month. */
import {
  MAX_SAVED_REPORTS,
  type NewSavedReport,
  type ReportFilters,
  type SavedReport,
} from '../../../../shared/contract/server/reports.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Parts } from '../../../kernel/parts.ts';
import { seconds } from '../../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../../kernel/trust/actor.ts';
import { Records } from '../../records.ts';
import type { ReportsService } from '../reports.service.ts';
import { monthBefore } from './monthly-reports.ts';
import type { SavedReportRow, SavedReportsStore } from './saved-reports.store.ts';

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: SavedReportsStore;
  readonly reports: Pick<ReportsService, 'requireKnown'>;
  readonly zone: () => string;
}

export class SavedReportsService {
  readonly #deps: Deps;
  readonly #records: Records<SavedReportRow>;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#records = new Records({ ...deps, topic: 'reports', noun: 'Saved report', nameOf: ({ name }) => name });
  }

  list({ workspaceId }: WorkspaceActor): SavedReport[] {
    return this.#deps.store.list(workspaceId).map(toView);
  }

  create(actor: WorkspaceActor, { filters = {}, ...report }: NewSavedReport): SavedReport {
    const { db, store, clock, reports, zone } = this.#deps;
    return db.write(() => {
      this.#records.requireRoom(actor, MAX_SAVED_REPORTS);
      reports.requireKnown(actor, filters);
      const row: SavedReportRow = {
        id: newId(),
        workspace_id: actor.workspaceId,
        ...report,
        filters,
        // Marks the previous month as sent, so that the current month is the first that is sent.
        sent_month: monthBefore(clock.now(), zone()),
        created_at: seconds(clock),
      };
      store.insert(row, actor.userId);
      this.#records.changed(actor, 'report.saved', row);
      return toView(row);
    });
  }

  update(
    actor: WorkspaceActor,
    id: string,
    change: { readonly filters?: ReportFilters | undefined } & {
      readonly [K in 'name' | 'language' | 'recipients']?: SavedReport[K] | undefined;
    },
  ): SavedReport {
    return this.#records.edit(actor, id, { action: 'report.updated' }, (row) => {
      if (change.filters) this.#deps.reports.requireKnown(actor, change.filters);
      const sent = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      const after: SavedReportRow = { ...row, ...sent };
      this.#deps.store.update(after);
      return toView(after);
    });
  }

  delete(actor: WorkspaceActor, id: string): void {
    this.#records.edit(actor, id, { action: 'report.deleted' }, () => this.#deps.store.delete(id));
  }
}

const toView = ({ workspace_id: _, ...report }: SavedReportRow): SavedReport => report;
