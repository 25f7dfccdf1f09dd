/** Makes backups of the running server, daily and on demand, in a child process. */
import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { ApiError, conflict, notFound } from '../../../shared/contract/errors.ts';
import type { ActivityAction } from '../../../shared/contract/server/activity.ts';
import type {
  Backup,
  BackupsState,
  BackupTest,
  BackupWork,
  RestoreProgress,
} from '../../../shared/contract/server/upkeep.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { Actor, Doer } from '../../kernel/trust/actor.ts';
import { UPDATE_WAY_BACK_MS, updateRecordOf } from '../../versions/version-folder.ts';
import { lastRestoreOf, orderRestore, outcomeOf, viewOf } from '../restore/restore-order.ts';
import { type FileBeingRead, TaskFailed, TaskRefused, TaskUnavailable, type UpkeepProcess } from '../tasks/process.ts';
import type { Progress } from '../tasks/progress.ts';
import { asAnswer, refusalOf, throwAnswer } from '../tasks/task-answers.ts';
import type { UpkeepSettings } from '../upkeep-settings.ts';
import { SUFFIX } from './archive.ts';
import { type BackupSummary, broughtInName, dailyName, isBackupName } from './backup-files.ts';
import { IncomingBackup } from './incoming-backup.ts';
import type { LostMedia } from './make-backup.ts';
import type { Tried } from './try-backup.ts';
import { tidy } from './unfinished.ts';

const LOOK_EVERY_MS = 5 * 60_000;
/** Delay in milliseconds of the first check, because the server has other work right after its start. */
const FIRST_LOOK_MS = 2 * 60_000;
/**
 * Delay in milliseconds before the next attempt after a failed backup, because the disk may still be full or
 * unavailable.
 */
const RETRY_AFTER_MS = 3_600_000;
const DAY_MS = 86_400_000;
/**
 * Time in milliseconds for which the list of backups is cached. Short, because people may change the folder themselves.
 */
const LIST_GOOD_MS = 2_000;
/** Time in milliseconds for which a restore can be undone, and for which the backup from before the restore is kept. */
const WAY_BACK_MS = 7 * DAY_MS;
/** Delay of the restart in milliseconds, so that the answer reaches the person who requested the restore. */
const ANSWER_FIRST_MS = 300;

interface Deps extends Pick<Parts, 'clock' | 'db' | 'log' | 'activity'> {
  readonly data: string;
  /** Id of this server. */
  readonly serverId: string;
  readonly settings: UpkeepSettings;
  readonly process: UpkeepProcess;
  /** Returns false while the clock is untrusted, or the database or media may be damaged; no backup is deleted then. */
  readonly mayPrune: () => boolean;
  /** Called when a backup found media of the store missing or damaged. */
  readonly onLost: (lost: LostMedia) => void;
  readonly proof: {
    proofOf(actor: Actor): BackupsState['proof'];
    /** @throws ApiError 400, 401, 429 */
    requireProof(actor: Actor, password: string | undefined): Promise<void>;
  };
  /** Restarts the server in this process; absent when another program controls it. */
  readonly restart: (() => void) | undefined;
}

