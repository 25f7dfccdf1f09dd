import type { AlertDigest, AlertKind } from '../../../shared/contract/server/alerts.ts';
import type { Database } from '../../db/database.ts';
import type { alerts } from '../../db/schema.ts';
import { putSetting, readSetting } from '../../db/settings-rows.ts';
import type { Facts } from './judge.ts';

type Row = typeof alerts.$inferSelect;
export interface AlertRow extends Omit<Row, 'facts' | 'kind'> {
  readonly kind: AlertKind;
  readonly facts: Facts;
  readonly assigned_name: string | null;
}
export interface OpenAlert {
  readonly id: string;
  /** Workspace of the alert; null: an alert of the server. */
  readonly workspace_id: string | null;
  readonly kind: AlertKind;
  readonly ref: string;
  readonly name: string;
  readonly since: number;
  /** Time of the announcement; null: not announced yet. */
  readonly told_at: number | null;
}
/** A person to whom alerts can be assigned. */
export interface Assignee {
  readonly id: string;
  readonly email: string;
  readonly language: string | null;
  readonly wantsMail: boolean;
  /** Member of the workspace or of its organization. */
  readonly isMember: boolean;
  readonly isPlatformAdmin: boolean;
}
export interface RuleRow {
  readonly workspace_id: string;
  readonly kind: AlertKind;
  readonly enabled: 0 | 1;
  readonly threshold: number | null;
  readonly minutes: number | null;
  /** Differences from the default channels: JSON list of `mail`, `no-webhook`, `no-mqtt`; null: the default. */
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
const SEEN = '(a.workspace_id = @workspaceId OR (a.workspace_id IS NULL AND @seesServer))';
const ONLY = `(@kind IS NULL OR a.kind = @kind) AND (@ref IS NULL OR a.ref = @ref)
  AND (@assigned IS NULL OR coalesce(a.assigned_to, '') = @assigned)`;

const WORSE = `json_extract(facts, '$.level') = 'warn' AND json_extract(@facts, '$.level') = 'error'`;

/** The person and the workspace of a request. Only a server administrator sees alerts of the server. */
export interface Viewer {
  readonly workspaceId: string;
  readonly userId: string;
  readonly seesServer: boolean;
}

/** Filter for alerts: by kind, by screen, widget or content, and by assignment to the user or to nobody. */
interface Only {
  readonly kind?: AlertKind | undefined;
  readonly ref?: string | undefined;
  readonly assigned?: 'me' | 'nobody' | undefined;
}
const asked = ({ workspaceId, seesServer, userId }: Viewer, { kind, ref, assigned }: Only) => ({
  workspaceId,
  seesServer: seesServer ? 1 : 0,
  kind: kind ?? null,
  ref: ref ?? null,
  assigned: assigned === undefined ? null : assigned === 'me' ? userId : '',
});

/**
 * Selects the people to whom alerts of a workspace can be assigned: its members, the members of its organization, and
 * server administrators.
 */
const CARERS = `SELECT user_id FROM workspace_members WHERE workspace_id = @workspaceId
  UNION SELECT o.user_id FROM organization_members o JOIN workspaces w ON w.organization_id = o.organization_id WHERE w.id = @workspaceId
  UNION SELECT id FROM users WHERE role = 'platform_admin'`;
const LEFT = `ended_at IS NULL AND workspace_id IS @workspaceId AND assigned_to IS NOT NULL AND assigned_to NOT IN (${CARERS})`;

/** Stored settings of the daily mail of a workspace. */
export interface DigestRow extends AlertDigest {
  readonly workspace_id: string;
  /** Day of the last mail, in days since 1970-01-01; null: none was sent. */
  readonly sent: number | null;
}

const digestKey = (workspaceId: string): string => `digest:${workspaceId}`;
const NO_DIGEST = { enabled: false, hour: 7, when_nothing: false, sent: null } as const;

export class AlertsStore {
  readonly #db: Database;
  readonly #statements;

