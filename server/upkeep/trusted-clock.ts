/** Clock of the whole server: the machine's clock, as long as the server can trust it (rules: kernel/trusted-time). */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { conflict } from '../../shared/contract/errors.ts';
import type { ClockState } from '../../shared/contract/server/upkeep.ts';
import type { Database } from '../db/database.ts';
import type { ActivityLog } from '../kernel/activity.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Parts } from '../kernel/parts.ts';
import type { Clock, MachineClock } from '../kernel/time/clock.ts';
import {
  agreed,
  begin,
  count,
  expected,
  freshOf,
  HEAR_MS,
  judgeClock,
  type Moment,
  type Opinion,
  sureAt,
  type Trust,
  timeOf,
} from '../kernel/time/trusted-time.ts';
import type { Actor } from '../kernel/trust/actor.ts';
import type { UpkeepStore } from './upkeep.store.ts';

const CHECK_EVERY_MS = 5_000;
/** Interval in milliseconds at which the time is saved. After a power cut, the saved time is at most this old. */
const SAVE_EVERY_MS = 5 * 60_000;
/**
 * Delay of the notice in milliseconds. After a holiday the screens confirm the clock long before this delay is over,
 * and no e-mail is needed.
 */
const TELL_AFTER_MS = 10 * 60_000;
const HOLIDAY_MS = 60 * 86_400_000;
/** Key for the server's own computer in the list of computers, instead of a network address. */
const HERE = 'here';
/** Key of the setting, also read by `vitrine doctor`. */
const KEY = 'clock';

/** The stored setting: last known time, and whether the clock is untrusted. */
interface Saved {
  readonly sure_ms: number;
  /** Whether files that were written after `sure_ms` may have a wrong modification time. */
  readonly doubtful: boolean;
}

interface Deps extends Pick<Parts, 'db' | 'bus' | 'log'> {
  readonly machine: MachineClock;
  readonly store: Pick<UpkeepStore, 'find' | 'put' | 'screenCount'>;
  /**
   * Time at which this server last wrote a file, according to the modification times of its files; undefined when it
   * never wrote one.
   */
  readonly written: number | undefined;
}

export class TrustedClock implements Clock, Lifecycle {
  readonly name = 'clock';
  readonly #deps: Deps;
  readonly #opinions = new Map<string, Opinion>();
  #trust: Trust;
  #timer: NodeJS.Timeout | undefined;
  #savedAt: number;
  /**
   * Two times in monotonic milliseconds: when the collection of reports from screens started, and when the clock became
   * untrusted.
   */
  #heardSince: number | undefined;
  #doubtedSince: number | undefined;
  #told = false;
  readonly #startedAt: number;

  constructor(deps: Deps) {
    const { written } = deps;
    this.#deps = deps;
    this.#startedAt = deps.machine.mono();
    const now = this.#moment();
    const saved = savedOf(deps.store.find(KEY));
    const evidence = [saved?.sure_ms, saved?.doubtful ? undefined : written].filter((at) => at !== undefined);
    this.#trust = begin(evidence.length > 0 ? Math.max(...evidence) : undefined, now);
    this.#savedAt = Number.NEGATIVE_INFINITY;
    this.#changed();
  }

