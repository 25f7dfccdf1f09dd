/** Reports the state of the server and its problems to its administrators. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../shared/contract/problems.ts';
import type { HttpsStatus } from '../../shared/contract/server/tls.ts';
import type { ServerStatus, Storage } from '../../shared/contract/server/upkeep.ts';
import type { Database } from '../db/database.ts';
import type { Mailer } from '../features/accounts/mail/mailer.ts';
import type { OutsideService } from '../kernel/outside-service.ts';
import type { BackupsService } from './backup/backups.service.ts';
import { endingOf } from './checks/certificate-watch.ts';
import type { DatabaseWatch } from './checks/database-watch.ts';
import type { MediaFindings } from './checks/media-check.ts';
import type { MediaWatch } from './checks/media-watch.ts';
import { type DiskWatch, failingSentence } from './disk/disk-watch.ts';
import { tailOf } from './log-tail.ts';
import type { Measured } from './metrics.ts';
import type { MqttOutlet } from './notices/mqtt.ts';
import type { Webhook } from './notices/webhook.ts';
import type { TrustedClock } from './trusted-clock.ts';
import type { UpkeepStore } from './upkeep.store.ts';

const DAY_MS = 86_400_000;
/**
 * Age in milliseconds at which the newest backup is a problem. More than one day, because the machine may be off at
 * night.
 */
const BACKUP_OLD_MS = 3 * DAY_MS;

interface Deps {
  readonly data: string;
  readonly store: UpkeepStore;
  readonly clock: Pick<TrustedClock, 'now' | 'uptime' | 'state' | 'problem'>;
  readonly version: string;
  readonly server: () => { id: string; name: string; fingerprint: string };
  readonly addresses: () => string[];
  readonly https: () => HttpsStatus;
  readonly isOnline: (deviceId: string) => boolean;
  readonly disk: Pick<DiskWatch, 'storage'>;
  readonly database: Pick<DatabaseWatch, 'damage'>;
  readonly db: Pick<Database, 'failure'>;
  readonly backups: Pick<BackupsService, 'lastError' | 'lastAt'>;
  readonly media: Pick<MediaWatch, 'findings' | 'isLooking' | 'pools'>;
  readonly mailer: Pick<Mailer, 'failure'>;
  readonly webhook: Pick<Webhook, 'failure'>;
  readonly mqtt: Pick<MqttOutlet, 'failure'>;
  /** Returns sentences about missing optional programs. */
  readonly missingHere: () => Promise<string[]>;
  /** External programs that headquarters uses (PostgreSQL, NATS). Empty for other servers. */
  readonly services: () => readonly OutsideService[];
}

