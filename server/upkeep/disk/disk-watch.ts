/** Checks every minute how full the disk is, when it will be full, and whether it works. Reports changes. */
import { statfs } from 'node:fs/promises';
import type { Storage } from '../../../shared/contract/server/upkeep.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { Notices } from '../notices/notices.ts';
import type { UpkeepProcess } from '../tasks/process.ts';
import type { FolderSizes } from '../tasks/tasks.ts';
import type { UpkeepStore } from '../upkeep.store.ts';
import type { DiskRoom } from './disk-room.ts';
import { dayOf, forecast, type Sample, withSample } from './forecast.ts';

const LOOK_EVERY_MS = 60_000;
const SIZES_EVERY_MS = 6 * 3_600_000;
const KEY = 'storage_history';
/** Level that was reported last, stored across restarts. */
const TOLD = 'storage_level';
const GB = 1024 ** 3;
/** Minimum time in milliseconds between two notices about a failing disk. */
const TELL_EVERY_MS = 3_600_000;

type DiskLevel = Storage['level'];

/**
 * Rates free space: `full` when uploads are refused (media-store reserves 8 MB), `low` when a day of uploads may fill
 * the disk.
 */
export const levelOf = (freeBytes: number, totalBytes: number, fullInDays: number | null): DiskLevel => {
  if (freeBytes < Math.min(64 * 1024 * 1024, totalBytes * 0.02)) return 'full';
  if (freeBytes < Math.min(2 * GB, totalBytes * 0.1) || (fullInDays !== null && fullInDays < 14)) return 'low';
  return 'ok';
};

/** Returns whether the disk of a folder is full. */
export const isFull = async (folder: string): Promise<boolean> => {
  const { bavail, bsize, blocks } = await statfs(folder);
  return levelOf(bavail * bsize, blocks * bsize, null) === 'full';
};

interface Deps extends Pick<Parts, 'db' | 'clock' | 'log'> {
  readonly data: string;
  readonly room: DiskRoom;
  readonly store: UpkeepStore;
  readonly process: UpkeepProcess;
  readonly notices: Pick<Notices, 'diskLevel' | 'databaseFailing'>;
}

export class DiskWatch implements Lifecycle {
  readonly name = 'disk-watch';
  readonly #deps: Deps;
  #timer: NodeJS.Timeout | undefined;
  #level: DiskLevel | undefined;
  #sizes: FolderSizes = { backups: 0, logs: 0, aside: 0 };
  #sizedAt = Number.NEGATIVE_INFINITY;
  #stopped = false;
  #toldFailing = Number.NEGATIVE_INFINITY;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.db.onFailure((failure) => this.failing(failure));
  }

  start(): void {
    this.#stopped = false;
    this.#deps.room.begin();
    this.#timer = setInterval(() => void this.check(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }

  /** Called when the disk of the database begins to fail, or (undefined) works again. */
  failing(failure: Error | undefined): void {
    const { log, clock, notices } = this.#deps;
    if (!failure) return log.info('The server’s disk works again');
    log.error('The server’s disk fails: nothing can be saved', { error: failure });
    if (clock.now() - this.#toldFailing < TELL_EVERY_MS) return;
    this.#toldFailing = clock.now();
    // Sends the notice in a later turn of the event loop, not within the write transaction that failed.
    setImmediate(() => notices.databaseFailing(failingSentence(failure)));
  }

  /** Checks the disk. Never rejects. */
  async check(): Promise<DiskLevel> {
    try {
      // Writes to the database, because a failure of an unused disk would otherwise go unnoticed.
      this.#tryWriting();
      const storage = await this.storage();
      if (this.#stopped) return storage.level;
      this.#sample(storage);
      this.#tell(storage);
      if (storage.level === 'ok') await this.#deps.room.restoreReserve();
      if (this.#deps.clock.now() - this.#sizedAt > SIZES_EVERY_MS) void this.#measure();
    } catch (error) {
      this.#deps.log.warn('The disk could not be looked at', { error });
    }
    return this.#level ?? 'ok';
  }

  async storage(): Promise<Storage> {
    const { data, store } = this.#deps;
    const { bavail, bsize, blocks } = await statfs(data);
    const [free_bytes, total_bytes] = [bavail * bsize, blocks * bsize];
    const { growth, fullInDays } = forecast(this.#history(), free_bytes);
    return {
      path: data,
      total_bytes,
      free_bytes,
      database_bytes: store.databaseBytes(),
      media_bytes: store.mediaBytes(),
      backups_bytes: this.#sizes.backups,
      logs_bytes: this.#sizes.logs,
      aside_bytes: this.#sizes.aside,
      level: levelOf(free_bytes, total_bytes, fullInDays),
      growth_bytes_per_day: growth,
      full_in_days: fullInDays,
    };
  }

  #tryWriting(): void {
    try {
      this.#deps.db.writeNothing();
    } catch {
      // Ignores the error, because the database reports the failure itself.
    }
  }

  #history(): Sample[] {
    const stored = this.#deps.store.find(KEY);
    return Array.isArray(stored) ? (stored as Sample[]) : [];
  }

  /** Stores one sample per day. */
  #sample({ database_bytes, media_bytes }: Storage): void {
    const { db, store, clock } = this.#deps;
    if (clock.doubtful) return;
    const history = this.#history();
    const day = dayOf(clock.now());
    if (history.at(-1)?.day === day) return;
    try {
      db.write(() => store.put(KEY, withSample(history, { day, bytes: database_bytes + media_bytes })));
    } catch {
      // Ignores a full disk: no sample is needed then, because there is nothing to forecast.
    }
  }

  #tell({ level, free_bytes, full_in_days }: Storage): void {
    const { store, db } = this.#deps;
    this.#level ??= levelIn(store.find(TOLD));
    if (level === this.#level) return;
    const [before, free] = [this.#level, `${Math.floor(free_bytes / 1024 / 1024)} MB`];
    this.#level = level;
    try {
      db.write(() => store.put(TOLD, level));
    } catch {
      // Ignores a failed write: on a completely full disk the level cannot be stored, so it is reported again after a
      // restart.
    }
    const sentence = sentences[level](free, full_in_days);
    if (level === 'ok') this.#deps.log.info(sentence);
    else this.#deps.log.warn(sentence);
    if (level !== 'ok' || before !== 'ok') this.#deps.notices.diskLevel(level, sentence);
  }

  async #measure(): Promise<void> {
    this.#sizedAt = this.#deps.clock.now();
    this.#sizes = await this.#deps.process.run({ do: 'sizes', data: this.#deps.data }).catch(() => this.#sizes);
  }
}

const levelIn = (stored: unknown): DiskLevel => (stored === 'low' || stored === 'full' ? stored : 'ok');

/** @param failure error of the database */
export const failingSentence = (failure: Error): string =>
  `The server’s disk is failing: the database cannot be written or read (${failure.message}). Screens keep playing their content, but nothing can be saved. Have the disk checked now, and keep the newest backup safe.`;

const sentences: Record<DiskLevel, (free: string, days: number | null) => string> = {
  ok: (free) => `The server’s disk has free space again (${free}).`,
  low: (free, days) =>
    `The server’s disk is getting full: ${free} are free${days === null ? '' : `, enough for ${days} days`}. Delete content that is no longer used, or give the server a larger disk.`,
  full: (free) =>
    `The server’s disk is full (${free} free). Screens keep playing, but nothing new can be saved. Free some space now.`,
};
