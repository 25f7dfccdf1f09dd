/** Operations on alerts: list, assign, acknowledge and mute them, and change their rules. */

import type { BodyOf, QueryOf } from '../../../shared/contract/endpoint.ts';
import { badRequest, forbidden } from '../../../shared/contract/errors.ts';
import type { AlertCounts } from '../../../shared/contract/server/alert-counts.ts';
import {
  ALERTS,
  type Alert,
  type AlertKind,
  type AlertRule,
  type listAlerts,
  type markAlerts,
  RULED_KINDS,
  rankOf,
  severityOf,
  thresholdOf,
  type updateAlertRule,
} from '../../../shared/contract/server/alerts.ts';
import { announce } from '../../kernel/bus.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { Reader } from '../../mails/words.ts';
import type { ApprovalsService } from '../playlists/approvals.service.ts';
import { channelsOf, rulesFrom, type ToldAlert } from './alert-watch.ts';
import type { AlertRow, AlertsStore, Assignee, Viewer } from './alerts.store.ts';

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: AlertsStore;
  readonly tell: { assigned(to: Reader, by: string, alerts: readonly ToldAlert[]): void };
  readonly approvals: Pick<ApprovalsService, 'waiting'>;
  readonly campaigns: Campaigns;
}

/** Counts campaigns that wait for approval, and stores that will not receive a campaign in time. */
export type Campaigns = (actor: WorkspaceActor) => { readonly approvals: number; readonly late: number };

/** Returns whether this version knows the kind of an alert. A newer version may have raised alerts of other kinds. */
const isKnown = ({ kind }: { kind: AlertKind }): boolean => kind in ALERTS;
const viewerOf = ({ workspaceId, userId, platformRole }: WorkspaceActor): Viewer => ({
  workspaceId,
  userId,
  seesServer: platformRole === 'platform_admin',
});

