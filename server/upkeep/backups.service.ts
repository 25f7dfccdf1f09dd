/** Makes backups of the running server, daily and on demand, in a process of its own. */
import { join } from 'node:path';
import { ApiError, conflict, notFound } from '../../shared/contract/errors.ts';
import type { Backup, BackupsState, BackupTest } from '../../shared/contract/upkeep.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Parts } from '../kernel/parts.ts';
import { SUFFIX } from './backup/archive.ts';
import { type BackupSummary, dailyName, isBackupName } from './backup/backup-files.ts';
import { type LostMedia, tidy } from './backup/make-backup.ts';
import type { Tried } from './backup/try-backup.ts';
import { type FileBeingRead, TaskFailed, TaskUnavailable, type UpkeepProcess } from './process.ts';
import { lastRestoreOf, orderRestore } from './restore-order.ts';
import type { UpkeepSettings } from './upkeep-settings.ts';

const LOOK_EVERY_MS = 5 * 60_000;
/** Leaves the server alone while it starts. */
const FIRST_LOOK_MS = 2 * 60_000;
/** Pauses this long after a failure, when the disk may still be full or away. */
const RETRY_AFTER_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** The list is read anew after this time, since people may change the folder themselves. */
const LIST_GOOD_MS = 2_000;
const ASK_AGAIN_SECONDS = 60;
/** The answer reaches whoever asked for a restore before the server restarts. */
const ANSWER_FIRST_MS = 300;

interface Deps extends Pick<Parts, 'clock' | 'db' | 'log' | 'activity'> {
  readonly data: string;
  readonly settings: UpkeepSettings;
  readonly process: UpkeepProcess;
  /** Returns false while the clock, the database or the media are in doubt: then no backup is removed. */
  readonly mayPrune: () => boolean;
  /** Called when a backup found that media of the store are missing or damaged. */
  readonly onLost: (lost: LostMedia) => void;
  /** @throws ApiError 401 when it is not the actor's own, 429 */
  readonly requirePassword: (actor: Actor, password: string | undefined) => Promise<void>;
  /** Stops the server and starts it anew in this process; absent where somebody else holds it. */
  readonly restart: (() => void) | undefined;
}

