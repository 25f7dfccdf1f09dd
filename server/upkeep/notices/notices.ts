/** Passes what happens, on the bus and in upkeep, to the webhook, the MQTT broker and the mail that are set up. */
import type { AlertKind } from '../../../shared/contract/alerts.ts';
import type { Storage } from '../../../shared/contract/upkeep.ts';
import type { ToldAlert } from '../../features/alerts/alert-watch.ts';
import type { ToldRequest } from '../../features/playlists/approval-watch.ts';
import { newId } from '../../kernel/ids.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { FreshPlay, UpkeepStore } from '../upkeep.store.ts';
import type { UpkeepSettings } from '../upkeep-settings.ts';
import type { EventFacts, Notice, Outlet } from './events.ts';

/** Plays that come within this time go out together. */
const GATHER_MS = 1_000;
/** When there are more plays (a player may bring those of a week), the rest follows after another pause. */
const PLAYS_AT_ONCE = 500;

interface Mails {
  readonly configured: boolean;
  send(mail: { to: string; subject: string; text: string }): void;
}

export interface DarkScreen {
  readonly id: string;
  readonly name: string;
  readonly workspace_id: string;
  /** In epoch seconds. */
  readonly since: number;
}

interface Deps extends Pick<Parts, 'bus' | 'clock'> {
  readonly webhook: Outlet;
  readonly mqtt: Outlet & { forget(screenId: string): void; onConnect(listener: () => void): void };
  readonly mails: Mails;
  readonly settings: UpkeepSettings;
  readonly store: UpkeepStore;
  readonly server: () => { id: string; name: string };
  /** Where people reach this server, without a slash at the end. */
  readonly origin: () => string;
  readonly isOnline: (deviceId: string) => boolean;
}

