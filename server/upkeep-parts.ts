/** The part of the composition root that makes what looks after the server itself: backups, retention, disk, notices, status, metrics. */
import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { HttpsStatus } from '../shared/contract/tls.ts';
import type { Database } from './db/database.ts';
import { lanAddresses } from './discovery/addresses.ts';
import type { Mailer } from './features/accounts/mailer.ts';
import { testMail } from './features/accounts/mails.ts';
import type { Bound } from './http/api.ts';
import type { ActivityLog } from './kernel/activity.ts';
import type { Bus } from './kernel/bus.ts';
import type { Lifecycle } from './kernel/lifecycle.ts';
import type { Log } from './kernel/log.ts';
import { ServiceNote } from './service/service-note.ts';
import { missingHere } from './start-notes.ts';
import { AddressFile } from './upkeep/address-file.ts';
import { BackupsService, throwAnswer } from './upkeep/backups.service.ts';
import { CertificateWatch } from './upkeep/certificate-watch.ts';
import { DarkWatch } from './upkeep/dark-watch.ts';
import { DatabaseWatch } from './upkeep/database-watch.ts';
import type { DiskRoom } from './upkeep/disk-room.ts';
import { DiskWatch } from './upkeep/disk-watch.ts';
import { ForeignWrites } from './upkeep/foreign-writes.ts';
import { MediaWatch } from './upkeep/media-watch.ts';
import { Metrics } from './upkeep/metrics.ts';
import { MqttOutlet } from './upkeep/notices/mqtt.ts';
import { Notices } from './upkeep/notices/notices.ts';
import { Webhook } from './upkeep/notices/webhook.ts';
import { UpkeepProcess } from './upkeep/process.ts';
import { Retention } from './upkeep/retention.ts';
import { StatusService } from './upkeep/status.service.ts';
import type { TrustedClock } from './upkeep/trusted-clock.ts';
import { UpgradeCopy } from './upkeep/upgrade-copy.ts';
import { upkeepRoutes } from './upkeep/upkeep.routes.ts';
import { UpkeepStore } from './upkeep/upkeep.store.ts';
import { type ChoosePlace, type SecretKeeper, UpkeepSettings } from './upkeep/upkeep-settings.ts';
import { VERSION } from './version.ts';

export interface UpkeepParts {
  readonly routes: readonly Bound[];
  readonly parts: readonly Lifecycle[];
  /** To be started once HTTP answers. */
  readonly after: readonly Lifecycle[];
  /** For tests, which do not wait for a clock. */
  readonly backups: BackupsService;
  readonly retention: Retention;
  readonly disk: DiskWatch;
  readonly dark: DarkWatch;
  readonly database: DatabaseWatch;
  readonly media: MediaWatch;
  readonly webhook: Webhook;
  /** How many there are, and how many are online. */
  readonly screens: () => { total: number; online: number };
  /** Tells the administrators what others find out. */
  readonly notices: Notices;
  /** Answers `/metrics`; false: the request is for something else. */
  page(req: IncomingMessage, res: ServerResponse): boolean;
}

