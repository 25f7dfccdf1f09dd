/** Backups of the running server: one a day, and when somebody asks for one. Made and read back in a process of its own. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, conflict, notFound } from '../../shared/contract/errors.ts';
import type { Backup, BackupsState } from '../../shared/contract/upkeep.ts';
import type { ActivityLog } from '../kernel/activity.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Log } from '../kernel/log.ts';
import { SUFFIX } from './backup/archive.ts';
import { type BackupFile, dailyName, isBackupName } from './backup/backup-files.ts';
import { type BackupMade, backupsFolder, tidy } from './backup/make-backup.ts';
import { TaskFailed, type UpkeepProcess } from './process.ts';
import type { UpkeepSettings } from './upkeep-settings.ts';

const LOOK_EVERY_MS = 5 * 60_000;
/** A start is busy enough. */
const FIRST_LOOK_MS = 2 * 60_000;
/** After a failure the disk may still be full, or away. */
const RETRY_AFTER_MS = 3_600_000;
const DAY_MS = 86_400_000;

export interface BackupNotices {
  backupFailed(reason: string): void;
}

export class BackupsService implements Lifecycle {
  readonly name = 'backups';
  readonly #d: { data: string; settings: UpkeepSettings; process: UpkeepProcess; clock: Clock; activity: ActivityLog; log: Log; notices: BackupNotices };
  #timers: NodeJS.Timeout[] = [];
  #making: Promise<BackupMade> | undefined;
  /** Of the newest daily one. Epoch milliseconds; undefined: not looked yet. */
  #lastAt: number | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  #lastError: string | null = null;

  constructor(deps: { data: string; settings: UpkeepSettings; process: UpkeepProcess; clock: Clock; activity: ActivityLog; log: Log; notices: BackupNotices }) {
    this.#d = deps;
  }

  start(): void {
    tidy(backupsFolder(this.#d.data));
    const look = () => void this.look();
    this.#timers = [setTimeout(look, FIRST_LOOK_MS).unref(), setInterval(look, LOOK_EVERY_MS).unref()];
  }

  stop(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
    this.#d.process.stop();
  }

  get lastError(): string | null {
    return this.#lastError;
  }

  /** Epoch milliseconds; undefined: none, or not looked yet. */
  get lastAt(): number | undefined {
    return this.#lastAt;
  }

  /** Makes the daily one when it is due. Never rejects. */
  async look(): Promise<void> {
    const { clock, settings, log } = this.#d;
    const { backup_daily, backup_hour } = settings.values;
    if (!backup_daily || this.#making || clock.now() - this.#failedAt < RETRY_AFTER_MS) return;
    try {
      const last = (this.#lastAt ??= await this.#newest());
      if (last >= dueSince(clock.now(), backup_hour)) return;
      await this.#make(false);
    } catch (error) {
      const reason = (error as Error).message;
      this.#failedAt = clock.now();
      this.#lastError = reason;
      log.error(`The daily backup failed: ${reason}`);
      this.#d.notices.backupFailed(reason);
    }
  }

  async make(actor: Actor, { complete }: { complete: boolean }): Promise<Backup> {
    if (this.#making) throw conflict('A backup is being made already. Wait for it.');
    try {
      const made = await this.#make(complete);
      if (actor.workspaceId) this.#d.activity.add({ workspaceId: actor.workspaceId, actor, action: 'backup.made', details: made.file.split(/[\\/]/).at(-1)! });
      return viewOf({ name: made.file.split(/[\\/]/).at(-1)!, path: made.file, bytes: made.bytes, manifest: made.manifest, damage: undefined });
    } catch (error) {
      if (!(error instanceof ApiError)) this.#lastError = (error as Error).message;
      throw asAnswer(error);
    }
  }

  async state(): Promise<BackupsState> {
    const { settings, clock } = this.#d;
    const { backup_daily, backup_hour, backup_folder } = settings.values;
    const files = await this.#list().catch((error: Error) => {
      this.#lastError = error.message;
      return [];
    });
    const next = this.#isDue() ? clock.now() : dueSince(clock.now(), backup_hour) + DAY_MS;
    return {
      folder: backup_folder || backupsFolder(this.#d.data),
      running: this.#making !== undefined,
      next_at: backup_daily ? Math.floor(next / 1000) : null,
      last_error: this.#lastError,
      backups: files.map(viewOf),
    };
  }

  /** @throws 404 */
  pathOf(name: string): string {
    if (!isBackupName(name)) throw notFound('Backup');
    return join(this.#folder(), name);
  }

  async delete(actor: Actor, name: string): Promise<void> {
    const path = this.pathOf(name);
    if (!(await this.#list()).some((file) => file.name === name)) throw notFound('Backup');
    rmSync(path, { force: true });
    this.#lastAt = undefined;
    if (actor.workspaceId) this.#d.activity.add({ workspaceId: actor.workspaceId, actor, action: 'backup.deleted', details: name });
  }

  #isDue(): boolean {
    return this.#lastAt !== undefined && this.#lastAt < dueSince(this.#d.clock.now(), this.#d.settings.values.backup_hour);
  }

  #make(complete: boolean): Promise<BackupMade> {
    const { process, clock, data, settings, log } = this.#d;
    const now = clock.now();
    const name = complete ? dailyName(now).replace(SUFFIX, `-complete${SUFFIX}`) : dailyName(now);
    const begun = performance.now();
    this.#making = (async () => {
      const target = freeName(join(this.#folder(), name));
      const made = await process.run({ do: 'backup', order: { data, target, media: complete ? 'inside' : 'beside', now }, keep: settings.values.backup_keep });
      this.#lastAt = Math.max(this.#lastAt ?? 0, now);
      this.#lastError = null;
      log.info('backup made', { file: made.file, bytes: made.bytes, ms: Math.round(performance.now() - begun) });
      return made;
    })().finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  async #newest(): Promise<number> {
    return Math.max(0, ...(await this.#list()).map(({ manifest }) => manifest?.made_at ?? 0));
  }

  #list(): Promise<BackupFile[]> {
    return Promise.resolve().then(() => this.#d.process.run({ do: 'list', folder: this.#folder() }));
  }

  /** @throws TaskFailed when a chosen one is not there */
  #folder(): string {
    try {
      return this.#d.settings.backupFolder();
    } catch (error) {
      throw new TaskFailed((error as Error).message);
    }
  }
}

/** The latest instant before now at which a backup was to be made: that hour, by the machine's own clock. Epoch milliseconds. */
export const dueSince = (now: number, hour: number): number => {
  const today = new Date(now);
  today.setHours(hour, 0, 0, 0);
  if (today.getTime() > now) today.setDate(today.getDate() - 1);
  return today.getTime();
};

/** Two in one second. */
const freeName = (path: string): string => {
  if (!existsSync(path)) return path;
  for (let n = 2; ; n++) {
    const other = path.replace(SUFFIX, `-${n}${SUFFIX}`);
    if (!existsSync(other)) return other;
  }
};

const viewOf = ({ name, bytes, manifest, damage }: BackupFile): Backup => ({
  name,
  bytes,
  made_at: manifest ? Math.floor(manifest.made_at / 1000) : null,
  complete: manifest?.media_kept === 'inside',
  version: manifest?.version ?? '',
  media_files: manifest?.media.length ?? 0,
  media_missing: (manifest?.media_missing.length ?? 0) + (manifest?.media_damaged.length ?? 0),
  damage: damage ?? null,
});

const asAnswer = (error: unknown): unknown => (error instanceof TaskFailed ? new ApiError(/too little space|disk is full/.test(error.message) ? 507 : 500, error.message) : error);
