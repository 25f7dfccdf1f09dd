/** Forwards events of the bus and of upkeep to the configured webhook, MQTT broker and e-mail. */
import type { ProblemCode } from '../../../shared/contract/problems.ts';
import type { Storage } from '../../../shared/contract/server/upkeep.ts';
import type { ToldAlert } from '../../features/alerts/alert-watch.ts';
import type { ToldRequest } from '../../features/playlists/approval-watch.ts';
import type { Events } from '../../kernel/bus.ts';
import { newId } from '../../kernel/ids.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { Reader } from '../../mails/words.ts';
import type { FreshPlay, UpkeepStore } from '../upkeep.store.ts';
import type { UpkeepSettings } from '../upkeep-settings.ts';
import {
  type EventFacts,
  MOST_LISTED,
  type Notice,
  type Outlet,
  REPORTED,
  type ReportedType,
  type Screen,
  type SentenceType,
} from './events.ts';
import { Flood, PASS } from './flood.ts';
import type { DarkScreen, NoticeMails } from './notice-mails.ts';

/** Time in milliseconds. Plays that arrive within this time are sent in one message. */
const GATHER_MS = 1_000;
/**
 * Maximum number of plays per message. A player may send the plays of a week; the further plays follow after another
 * pause.
 */
const PLAYS_AT_ONCE = 500;
/**
 * How problems of the server are reported. `itself`: the code that detects the problem sends the notice, because
 * nothing can be saved while the problem lasts, or because the problem has several stages. Any other problem is
 * reported once, as an alert.
 */
const TOLD_AS: Readonly<Record<ProblemCode, 'itself' | 'backup.failed' | 'alert'>> = {
  database_failing: 'itself',
  database_damaged: 'itself',
  disk_full: 'itself',
  disk_low: 'itself',
  clock_doubtful: 'itself',
  certificate_ends: 'itself',
  backup_failed: 'backup.failed',
  keys_missing: 'alert',
  postgres_failing: 'alert',
  hub_failing: 'alert',
  media_damaged: 'alert',
  https_failing: 'alert',
  media_missing: 'alert',
  backup_damaged: 'alert',
  backup_old: 'alert',
  mail_failing: 'alert',
  webhook_failing: 'alert',
  mqtt_failing: 'alert',
  no_ffmpeg: 'alert',
};
const toldAs = ({ kind, ref }: ToldAlert) => (kind === 'server' ? TOLD_AS[ref as ProblemCode] : 'alert');

interface Deps extends Pick<Parts, 'bus' | 'clock'> {
  readonly webhook: Outlet;
  readonly mqtt: Outlet & { forget(screenId: string): void; onConnect(listener: () => void): void };
  readonly mails: NoticeMails;
  readonly settings: UpkeepSettings;
  readonly store: UpkeepStore;
  readonly server: () => { id: string; name: string };
  readonly isOnline: (deviceId: string) => boolean;
}

export class Notices implements Lifecycle {
  readonly name = 'notices';
  readonly #deps: Deps;
  #undo: (() => void)[] = [];
  #lastPlay: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Connections and disconnections of screens, for the webhook. */
  readonly #comings: { readonly online: Flood<Screen>; readonly offline: Flood<Screen> };
  /**
   * Limits the notices about edits by people and programs, by type: an import or bulk edit becomes one notice per
   * minute.
   */
  readonly #edits: ReadonlyMap<string, Flood<ChangedRecord>>;

  constructor(deps: Deps) {
    this.#deps = deps;
    const flood = (type: 'screen.online' | 'screen.offline') =>
      new Flood<Screen>({
        one: (screen) => deps.webhook.send(this.notice({ type, screen })),
        many: (screens) => deps.webhook.send(this.notice({ type, screen: screens[0]!, ...listed(screens) })),
      });
    this.#comings = { online: flood('screen.online'), offline: flood('screen.offline') };
    const edits = (Object.keys(REPORTED) as ReportedType[]).map((type) => {
      const send = (records: readonly ChangedRecord[]) => this.#tell(editFacts(type, records));
      return [type, new Flood<ChangedRecord>({ one: (record) => send([record]), many: send })] as const;
    });
    this.#edits = new Map(edits);
  }

