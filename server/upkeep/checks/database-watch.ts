/**
 * Checks whether the database is intact. A small database was read at the start. A large database is read after the
 * start in a low-priority process. Every database is read again once a week. Until the check succeeds, the server tells
 * no screen that it is unknown.
 */
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { Notices } from '../notices/notices.ts';
import type { UpkeepProcess } from '../tasks/process.ts';
import { newestCheck, rememberCheck } from './database-check.ts';

/** Delay in milliseconds of the check after the start, because the server has other work then. */
const FIRST_LOOK_MS = 2_000;
const LOOK_EVERY_MS = 10 * 60_000;
const WEEK_MS = 7 * 86_400_000;

interface Deps extends Pick<Parts, 'clock' | 'mono' | 'log'> {
  readonly data: string;
  /** Whether the server read every page of the database at its start. */
  readonly isChecked: boolean;
  readonly process: UpkeepProcess;
  readonly notices: Pick<Notices, 'databaseDamaged'>;
}

export class DatabaseWatch implements Lifecycle {
  readonly name = 'database-watch';
  readonly #deps: Deps;
  #timers: NodeJS.Timeout[] = [];
  #running: Promise<void> | undefined;
  #damage: string | null = null;
  #isWhole: boolean;
  /** Time of the last check in monotonic milliseconds; undefined when there was no check since the start. */
  #checkedAt: number | undefined;
  #stopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#isWhole = deps.isChecked;
  }

  start(): void {
    this.#stopped = false;
    const { data, mono } = this.#deps;
    if (this.#isWhole) {
      this.#checkedAt = mono();
      if (newestCheck(data)?.damage != null) this.#remember(null);
    } else this.#damage = newestCheck(data)?.damage ?? null;
    const runDue = () => void this.runDue();
    this.#timers = [setTimeout(runDue, FIRST_LOOK_MS).unref(), setInterval(runDue, LOOK_EVERY_MS).unref()];
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
  }

  /** Whether every page was read since the start, and no damage was found. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Description of the damage and what to do; null when no damage is known. */
  get damage(): string | null {
    return this.#damage === null ? null : sentenceOf(this.#damage);
  }

  /** Checks the database when a check is due. Never rejects. */
  runDue(): Promise<void> {
    if (this.#checkedAt !== undefined && this.#deps.mono() - this.#checkedAt < WEEK_MS)
      return this.#running ?? Promise.resolve();
    this.#running ??= this.#check().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #check(): Promise<void> {
    const { data, process, mono, log, notices } = this.#deps;
    const begun = mono();
    try {
      const { damage } = await process.run({ do: 'check-database', data });
      this.#checkedAt = mono();
      const wasKnown = this.#damage !== null;
      [this.#isWhole, this.#damage] = [damage === null, damage];
      this.#remember(damage);
      if (damage === null) return log.info('database checked', { ms: Math.round(mono() - begun) });
      log.error(sentenceOf(damage));
      if (!wasKnown) notices.databaseDamaged(sentenceOf(damage));
    } catch (error) {
      // A check that failed to run is repeated in ten minutes.
      if (!this.#stopped) log.warn('The database could not be checked', { error });
    }
  }

  #remember(damage: string | null): void {
    try {
      rememberCheck(this.#deps.data, { at: this.#deps.clock.now(), damage });
    } catch (error) {
      this.#deps.log.warn('The result of the check of the database could not be kept', { error });
    }
  }
}

const sentenceOf = (damage: string): string =>
  `The database is damaged (${damage.slice(0, 200)}). Screens keep playing, and older backups are kept. Stop the server and restore the newest good backup: "vitrine doctor" names it.`;