  constructor(db: Database) {
    this.#db = db;
    const p = (sql: string) => db.raw.prepare(sql);
    this.#statements = {
      open: p('SELECT id, workspace_id, kind, ref, name, since, told_at FROM alerts WHERE ended_at IS NULL'),
      insert: p(
        `INSERT INTO alerts (id, workspace_id, kind, ref, name, facts, since, told_at)
         VALUES (@id, @workspace_id, @kind, @ref, @name, @facts, @since, @told_at)`,
      ),
      // Removes the acknowledgement when an alert becomes more serious, but not when only its numbers change.
      refresh: p(
        `UPDATE alerts SET facts = @facts, name = @name,
           acknowledged_at = CASE WHEN ${WORSE} THEN NULL ELSE acknowledged_at END,
           acknowledged_by = CASE WHEN ${WORSE} THEN NULL ELSE acknowledged_by END
         WHERE id = @id AND (facts <> @facts OR name <> @name)`,
      ),
      told: p('UPDATE alerts SET told_at = ? WHERE id = ?'),
      toldSince: p('SELECT kind, ref FROM alerts WHERE workspace_id IS ? AND ended_at > ? AND told_at > ?'),
      workspaceIds: p('SELECT id FROM workspaces').pluck(),
      hasLeft: p(`SELECT 1 FROM alerts WHERE ${LEFT} LIMIT 1`).pluck(),
      release: p(`UPDATE alerts SET assigned_to = NULL WHERE ${LEFT}`),
      assignee: p(
        `SELECT id, email, language, email_alerts AS wantsMail, role = 'platform_admin' AS isPlatformAdmin, EXISTS (
           SELECT 1 FROM workspace_members WHERE workspace_id = @workspaceId AND user_id = users.id
           UNION SELECT 1 FROM organization_members o JOIN workspaces w ON w.organization_id = o.organization_id
             WHERE w.id = @workspaceId AND o.user_id = users.id) AS isMember FROM users WHERE id = @userId`,
      ),
      end: p('UPDATE alerts SET ended_at = ? WHERE id = ?'),
      forget: p('DELETE FROM alerts WHERE ended_at < ?'),
      ofWorkspace: p(
        `SELECT ${COLUMNS} ${FROM} WHERE ${SEEN} AND a.ended_at IS NULL AND ${ONLY} ORDER BY a.since DESC, a.id DESC`,
      ),
      ended: p(
        `SELECT ${COLUMNS} ${FROM} WHERE ${SEEN} AND a.ended_at IS NOT NULL AND ${ONLY}
         ORDER BY a.ended_at DESC, a.id DESC LIMIT @limit OFFSET @offset`,
      ),
      countEnded: p(`SELECT count(*) FROM alerts a WHERE ${SEEN} AND a.ended_at IS NOT NULL AND ${ONLY}`).pluck(),
      uncounted: p(
        `SELECT kind, CASE kind WHEN 'server' THEN ref ELSE '' END AS problem, count(*) AS open,
           sum(acknowledged_at IS NULL AND coalesce(muted_until, 0) <= @now) AS loud,
           coalesce(sum(assigned_to = @userId), 0) AS mine, sum(assigned_to IS NULL) AS nobodys
         FROM alerts a WHERE ${SEEN} AND ended_at IS NULL GROUP BY kind, problem`,
      ),
      mark: p(
        `UPDATE alerts SET acknowledged_at = @acknowledged_at, acknowledged_by = @acknowledged_by,
           assigned_to = @assigned_to, muted_until = @muted_until WHERE id = @id`,
      ),
      find: p(`SELECT ${COLUMNS} ${FROM} WHERE a.id = @id AND ${SEEN} AND a.ended_at IS NULL`),
      rules: p('SELECT * FROM alert_rules'),
      rulesOf: p('SELECT * FROM alert_rules WHERE workspace_id = ?'),
      putRule: p(
        `INSERT INTO alert_rules (workspace_id, kind, enabled, threshold, minutes, tell)
         VALUES (@workspace_id, @kind, @enabled, @threshold, @minutes, @tell)
         ON CONFLICT (workspace_id, kind) DO UPDATE SET enabled = @enabled, threshold = @threshold, minutes = @minutes, tell = @tell`,
      ),
      screens: p('SELECT id, name, workspace_id, last_heartbeat, ip_address FROM devices'),
      // Ids grow with time, so the newest entries are found without scanning the log.
      faults: p(
        `SELECT device_id AS id, details, max(created_at) AS at FROM activity
         WHERE id > @id AND created_at > @since AND action IN ('device.error', 'device.warning') AND device_id IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM alerts a WHERE a.kind = 'screen_fault' AND a.ref = activity.device_id
             AND (a.ended_at IS NULL OR a.ended_at >= activity.created_at))
         GROUP BY device_id`,
      ),
      openFaults: p("SELECT ref, facts, since FROM alerts WHERE kind = 'screen_fault' AND ended_at IS NULL"),
      deadSources: p(
        'SELECT url AS key, error, coalesce(fetched_at, 0) AS fetched_at FROM feeds WHERE error IS NOT NULL LIMIT 200',
      ),
      widgetsWith: p(
        `SELECT id, workspace_id, name FROM widgets WHERE json_extract(config, '$.' || @member) = @value COLLATE NOCASE`,
      ),
      unfetched: p(
        'SELECT id, workspace_id, filename AS name, fetch_error, fetched_at FROM content WHERE fetch_error IS NOT NULL LIMIT 500',
      ),
      came: p(
        `SELECT kind, count(*) AS count FROM alerts a WHERE ${SEEN} AND (ended_at IS NULL OR ended_at >= @from)
           AND coalesce(told_at, since) >= @from GROUP BY kind`,
      ),
      went: p(`SELECT kind, count(*) AS count FROM alerts a WHERE ${SEEN} AND ended_at >= @from GROUP BY kind`),
      digests: p(
        `SELECT w.id, s.value FROM settings s JOIN workspaces w ON w.id = substr(s.key, 8) WHERE s.key >= 'digest:' AND s.key < 'digest;'`,
      ),
      forgetDigest: p('DELETE FROM settings WHERE key = ?'),
      workspaceName: p('SELECT name FROM workspaces WHERE id = ?').pluck(),
      endingOf: p(
        `SELECT filename AS name, valid_until AS until, count(*) OVER () AS count FROM content c
         WHERE workspace_id = @workspaceId AND valid_until > @now AND valid_until <= @until
           AND EXISTS (SELECT 1 FROM published_items i WHERE i.content_id = c.id)
         ORDER BY valid_until, filename LIMIT @limit`,
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

  insert(alert: OpenAlert & { readonly facts: Facts }): void {
    this.#statements.insert.run({ ...alert, facts: JSON.stringify(alert.facts) });
  }

  /** @returns whether anything changed */
  refresh(id: string, name: string, facts: Facts): boolean {
    return this.#statements.refresh.run({ id, name, facts: JSON.stringify(facts) }).changes > 0;
  }

  markAnnounced(id: string, at: number): void {
    this.#statements.told.run(at, id);
  }

  /** Returns alerts that were announced after this time and have ended. A null workspace means the server. */
  listAnnouncedSince(workspaceId: string | null, at: number): { kind: AlertKind; ref: string }[] {
    return this.#statements.toldSince.all(workspaceId, at, at) as { kind: AlertKind; ref: string }[];
  }

  workspaceIds(): string[] {
    return this.#statements.workspaceIds.all() as string[];
  }

  /** Returns whether an alert is assigned to a person who no longer belongs to the workspace. */
  hasLeft(workspaceId: string | null): boolean {
    return this.#statements.hasLeft.get({ workspaceId }) !== undefined;
  }

  /** Removes the assignments to people who no longer belong to the workspace. */
  release(workspaceId: string | null): void {
    this.#statements.release.run({ workspaceId });
  }

  assignee(workspaceId: string, userId: string): Assignee | undefined {
    const row = this.#statements.assignee.get({ workspaceId, userId }) as
      | Record<'wantsMail' | 'isMember' | 'isPlatformAdmin', number>
      | undefined;
    return (
      row &&
      ({
        ...row,
        wantsMail: row.wantsMail === 1,
        isMember: row.isMember === 1,
        isPlatformAdmin: row.isPlatformAdmin === 1,
      } as unknown as Assignee)
    );
  }

  end(id: string, at: number): void {
    this.#statements.end.run(at, id);
  }

  /** Deletes alerts that ended before this time. */
  forget(before: number): void {
    this.#statements.forget.run(before);
  }

  /** Returns open alerts, newest first. */
  lasting(viewer: Viewer, only: Only = {}): AlertRow[] {
    return (this.#statements.ofWorkspace.all(asked(viewer, only)) as Raw[]).map(toRow);
  }

  /** Returns ended alerts, newest first. */
  ended(viewer: Viewer, only: Only, page: { limit: number; offset: number }): AlertRow[] {
    return (this.#statements.ended.all({ ...asked(viewer, only), ...page }) as Raw[]).map(toRow);
  }

  countEnded(viewer: Viewer, only: Only): number {
    return this.#statements.countEnded.get(asked(viewer, only)) as number;
  }

  /**
   * Counts open alerts by kind, and server alerts by problem: all alerts, alerts that are neither acknowledged nor
   * muted, alerts assigned to the user, and unassigned alerts.
   */
  counts(viewer: Viewer, now: number): KindCount[] {
    return this.#statements.uncounted.all({ ...asked(viewer, {}), userId: viewer.userId, now }) as KindCount[];
  }

  find(viewer: Viewer, id: string): AlertRow | undefined {
    const row = this.#statements.find.get({ ...asked(viewer, {}), id }) as Raw | undefined;
    return row && toRow(row);
  }

  mark(row: Pick<AlertRow, 'id' | 'acknowledged_at' | 'acknowledged_by' | 'assigned_to' | 'muted_until'>): void {
    const { id, acknowledged_at, acknowledged_by, assigned_to, muted_until } = row;
    this.#statements.mark.run({ id, acknowledged_at, acknowledged_by, assigned_to, muted_until });
  }

  /** Returns the changed rules of one workspace, or of all workspaces. */
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

  /**
   * Returns the newest fault of each screen in the activity log that no alert has been raised for.
   * @param id greater than the ids of entries that are too old
   */
  faults(id: string, since: number): { id: string; details: string; at: number }[] {
    return this.#statements.faults.all({ id, since }) as ReturnType<AlertsStore['faults']>;
  }

  /** Returns the open alerts about faults of screens. */
  openFaults(): Pick<AlertRow, 'ref' | 'facts' | 'since'>[] {
    return (this.#statements.openFaults.all() as Raw[]).map(({ ref, facts, since }) => ({
      ref,
      facts: JSON.parse(facts) as Facts,
      since,
    }));
  }

  /**
   * Returns feeds and forecasts whose last fetch failed, with the time of the last success (epoch seconds; 0: never).
   */
  deadSources(): { key: string; error: string; fetched_at: number }[] {
    return this.#statements.deadSources.all() as ReturnType<AlertsStore['deadSources']>;
  }

  widgetsWith(member: string, value: string): SubjectRow[] {
    return this.#statements.widgetsWith.all({ member, value }) as SubjectRow[];
  }

  unfetched(): (SubjectRow & { fetch_error: string; fetched_at: number | null })[] {
    return this.#statements.unfetched.all() as ReturnType<AlertsStore['unfetched']>;
  }

  /** Returns published contents that end between two local minutes. */
  ending(now: string, until: string): (SubjectRow & { valid_until: string })[] {
    return this.#statements.ending.all({ now, until }) as ReturnType<AlertsStore['ending']>;
  }

  /**
   * Counts alerts by kind, including ended alerts, that were announced since `from` or, if not announced, began since
   * `from`.
   */
  countBegunSince(viewer: Viewer, from: number): Partial<Record<AlertKind, number>> {
    return this.#countsOf(this.#statements.came, viewer, from);
  }

  /** Counts alerts by kind that have ended since `from`. */
  countEndedSince(viewer: Viewer, from: number): Partial<Record<AlertKind, number>> {
    return this.#countsOf(this.#statements.went, viewer, from);
  }

  #countsOf(
    statement: { all(asked: object): unknown[] },
    viewer: Viewer,
    from: number,
  ): Partial<Record<AlertKind, number>> {
    const rows = statement.all({ ...asked(viewer, {}), from }) as { kind: AlertKind; count: number }[];
    return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
  }

  /**
   * Returns published contents of a workspace that end between two local minutes: the first `limit` of them, and the
   * total.
   */
  endingOf(
    workspaceId: string,
    now: string,
    until: string,
    limit: number,
  ): { count: number; first: { name: string; until: string }[] } {
    const rows = this.#statements.endingOf.all({ workspaceId, now, until, limit }) as {
      name: string;
      until: string;
      count: number;
    }[];
    return { count: rows[0]?.count ?? 0, first: rows };
  }

