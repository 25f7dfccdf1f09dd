/**
 * Checks once a minute for problems, raises an alert after the minimum duration of a problem, and ends the alert when
 * the problem is over. All alerts raised at the same time are announced together. A problem that comes and goes is
 * announced at most once per hour.
 */

import { PROBLEMS, type Problem } from '../../../shared/contract/problems.ts';
import {
  ALERT_KINDS,
  ALERTS,
  ALERTS_KEPT_DAYS,
  type AlertKind,
  thresholdOf,
} from '../../../shared/contract/server/alerts.ts';
import { formatLocal } from '../../../shared/program/civil.ts';
import type { Program } from '../../../shared/program/program.ts';
import { toLocal } from '../../../shared/program/zones.ts';
import { announce } from '../../kernel/bus.ts';
import { firstIdAt, newId } from '../../kernel/ids.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import { serverZone } from '../../kernel/time/server-zone.ts';
import type { LiveRegistry } from '../../realtime/state/live-registry.ts';
import { NOT_TAKEN_OVER, type OpenFaults } from '../../realtime/state/open-faults.ts';
import type { AlertsStore, OpenAlert, RuleRow } from './alerts.store.ts';
import { failingItems, faultFacts, shownBy } from './faults.ts';
import { type Facts, type Finding, judgeScreen, networkOf, type Rule, type Rules, type SeenScreen } from './judge.ts';

const LOOK_EVERY_MS = 60_000;
/** Seconds after a start of the server in which no screen is judged, because players need time to reconnect. */
const GRACE_S = 180;
/**
 * Seconds without a finding after which an alert ends. The delay is needed because a value near its limit may cross
 * the limit again and again.
 */
const OVER_AFTER_S = 150;
/** Maximum age in seconds of faults that still count after a start of the server. */
const FAULT_S = 1_800;
const DAY_S = 86_400;
/**
 * Maximum number of alerts raised per check, so that a store whose screens all go dark does not block the event loop.
 * The remaining alerts follow soon.
 */
const RAISED_AT_ONCE = 250;
const SOON_MS = 250;
/** An alert that is raised again is announced again after this time, counted from its last announcement. */
const TELL_AGAIN_S = 3_600;

export interface ToldAlert {
  readonly id: string;
  readonly kind: AlertKind;
  /** Code of the problem, for an alert about the server itself. */
  readonly ref: string;
  readonly name: string;
  /** Workspace of the alert; null: an alert of the server. */
  readonly workspace_id: string | null;
  /** Start of the problem in epoch seconds. */
  readonly since: number;
  readonly facts: Facts;
  /** Channels of the announcement, by the rules of the workspace. */
  readonly tell: Pick<Rule, 'mail' | 'webhook' | 'mqtt'>;
}

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'log'> {
  readonly store: AlertsStore;
  readonly live: Pick<LiveRegistry, 'get'>;
  readonly faults: Pick<OpenFaults, 'open' | 'deviceIds' | 'list' | 'forget'>;
  /** The program of a screen; undefined: no such screen. */
  readonly programs: { program(deviceId: string): { readonly program: Program } | undefined };
  /** Returns the current problems of the server. */
  readonly problems: () => Promise<readonly Problem[]>;
  readonly tell: {
    alertsRaised(alerts: readonly ToldAlert[]): void;
    alertsEnded(alerts: readonly ToldAlert[]): void;
  };
}

/** Rules of a workspace without changes. */
const USUAL = Object.fromEntries(
  ALERT_KINDS.map((kind): [AlertKind, Rule] => [
    kind,
    {
      enabled: true,
      threshold: thresholdOf(kind)?.usual ?? null,
      minutes: ALERTS[kind].minutes,
      mail: ALERTS[kind].mail,
      webhook: true,
      mqtt: true,
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
          ...(row.tell === null ? toldIn(USUAL[kind]) : tellFrom(row.tell)),
        },
      ];
    }),
  ) as unknown as Rules;

