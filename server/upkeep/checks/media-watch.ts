/**
 * Reads all stored media once a week, slowly, so that a failing disk is noticed before a screen needs the file. Also
 * reads the media of backups, before a restore needs them. Media that the store lost are restored from backups at once.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { LostMedia } from '../backup/make-backup.ts';
import type { Place } from '../backup/place.ts';
import type { PoolFindings } from '../backup/pool.ts';
import type { UpkeepProcess } from '../tasks/process.ts';
import type { UpkeepStore } from '../upkeep.store.ts';
import type { BadMedia, MediaFindings } from './media-check.ts';

/** Interval in milliseconds of checks whether the media folder exists. */
const GLANCE_EVERY_MS = 60_000;
const LOOK_EVERY_MS = 3_600_000;
const WEEK_MS = 7 * 86_400_000;
const KEY = 'media_checked';

interface Deps extends Pick<Parts, 'db' | 'clock' | 'log'> {
  readonly data: string;
  readonly store: UpkeepStore;
  readonly process: UpkeepProcess;
  /** Returns the folders with backups: the folder in the data folder, and the chosen folder. */
  readonly places: () => readonly Place[];
}

export class MediaWatch implements Lifecycle {
  readonly name = 'media-watch';
  readonly #deps: Deps;
  #timers: NodeJS.Timeout[] = [];
  #looking: Promise<void> | undefined;
  #findings: MediaFindings | undefined;
  #pools: readonly PoolFindings[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timers = [
      setInterval(() => void this.runDue(), LOOK_EVERY_MS).unref(),
      setInterval(() => void this.glance(), GLANCE_EVERY_MS).unref(),
    ];
  }

  stop(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
  }

  /**
   * Result of the newest check, without files that were restored; undefined when there was no check since the start.
   */
  get findings(): MediaFindings | undefined {
    return this.#findings;
  }

  /** Whether a check is running, which also searches the backups for missing and damaged files. */
  get isLooking(): boolean {
    return this.#looking !== undefined;
  }

  /** Result of the newest check of the media in backups. */
  get pools(): readonly PoolFindings[] {
    return this.#pools;
  }

  /** Checks at once when the media folder was removed. Never rejects. */
  async glance(): Promise<void> {
    if (!existsSync(join(this.#deps.data, 'media')) && !this.#findings?.missing.length)
      await this.runDue({ now: true });
  }

  /**
   * Checks when a check is due, or when the last check found a problem. Never rejects.
   * @param options.now checks even
   * if no check is due
   */
  async runDue({ now = false }: { now?: boolean } = {}): Promise<void> {
    // Waits for a running check and then checks again, because the running check may have started before the problem
    // occurred.
    while (now && this.#looking) await this.#looking;
    const { store, clock } = this.#deps;
    const last = store.find(KEY);
    const isDue = now || typeof last !== 'number' || Math.abs(clock.now() - last) >= WEEK_MS;
    if (isDue || badOf(this.#findings).length > 0 || this.#pools.some(({ damaged }) => damaged.length > 0))
      await this.#look();
  }

  /** Reports media that a backup found missing or damaged, and restores them if possible. Never rejects. */
  async suspect(lost: LostMedia): Promise<void> {
    const named = (hashes: readonly string[]): BadMedia[] =>
      hashes.map((sha256) => ({ sha256, names: this.#deps.store.namesOf(sha256) }));
    const note = () => {
      this.#findings = { checked: 0, missing: named(lost.missing), damaged: named(lost.damaged) };
    };
    note();
    // Waits for a running check and notes the files again, because this check may have passed them before the loss.
    await this.#looking;
    note();
    await this.#look();
  }

  #look(): Promise<void> {
    this.#looking ??= this.#check().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #check(): Promise<void> {
    const { store, db, clock, process, data, log } = this.#deps;
    try {
      const found = await process.run({ do: 'check-media', data });
      this.#findings = await this.#healed(found);
      const names = badOf(this.#findings).flatMap((one) => one.names);
      if (names.length > 0) log.error('Stored media are missing or damaged', { names });
      else log.info('stored media checked', { files: found.checked });
      this.#pools = await this.#checkPools();
      db.write(() => store.put(KEY, clock.now()));
    } catch (error) {
      log.warn('The stored media could not be checked', { error });
    }
  }

  /** Restores media from backups. Returns what is still missing or damaged. */
  async #healed(found: MediaFindings): Promise<MediaFindings> {
    const { places, process, log } = this.#deps;
    let left = found;
    for (const place of places()) {
      const bad = badOf(left);
      if (bad.length === 0) return left;
      try {
        const healed = new Set(await process.run({ do: 'heal', place, wanted: bad.map(({ sha256 }) => sha256) }));
        const isBad = ({ sha256 }: BadMedia) => !healed.has(sha256);
        left = { ...left, missing: left.missing.filter(isBad), damaged: left.damaged.filter(isBad) };
        if (healed.size > 0)
          log.warn('Media that were missing or damaged were brought back from the backups', {
            folder: place.folder,
            files: healed.size,
          });
      } catch (error) {
        log.warn('The backups could not be asked for lost media', { folder: place.folder, error });
      }
    }
    return left;
  }

  async #checkPools(): Promise<PoolFindings[]> {
    const { places, process, log } = this.#deps;
    const found: PoolFindings[] = [];
    for (const place of places()) {
      try {
        const pool = await process.run({ do: 'check-pool', place });
        found.push(pool);
        if (pool.damaged.length > 0)
          log.error('Media of the backups are damaged', { folder: pool.folder, files: pool.damaged });
        else log.info('media of the backups checked', { folder: pool.folder, files: pool.checked });
      } catch (error) {
        log.warn('The media of the backups could not be checked', { folder: place.folder, error });
      }
    }
    return found;
  }
}

const badOf = (findings: MediaFindings | undefined): BadMedia[] =>
  findings ? [...findings.missing, ...findings.damaged] : [];