  start(): void {
    const { bus, settings, mqtt } = this.#deps;
    mqtt.onConnect(() => this.publishAll());
    this.#undo = [
      bus.on('presence', ({ deviceId, status }) => this.#presence(deviceId, status)),
      bus.on('changed', ({ topic }) => {
        if (topic === 'plays') this.#playsCame();
      }),
      bus.on('acted', (act) => this.#acted(act)),
      bus.on('deviceRemoved', ({ deviceId }) => mqtt.forget(deviceId)),
      bus.on('clockDoubtful', (problem) => this.#say('clock.doubtful', 'clock_doubtful', problem)),
      bus.on('clockSure', (message) => this.#tell({ type: 'clock.sure', message })),
      // Remembers the newest play when the sending of plays is switched on, because only later plays are sent.
      settings.onChange(() => this.#mark()),
    ];
    this.#mark();
  }

  stop(): void {
    for (const undo of this.#undo.splice(0)) undo();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const flood of [...Object.values(this.#comings), ...this.#edits.values()]) flood.stop();
    this.#deps.mails.stop();
  }

  /** Sends the broker the status of all screens, because the broker may have an outdated status. */
  publishAll(): void {
    const { store, mqtt, isOnline } = this.#deps;
    for (const screen of store.screens())
      mqtt.send(this.notice({ type: `screen.${isOnline(screen.id) ? 'online' : 'offline'}`, screen: nameOf(screen) }));
  }

  dark(screens: readonly DarkScreen[], minutes: number): void {
    this.#darkness('screen.dark', screens);
    this.#deps.mails.dark(screens, minutes);
  }

  back(screens: readonly DarkScreen[]): void {
    this.#darkness('screen.back', screens);
  }

  /** Reports all alerts raised within a minute together: one e-mail per person, one webhook call, one MQTT message. */
  alertsRaised(alerts: readonly ToldAlert[]): void {
    this.#alerts('alert.raised', alerts);
    for (const alert of alerts)
      if (toldAs(alert) === 'backup.failed') this.#tell({ type: 'backup.failed', message: messageOf(alert) });
    this.#deps.mails.alerts(alerts.filter((alert) => alert.tell.mail && toldAs(alert) !== 'itself'));
  }

  /** @param requests requests that wait for an approver, the longest waiting first */
  approvalWanted(to: Reader, requests: readonly ToldRequest[]): void {
    this.#deps.mails.approvalWanted(to, requests);
  }

  alertsEnded(alerts: readonly ToldAlert[]): void {
    this.#alerts('alert.ended', alerts);
  }

  /** @param by name of the assigner */
  assigned(to: Reader, by: string, alerts: readonly ToldAlert[]): void {
    this.#deps.mails.assigned(to, by, alerts);
  }

  diskLevel(level: Storage['level'], message: string): void {
    this.#tell({ type: `disk.${level}`, level, message });
    if (level !== 'ok') this.#deps.mails.trouble(`disk_${level}`, message);
  }

  databaseDamaged(message: string): void {
    this.#say('database.damaged', 'database_damaged', message);
  }

  databaseFailing(message: string): void {
    this.#say('disk.failing', 'database_failing', message);
  }

  certificateEnds(message: string): void {
    this.#say('certificate.ends', 'certificate_ends', message);
  }

  /** Called when a rollout has stopped automatically. */
  updateStopped(message: string): void {
    this.#tell({ type: 'update.stopped', message });
    this.#deps.mails.updateStopped(message);
  }

  #say(type: SentenceType, code: ProblemCode, message: string): void {
    this.#tell({ type, message });
    this.#deps.mails.trouble(code, message);
  }

  notice(facts: EventFacts): Notice {
    return { id: newId(), at: iso(this.#deps.clock.now()), server: this.#deps.server(), ...facts };
  }

  #tell(facts: EventFacts): void {
    const notice = this.notice(facts);
    this.#deps.webhook.send(notice);
    this.#deps.mqtt.send(notice);
  }

  #alerts(type: 'alert.raised' | 'alert.ended', alerts: readonly ToldAlert[]): void {
    for (const outlet of ['webhook', 'mqtt'] as const) {
      const theirs = alerts.filter((alert) => alert.tell[outlet] && toldAs(alert) === 'alert').map(factsOf);
      if (theirs.length === 0) continue;
      const { screens: list, count } = listed(theirs);
      this.#deps[outlet].send(this.notice({ type, alert: theirs[0]!, alerts: list, count }));
    }
  }

  /**
   * MQTT gets one notice per screen, because the broker retains the status of each screen. The webhook gets individual
   * notices only if there are few.
   */
  #darkness(type: 'screen.dark' | 'screen.back', screens: readonly DarkScreen[]): void {
    const all = screens.map((screen) => ({ ...nameOf(screen), offline_since: iso(screen.since * 1000) }));
    const notices = all.map(({ offline_since, ...screen }) => this.notice({ type, screen, offline_since }));
    for (const notice of notices) this.#deps.mqtt.send(notice);
    const [first] = notices;
    if (!first) return;
    for (const notice of all.length > PASS ? [{ ...first, ...listed(all) }] : notices) this.#deps.webhook.send(notice);
  }

  #presence(deviceId: string, status: 'online' | 'offline'): void {
    const { webhook_url, mqtt_url } = this.#deps.settings.values;
    if (!webhook_url && !mqtt_url) return;
    const screen = this.#deps.store.screen(deviceId);
    if (!screen) return;
    this.#deps.mqtt.send(this.notice({ type: `screen.${status}`, screen: nameOf(screen) }));
    if (webhook_url) this.#comings[status].add(nameOf(screen));
  }

  #acted({ action, record, workspaceId, by }: Events['acted'][0]): void {
    const { webhook_url, mqtt_url } = this.#deps.settings.values;
    if (!webhook_url && !mqtt_url) return;
    // Reports an approval as a publication, because it publishes the playlist.
    const type = action === 'playlist.approved' ? 'playlist.published' : action;
    this.#edits.get(type)?.add({ ...record, workspace_id: workspaceId, by });
  }

  get #wantsPlays(): boolean {
    const { webhook_url, webhook_plays, mqtt_url, mqtt_plays } = this.#deps.settings.values;
    return Boolean((webhook_url && webhook_plays) || (mqtt_url && mqtt_plays));
  }

