/** Creates the maintenance of the server: backups, retention, disk, notices, status, metrics. */

import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { lanAddresses } from '../discovery/addresses.ts';
import type { Tickets } from '../http/tickets.ts';
import type { OutsideService } from '../kernel/outside-service.ts';
import { ServiceNote } from '../service/service-note.ts';
import { missingHere } from '../start-notes.ts';
import { BackupsService } from '../upkeep/backup/backups.service.ts';
import { UpgradeCopy } from '../upkeep/backup/upgrade-copy.ts';
import { CertificateWatch } from '../upkeep/checks/certificate-watch.ts';
import { DarkWatch } from '../upkeep/checks/dark-watch.ts';
import { DatabaseWatch } from '../upkeep/checks/database-watch.ts';
import { ForeignWrites } from '../upkeep/checks/foreign-writes.ts';
import { MediaWatch } from '../upkeep/checks/media-watch.ts';
import { AddressFile } from '../upkeep/disk/address-file.ts';
import { DiskWatch } from '../upkeep/disk/disk-watch.ts';
import { Metrics } from '../upkeep/metrics.ts';
import { MqttOutlet } from '../upkeep/notices/mqtt.ts';
import { NoticeMails } from '../upkeep/notices/notice-mails.ts';
import { Notices } from '../upkeep/notices/notices.ts';
import { Webhook } from '../upkeep/notices/webhook.ts';
import { Retention } from '../upkeep/retention.ts';
import { StatusService } from '../upkeep/status.service.ts';
import { UpkeepProcess } from '../upkeep/tasks/process.ts';
import { throwAnswer } from '../upkeep/tasks/task-answers.ts';
import { confirmClock } from '../upkeep/trusted-clock.ts';
import { upkeepRoutes } from '../upkeep/upkeep.routes.ts';
import { UpkeepStore } from '../upkeep/upkeep.store.ts';
import { type ChoosePlace, UpkeepSettings } from '../upkeep/upkeep-settings.ts';
import { VERSION } from '../version.ts';
import type { AccountParts } from './accounts.ts';
import type { Kernel } from './kernel.ts';
import type { TlsParts } from './tls.ts';

interface Deps {
  readonly accounts: Pick<AccountParts, 'mailer' | 'testMail' | 'settings' | 'box' | 'profile'>;
  readonly server: () => { readonly id: string; readonly name: string; readonly fingerprint: string };
  readonly http: { readonly port: number };
  readonly tls: Pick<TlsParts, 'status' | 'addresses'>;
  readonly tickets: Tickets;
  readonly isOnline: (deviceId: string) => boolean;
  /** Restarts the server within this process; undefined when another program controls it. */
  readonly restart: (() => void) | undefined;
  /** Programs beside the server. Only a headquarters has any. */
  readonly services: () => readonly OutsideService[];
  /** Called when plays were deleted before headquarters had them. */
  readonly givenUp: (workspaceId: string, plays: number) => void;
}