export class Notices implements Lifecycle {
  readonly name = 'notices';
  readonly #deps: Deps;
  #undo: (() => void)[] = [];
  #lastPlay: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    const { bus, settings, mqtt } = this.#deps;
    mqtt.onConnect(() => this.tellAll());
    this.#undo = [
      bus.on('presence', ({ deviceId, status }) => this.#presence(deviceId, status)),
      bus.on('changed', ({ topic }) => {
        if (topic === 'plays') this.#playsCame();
      }),
      bus.on('deviceRemoved', ({ deviceId }) => mqtt.forget(deviceId)),
      bus.on('clockDoubtful', (problem) =>
        this.#say('clock.doubtful', problem, 'The clock of the server may be wrong'),
      ),
      bus.on('clockSure', (message) => this.#tell({ type: 'clock.sure', message })),
      // When plays become wanted, only those from now on are sent.
      settings.onChange(() => this.#mark()),
    ];
    this.#mark();
  }

  stop(): void {
    for (const undo of this.#undo.splice(0)) undo();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Tells the broker the status of all screens: it may know an old one. */
  tellAll(): void {
    const { store, mqtt, isOnline } = this.#deps;
    for (const screen of store.screens())
      mqtt.send(this.notice({ type: `screen.${isOnline(screen.id) ? 'online' : 'offline'}`, screen: nameOf(screen) }));
  }

  dark(screens: readonly DarkScreen[], minutes: number): void {
    for (const screen of screens)
      this.#tell({ type: 'screen.dark', screen: nameOf(screen), offline_since: iso(screen.since * 1000) });
    if (!this.#deps.settings.values.dark_mail || !this.#deps.mails.configured) return;
    for (const [to, theirs] of this.#byAddress(screens)) {
      const names = theirs.map(({ name, since }) => `  ${name}, since ${iso(since * 1000)}`);
      const subject =
        theirs.length === 1
          ? `${theirs[0]!.name} has been dark for ${minutes} minutes`
          : `${theirs.length} screens have been dark for ${minutes} minutes`;
      this.#deps.mails.send({
        to,
        subject,
        text: `These screens are not heard of any more:\n\n${names.join('\n')}\n\nA screen that is only cut off from the network goes on playing. Is it switched on, and is its cable in?\n`,
      });
    }
  }

  back(screen: DarkScreen): void {
    this.#tell({ type: 'screen.back', screen: nameOf(screen), offline_since: iso(screen.since * 1000) });
  }

  /** @param mailed those of them of which administrators want a mail: one for all */
  alertsRaised(alerts: readonly ToldAlert[], mailed: readonly ToldAlert[]): void {
    for (const alert of alerts) this.#tell({ type: 'alert.raised', alert: factsOf(alert) });
    if (!this.#deps.mails.configured) return;
    for (const [to, theirs] of this.#byAddress(mailed)) {
      const lines = theirs.map(({ kind, name, since }) => `  ${name}: ${MAIL_WORDS[kind]}, since ${iso(since * 1000)}`);
      const subject =
        theirs.length === 1
          ? `${theirs[0]!.name}: ${MAIL_WORDS[theirs[0]!.kind]}`
          : `${theirs.length} things need somebody`;
      this.#deps.mails.send({ to, subject: `${this.#deps.server().name}: ${subject}`, text: `${lines.join('\n')}\n` });
    }
  }

  /** @param requests what waits for one who approves, the longest first */
  approvalWanted(to: string, requests: readonly ToldRequest[]): void {
    const { mails, server, origin } = this.#deps;
    if (!mails.configured) return;
    const lines = requests.map(
      ({ playlist_name, user_name, note }) => `  ${playlist_name}, asked for by ${user_name}${note && `: ${note}`}`,
    );
    const subject =
      requests.length === 1
        ? `${requests[0]!.playlist_name} waits for your approval`
        : `${requests.length} playlists wait for your approval`;
    mails.send({
      to,
      subject: `${server().name}: ${subject}`,
      text: `${lines.join('\n')}\n\nWhat would change on screens is here: ${origin()}/#/attention\n`,
    });
  }

  alertsEnded(alerts: readonly ToldAlert[]): void {
    for (const alert of alerts) this.#tell({ type: 'alert.ended', alert: factsOf(alert) });
  }

  diskLevel(level: Storage['level'], message: string): void {
    this.#tell({ type: `disk.${level}`, level, message });
    if (level !== 'ok') this.#mailAdmins('The server’s disk is getting full', message);
  }

  databaseDamaged(message: string): void {
    this.#say('database.damaged', message, 'The database is damaged');
  }

  backupFailed(message: string): void {
    this.#say('backup.failed', message, 'The backup failed');
  }

  databaseFailing(message: string): void {
    this.#say('disk.failing', message, 'The server’s disk fails');
  }

  certificateEnds(message: string): void {
    this.#say('certificate.ends', message, 'Browsers need the new certificate of the server');
  }

  /** Called when the rollout of a new version stopped by itself. */
  updateStopped(message: string): void {
    this.#say('update.stopped', message, 'An update of the screens stopped');
  }

  #say(type: Extract<EventFacts, { message: string }>['type'], message: string, subject: string): void {
    this.#tell({ type, message } as EventFacts);
    this.#mailAdmins(subject, message);
  }

  notice(facts: EventFacts): Notice {
    return { id: newId(), at: iso(this.#deps.clock.now()), server: this.#deps.server(), ...facts };
  }

  #tell(facts: EventFacts): void {
    const notice = this.notice(facts);
    this.#deps.webhook.send(notice);
    this.#deps.mqtt.send(notice);
  }

  #mailAdmins(subject: string, text: string): void {
    if (!this.#deps.mails.configured) return;
    for (const to of this.#deps.store.alertAddresses(''))
      this.#deps.mails.send({ to, subject: `${this.#deps.server().name}: ${subject}`, text: `${text}\n` });
  }

  #byAddress<T extends { readonly workspace_id: string }>(screens: readonly T[]): Map<string, T[]> {
    const found = new Map<string, T[]>();
    for (const [workspaceId, theirs] of Map.groupBy(screens, (screen) => screen.workspace_id)) {
      for (const to of this.#deps.store.alertAddresses(workspaceId))
        found.set(to, [...(found.get(to) ?? []), ...theirs]);
    }
    return found;
  }

  #presence(deviceId: string, status: 'online' | 'offline'): void {
    const { webhook_url, mqtt_url } = this.#deps.settings.values;
    if (!webhook_url && !mqtt_url) return;
    const screen = this.#deps.store.screen(deviceId);
    if (screen) this.#tell({ type: `screen.${status}`, screen: nameOf(screen) });
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

/** For mails, which are English. */
const MAIL_WORDS: Readonly<Record<AlertKind, string>> = {
  screen_dark: 'it is not heard of',
  screen_program: 'it does not have its newest program',
  screen_fault: 'something could not be shown',
  screen_disk: 'its disk is nearly full',
  screen_cpu: 'its processor has too much to do',
  screen_wifi: 'its Wi-Fi is weak',
  screen_battery: 'its battery is nearly empty',
  screen_hot: 'it is too hot',
  screen_clock: 'its own clock is wrong',
  source_dead: 'its feed or forecast does not come any more',
  content_unfetched: 'its address could not be fetched',
  content_ends: 'it ends soon',
};

const factsOf = ({ since, ...alert }: ToldAlert) => ({ ...alert, since: iso(since * 1000) });

const iso = (ms: number): string => new Date(ms).toISOString();
const nameOf = ({ id, name, workspace_id }: { id: string; name: string; workspace_id: string }) => ({
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