export class AlertsService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  list(
    actor: WorkspaceActor,
    { state, limit, offset, ...only }: QueryOf<typeof listAlerts>,
  ): { records: Alert[]; total: number } {
    const { store } = this.#deps;
    const viewer = viewerOf(actor);
    if (state === 'ended')
      return {
        records: store.ended(viewer, only, { limit, offset }).filter(isKnown).map(toAlert),
        total: store.countEnded(viewer, only),
      };
    // The store returns the newest alerts first. The sort keeps this order among alerts of equal rank.
    const all = store
      .lasting(viewer, only)
      .filter(isKnown)
      .toSorted((a, b) => rankOf(a.kind, a.ref) - rankOf(b.kind, b.ref));
    return { records: all.slice(offset, offset + limit).map(toAlert), total: all.length };
  }

  counts(actor: WorkspaceActor): AlertCounts {
    const { store, clock, approvals } = this.#deps;
    const campaigns = this.#deps.campaigns(actor);
    const counts = {
      bad: 0,
      warn: 0,
      open: 0,
      approvals: approvals.waiting(actor) + campaigns.approvals,
      campaigns: campaigns.late,
      kinds: new Map<AlertKind, AlertCounts['kinds'][number]>(),
    };
    for (const { problem, ...of } of store.counts(viewerOf(actor), seconds(clock)).filter(isKnown)) {
      const severity = severityOf(of.kind, problem);
      const before = counts.kinds.get(of.kind) ?? { kind: of.kind, severity, open: 0, loud: 0, mine: 0, nobodys: 0 };
      counts.open += of.open;
      counts[severity] += of.loud;
      counts.kinds.set(of.kind, {
        kind: of.kind,
        severity: before.severity === 'bad' ? 'bad' : severity,
        open: before.open + of.open,
        loud: before.loud + of.loud,
        mine: before.mine + of.mine,
        nobodys: before.nobodys + of.nobodys,
      });
    }
    return { ...counts, kinds: [...counts.kinds.values()] };
  }

  mark(
    actor: WorkspaceActor,
    { ids, kind, acknowledged, taken, assigned_to, muted_until }: BodyOf<typeof markAlerts>,
  ): { marked: number } {
    const { store, db, clock } = this.#deps;
    if ((ids === undefined) === (kind === undefined))
      throw badRequest('Send either ids, for single alerts, or kind, for all alerts of one kind');
    if (taken !== undefined && assigned_to !== undefined)
      throw badRequest('Send either taken or assigned_to, not both');
    const viewer = viewerOf(actor);
    return db.write(() => {
      const rows = ids
        ? [...new Set(ids)].flatMap((id) => store.find(viewer, id) ?? [])
        : store.lasting(viewer, { kind });
      const carer = assigned_to ? this.#carer(actor, assigned_to, rows) : undefined;
      const next = taken === undefined ? assigned_to : taken ? actor.userId : null;
      for (const row of rows)
        store.mark({
          ...row,
          ...(acknowledged !== undefined && {
            acknowledged_at: acknowledged ? seconds(clock) : null,
            acknowledged_by: acknowledged ? actor.userName : null,
          }),
          ...(next !== undefined && { assigned_to: next }),
          ...(muted_until !== undefined && { muted_until }),
        });
      if (rows.length > 0) this.#announce(actor, rows);
      if (carer && carer.id !== actor.userId) this.#tell(actor, carer, rows);
      return { marked: rows.length };
    });
  }

  /** @throws ApiError 400 for a person who may not see all of these alerts */
  #carer({ workspaceId }: WorkspaceActor, userId: string, rows: readonly AlertRow[]): Assignee {
    const found = this.#deps.store.assignee(workspaceId, userId);
    if (!found?.isMember && !found?.isPlatformAdmin)
      throw badRequest('assigned_to: must be a member of this workspace');
    if (!found.isPlatformAdmin && rows.some(({ workspace_id }) => workspace_id === null))
      throw badRequest(
        'assigned_to: must be an administrator of the server, because some of these alerts are about the server',
      );
    return found;
  }

  /** Called within the write transaction that assigns the alerts. */
  #tell(actor: WorkspaceActor, carer: Assignee, rows: readonly AlertRow[]): void {
    const { tell, db } = this.#deps;
    const fresh = rows.filter(({ assigned_to }) => assigned_to !== carer.id);
    if (!carer.wantsMail || fresh.length === 0) return;
    const told = { mail: true, webhook: false, mqtt: false };
    db.afterCommit(() =>
      tell.assigned(
        carer,
        actor.userName,
        fresh.map((row) => ({ ...row, tell: told })),
      ),
    );
  }

  /** Alerts of the server are listed in every workspace. */
  #announce(actor: WorkspaceActor, rows: readonly AlertRow[]): void {
    const rooms = rows.some(({ workspace_id }) => workspace_id === null)
      ? this.#deps.store.workspaceIds()
      : [actor.workspaceId];
    for (const workspaceId of rooms) announce(this.#deps, { workspaceId, userId: actor.userId }, { topic: 'alerts' });
  }

  rules({ workspaceId }: WorkspaceActor): AlertRule[] {
    const rules = rulesFrom(this.#deps.store.rules(workspaceId));
    return RULED_KINDS.map((kind) => ({ kind, ...rules[kind] }));
  }

  setRule(actor: WorkspaceActor, { kind, ...change }: BodyOf<typeof updateAlertRule>): AlertRule {
    if (actor.workspaceRole !== 'workspace_admin')
      throw forbidden('Only an administrator of the workspace may do this');
    const { store, db, activity } = this.#deps;
    const threshold = checkedThreshold(kind, change.threshold);
    return db.write(() => {
      const before = store.rules(actor.workspaceId).find((row) => row.kind === kind);
      const { enabled, minutes } = change;
      const usual = rulesFrom([])[kind];
      const now = rulesFrom(before ? [before] : [])[kind];
      /** Null sets the default, and an absent field stays unchanged. */
      const told = (where: 'mail' | 'webhook' | 'mqtt') =>
        change[where] === undefined ? now[where] : (change[where] ?? usual[where]);
      const tell = { mail: told('mail'), webhook: told('webhook'), mqtt: told('mqtt') };
      const isUsual = tell.mail === usual.mail && tell.webhook === usual.webhook && tell.mqtt === usual.mqtt;
      store.putRule({
        workspace_id: actor.workspaceId,
        kind,
        enabled: (enabled === undefined ? before?.enabled !== 0 : enabled !== false) ? 1 : 0,
        threshold: threshold === undefined ? (before?.threshold ?? null) : threshold,
        minutes: minutes === undefined ? (before?.minutes ?? null) : minutes,
        tell: isUsual ? null : channelsOf(tell),
      });
      activity.add({ workspaceId: actor.workspaceId, actor, action: 'alert.rule_changed', details: kind });
      announce(this.#deps, actor, { topic: 'alerts' });
      return this.rules(actor).find((rule) => rule.kind === kind)!;
    });
  }
}

const checkedThreshold = (kind: AlertKind, threshold: number | null | undefined): number | null | undefined => {
  const bounds = thresholdOf(kind);
  if (threshold === undefined || threshold === null) return threshold;
  if (!bounds) throw badRequest(`threshold: alerts of the kind ${kind} have no threshold`);
  if (threshold < bounds.min || threshold > bounds.max)
    throw badRequest(`threshold: must be ${bounds.min} to ${bounds.max}`);
  return threshold;
};

const toAlert = ({ workspace_id: _, told_at: _told, ...row }: AlertRow): Alert => ({
  ...row,
  severity: severityOf(row.kind, row.ref),
  of: ALERTS[row.kind].of,
});