type Told = Pick<Rule, 'mail' | 'webhook' | 'mqtt'>;
const toldIn = ({ mail, webhook, mqtt }: Told): Told => ({ mail, webhook, mqtt });
// Reads the stored channels. Earlier versions stored only `mail`, and always used the webhook and MQTT.
const tellFrom = (stored: string): Told => {
  const list = JSON.parse(stored) as string[];
  return { mail: list.includes('mail'), webhook: !list.includes('no-webhook'), mqtt: !list.includes('no-mqtt') };
};
export const channelsOf = ({ mail, webhook, mqtt }: Told): string =>
  JSON.stringify([mail && 'mail', !webhook && 'no-webhook', !mqtt && 'no-mqtt'].filter(Boolean));

const keyOf = ({ kind, ref }: { kind: AlertKind; ref: string }): string => `${kind} ${ref}`;

export class AlertWatch implements Lifecycle {
  readonly name = 'alert-watch';
  readonly #deps: Deps;
  #timer: NodeJS.Timeout | undefined;
  #startedAt = 0;
  /** Start of problems that are not raised yet, epoch seconds, by kind and ref. */
  readonly #wrong = new Map<string, number>();
  /** Time of the last finding of each raised alert, epoch seconds. */
  readonly #found = new Map<string, number>();
  /** Last stored text of each raised alert. An alert is written only when its text changes. */
  readonly #written = new Map<string, string>();
  /** Raised alerts that wait until all alerts of this check have been raised, and are then announced together. */
  #toTell: ToldAlert[] = [];
  #again: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #undo: (() => void)[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    const { bus, clock } = this.#deps;
    this.#startedAt = seconds(clock);
    this.#restoreFaults();
    this.#timer = setInterval(() => void this.check(), LOOK_EVERY_MS).unref();
    this.#undo = [
      bus.on('changed', ({ workspaceId, topic }) => {
        if (topic === 'members') this.#release(workspaceId);
      }),
      bus.on('accountsChanged', () => this.#release(null)),
    ];
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#again);
    for (const undo of this.#undo.splice(0)) undo();
    await this.#looking;
  }

  /** Checks all alerts. The promise never rejects. */
  check(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { clock, log, problems } = this.#deps;
    try {
      // If the server cannot list its problems, no alert of the server begins or ends.
      const found = await problems().catch(() => undefined);
      // While the clock is untrusted, times of screens, feeds and contents mean nothing, so only alerts about the
      // server are judged.
      const now = Math.floor((clock.doubtful ? (clock.least ?? clock.now()) : clock.now()) / 1000);
      const isServerAlone = clock.doubtful || now - this.#startedAt < GRACE_S;
      this.#judge(now, found, isServerAlone);
    } catch (error) {
      log.warn('What needs a person could not be looked for', { error });
    }
  }

  #judge(now: number, problems: readonly Problem[] | undefined, isServerAlone: boolean): void {
    const { store } = this.#deps;
    const changed = Map.groupBy(store.rules(), (row) => row.workspace_id);
    const known = new Map<string | null, Rules>();
    const rulesOf = (workspaceId: string | null): Rules => {
      const rules = known.get(workspaceId) ?? rulesFrom((workspaceId && changed.get(workspaceId)) || []);
      known.set(workspaceId, rules);
      return rules;
    };
    const findings = [
      ...ofServer(problems ?? []),
      ...(isServerAlone ? [] : [...this.#ofScreens(rulesOf), ...this.#ofSources(), ...this.#ofContents(now, rulesOf)]),
    ].filter(({ kind, workspaceId }) => rulesOf(workspaceId)[kind].enabled);
    const isLookedAt = ({ kind }: OpenAlert) => (kind === 'server' ? problems !== undefined : !isServerAlone);
    this.#settle(findings, store.open().filter(isLookedAt), rulesOf, now);
    if (!isServerAlone) store.forget(now - ALERTS_KEPT_DAYS * DAY_S);
  }

  #ofScreens(rulesOf: (workspaceId: string | null) => Rules): Finding[] {
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
    return [
      ...screens.flatMap((screen) => judgeScreen(screen, rulesOf(screen.workspaceId), neighbours)),
      ...this.#ofFaults(named),
    ];
  }