export const createUpkeep = (kernel: Kernel, deps: Deps) => {
  const { config, folder, db, bus, clock } = kernel;
  const { server, isOnline } = deps;
  const { mailer, box } = deps.accounts;
  const { data } = config;
  const port = () => deps.http.port;
  const https = () => deps.tls.status();
  const store = new UpkeepStore(db);
  const process = new UpkeepProcess();
  const choose: ChoosePlace = (place) => process.run({ do: 'choose', place }).catch(throwAnswer);
  const settings = new UpkeepSettings({ ...kernel, store, data, box, choose });
  // No key file is created when the old one is lost, because a new key would prevent the old one from being restored.
  if (existsSync(join(data, 'keys', 'secrets.key')) || store.sealedSecrets() === 0) settings.sealAll();
  db.onLost(() => settings.forget());
  const { webhook, mqtt } = createOutlets(kernel, settings);
  const named = () => ({ id: server().id, name: server().name });
  const { onLan, origins, allOrigins } = addressesOf(config, port);
  const mails = new NoticeMails({
    mails: mailer,
    store,
    server: named,
    language: () => deps.accounts.settings.language,
    origin: () => allOrigins()[0]!,
  });
  const notices = new Notices({ ...kernel, webhook, mqtt, mails, settings, store, server: named, isOnline });
  const database = new DatabaseWatch({ ...kernel, data, isChecked: folder.isChecked, process, notices });
  const places = () => (settings.place.chosen ? [settings.ownPlace, settings.place] : [settings.place]);
  const media = new MediaWatch({ ...kernel, data, store, process, places });
  const backups = new BackupsService({
    ...kernel,
    data,
    settings,
    process,
    mayPrune: () => database.damage === null && !clock.doubtful,
    onLost: (lost) => void media.suspect(lost),
    serverId: kernel.identity.id,
    proof: deps.accounts.profile,
    restart: deps.restart,
  });
  const retention = new Retention({ ...kernel, store, settings, logFolder: join(data, 'logs'), givenUp: deps.givenUp });
  const disk = new DiskWatch({ ...kernel, data, store, process, notices });
  const dark = new DarkWatch({ ...kernel, store, settings, isOnline, notices });
  const upgradeCopy = new UpgradeCopy({ ...kernel, mayGo: () => database.damage === null });
  const certificates = new CertificateWatch({ ...kernel, https, store, notices });
  const status = new StatusService({
    ...kernel,
    data,
    store,
    version: VERSION,
    server,
    https,
    addresses: () => onLan().map((origin) => `${origin}/`),
    isOnline,
    disk,
    database,
    backups,
    media,
    mailer,
    webhook,
    mqtt,
    missingHere,
    services: deps.services,
  });
  const metrics = new Metrics({ open: config.metrics, measure: () => status.measured() });
  return {
    routes: upkeepRoutes({
      status,
      origins,
      backups,
      settings,
      tickets: deps.tickets,
      test: createNoticeTest(deps.accounts, { notices, webhook, mqtt }),
      confirmed: (actor, doubt) => confirmClock(kernel, actor, doubt),
    }),
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
    /** Parts to start after HTTP. */
    after: [
      new AddressFile({ data, host: config.host, port, given: deps.tls.addresses }),
      new ServiceNote({ file: config.service_note, port, fingerprint: server().fingerprint }),
    ],
    /** For tests, which call it directly and do not wait for timers. */
    backups,
    retention,
    disk,
    dark,
    database,
    media,
    certificates,
    webhook,
    mqtt,
    origins: allOrigins,
    /** Returns the number of screens, and the number of screens that are online. */
    screens: () => status.screens(),
    /** Notifies administrators of problems. */
    notices,
    mails,
    /** Current problems of the server. */
    problems: () => status.problems(),
    /** Answers `/metrics`; returns false for other requests. */
    page: (req: IncomingMessage, res: ServerResponse) => metrics.answer(req, res),
  };
};

/** Creates the outlets for notices beside mail. Their targets are settings that may change while the server runs. */
const createOutlets = ({ clock, log }: Pick<Kernel, 'clock' | 'log'>, settings: UpkeepSettings) => {
  const webhook = new Webhook({
    target: () => ({ url: settings.values.webhook_url, secret: settings.values.webhook_secret }),
    log,
    now: () => clock.now(),
  });
  const mqtt = new MqttOutlet({
    target: () => {
      const { mqtt_url: url, mqtt_username: username, mqtt_password: password, mqtt_topic: topic } = settings.values;
      return { url, username, password, topic };
    },
    log,
  });
  settings.onChange(() => void mqtt.refresh());
  return { webhook, mqtt };
};

/** Addresses under which other machines reach this server. */
const addressesOf = ({ public_url, host }: Pick<Config, 'public_url' | 'host'>, port: () => number) => {
  const onLan = () => lanAddresses(host).map((address) => `http://${address}:${port()}`);
  const publicOrigin = public_url?.replace(/\/+$/, '');
  const origins = () => (publicOrigin ? [publicOrigin, ...onLan()] : onLan());
  /** Addresses of this server for other machines, the likeliest first. The last address is for this computer. */
  const allOrigins = () => [...origins(), `http://127.0.0.1:${port()}`];
  return { onLan, origins, allOrigins };
};

/** Returns a function that sends a test notice over every outlet and returns their answers. */
const createNoticeTest =
  (
    { mailer, testMail }: Pick<AccountParts, 'mailer' | 'testMail'>,
    { notices, webhook, mqtt }: { readonly notices: Notices; readonly webhook: Webhook; readonly mqtt: MqttOutlet },
  ) =>
  async ({ email }: { email: string }) => {
    const notice = notices.notice({ type: 'test', message: 'This is a test.' });
    const mail = mailer.try(testMail(email)).then(
      (answer) => `Sent to ${email}: ${answer}`,
      (error: Error) => error.message,
    );
    const [webhookSaid, mqttSaid, mailSaid] = await Promise.all([webhook.try(notice), mqtt.try(notice), mail]);
    return { webhook: webhookSaid, mqtt: mqttSaid, mail: mailSaid };
  };

export type UpkeepParts = ReturnType<typeof createUpkeep>;
