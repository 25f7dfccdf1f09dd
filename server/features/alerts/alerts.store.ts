import type { AlertKind } from '../../../shared/contract/alerts.ts';
import type { Database } from '../../db/database.ts';
import type { alerts } from '../../db/schema.ts';
import type { Facts } from './judge.ts';

type Row = typeof alerts.$inferSelect;
export interface AlertRow extends Omit<Row, 'facts' | 'kind' | 'workspace_id'> {
  readonly workspace_id: string;
  readonly kind: AlertKind;
  readonly facts: Facts;
  readonly assigned_name: string | null;
}
export interface OpenAlert {
  readonly id: string;
  readonly workspace_id: string;
  readonly kind: AlertKind;
  readonly ref: string;
  readonly name: string;
  readonly since: number;
}
export interface RuleRow {
  readonly workspace_id: string;
  readonly kind: AlertKind;
  readonly enabled: 0 | 1;
  readonly threshold: number | null;
  readonly minutes: number | null;
  /** JSON; null: as it comes. */
  readonly tell: string | null;
}
export interface ScreenRow {
  readonly id: string;
  readonly name: string;
  readonly workspace_id: string;
  readonly last_heartbeat: number | null;
  readonly ip_address: string | null;
}
export interface SubjectRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
}

const COLUMNS = 'a.*, u.name AS assigned_name';
const FROM = 'FROM alerts a LEFT JOIN users u ON u.id = a.assigned_to';
const ONLY = '(@kind IS NULL OR a.kind = @kind) AND (@ref IS NULL OR a.ref = @ref)';

/** Of one kind, or of one screen, widget or content. */
interface Only {
  readonly kind?: AlertKind | undefined;
  readonly ref?: string | undefined;
}
const asked = (workspaceId: string, { kind = undefined, ref = undefined }: Only) => ({
  workspaceId,
  kind: kind ?? null,
  ref: ref ?? null,
});

export class AlertsStore {
  readonly #statements;

