/** What people do with what needs them: look, take, acknowledge, mute, and say from when on it does. */
import type { AlertCounts } from '../../../shared/contract/alert-counts.ts';
import {
  ALERT_KINDS,
  ALERTS,
  type Alert,
  type AlertKind,
  type AlertRule,
  type listAlerts,
  type markAlerts,
  thresholdOf,
  type updateAlertRule,
} from '../../../shared/contract/alerts.ts';
import type { BodyOf, QueryOf } from '../../../shared/contract/endpoint.ts';
import { badRequest, forbidden } from '../../../shared/contract/errors.ts';
import type { WorkspaceActor } from '../../kernel/actor.ts';
import { announce } from '../../kernel/bus.ts';
import { seconds } from '../../kernel/clock.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { ApprovalsService } from '../playlists/approvals.service.ts';
import { rulesFrom } from './alert-watch.ts';
import type { AlertRow, AlertsStore } from './alerts.store.ts';

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: AlertsStore;
  readonly approvals: Pick<ApprovalsService, 'waiting'>;
}

export class AlertsService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  list(
    { workspaceId }: WorkspaceActor,
    { state, limit, offset, ...only }: QueryOf<typeof listAlerts>,
  ): { records: Alert[]; total: number } {
    const { store } = this.#deps;
    if (state === 'ended')
      return {
        records: store.ended(workspaceId, only, { limit, offset }).map(toAlert),
        total: store.countEnded(workspaceId, only),
      };
    // The worst first; they came newest first.
    const all = store
      .lasting(workspaceId, only)
      .toSorted((a, b) => ALERT_KINDS.indexOf(a.kind) - ALERT_KINDS.indexOf(b.kind));
    return { records: all.slice(offset, offset + limit).map(toAlert), total: all.length };
  }

  counts(actor: WorkspaceActor): AlertCounts {
    // One that a newer version has raised is nothing that this one could tell of.
    const known = ({ kind }: { kind: AlertKind }) => kind in ALERTS;
    const kinds = this.#deps.store.counts(actor.workspaceId, seconds(this.#deps.clock)).filter(known);
    const counts = { bad: 0, warn: 0, open: 0, approvals: this.#deps.approvals.waiting(actor), kinds };
    for (const { kind, open, loud } of kinds) {
      counts.open += open;
      counts[ALERTS[kind].severity] += loud;
    }
    return counts;
  }

  mark(
    actor: WorkspaceActor,
    { ids, kind, acknowledged, taken, muted_until }: BodyOf<typeof markAlerts>,
  ): { marked: number } {
    const { store, db, clock } = this.#deps;
    if ((ids === undefined) === (kind === undefined)) throw badRequest('Name the alerts by ids, or all of one kind');
    return db.write(() => {
      const rows = ids
        ? [...new Set(ids)].flatMap((id) => store.find(actor.workspaceId, id) ?? [])
        : store.lasting(actor.workspaceId, { kind });
      for (const row of rows)
        store.mark({
          ...row,
          ...(acknowledged !== undefined && {
            acknowledged_at: acknowledged ? seconds(clock) : null,
            acknowledged_by: acknowledged ? actor.userName : null,
          }),
          ...(taken !== undefined && { assigned_to: taken ? actor.userId : null }),
          ...(muted_until !== undefined && { muted_until }),
        });
      if (rows.length > 0) announce(this.#deps, actor, { topic: 'alerts', screens: false });
      return { marked: rows.length };
    });
  }

  rules({ workspaceId }: WorkspaceActor): AlertRule[] {
    const rules = rulesFrom(this.#deps.store.rules(workspaceId));
    return ALERT_KINDS.map((kind) => ({ kind, ...rules[kind] }));
  }

  setRule(actor: WorkspaceActor, { kind, ...change }: BodyOf<typeof updateAlertRule>): AlertRule {
    if (actor.workspaceRole !== 'workspace_admin')
      throw forbidden('Only an administrator of the workspace may do this');
    const { store, db, activity } = this.#deps;
    const threshold = checkedThreshold(kind, change.threshold);
    return db.write(() => {
      const before = store.rules(actor.workspaceId).find((row) => row.kind === kind);
      const { enabled, minutes, mail } = change;
      const tell =
        mail === null ? null : mail === undefined ? (before?.tell ?? null) : JSON.stringify(mail ? ['mail'] : []);
      store.putRule({
        workspace_id: actor.workspaceId,
        kind,
        enabled: (enabled === undefined ? before?.enabled !== 0 : enabled !== false) ? 1 : 0,
        threshold: threshold === undefined ? (before?.threshold ?? null) : threshold,
        minutes: minutes === undefined ? (before?.minutes ?? null) : minutes,
        tell,
      });
      activity.add({ workspaceId: actor.workspaceId, actor, action: 'alert.rule_changed', details: kind });
      announce(this.#deps, actor, { topic: 'alerts', screens: false });
      return this.rules(actor).find((rule) => rule.kind === kind)!;
    });
  }
}

const checkedThreshold = (kind: AlertKind, threshold: number | null | undefined): number | null | undefined => {
  const bounds = thresholdOf(kind);
  if (threshold === undefined || threshold === null) return threshold;
  if (!bounds) throw badRequest(`threshold: ${kind} has none`);
  if (threshold < bounds.min || threshold > bounds.max)
    throw badRequest(`threshold: must be ${bounds.min} to ${bounds.max}`);
  return threshold;
};

const toAlert = ({ workspace_id: _, told_at: _told, ...row }: AlertRow): Alert => ({
  ...row,
  severity: ALERTS[row.kind].severity,
  of: ALERTS[row.kind].of,
});
