import type { ReportFilters, ReportLanguage, SavedReport } from '../../../../shared/contract/server/reports.ts';
import type { Database } from '../../../db/database.ts';

export interface SavedReportRow extends SavedReport {
  readonly workspace_id: string;
}

type Stored = Omit<SavedReportRow, 'filters' | 'language' | 'recipients'> & {
  /** Filters and language of the report, as JSON. */
  readonly filters: string;
  readonly recipients: string;
};

const COLUMNS = 'id, workspace_id, name, filters, recipients, sent_month, created_at';

const toRow = ({ filters, recipients, ...row }: Stored): SavedReportRow => {
  const { language, ...rest } = JSON.parse(filters) as ReportFilters & { language: ReportLanguage };
  return { ...row, filters: rest, language, recipients: JSON.parse(recipients) as string[] };
};

export class SavedReportsStore {
  readonly #statements;

  constructor(db: Database) {
    const p = (sql: string) => db.raw.prepare(sql);
    this.#statements = {
      find: p(`SELECT ${COLUMNS} FROM saved_reports WHERE workspace_id = ? AND id = ?`),
      list: p(`SELECT ${COLUMNS} FROM saved_reports WHERE workspace_id = ? ORDER BY vitrine_order(name), id`),
      count: p('SELECT count(*) FROM saved_reports WHERE workspace_id = ?').pluck(),
      insert: p(
        'INSERT INTO saved_reports (id, workspace_id, name, filters, recipients, sent_month, user_id, created_at) VALUES (@id, @workspace_id, @name, @filters, @recipients, @sent_month, @user_id, @created_at)',
      ),
      update: p('UPDATE saved_reports SET name = @name, filters = @filters, recipients = @recipients WHERE id = @id'),
      delete: p('DELETE FROM saved_reports WHERE id = ?'),
      due: p(
        `SELECT ${COLUMNS} FROM saved_reports WHERE recipients <> '[]' AND (sent_month IS NULL OR sent_month < ?) ORDER BY id LIMIT 1`,
      ),
      sent: p('UPDATE saved_reports SET sent_month = ? WHERE id = ?'),
    };
  }

  find(workspaceId: string, id: string): SavedReportRow | undefined {
    const found = this.#statements.find.get(workspaceId, id) as Stored | undefined;
    return found && toRow(found);
  }

  list(workspaceId: string): SavedReportRow[] {
    return (this.#statements.list.all(workspaceId) as Stored[]).map(toRow);
  }

  count(workspaceId: string): number {
    return this.#statements.count.get(workspaceId) as number;
  }

  insert(row: SavedReportRow, userId: string | null): void {
    this.#statements.insert.run({ ...row, ...texts(row), user_id: userId });
  }

  update(row: SavedReportRow): void {
    this.#statements.update.run({ id: row.id, name: row.name, ...texts(row) });
  }

  delete(id: string): void {
    this.#statements.delete.run(id);
  }

  /** Returns the next report with recipients that was not sent for the month `YYYY-MM` or a later one. */
  due(month: string): SavedReportRow | undefined {
    const found = this.#statements.due.get(month) as Stored | undefined;
    return found && toRow(found);
  }

  markSent(id: string, month: string): void {
    this.#statements.sent.run(month, id);
  }
}

const texts = ({ filters, language, recipients }: SavedReportRow) => ({
  filters: JSON.stringify({ ...filters, language }),
  recipients: JSON.stringify(recipients),
});