export class StatusService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async status(): Promise<ServerStatus> {
    const { data, clock, server, addresses, disk, backups, version, https } = this.#deps;
    const [storage, log] = await Promise.all([disk.storage(), tailOf(join(data, 'logs', 'server.log'))]);
    const screens = this.screens();
    return {
      ...server(),
      version,
      node_version: process.version,
      platform: `${process.platform} ${process.arch}`,
      started_at: Math.floor((clock.now() - clock.uptime) / 1000),
      uptime_seconds: Math.floor(clock.uptime / 1000),
      addresses: addresses(),
      https: https(),
      screens_online: screens.online,
      screens_total: screens.total,
      memory_bytes: process.memoryUsage.rss(),
      storage,
      clock: clock.state(),
      last_backup_at: backups.lastAt ? Math.floor(backups.lastAt / 1000) : null,
      problems: await this.problems(storage),
      log,
    };
  }

  /** Returns the problems of the server, in words. */
  async problems(storage?: Storage): Promise<Problem[]> {
    const missing = await this.#deps.missingHere();
    return [
      ...this.#problems(storage ?? (await this.#deps.disk.storage())),
      ...missing.map((text): Problem => ({ code: 'no_ffmpeg', text: text.trim().replace(/^Note: /, '') })),
    ];
  }

  async measured(): Promise<Measured> {
    const { store, disk, backups, clock, https } = this.#deps;
    const storage = await disk.storage();
    const screens = this.screens();
    return {
      screensTotal: screens.total,
      screensOnline: screens.online,
      plays: store.newestPlay(),
      storage,
      lastBackupAt: Math.floor((backups.lastAt ?? 0) / 1000),
      problems: this.#problems(storage).length,
      certificateExpiresAt: https().expires_at,
      startedAt: Math.floor((clock.now() - clock.uptime) / 1000),
      services: this.#deps.services(),
    };
  }

  screens(): { total: number; online: number } {
    const all = this.#deps.store.screens();
    return { total: all.length, online: all.filter(({ id }) => this.#deps.isOnline(id)).length };
  }

  #problems(storage: Storage): Problem[] {
    const { database, backups, mailer, webhook, mqtt, media, clock, data, store, db } = this.#deps;
    const found: Problem[] = [];
    if (database.damage) found.push({ code: 'database_damaged', text: database.damage });
    if (db.failure) found.push({ code: 'database_failing', text: failingSentence(db.failure) });
    const free = `${Math.floor(storage.free_bytes / 1024 / 1024)} MB`;
    if (storage.level === 'full')
      found.push({
        code: 'disk_full',
        text: `The disk is full (${free} free). Screens keep playing, but nothing new can be saved.${asideOf(storage)}`,
      });
    if (storage.level === 'low') {
      const until =
        storage.full_in_days === null ? '' : ` At the current rate, the disk is full in ${storage.full_in_days} days.`;
      found.push({ code: 'disk_low', text: `The disk is getting full: ${free} are free.${until}${asideOf(storage)}` });
    }
    if (backups.lastError)
      found.push({ code: 'backup_failed', text: `The newest backup failed. ${backups.lastError}` });
    else if (backups.lastAt !== undefined && backups.lastAt > 0 && clock.now() - backups.lastAt > BACKUP_OLD_MS)
      found.push({ code: 'backup_old', text: 'The newest backup is more than three days old.' });
    const { missing = [], damaged = [] } = media.findings ?? {};
    if (missing.length > 0)
      found.push({ code: 'media_missing', text: sentenceOf('missing from the disk', missing, media.isLooking) });
    if (damaged.length > 0)
      found.push({ code: 'media_damaged', text: sentenceOf('damaged', damaged, media.isLooking) });
    for (const { folder, damaged } of media.pools) {
      if (damaged.length > 0)
        found.push({
          code: 'backup_damaged',
          text: `${damaged.length} ${damaged.length === 1 ? 'file' : 'files'} of the backups in ${folder} ${damaged.length === 1 ? 'is' : 'are'} damaged: the disk may be failing. The next backup replaces the damaged files that the server still has. Also make backups on another disk.`,
        });
    }
    if (!existsSync(join(data, 'keys', 'secrets.key')) && store.sealedSecrets() > 0) {
      found.push({
        code: 'keys_missing',
        text: 'The file keys/secrets.key is missing, so two-factor sign-in with an authenticator app does not work. Restore the file from a backup ("vitrine restore FILE --keys-only"). Recovery codes still work.',
      });
    }
    if (!existsSync(join(data, 'keys', 'server.json'))) {
      found.push({
        code: 'keys_missing',
        text: 'The file keys/server.json, the key that screens trust, is missing. The server still runs, but cannot start again without this file. Restore the file from a backup now ("vitrine restore FILE --keys-only").',
      });
    }
    if (mailer.failure) found.push({ code: 'mail_failing', text: `E-mails cannot be delivered. ${mailer.failure}` });
    if (webhook.failure)
      found.push({ code: 'webhook_failing', text: `The webhook cannot be reached. ${webhook.failure}` });
    if (mqtt.failure) found.push({ code: 'mqtt_failing', text: `The MQTT broker cannot be reached. ${mqtt.failure}` });
    for (const { name, failure } of this.#deps.services())
      if (failure !== undefined) found.push({ code: `${name}_failing`, text: failure });
    if (clock.problem) found.push({ code: 'clock_doubtful', text: clock.problem });
    const https = this.#deps.https();
    if (https.error) found.push({ code: 'https_failing', text: https.error });
    const ending = endingOf(https, clock.now());
    if (ending) found.push({ code: 'certificate_ends', text: ending.text });
    return found;
  }
}

/** Returns a sentence about the size of media and releases that nothing refers to; '' when there are none. */
const asideOf = ({ aside_bytes }: Storage): string =>
  aside_bytes > 0
    ? ` ${Math.ceil(aside_bytes / 1024 / 1024)} MB are unused media and versions (folders media-aside and updates-aside). The server deletes them automatically, the oldest first.`
    : '';

const sentenceOf = (what: string, media: MediaFindings['missing'], isLooking: boolean): string => {
  const names = [...new Set(media.flatMap((one) => one.names))];
  const shown = names.slice(0, 5).join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '');
  const remedy = isLooking
    ? 'The server is searching the backups for these files.'
    : 'No connected backup has undamaged copies of these files. Upload the files again with "Replace", or connect the disk of an older backup.';
  return `${media.length} media ${media.length === 1 ? 'file is' : 'files are'} ${what}: ${shown}. Screens that have these files keep playing them. ${remedy}`;
};