  workspaceName(id: string): string | undefined {
    return this.#statements.workspaceName.get(id) as string | undefined;
  }

  /** Returns the settings of the daily mail; off if the workspace has never set them. */
  digest(workspaceId: string): DigestRow {
    const stored = readSetting(this.#db.raw, digestKey(workspaceId)) as Partial<DigestRow> | undefined;
    return { ...NO_DIGEST, ...stored, workspace_id: workspaceId };
  }

  digests(): DigestRow[] {
    const rows = this.#statements.digests.all() as { id: string; value: string }[];
    return rows.map(({ id, value }) => ({
      ...NO_DIGEST,
      ...(JSON.parse(value) as Partial<DigestRow>),
      workspace_id: id,
    }));
  }

  putDigest({ workspace_id, ...row }: DigestRow): void {
    putSetting(this.#db.raw, digestKey(workspace_id), row);
  }

  forgetDigest(workspaceId: string): void {
    this.#statements.forgetDigest.run(digestKey(workspaceId));
  }
}

interface KindCount {
  readonly kind: AlertKind;
  /** The problem code of a server alert; otherwise ''. */
  readonly problem: string;
  readonly open: number;
  readonly loud: number;
  readonly mine: number;
  readonly nobodys: number;
}

type Raw = Omit<AlertRow, 'facts'> & { readonly facts: string };
const toRow = (row: Raw): AlertRow => ({ ...row, facts: JSON.parse(row.facts) as Facts });
