/**
 * Looks once a minute what is wrong, raises what has been so for long enough, and ends what is over: once each, and one
 * mail for all that is raised at a time.
 */
import { ALERT_KINDS, ALERTS, ALERTS_KEPT_DAYS, type AlertKind, thresholdOf } from '../../../shared/contract/alerts.ts';
import { formatLocal } from '../../../shared/program/civil.ts';
import { toLocal } from '../../../shared/program/zones.ts';
import { announce } from '../../kernel/bus.ts';
import { seconds } from '../../kernel/clock.ts';
import { firstIdAt, newId } from '../../kernel/ids.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { serverZone } from '../../kernel/server-zone.ts';
import type { LiveBook } from '../../realtime/live-book.ts';
import type { AlertsStore, OpenAlert, RuleRow } from './alerts.store.ts';
import { type Finding, judgeScreen, networkOf, type Rule, type Rules, type SeenScreen } from './judge.ts';

const LOOK_EVERY_MS = 60_000;
/** Players need a moment to come back after a start of the server. */
const GRACE_S = 180;
/** What is at its limit comes and goes: it is over when it was not found for so long. */
const OVER_AFTER_S = 150;
/** What a screen could not show counts for so long after it was told last. */
const FAULT_S = 1_800;
const DAY_S = 86_400;
/** So many are raised at a time, lest a store that goes dark as a whole hold everybody else up; the rest follow soon. */
const RAISED_AT_ONCE = 250;
const SOON_MS = 250;

export interface ToldAlert {
  readonly id: string;
  readonly kind: AlertKind;
  readonly ref: string;
  readonly name: string;
  readonly workspace_id: string;
  /** Epoch seconds. */
  readonly since: number;
}

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'log'> {
  readonly store: AlertsStore;
  readonly live: Pick<LiveBook, 'get'>;
  readonly tell: {
    alertsRaised(alerts: readonly ToldAlert[], mailed: readonly ToldAlert[]): void;
    alertsEnded(alerts: readonly ToldAlert[]): void;
  };
}

/** The rules of a workspace that changed none. */
const USUAL = Object.fromEntries(
  ALERT_KINDS.map((kind) => [
    kind,
    {
      enabled: true,
      threshold: thresholdOf(kind)?.usual ?? null,
      minutes: ALERTS[kind].minutes,
      mail: ALERTS[kind].mail,
    },
  ]),
) as unknown as Rules;

/** @param rows of one workspace */
export const rulesFrom = (rows: readonly RuleRow[]): Rules =>
  Object.fromEntries(
    ALERT_KINDS.map((kind): [AlertKind, Rule] => {
      const row = rows.find((one) => one.kind === kind);
      if (!row) return [kind, USUAL[kind]];
      return [
        kind,
        {
          enabled: row.enabled === 1,
          threshold: row.threshold ?? USUAL[kind].threshold,
          minutes: row.minutes ?? USUAL[kind].minutes,
          mail: row.tell === null ? USUAL[kind].mail : (JSON.parse(row.tell) as string[]).includes('mail'),
        },
      ];
    }),
  ) as unknown as Rules;

const keyOf = ({ kind, ref }: { kind: AlertKind; ref: string }): string => `${kind} ${ref}`;