export class BackupsService implements Lifecycle {
  readonly name = 'backups';
  readonly #deps: Deps;
  #timers: NodeJS.Timeout[] = [];
  #making: Promise<BackupSummary> | undefined;
  /** Id under which a client follows a restore, from the first check until the server restarts. */
  #restoring: string | undefined;
  #bringingIn = false;
  /** Work in progress, the newest last. */
  readonly #work = new Map<object, BackupWork>();
  /** Time of the newest backup, in epoch milliseconds; undefined before the first check. */
  #lastAt: number | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  #lastError: string | null = null;
  /** Error of the last attempt to read the folder; null when the attempt succeeded. */
  #folderError: string | null = null;
  #listed: { readonly at: number; readonly folder: string; readonly files: BackupSummary[] } | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    try {
      tidy(this.#deps.settings.ownPlace.folder);
    } catch (error) {
      // Ignores this failure, because the next backup tries again to remove the leftovers.
      this.#deps.log.warn('What unfinished backups left could not be cleared away', { error });
    }
    const runDue = () => void this.runDue();
    this.#timers = [setTimeout(runDue, FIRST_LOOK_MS).unref(), setInterval(runDue, LOOK_EVERY_MS).unref()];
  }

  stop(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
    this.#deps.process.stop();
  }

  get lastError(): string | null {
    return this.#lastError ?? this.#folderError;
  }

  /** Time of the newest backup in epoch milliseconds; undefined when there is no backup, or before the first check. */
  get lastAt(): number | undefined {
    return this.#lastAt;
  }

  /** Makes the daily backup when it is due. Never rejects. */
  async runDue(): Promise<void> {
    const { clock, settings, log } = this.#deps;
    const { backup_daily, backup_hour } = settings.values;
    // Ignores a failure with a time in the future, because it was recorded while the clock was wrong.
    if (!backup_daily || this.#isBusy || Math.abs(clock.now() - this.#failedAt) < RETRY_AFTER_MS) return;
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

  async make(actor: Doer, { complete }: { complete: boolean }): Promise<Backup> {
    this.#refuseWhileBusy();
    try {
      const made = await this.#make(complete);
      this.#record(actor, 'backup.made', made.name);
      return this.#view(made);
    } catch (error) {
      if (!(error instanceof ApiError)) this.#lastError = (error as Error).message;
      throw asAnswer(error);
    }
  }

  async state(actor: Actor): Promise<BackupsState> {
    const { settings, clock, data, proof } = this.#deps;
    const { backup_daily, backup_hour } = settings.values;
    const { files, error } = await this.#listOrError();
    const next = this.#isDue() ? clock.now() : dueSince(clock.now(), backup_hour) + DAY_MS;
    return {
      folder: settings.place.folder,
      folder_error: error,
      running: this.#making !== undefined,
      work: this.#workNow,
      next_at: backup_daily ? Math.floor(next / 1000) : null,
      last_error: this.lastError,
      last_restore: lastRestoreOf(data),
      proof: proof.proofOf(actor),
      backups: files.map((file) => this.#view(file)),
    };
  }

  /** Returns the progress or result of a restore to a client that knows the id of the restore. @throws ApiError 404 */
  watched(watch: string): RestoreProgress {
    if (watch === this.#restoring) return { work: this.#workNow, outcome: null };
    const outcome = outcomeOf(this.#deps.data);
    if (watch === '' || watch !== outcome?.watch) throw notFound('Restore');
    return { work: null, outcome: viewOf(outcome) };
  }

  /** Opens a backup file. The caller must read it to the end or close it. @throws ApiError 404 */
  async open(name: string): Promise<FileBeingRead> {
    if (!isBackupName(name)) throw notFound('Backup');
    const file = await this.#deps.process
      .read({ do: 'read', place: this.#deps.settings.place, name })
      .catch(throwAnswer);
    if (!file) throw notFound('Backup');
    return file;
  }

  /** Records that a backup was downloaded. @throws ApiError 404 */
  async markDownloaded(actor: Actor, name: string): Promise<void> {
    (await this.open(name)).close();
    this.#record(actor, 'backup.downloaded', name);
  }

  /**
   * Opens a file for an uploaded backup.
   * @param expected size in bytes, 0 when unknown
   * @throws ApiError 409, 503, 507
   */
  async receive(expected: number): Promise<IncomingBackup> {
    if (this.#restoring) throw restoringNow();
    if (this.#bringingIn) throw conflict('Another backup is being uploaded. Wait until it is finished.');
    this.#bringingIn = true;
    const { process, settings, clock } = this.#deps;
    const work = this.#begin('bring_in');
    const over = () => {
      this.#bringingIn = false;
      work.end();
    };
    try {
      const name = broughtInName(clock.now());
      const task = { do: 'bring-in', place: settings.place, name, expected } as const;
      return new IncomingBackup(await process.bringIn(task, work.watch), over);
    } catch (error) {
      over();
      return throwAnswer(error);
    }
  }

  /** Accepts a completely uploaded backup. @throws ApiError 400, 409, 503, 507 */
  async bringIn(actor: Actor, incoming: IncomingBackup): Promise<Backup> {
    const brought = await incoming.end().catch((error: unknown) => {
      if (error instanceof TaskRefused) throw refusalOf(error);
      return throwAnswer(error);
    });
    this.#listed = undefined;
    this.#record(actor, 'backup.brought_in', brought.name);
    return this.#view(brought);
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

  /** Test-restores a backup without changing anything. @throws ApiError 404, 409 when it could not be restored */
  async test(name: string): Promise<BackupTest> {
    if (!isBackupName(name)) throw notFound('Backup');
    const work = this.#begin('test');
    const tried = await this.#deps.process
      .run({ do: 'try', place: this.#deps.settings.place, name }, work.watch)
      .catch((error: unknown) => {
        if (error instanceof TaskFailed && !(error instanceof TaskUnavailable)) throw conflict(error.message);
        return throwAnswer(error);
      })
      .finally(work.end);
    if (!tried) throw notFound('Backup');
    return testOf(tried);
  }

  /**
   * Restores a backup: tests it, makes a backup of the present state, and restarts the server, which applies the
   * restore before it opens anything. Returns the name of the new backup and the id to follow the restore.
   * @throws ApiError 401, 404, 409
   */
  async restore(
    actor: Actor,
    name: string,
    password: string | undefined,
  ): Promise<{ readonly safety: string; readonly watch: string }> {
    const { restart, settings, data, clock, log } = this.#deps;
    // Reads the folder again, because the person may have put the file there a moment ago.
    this.#listed = undefined;
    const files = isBackupName(name) ? await this.#list().catch(throwAnswer) : [];
    if (!files.some((file) => file.name === name)) throw notFound('Backup');
    await this.#deps.proof.requireProof(actor, password);
    if (!restart) throw conflict('This server cannot restart itself. Stop the server, then use "vitrine restore".');
    this.#refuseWhileBusy();
    const watch = randomBytes(16).toString('hex');
    this.#restoring = watch;
    try {
      const { differences, plays } = await this.test(name);
      const { name: safety } = await this.#make(false, { mayPrune: false }).catch(throwAnswer);
      this.#record(actor, 'backup.restored', name);
      await this.#deps.db.durable();
      const file = join(settings.place.folder, name);
      orderRestore(data, { file, at: clock.now(), by: actor.email, safety, watch, differences, plays });
      log.warn('a backup is restored, and the server restarts', { file: name, by: actor.email, safety });
      setTimeout(restart, ANSWER_FIRST_MS);
      return { safety, watch };
    } catch (error) {
      this.#restoring = undefined;
      throw error;
    }
  }

  get #isBusy(): boolean {
    return this.#making !== undefined || this.#restoring !== undefined;
  }

  #refuseWhileBusy(): void {
    if (this.#restoring) throw restoringNow();
    if (this.#making) throw conflict('A backup is already running. Wait until it is finished.');
  }

  /** Publishes the progress of a task until the task ends. */
  #begin(what: BackupWork['what']): { readonly watch: (progress: Progress) => void; readonly end: () => void } {
    const key = {};
    return {
      watch: ({ step, done, total }) => void this.#work.set(key, { what, step, done_bytes: done, total_bytes: total }),
      end: () => void this.#work.delete(key),
    };
  }

  get #workNow(): BackupWork | null {
    return [...this.#work.values()].at(-1) ?? null;
  }

  #view({ madeAt, keptUntil, server, mediaFiles, mediaMissing, ...file }: BackupSummary): Backup {
    return {
      ...file,
      made_at: madeAt === null ? null : Math.floor(madeAt / 1000),
      media_files: mediaFiles,
      media_missing: mediaMissing,
      brought_in: keptUntil === undefined ? 0 : 1,
      kept_until: keptUntil === undefined ? null : Math.floor(keptUntil / 1000),
      foreign: server !== null && server.id !== '' && server.id !== this.#deps.serverId ? 1 : 0,
      server_name: server?.name ?? null,
    };
  }

  #record(actor: Doer, action: Extract<ActivityAction, `backup.${string}`>, details: string): void {
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
    const rotation = { keep: settings.values.backup_keep, mayPrune, spare: this.#waysBack() };
    const begun = performance.now();
    const work = this.#begin('backup');
    this.#making = process
      .run(
        {
          do: 'backup',
          place: settings.place,
          order: { data, media: complete ? 'inside' : 'beside', now, rotation },
          name,
        },
        work.watch,
      )
      .then(({ made, lost }) => {
        this.#lastAt = Math.max(this.#lastAt ?? 0, now);
        this.#lastError = null;
        log.info('backup made', { file: made.name, bytes: made.bytes, ms: Math.round(performance.now() - begun) });
        if (lost.missing.length + lost.damaged.length > 0) onLost(lost);
        return made;
      })
      .finally(() => {
        work.end();
        this.#making = undefined;
        this.#listed = undefined;
      });
    return this.#making;
  }

  /** Returns the full path of a backup. */
  pathOf(name: string): string {
    return join(this.#deps.settings.place.folder, name);
  }

  /** Names of backups that are needed to undo a restore or an update. */
  #waysBack(): string[] {
    const { data, clock } = this.#deps;
    const [last, update] = [lastRestoreOf(data), updateRecordOf(data)];
    return [
      ...(last && clock.now() - last.at * 1000 < WAY_BACK_MS ? [last.safety] : []),
      ...(update && clock.now() - update.at < UPDATE_WAY_BACK_MS ? [basename(update.backup)] : []),
    ];
  }

  /** Returns the list, or the last known list and the reason why it is not current. Never rejects. */
  async #listOrError(): Promise<{ readonly files: readonly BackupSummary[]; readonly error: string | null }> {
    const before = this.#listed?.files ?? [];
    try {
      return { files: await this.#list(), error: null };
    } catch (error) {
      return { files: before, error: (error as Error).message };
    }
  }

  async #newest(): Promise<number> {
    const now = this.#deps.clock.now();
    // Ignores a backup with a time in the future, because it was made while the clock was wrong.
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

const restoringNow = () => conflict('A backup is being restored. The server restarts in a moment.');

/** Returns the last time at which a daily backup was due, in epoch milliseconds: the chosen hour of local time. */
export const dueSince = (now: number, hour: number): number => {
  const today = new Date(now);
  today.setHours(hour, 0, 0, 0);
  if (today.getTime() > now) today.setDate(today.getDate() - 1);
  return today.getTime();
};

const testOf = ({ madeAt, version, mediaFiles, mediaMissing, differences, plays }: Tried): BackupTest => ({
  made_at: Math.floor(madeAt / 1000),
  version,
  media_files: mediaFiles,
  media_missing: mediaMissing,
  differences,
  plays,
});
