/** Reads all stored media once a week, slowly, so that a dying disk is noticed before a screen needs the file. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../db/database.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Log } from '../kernel/log.ts';
import type { MediaFindings } from './media-check.ts';
import type { UpkeepProcess } from './process.ts';
import type { UpkeepStore } from './upkeep.store.ts';

/** Whether the folder is there at all. */
const GLANCE_EVERY_MS = 60_000;
const LOOK_EVERY_MS = 3_600_000;
const WEEK_MS = 7 * 86_400_000;
const KEY = 'media_checked';

export class MediaWatch implements Lifecycle {
  readonly name = 'media-watch';
  readonly #d: { data: string; db: Database; store: UpkeepStore; process: UpkeepProcess; clock: Clock; log: Log };
  #timers: NodeJS.Timeout[] = [];
  #running = false;
  #findings: MediaFindings | undefined;

  constructor(deps: { data: string; db: Database; store: UpkeepStore; process: UpkeepProcess; clock: Clock; log: Log }) {
    this.#d = deps;
  }

  start(): void {
    this.#timers = [setInterval(() => void this.look(), LOOK_EVERY_MS).unref(), setInterval(() => void this.glance(), GLANCE_EVERY_MS).unref()];
  }

  stop(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
  }

  /** Of the newest check; undefined: none since the start that found anything. */
  get findings(): MediaFindings | undefined {
    return this.#findings;
  }

  /** A folder that somebody removed is noticed now, not in a week. Never rejects. */
  async glance(): Promise<void> {
    if (!existsSync(join(this.#d.data, 'media')) && !this.#findings?.missing.length) await this.look({ now: true });
  }

  /** Checks when it is due, or something was wrong the last time. Never rejects. @param options.now though it is not due */
  async look({ now = false }: { now?: boolean } = {}): Promise<void> {
    const { store, db, clock, process, data, log } = this.#d;
    const last = store.find(KEY);
    const wasBad = this.#findings !== undefined && this.#findings.missing.length + this.#findings.damaged.length > 0;
    if (this.#running || (!now && !wasBad && typeof last === 'number' && clock.now() - last < WEEK_MS)) return;
    this.#running = true;
    try {
      this.#findings = await process.run({ do: 'check-media', data });
      const { missing, damaged, checked } = this.#findings;
      const names = [...missing, ...damaged].flatMap((one) => one.names);
      if (names.length > 0) log.error('Stored media are missing or damaged', { names });
      else log.info('stored media checked', { files: checked });
      db.write(() => store.put(KEY, clock.now()));
    } catch (error) {
      log.warn('The stored media could not be checked', { error });
    } finally {
      this.#running = false;
    }
  }
}