  #ofFaults(screens: ReadonlyMap<string, SeenScreen>): Finding[] {
    const { faults, programs } = this.#deps;
    return faults.deviceIds().flatMap((id): Finding[] => {
      const screen = screens.get(id);
      const program = screen && programs.program(id)?.program;
      if (!program) {
        faults.forget(id);
        return [];
      }
      const open = faults.list(id, shownBy(program));
      if (open.length === 0) return [];
      return [
        {
          kind: 'screen_fault',
          ref: id,
          name: screen.name,
          workspaceId: screen.workspaceId,
          facts: faultFacts(open),
          since: Math.floor(Math.min(...open.map(({ at }) => at)) / 1000),
          isUncertain: !screen.online,
        },
      ];
    });
  }

  /**
   * Restores the faults that were open before this start: faults with an open alert, and recent faults without an
   * alert.
   */
  #restoreFaults(): void {
    const { store, faults, clock, log } = this.#deps;
    try {
      const now = seconds(clock);
      for (const { id, details, at } of store.faults(firstIdAt((now - FAULT_S) * 1000), now - FAULT_S))
        faults.open(id, { level: 'error', message: details, subject: undefined, at: at * 1000 });
      for (const { ref, facts, since } of store.openFaults()) {
        const message = String(facts['message'] ?? '');
        const items = failingItems(facts).map((item_id) => ({ item_id, asset: null }));
        const other = message.startsWith(NOT_TAKEN_OVER) ? ('program' as const) : undefined;
        for (const subject of items.length > 0 ? items : [other])
          faults.open(ref, { level: 'error', message, subject, at: since * 1000, isRestored: true });
      }
    } catch (error) {
      log.warn('Open faults of screens could not be read', { error });
    }
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

  #ofContents(now: number, rulesOf: (workspaceId: string | null) => Rules): Finding[] {
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

  /** Raises, refreshes and ends alerts in one write transaction, then announces the raised alerts. */
  #settle(
    findings: readonly Finding[],
    lasting: readonly OpenAlert[],
    rulesOf: (workspaceId: string | null) => Rules,
    now: number,
  ): void {
    const { store, db, tell } = this.#deps;
    const open = new Map(lasting.map((alert) => [keyOf(alert), alert]));
    const seen = new Map(findings.map((finding) => [keyOf(finding), finding]));
    const raised = this.#due(seen, open, rulesOf, now);
    for (const key of this.#wrong.keys()) if (!seen.has(key)) this.#wrong.delete(key);
    const ended = [...open]
      .filter(([key, alert]) => !seen.has(key) && this.#isOver(key, alert, now))
      .map(([, alert]) => alert);
    for (const alert of ended) {
      this.#found.delete(keyOf(alert));
      this.#written.delete(keyOf(alert));
    }
    // This list includes alerts that were not announced, because they were raised again too soon.
    const untold = [...raised, ...lasting.filter((alert) => alert.told_at === null && seen.has(keyOf(alert)))];
    const told = this.#notLately(untold, now);
    const ids = new Set(told.map(({ id }) => id));
    db.write(() => {
      const touched = new Set([...raised, ...ended].map((alert) => alert.workspace_id));
      for (const alert of raised)
        store.insert({ ...alert, facts: seen.get(keyOf(alert))!.facts, told_at: ids.has(alert.id) ? now : null });
      for (const { id } of told) store.markAnnounced(id, now);
      for (const [key, { id, workspace_id }] of open) {
        const finding = seen.get(key);
        const words = finding && JSON.stringify([finding.name, finding.facts]);
        if (!finding || !words || this.#written.get(key) === words) continue;
        this.#written.set(key, words);
        if (store.refresh(id, finding.name, finding.facts)) touched.add(workspace_id);
      }
      for (const { id, since } of ended) store.end(id, Math.max(now, since));
      for (const workspaceId of touched) this.#announce(workspaceId);
    });
    const asTold = (alert: OpenAlert): ToldAlert => ({
      ...alert,
      facts: seen.get(keyOf(alert))?.facts ?? {},
      tell: toldIn(rulesOf(alert.workspace_id)[alert.kind]),
    });
    this.#toTell.push(...told.map(asTold));
    if (raised.length === RAISED_AT_ONCE) this.#again = setTimeout(() => void this.check(), SOON_MS).unref();
    else if (this.#toTell.length > 0) tell.alertsRaised(this.#toTell.splice(0));
    const over = ended.filter(({ told_at }) => told_at !== null);
    if (over.length > 0) tell.alertsEnded(over.map(asTold));
  }

  /** Returns problems that have lasted long enough and have no alert yet. */
  #due(
    seen: ReadonlyMap<string, Finding>,
    open: ReadonlyMap<string, OpenAlert>,
    rulesOf: (workspaceId: string | null) => Rules,
    now: number,
  ): OpenAlert[] {
    const raised: OpenAlert[] = [];
    for (const [key, finding] of seen) {
      if (open.has(key)) {
        this.#found.set(key, now);
        continue;
      }
      if (raised.length === RAISED_AT_ONCE || finding.isUncertain) continue;
      const since = Math.min(finding.since ?? now, this.#wrong.get(key) ?? now);
      this.#wrong.set(key, since);
      const minutes = finding.minutes ?? rulesOf(finding.workspaceId)[finding.kind].minutes;
      if (now - since < minutes * 60) continue;
      this.#wrong.delete(key);
      this.#found.set(key, now);
      const { kind, ref, name, workspaceId: workspace_id } = finding;
      raised.push({ id: newId(), kind, ref, name, workspace_id, since, told_at: null });
    }
    return raised;
  }

  /** Leaves out alerts about a problem that an earlier alert, ended by now, has announced less than an hour ago. */
  #notLately(alerts: readonly OpenAlert[], now: number): OpenAlert[] {
    const { store } = this.#deps;
    return [...Map.groupBy(alerts, ({ workspace_id }) => workspace_id)].flatMap(([workspaceId, theirs]) => {
      const lately = new Set(store.listAnnouncedSince(workspaceId, now - TELL_AGAIN_S).map(keyOf));
      return theirs.filter((alert) => !lately.has(keyOf(alert)));
    });
  }

  /** Called within a write transaction. */
  #announce(workspaceId: string | null): void {
    const { store } = this.#deps;
    const by = (id: string) => ({ workspaceId: id, userId: null });
    for (const id of workspaceId === null ? store.workspaceIds() : [workspaceId])
      announce(this.#deps, by(id), { topic: 'alerts' });
  }

  /** Removes the assignments to people who have left or are no longer administrators. */
  #release(workspaceId: string | null): void {
    const { store, db, log } = this.#deps;
    try {
      if (!store.hasLeft(workspaceId)) return;
      db.write(() => {
        store.release(workspaceId);
        this.#announce(workspaceId);
      });
    } catch (error) {
      log.warn('What somebody took care of who has left could not be given back', { error });
    }
  }

  /**
   * Returns whether an alert is over. After a start of the server, an open alert counts as found just now. Alerts about
   * dark screens and screen faults end without a delay, because their ends are reported.
   */
  #isOver(key: string, { kind }: OpenAlert, now: number): boolean {
    if (kind === 'screen_dark' || kind === 'screen_fault') return true;
    const found = this.#found.get(key);
    if (found === undefined) this.#found.set(key, now);
    return found !== undefined && now - found >= OVER_AFTER_S;
  }
}

/** Returns one finding for each problem code. A finding may contain several texts. */
const ofServer = (problems: readonly Problem[]): Finding[] =>
  [...Map.groupBy(problems, ({ code }) => code)].map(([code, all]) => ({
    kind: 'server',
    ref: code,
    name: '',
    workspaceId: null,
    facts: { message: all.map(({ text }) => text).join(' ') },
    minutes: PROBLEMS[code].minutes,
  }));