export class BackupsService implements Lifecycle {
  readonly name = 'backups';
  readonly #deps: Deps;
  #timers: NodeJS.Timeout[] = [];
  #making: Promise<BackupSummary> | undefined;
  /** From the first check on until the server restarts. */
  #restoring = false;
  /** When the newest backup was made, in epoch milliseconds; undefined when nobody looked yet. */
  #lastAt: number | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  #lastError: string | null = null;
  /** Says why the folder could not be read the last time. */
  #folderError: string | null = null;
  #listed: { readonly at: number; readonly folder: string; readonly files: BackupSummary[] } | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    try {
      tidy(this.#deps.settings.ownPlace.folder);
    } catch (error) {
      // The next backup tries again.
      this.#deps.log.warn('What unfinished backups left could not be cleared away', { error });
    }
    const look = () => void this.look();
    this.#timers = [setTimeout(look, FIRST_LOOK_MS).unref(), setInterval(look, LOOK_EVERY_MS).unref()];
  }

  stop(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
    this.#deps.process.stop();
  }

  get lastError(): string | null {
    return this.#lastError ?? this.#folderError;
  }

  /** In epoch milliseconds; undefined when there is none, or nobody looked yet. */
  get lastAt(): number | undefined {
    return this.#lastAt;
  }

  /** Makes the daily one when it is due. Never rejects. */
  async look(): Promise<void> {
    const { clock, settings, log } = this.#deps;
    const { backup_daily, backup_hour } = settings.values;
    if (!backup_daily || this.#isBusy || clock.now() - this.#failedAt < RETRY_AFTER_MS) return;
    try {
      if (this.#lastAt !== undefined && this.#lastAt > clock.now() + DAY_MS) this.#lastAt = undefined;
      const last = (this.#lastAt ??= await this.#newest());
      if (last >= dueSince(clock.now(), backup_hour)) return;
      await this.#make(false);
    } catch (error) {
      const reason = (error as Error).message;
      this.#failedAt = clock.now();
      this.#lastError = reason;
      log.error(`The daily backup failed: ${reason}`);
    }
  }

  async make(actor: Actor, { complete }: { complete: boolean }): Promise<Backup> {
    this.#refuseWhileBusy();
    try {
      const made = await this.#make(complete);
      this.#record(actor, 'backup.made', made.name);
      return viewOf(made);
    } catch (error) {
      if (!(error instanceof ApiError)) this.#lastError = (error as Error).message;
      throw asAnswer(error);
    }
  }

  async state(): Promise<BackupsState> {
    const { settings, clock } = this.#deps;
    const { backup_daily, backup_hour } = settings.values;
    const files = await this.#list().catch(() => []);
    const next = this.#isDue() ? clock.now() : dueSince(clock.now(), backup_hour) + DAY_MS;
    return {
      folder: settings.place.folder,
      running: this.#making !== undefined,
      next_at: backup_daily ? Math.floor(next / 1000) : null,
      last_error: this.lastError,
      last_restore: lastRestoreOf(this.#deps.data),
      backups: files.map(viewOf),
    };
  }

  /** Opens a backup, which must be read or closed. @throws ApiError 404 */
  async open(name: string): Promise<FileBeingRead> {
    if (!isBackupName(name)) throw notFound('Backup');
    const file = await this.#deps.process
      .read({ do: 'read', place: this.#deps.settings.place, name })
      .catch(throwAnswer);
    if (!file) throw notFound('Backup');
    return file;
  }

  /** Deletes a backup. @throws ApiError 404 */
  async delete(actor: Actor, name: string): Promise<void> {
    if (!isBackupName(name)) throw notFound('Backup');
    const isGone = await this.#deps.process
      .run({ do: 'delete', place: this.#deps.settings.place, name })
      .catch(throwAnswer);
    if (!isGone) throw notFound('Backup');
    this.#listed = undefined;
    this.#lastAt = undefined;
    this.#record(actor, 'backup.deleted', name);
  }

  /** Tries a backup without changing anything. @throws ApiError 404, 409 when it could not be restored */
  async test(name: string): Promise<BackupTest> {
    if (!isBackupName(name)) throw notFound('Backup');
    const tried = await this.#deps.process
      .run({ do: 'try', place: this.#deps.settings.place, name })
      .catch((error: unknown) => {
        if (error instanceof TaskFailed && !(error instanceof TaskUnavailable)) throw conflict(error.message);
        return throwAnswer(error);
      });
    if (!tried) throw notFound('Backup');
    return testOf(tried);
  }

  /**
   * Goes back to a backup: tries it, makes one of now, and restarts the server, which puts it in place before it opens
   * anything. Returns the name of the backup of now.
   * @throws ApiError 401, 404, 409
   */
  async restore(actor: Actor, name: string, password: string | undefined): Promise<string> {
    const { restart, settings, data, clock, log } = this.#deps;
    // People may have put it there a moment ago.
    this.#listed = undefined;
    const files = isBackupName(name) ? await this.#list().catch(throwAnswer) : [];
    if (!files.some((file) => file.name === name)) throw notFound('Backup');
    await this.#deps.requirePassword(actor, password);
    if (!restart) throw conflict('This server cannot restart itself. Stop it and use "vitrine restore".');
    this.#refuseWhileBusy();
    this.#restoring = true;
    try {
      await this.test(name);
      const { name: safety } = await this.#make(false, { mayPrune: false }).catch(throwAnswer);
      this.#record(actor, 'backup.restored', name);
      await this.#deps.db.durable();
      orderRestore(data, { file: join(settings.place.folder, name), at: clock.now(), by: actor.email, safety });
      log.warn('a backup is restored, and the server restarts', { file: name, by: actor.email, safety });
      setTimeout(restart, ANSWER_FIRST_MS);
      return safety;
    } catch (error) {
      this.#restoring = false;
      throw error;
    }
  }

  get #isBusy(): boolean {
    return this.#making !== undefined || this.#restoring;
  }

  #refuseWhileBusy(): void {
    if (this.#restoring) throw conflict('A backup is being restored. The server restarts in a moment.');
    if (this.#making) throw conflict('A backup is being made already. Wait for it.');
  }

  #record(actor: Actor, action: 'backup.made' | 'backup.deleted' | 'backup.restored', details: string): void {
    const { workspaceId } = actor;
    if (workspaceId) this.#deps.activity.add({ workspaceId, actor, action, details });
  }

  #isDue(): boolean {
    return (
      this.#lastAt !== undefined &&
      this.#lastAt < dueSince(this.#deps.clock.now(), this.#deps.settings.values.backup_hour)
    );
  }

  #make(complete: boolean, { mayPrune = this.#deps.mayPrune() } = {}): Promise<BackupSummary> {
    const { process, clock, data, settings, log, onLost } = this.#deps;
    const now = clock.now();
    const name = complete ? dailyName(now).replace(SUFFIX, `-complete${SUFFIX}`) : dailyName(now);
    const rotation = { keep: settings.values.backup_keep, mayPrune };
    const begun = performance.now();
    this.#making = process
      .run({
        do: 'backup',
        place: settings.place,
        order: { data, media: complete ? 'inside' : 'beside', now, rotation },
        name,
      })
      .then(({ made, lost }) => {
        this.#lastAt = Math.max(this.#lastAt ?? 0, now);
        this.#lastError = null;
        log.info('backup made', { file: made.name, bytes: made.bytes, ms: Math.round(performance.now() - begun) });
        if (lost.missing.length + lost.damaged.length > 0) onLost(lost);
        return made;
      })
      .finally(() => {
        this.#making = undefined;
        this.#listed = undefined;
      });
    return this.#making;
  }

  async #newest(): Promise<number> {
    const now = this.#deps.clock.now();
    // A backup from the future was dated by a wrong clock.
    return Math.max(0, ...(await this.#list()).map(({ madeAt }) => madeAt ?? 0).filter((at) => at <= now + DAY_MS));
  }

  async #list(): Promise<BackupSummary[]> {
    const { place } = this.#deps.settings;
    const known = this.#listed;
    if (known?.folder === place.folder && performance.now() - known.at < LIST_GOOD_MS) return known.files;
    try {
      const files = await this.#deps.process.run({ do: 'list', place });
      this.#listed = { at: performance.now(), folder: place.folder, files };
      this.#folderError = null;
      return files;
    } catch (error) {
      this.#folderError = (error as Error).message;
      throw error;
    }
  }
}

/** Returns when the newest daily backup was due: that hour of local time, in epoch milliseconds. */
export const dueSince = (now: number, hour: number): number => {
  const today = new Date(now);
  today.setHours(hour, 0, 0, 0);
  if (today.getTime() > now) today.setDate(today.getDate() - 1);
  return today.getTime();
};

const viewOf = ({
  name,
  bytes,
  madeAt,
  complete,
  version,
  mediaFiles,
  mediaMissing,
  damage,
}: BackupSummary): Backup => ({
  name,
  bytes,
  made_at: madeAt === null ? null : Math.floor(madeAt / 1000),
  complete,
  version,
  media_files: mediaFiles,
  media_missing: mediaMissing,
  damage,
});

const testOf = ({ madeAt, version, mediaFiles, mediaMissing, differences, plays }: Tried): BackupTest => ({
  made_at: Math.floor(madeAt / 1000),
  version,
  media_files: mediaFiles,
  media_missing: mediaMissing,
  differences,
  plays,
});

const asAnswer = (error: unknown): unknown => {
  if (error instanceof TaskUnavailable) return new ApiError(503, error.message, { retryAfter: ASK_AGAIN_SECONDS });
  return error instanceof TaskFailed
    ? new ApiError(/too little space|disk is full/.test(error.message) ? 507 : 500, error.message)
    : error;
};
/** Throws what the upkeep process said as an answer to a request. */
export const throwAnswer = (error: unknown): never => {
  throw asAnswer(error);
};