  constructor(db: Database) {
    const p = (sql: string) => db.raw.prepare(sql);
    this.#statements = {
      open: p('SELECT id, workspace_id, kind, ref, name, since FROM alerts WHERE ended_at IS NULL'),
      insert: p(
        `INSERT INTO alerts (id, workspace_id, kind, ref, name, facts, since, told_at)
         VALUES (@id, @workspace_id, @kind, @ref, @name, @facts, @since, @told_at)`,
      ),
      refresh: p(
        'UPDATE alerts SET facts = @facts, name = @name WHERE id = @id AND (facts <> @facts OR name <> @name)',
      ),
      end: p('UPDATE alerts SET ended_at = ? WHERE id = ?'),
      forget: p('DELETE FROM alerts WHERE ended_at < ?'),
      ofWorkspace: p(
        `SELECT ${COLUMNS} ${FROM} WHERE a.workspace_id = @workspaceId AND a.ended_at IS NULL AND ${ONLY} ORDER BY a.since DESC, a.id DESC`,
      ),
      ended: p(
        `SELECT ${COLUMNS} ${FROM} WHERE a.workspace_id = @workspaceId AND a.ended_at IS NOT NULL AND ${ONLY}
         ORDER BY a.ended_at DESC, a.id DESC LIMIT @limit OFFSET @offset`,
      ),
      countEnded: p(
        `SELECT count(*) FROM alerts a WHERE a.workspace_id = @workspaceId AND a.ended_at IS NOT NULL AND ${ONLY}`,
      ).pluck(),
      uncounted: p(
        `SELECT kind, count(*) AS open, sum(acknowledged_at IS NULL AND coalesce(muted_until, 0) <= @now) AS loud
         FROM alerts WHERE workspace_id = @workspace AND ended_at IS NULL GROUP BY kind`,
      ),
      mark: p(
        `UPDATE alerts SET acknowledged_at = @acknowledged_at, acknowledged_by = @acknowledged_by,
           assigned_to = @assigned_to, muted_until = @muted_until WHERE id = @id`,
      ),
      find: p(`SELECT ${COLUMNS} ${FROM} WHERE a.id = ? AND a.workspace_id = ? AND a.ended_at IS NULL`),
      rules: p('SELECT * FROM alert_rules'),
      rulesOf: p('SELECT * FROM alert_rules WHERE workspace_id = ?'),
      putRule: p(
        `INSERT INTO alert_rules (workspace_id, kind, enabled, threshold, minutes, tell)
         VALUES (@workspace_id, @kind, @enabled, @threshold, @minutes, @tell)
         ON CONFLICT (workspace_id, kind) DO UPDATE SET enabled = @enabled, threshold = @threshold, minutes = @minutes, tell = @tell`,
      ),
      screens: p('SELECT id, name, workspace_id, last_heartbeat, ip_address FROM devices'),
      // Ids grow with time: the newest are found without looking through the log.
      faults: p(
        `SELECT device_id AS id, workspace_id, details, max(created_at) AS at FROM activity
         WHERE id > @id AND created_at > @since AND action IN ('device.error', 'device.warning') AND device_id IS NOT NULL
         GROUP BY device_id`,
      ),
      deadSources: p(
        'SELECT url AS key, error, coalesce(fetched_at, 0) AS fetched_at FROM feeds WHERE error IS NOT NULL LIMIT 200',
      ),
      widgetsWith: p(
        `SELECT id, workspace_id, name FROM widgets WHERE json_extract(config, '$.' || @member) = @value COLLATE NOCASE`,
      ),
      unfetched: p(
        'SELECT id, workspace_id, filename AS name, fetch_error, fetched_at FROM content WHERE fetch_error IS NOT NULL LIMIT 500',
      ),
      ending: p(
        `SELECT id, workspace_id, filename AS name, valid_until FROM content c
         WHERE valid_until > @now AND valid_until <= @until
           AND EXISTS (SELECT 1 FROM published_items i WHERE i.content_id = c.id) LIMIT 500`,
      ),
    };
  }

  open(): OpenAlert[] {
    return this.#statements.open.all() as OpenAlert[];
  }

  insert(alert: OpenAlert & { readonly facts: Facts; readonly told_at: number }): void {
    this.#statements.insert.run({ ...alert, facts: JSON.stringify(alert.facts) });
  }

  /** @returns whether anything of it is another than before */
  refresh(id: string, name: string, facts: Facts): boolean {
    return this.#statements.refresh.run({ id, name, facts: JSON.stringify(facts) }).changes > 0;
  }

  end(id: string, at: number): void {
    this.#statements.end.run(at, id);
  }

  /** Deletes those that ended before. */
  forget(before: number): void {
    this.#statements.forget.run(before);
  }

  /** All that last, the newest first. */
  lasting(workspaceId: string, only: Only = {}): AlertRow[] {
    return (this.#statements.ofWorkspace.all(asked(workspaceId, only)) as Raw[]).map(toRow);
  }

  /** Those that are over, the newest first. */
  ended(workspaceId: string, only: Only, page: { limit: number; offset: number }): AlertRow[] {
    return (this.#statements.ended.all({ ...asked(workspaceId, only), ...page }) as Raw[]).map(toRow);
  }

  countEnded(workspaceId: string, only: Only): number {
    return this.#statements.countEnded.get(asked(workspaceId, only)) as number;
  }

  /** By kind: how many last, and how many of them nobody has acknowledged or muted. */
  counts(workspace: string, now: number): { kind: AlertKind; open: number; loud: number }[] {
    return this.#statements.uncounted.all({ workspace, now }) as { kind: AlertKind; open: number; loud: number }[];
  }

  find(workspaceId: string, id: string): AlertRow | undefined {
    const row = this.#statements.find.get(id, workspaceId) as Raw | undefined;
    return row && toRow(row);
  }

  mark(row: Pick<AlertRow, 'id' | 'acknowledged_at' | 'acknowledged_by' | 'assigned_to' | 'muted_until'>): void {
    const { id, acknowledged_at, acknowledged_by, assigned_to, muted_until } = row;
    this.#statements.mark.run({ id, acknowledged_at, acknowledged_by, assigned_to, muted_until });
  }

  /** Of all workspaces, or of one: what is otherwise than usual. */
  rules(workspaceId?: string): RuleRow[] {
    const { rules, rulesOf } = this.#statements;
    return (workspaceId === undefined ? rules.all() : rulesOf.all(workspaceId)) as RuleRow[];
  }

  putRule(rule: RuleRow): void {
    this.#statements.putRule.run(rule);
  }

  screens(): ScreenRow[] {
    return this.#statements.screens.all() as ScreenRow[];
  }

  /** What screens told last of what they could not show. @param id greater than those that are too old */
  faults(id: string, since: number): { id: string; workspace_id: string; details: string; at: number }[] {
    return this.#statements.faults.all({ id, since }) as ReturnType<AlertsStore['faults']>;
  }

  /** Feeds and forecasts whose last try failed, with when they were had last (epoch seconds; 0: never). */
  deadSources(): { key: string; error: string; fetched_at: number }[] {
    return this.#statements.deadSources.all() as ReturnType<AlertsStore['deadSources']>;
  }

  widgetsWith(member: string, value: string): SubjectRow[] {
    return this.#statements.widgetsWith.all({ member, value }) as SubjectRow[];
  }

  unfetched(): (SubjectRow & { fetch_error: string; fetched_at: number | null })[] {
    return this.#statements.unfetched.all() as ReturnType<AlertsStore['unfetched']>;
  }

  /** Published contents that end between two local minutes. */
  ending(now: string, until: string): (SubjectRow & { valid_until: string })[] {
    return this.#statements.ending.all({ now, until }) as ReturnType<AlertsStore['ending']>;
  }
}

type Raw = Omit<AlertRow, 'facts'> & { readonly facts: string };
const toRow = (row: Raw): AlertRow => ({ ...row, facts: JSON.parse(row.facts) as Facts });