  now(): number {
    const { machine } = this.#deps;
    const { sure, doubt } = this.#trust;
    const moment: Moment = { wall: machine.now(), mono: machine.mono() };
    // This function is called thousands of times per second, so the full check runs only when something is wrong.
    if (!doubt && Math.abs(moment.wall - sure.wall - (moment.mono - sure.mono)) < 3_600_000) return moment.wall;
    this.#look();
    return timeOf(this.#trust, moment);
  }

  /** Milliseconds since the start of this server, independent of the clock. */
  get uptime(): number {
    return this.#deps.machine.mono() - this.#startedAt;
  }

  /** Checks the clock again. Called when a person may have set it. */
  get doubtful(): boolean {
    this.now();
    return this.#trust.doubt !== null;
  }

  get least(): number {
    const now = this.now();
    return this.#trust.doubt ? expected(this.#trust, this.#moment()) : now;
  }

  start(): void {
    this.#timer = setInterval(() => this.check(), CHECK_EVERY_MS).unref();
    this.check();
  }

  /** Saves the time. Called after all other parts have stopped. */
  stop(): void {
    clearInterval(this.#timer);
    this.#look();
    this.#save();
  }

  /** Checks the clock and the reports of screens. Never throws. */
  check(): void {
    this.#look();
    const now = this.#moment();
    if (!this.#trust.doubt) {
      this.#trust = sureAt(now);
    } else if (this.#haveScreensAgreed(now)) {
      this.#believe(now, 'The screens agree with the clock of the server.');
    } else if (!this.#told && this.#doubtedSince !== undefined && now.mono - this.#doubtedSince >= TELL_AFTER_MS) {
      this.#told = true;
      this.#deps.bus.emit('clockDoubtful', this.problem!);
    }
    if (now.mono - this.#savedAt >= SAVE_EVERY_MS) this.#save();
  }

  /** Records the clock of a screen, while the server's clock is untrusted. */
  recordScreenClock(
    deviceId: string,
    wall: number,
    { address, isHere }: { readonly address: string; readonly isHere: boolean },
  ): void {
    if (!this.#trust.doubt) return;
    const { mono } = this.#moment();
    this.#opinions.set(deviceId, { wall, mono, computer: isHere ? HERE : address });
    this.#heardSince ??= mono;
  }

  /**
   * Returns the screens that may confirm the clock, and the number of such screens. Screens on the server's own
   * computer share its clock and would confirm any time. These screens count only when there are no others and the
   * computer may simply have been off; otherwise a person would have to confirm the time after every holiday.
   */
  #voters(now: Moment): { opinions: Opinion[]; screens: number } {
    const fresh = freshOf(this.#opinions.values(), now);
    const screens = this.#deps.store.screenCount();
    const elsewhere = fresh.filter(({ computer }) => computer !== HERE);
    const here = fresh.length - elsewhere.length;
    return here >= screens && this.#mayHaveBeenOff
      ? { opinions: fresh, screens }
      : { opinions: elsewhere, screens: screens - here };
  }

  get #mayHaveBeenOff(): boolean {
    const { doubt, sure } = this.#trust;
    if (!doubt || doubt.running) return false;
    const ahead = doubt.seen.wall - sure.wall;
    return ahead > 0 && ahead <= HOLIDAY_MS;
  }

  #haveScreensAgreed(now: Moment): boolean {
    if (this.#heardSince === undefined || now.mono - this.#heardSince < HEAR_MS) return false;
    const { opinions, screens } = this.#voters(now);
    return agreed(opinions, now, screens);
  }

  /** Returns whether the server knows how much time has passed since the clock became untrusted. */
  get steady(): boolean {
    return this.#trust.doubt?.running ?? true;
  }

  state(): ClockState {
    this.#look();
    const { doubt } = this.#trust;
    const now = this.#moment();
    const { heard, agreeing } = count(this.#voters(now).opinions, now);
    return {
      now: Math.floor(now.wall / 1000),
      doubt: doubt && {
        id: doubt.id,
        expected: Math.floor(expected(this.#trust, now) / 1000),
        at_least: doubt.running ? 0 : 1,
        screens_agree: agreeing,
        screens_heard: heard,
      },
    };
  }

  /** Description of the problem while the clock is untrusted; null while the clock is trusted. */
  get problem(): string | null {
    const { doubt } = this.#trust;
    if (!doubt) return null;
    const now = this.#moment();
    const should = iso(expected(this.#trust, now));
    return (
      `The clock of this computer shows ${iso(now.wall)}, but it should show ${doubt.running ? should : `${should} or somewhat later`}. ` +
      'Until the server can trust the clock again, the server deletes no old data and no backups, and plays stay on the screens. Set the clock, or confirm that it is right.'
    );
  }

  /**
   * Makes the clock trusted again. Returns the state of the clock and the confirmed time.
   * @throws ApiError 409 when the id is not the id of the jump for which the clock is untrusted now
   */
  confirm(by: string, id: string): { readonly state: ClockState; readonly confirmed: string } {
    this.#look();
    if (this.#trust.doubt?.id !== id)
      throw conflict('The clock has changed since this page was loaded. Reload the page and check it again.');
    const now = this.#moment();
    this.#believe(now, `${by} confirmed the clock of the server.`);
    return { state: this.state(), confirmed: iso(now.wall) };
  }

  #look(): void {
    const before = this.#trust;
    const after = judgeClock(before, this.#moment());
    if (after.doubt === before.doubt) return;
    this.#trust = after;
    this.#changed();
  }

  #believe(now: Moment, why: string): void {
    this.#trust = sureAt(now);
    this.#changed(why);
  }

  #changed(why = 'The clock of the server is as expected again.'): void {
    const { doubt } = this.#trust;
    const wasTold = this.#told;
    if (!doubt) {
      const wasDoubtful = this.#doubtedSince !== undefined;
      this.#doubtedSince = this.#heardSince = undefined;
      this.#opinions.clear();
      this.#told = false;
      if (wasDoubtful) this.#deps.log.warn(why);
      if (wasTold) this.#deps.bus.emit('clockSure', why);
    } else {
      this.#doubtedSince ??= this.#moment().mono;
      this.#deps.log.warn(this.problem!);
    }
    // Saves the time later, because this may run within a transaction.
    this.#savedAt = Number.NEGATIVE_INFINITY;
  }

  #save(): void {
    const now = this.#moment();
    this.#savedAt = now.mono;
    const saved: Saved = { sure_ms: Math.round(expected(this.#trust, now)), doubtful: this.doubtful };
    const { db, store, log } = this.#deps;
    try {
      db.write(() => store.put(KEY, saved));
    } catch (error) {
      // Ignores the error, because the disk is probably full. The next start uses the time that was saved before.
      log.warn('The time could not be saved', { error });
    }
  }

  #moment(): Moment {
    const { machine } = this.#deps;
    return { wall: machine.now(), mono: machine.mono(), awake: machine.awake?.() };
  }
}

export const savedOf = (value: unknown): Saved | undefined => {
  const { sure_ms, doubtful } = (value ?? {}) as Partial<Saved>;
  return typeof sure_ms === 'number' && typeof doubtful === 'boolean' ? { sure_ms, doubtful } : undefined;
};

const iso = (ms: number): string => {
  const at = new Date(ms);
  return Number.isNaN(at.getTime()) ? `${ms} ms` : `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
};

/** Returns when the server last wrote to its folder (epoch milliseconds). Called before anything is written. */
export const lastWritten = (data: string): number | undefined => {
  const backups = join(data, 'backups');
  const files = [
    ...['vitrine.db', 'vitrine.db-wal', join('logs', 'server.log')].map((name) => join(data, name)),
    ...namesIn(backups).map((name) => join(backups, name)),
  ];
  const times = files.flatMap((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? []);
  return times.length > 0 ? Math.max(...times) : undefined;
};

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.vitrine'));
  } catch {
    return [];
  }
};

/**
 * Makes the clock trusted again and records who confirmed the time.
 * @throws ApiError 409 when the id is not the id of the jump for which the clock is untrusted now
 */
export const confirmClock = (
  { clock, db, activity }: { readonly clock: TrustedClock; readonly db: Database; readonly activity: ActivityLog },
  actor: Actor,
  id: string,
): ClockState => {
  const { state, confirmed } = clock.confirm(actor.userName || 'An administrator', id);
  const { workspaceId } = actor;
  if (workspaceId !== null)
    db.write(() => activity.add({ workspaceId, actor, action: 'server.clock_confirmed', details: confirmed }));
  return state;
};