export class AlertWatch implements Lifecycle {
  readonly name = 'alert-watch';
  readonly #deps: Deps;
  #timer: NodeJS.Timeout | undefined;
  #startedAt = 0;
  /** Epoch seconds since when something is wrong that is not raised yet, by what it is. */
  readonly #wrong = new Map<string, number>();
  /** When what is raised was found last. */
  readonly #found = new Map<string, number>();
  /** What was last written of what is raised, to write it only when it is another. */
  readonly #written = new Map<string, string>();
  /** Raised, and not told by mail until all that belongs to it is. */
  #toMail: ToldAlert[] = [];
  #again: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#startedAt = seconds(this.#deps.clock);
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#again);
  }

  look(): void {
    const { clock, log } = this.#deps;
    const now = seconds(clock);
    if (clock.doubtful || now - this.#startedAt < GRACE_S) return;
    try {
      this.#judge(now);
    } catch (error) {
      log.warn('What needs a person could not be looked for', { error });
    }
  }

  #judge(now: number): void {
    const { store } = this.#deps;
    const changed = Map.groupBy(store.rules(), (row) => row.workspace_id);
    const known = new Map<string, Rules>();
    const rulesOf = (workspaceId: string): Rules => {
      const rules = known.get(workspaceId) ?? rulesFrom(changed.get(workspaceId) ?? []);
      known.set(workspaceId, rules);
      return rules;
    };
    const findings = [...this.#ofScreens(now, rulesOf), ...this.#ofSources(), ...this.#ofContents(now, rulesOf)].filter(
      ({ kind, workspaceId }) => rulesOf(workspaceId)[kind].enabled,
    );
    this.#settle(findings, rulesOf, now);
  }

  #ofScreens(now: number, rulesOf: (workspaceId: string) => Rules): Finding[] {
    const { store, live } = this.#deps;
    const screens = store.screens().map((row): SeenScreen => {
      const seen = live.get(row.id);
      const online = seen?.status === 'online';
      return {
        id: row.id,
        name: row.name,
        workspaceId: row.workspace_id,
        online,
        lastHeartbeat: seen?.lastHeartbeat ?? row.last_heartbeat,
        address: seen?.info.ip_address ?? row.ip_address,
        telemetry: online ? seen.telemetry : null,
        clockBehindMs: online ? (seen.sync?.offset_ms ?? null) : null,
        program: online ? seen.program : null,
      };
    });
    const byNetwork = Map.groupBy(screens, (screen) => `${screen.workspaceId} ${networkOf(screen.address)}`);
    const neighbours = (screen: SeenScreen) =>
      networkOf(screen.address) === null
        ? []
        : (byNetwork.get(`${screen.workspaceId} ${networkOf(screen.address)}`) ?? []).filter(
            ({ id }) => id !== screen.id,
          );
    const named = new Map(screens.map((screen) => [screen.id, screen]));
    const faults = store
      .faults(firstIdAt((now - FAULT_S) * 1000), now - FAULT_S)
      .flatMap(({ id, workspace_id, details, at }): Finding[] => {
        const screen = named.get(id);
        const facts = { message: details };
        return screen?.online
          ? [{ kind: 'screen_fault', ref: id, name: screen.name, workspaceId: workspace_id, facts, since: at }]
          : [];
      });
    return [...screens.flatMap((screen) => judgeScreen(screen, rulesOf(screen.workspaceId), neighbours)), ...faults];
  }

  #ofSources(): Finding[] {
    const { store } = this.#deps;
    return store.deadSources().flatMap(({ key, error, fetched_at }) => {
      const widgets = key.startsWith('feed ')
        ? store.widgetsWith('feed_url', key.slice('feed '.length))
        : key.startsWith('weather ')
          ? store.widgetsWith('location', key.replace(/^weather \S+ (?:-?[\d.]+,-?[\d.]+ )?/, ''))
          : [];
      return widgets.map(
        ({ id, name, workspace_id }): Finding => ({
          kind: 'source_dead',
          ref: id,
          name,
          workspaceId: workspace_id,
          facts: { message: error },
          ...(fetched_at > 0 && { since: fetched_at }),
        }),
      );
    });
  }

  #ofContents(now: number, rulesOf: (workspaceId: string) => Rules): Finding[] {
    const { store } = this.#deps;
    const unfetched = store.unfetched().map(
      ({ id, name, workspace_id, fetch_error }): Finding => ({
        kind: 'content_unfetched',
        ref: id,
        name,
        workspaceId: workspace_id,
        facts: { message: fetch_error },
      }),
    );
    const most = thresholdOf('content_ends')?.max ?? 0;
    const minute = (at: number) => formatLocal(toLocal(at * 1000, serverZone())).slice(0, 16);
    const ending = store
      .ending(minute(now), minute(now + most * DAY_S))
      .flatMap(({ id, name, workspace_id, valid_until }): Finding[] => {
        const days = rulesOf(workspace_id).content_ends.threshold ?? 0;
        if (valid_until > minute(now + days * DAY_S)) return [];
        return [{ kind: 'content_ends', ref: id, name, workspaceId: workspace_id, facts: { until: valid_until } }];
      });
    return [...unfetched, ...ending];
  }

  /** Raises, refreshes and ends, in one write. */
  #settle(findings: readonly Finding[], rulesOf: (workspaceId: string) => Rules, now: number): void {
    const { store, db, tell } = this.#deps;
    const open = new Map(store.open().map((alert) => [keyOf(alert), alert]));
    const seen = new Map(findings.map((finding) => [keyOf(finding), finding]));
    const raised: (ToldAlert & { readonly finding: Finding })[] = [];
    for (const [key, finding] of seen) {
      if (open.has(key)) {
        this.#found.set(key, now);
        continue;
      }
      if (raised.length === RAISED_AT_ONCE) continue;
      const since = Math.min(finding.since ?? now, this.#wrong.get(key) ?? now);
      this.#wrong.set(key, since);
      const { minutes } = rulesOf(finding.workspaceId)[finding.kind];
      if (now - since < minutes * 60) continue;
      this.#wrong.delete(key);
      this.#found.set(key, now);
      const { kind, ref, name, workspaceId: workspace_id } = finding;
      raised.push({ id: newId(), kind, ref, name, workspace_id, since, finding });
    }
    for (const key of this.#wrong.keys()) if (!seen.has(key)) this.#wrong.delete(key);
    const ended = [...open]
      .filter(([key, alert]) => !seen.has(key) && this.#isOver(key, alert, now))
      .map(([, alert]) => alert);
    for (const alert of ended) {
      this.#found.delete(keyOf(alert));
      this.#written.delete(keyOf(alert));
    }
    db.write(() => {
      const touched = new Set([...raised, ...ended].map((alert) => alert.workspace_id));
      for (const { finding, ...alert } of raised) store.insert({ ...alert, facts: finding.facts, told_at: now });
      for (const [key, { id, workspace_id }] of open) {
        const finding = seen.get(key);
        const words = finding && JSON.stringify([finding.name, finding.facts]);
        if (!finding || !words || this.#written.get(key) === words) continue;
        this.#written.set(key, words);
        if (store.refresh(id, finding.name, finding.facts)) touched.add(workspace_id);
      }
      for (const { id } of ended) store.end(id, now);
      store.forget(now - ALERTS_KEPT_DAYS * DAY_S);
      for (const workspaceId of touched)
        announce(this.#deps, { workspaceId, userId: null }, { topic: 'alerts', screens: false });
    });
    const told = raised.map(({ finding: _, ...alert }) => alert);
    this.#toMail.push(...told.filter(({ kind, workspace_id }) => rulesOf(workspace_id)[kind].mail));
    const isAll = raised.length < RAISED_AT_ONCE;
    if (!isAll) this.#again = setTimeout(() => this.look(), SOON_MS).unref();
    if (told.length > 0 || (isAll && this.#toMail.length > 0))
      tell.alertsRaised(told, isAll ? this.#toMail.splice(0) : []);
    if (ended.length > 0) tell.alertsEnded(ended);
  }

  /** What was raised before this start counts as found now. A screen that is back is back. */
  #isOver(key: string, { kind }: OpenAlert, now: number): boolean {
    if (kind === 'screen_dark') return true;
    const found = this.#found.get(key);
    if (found === undefined) this.#found.set(key, now);
    return found !== undefined && now - found >= OVER_AFTER_S;
  }
}