export const createUpkeep = (deps: {
  config: { readonly data: string; readonly host: string; readonly metrics: boolean; readonly service_note?: string | undefined };
  room: DiskRoom;
  db: Database;
  /** Opening it has read every page. */
  isChecked: boolean;
  /** Milliseconds that never jump. */
  mono: () => number;
  bus: Bus;
  clock: TrustedClock;
  activity: ActivityLog;
  log: Log;
  mailer: Mailer;
  box: SecretKeeper;
  server: () => { id: string; name: string; fingerprint: string };
  port: () => number;
  https: () => HttpsStatus;
  isOnline: (deviceId: string) => boolean;
}): UpkeepParts => {
  const { config, db, bus, clock, activity, log, mailer, isOnline } = deps;
  const { data } = config;
  const store = new UpkeepStore(db);
  const process = new UpkeepProcess();
  const choose: ChoosePlace = (place) => process.run({ do: 'choose', place }).catch(throwAnswer);
  const settings = new UpkeepSettings({ db, store, data, bus, activity, box: deps.box, choose });
  // A key made now would be in the way of one that is lost.
  if (existsSync(join(data, 'keys', 'secrets.key')) || store.sealedSecrets() === 0) settings.sealAll();
  db.onLost(() => settings.forget());
  const webhook = new Webhook({ target: () => ({ url: settings.values.webhook_url, secret: settings.values.webhook_secret }), log, now: () => clock.now() });
  const mqtt = new MqttOutlet({
    target: () => ({ url: settings.values.mqtt_url, username: settings.values.mqtt_username, password: settings.values.mqtt_password, topic: settings.values.mqtt_topic }),
    log,
    onConnect: () => notices.tellAll(),
  });
  settings.onChange(() => void mqtt.refresh());
  const server = () => ({ id: deps.server().id, name: deps.server().name });
  const notices = new Notices({ webhook, mqtt, mails: mailer, settings, store, bus, clock, server, isOnline });
  const backups = new BackupsService({
    data,
    settings,
    process,
    clock,
    activity,
    log,
    notices,
    mayPrune: () => database.damage === null && !clock.doubtful,
    onLost: (lost) => void media.suspect(lost),
  });
  const retention = new Retention({ db, store, settings, clock, log, logFolder: join(data, 'logs') });
  const disk = new DiskWatch({ data, db, room: deps.room, store, process, clock, log, notices });
  const dark = new DarkWatch({ db, store, settings, clock, log, isOnline, notices });
  const database = new DatabaseWatch({ data, isChecked: deps.isChecked, process, clock, mono: deps.mono, log, notices });
  const upgradeCopy = new UpgradeCopy({ db, mono: deps.mono, log, mayGo: () => database.damage === null });
  const places = () => (settings.place.chosen ? [settings.ownPlace, settings.place] : [settings.place]);
  const media = new MediaWatch({ data, db, store, process, clock, log, places });
  const certificates = new CertificateWatch({ https: deps.https, db, store, clock, notices });
  const status = new StatusService({
    data,
    store,
    clock,
    version: VERSION,
    server: deps.server,
    https: deps.https,
    addresses: () => lanAddresses(config.host).map((address) => `http://${address}:${deps.port()}/`),
    isOnline,
    time: clock,
    disk,
    database,
    db,
    backups,
    media,
    webhook,
    mqtt,
    missingHere,
  });
  const metrics = new Metrics({ open: config.metrics, measure: () => status.measured() });
  const test = async ({ email }: { email: string }) => {
    const notice = notices.notice({ type: 'test', message: 'This is a test.' });
    const mail = mailer.try(testMail(email, server().name)).then(
      (answer) => `Sent to ${email}: ${answer}`,
      (error: Error) => error.message,
    );
    const [webhookSaid, mqttSaid, mailSaid] = await Promise.all([webhook.try(notice), mqtt.try(notice), mail]);
    return { webhook: webhookSaid, mqtt: mqttSaid, mail: mailSaid };
  };
  return {
    routes: upkeepRoutes({ status, backups, settings, clock, test }),
    parts: [
      webhook,
      mqtt,
      notices,
      backups,
      retention,
      disk,
      dark,
      database,
      upgradeCopy,
      media,
      certificates,
      new ForeignWrites({ store, bus }),
      { name: 'metrics', start: () => {}, stop: () => metrics.stop() },
    ],
    after: [new AddressFile({ data, host: config.host, port: deps.port }), new ServiceNote({ file: config.service_note, port: deps.port, fingerprint: deps.server().fingerprint })],
    backups,
    retention,
    disk,
    dark,
    database,
    media,
    webhook,
    screens: () => status.screens(),
    notices,
    page: (req, res) => metrics.answer(req, res),
  };
};