  #mark(): void {
    if (!this.#wantsPlays) this.#lastPlay = undefined;
    else this.#lastPlay ??= this.#deps.store.newestPlay();
  }

  #playsCame(): void {
    if (this.#lastPlay === undefined || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#sendPlays();
    }, GATHER_MS).unref();
  }

  #sendPlays(): void {
    const { store, settings, webhook, mqtt } = this.#deps;
    const { webhook_plays, mqtt_plays } = settings.values;
    if (this.#lastPlay === undefined) return;
    const rows = store.playsAfter(this.#lastPlay, PLAYS_AT_ONCE);
    if (rows.length === 0) return;
    this.#lastPlay = rows.at(-1)!.id;
    const notice = this.notice({ type: 'plays', plays: rows.map(playOf) });
    if (webhook_plays) webhook.send(notice);
    if (mqtt_plays) mqtt.send(notice);
    if (rows.length === PLAYS_AT_ONCE) this.#playsCame();
  }
}

interface ChangedRecord {
  readonly id: string;
  readonly name: string;
  readonly workspace_id: string;
  readonly by: string;
}
/** Returns the facts of a notice about edited records; the first record is also given separately. */
const editFacts = (type: ReportedType, records: readonly ChangedRecord[]): EventFacts => {
  const [one, all] = REPORTED[type];
  const list = records.length > 1 ? { [all]: records.slice(0, MOST_LISTED), count: records.length } : {};
  return { type, [one]: records[0]!, ...list } as unknown as EventFacts;
};

const factsOf = ({ id, kind, ref, name, workspace_id, since }: ToldAlert) => ({
  id,
  kind,
  ref,
  name,
  workspace_id,
  since: iso(since * 1000),
});
const messageOf = ({ facts }: ToldAlert): string => String(facts['message'] ?? '');
/** Returns the first records and the number of all. */
const listed = <T>(all: readonly T[]): { screens: readonly T[]; count: number } => ({
  screens: all.slice(0, MOST_LISTED),
  count: all.length,
});

const iso = (ms: number): string => new Date(ms).toISOString();
const nameOf = ({ id, name, workspace_id }: Screen): Screen => ({
  id,
  name,
  workspace_id,
});
const playOf = ({ play_id, started_ms, ended_ms, completed, id: _row, ...play }: FreshPlay) => ({
  id: play_id,
  ...play,
  started_at: iso(started_ms),
  ended_at: iso(ended_ms),
  completed: completed === 1,
});
