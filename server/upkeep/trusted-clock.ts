/** The clock of the whole server: the machine's, as long as it can be believed (rules: kernel/trusted-time). */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { conflict } from '../../shared/contract/errors.ts';
import type { ClockState } from '../../shared/contract/upkeep.ts';
import type { Database } from '../db/database.ts';
import type { ActivityLog } from '../kernel/activity.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Clock, MachineClock } from '../kernel/clock.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Parts } from '../kernel/parts.ts';
import {
  agreed,
  begin,
  count,
  expected,
  freshOf,
  HEAR_MS,
  look,
  type Moment,
  type Opinion,
  sureAt,
  type Trust,
  timeOf,
} from '../kernel/trusted-time.ts';
import type { UpkeepStore } from './upkeep.store.ts';

const CHECK_EVERY_MS = 5_000;
/** A power cut takes at most this much of what is known about the time. */
const SAVE_EVERY_MS = 5 * 60_000;
/** After a holiday the screens settle the doubt long before this, and no mail is needed. */
const TELL_AFTER_MS = 10 * 60_000;
const HOLIDAY_MS = 60 * 86_400_000;
/** Stands for the server's own computer among addresses. */
const HERE = 'here';
/** The key of the setting, which `vitrine doctor` reads as well. */
const KEY = 'clock';

/** What the settings keep. */
interface Saved {
  readonly sure_ms: number;
  /** Says that files written since may bear any time. */
  readonly doubtful: boolean;
}

interface Deps extends Pick<Parts, 'db' | 'bus' | 'log'> {
  readonly machine: MachineClock;
  readonly store: Pick<UpkeepStore, 'find' | 'put' | 'screenCount'>;
  /** When this server last wrote a file, as the files say; undefined when it never did. */
  readonly written: number | undefined;
}

export class TrustedClock implements Clock, Lifecycle {
  readonly name = 'clock';
  readonly #deps: Deps;
  readonly #opinions = new Map<string, Opinion>();
  #trust: Trust;
  #timer: NodeJS.Timeout | undefined;
  #savedAt: number;
  /** Says since when screens are heard, and the next when the doubt began; both are monotonic. */
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
    // This is called thousands of times a second; the rest is only done when something is wrong.
    if (!doubt && Math.abs(moment.wall - sure.wall - (moment.mono - sure.mono)) < 3_600_000) return moment.wall;
    this.#look();
    return timeOf(this.#trust, moment);
  }

  /** Counts the milliseconds that this server has been running, whatever the clock did. */
  get uptime(): number {
    return this.#deps.machine.mono() - this.#startedAt;
  }

  /** Looks anew: the clock may have been set since. */
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

  /** Looks at the clock and at what the screens say. Never throws. */
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

  /** Notes what the clock of a screen says, while the server's is in doubt. */
  hear(
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
   * Returns the screens that may confirm the clock, and how many screens there are of that kind. Those on the server's
   * own computer have its clock and would agree with any; they count only where there are no others and the computer
   * may simply have been off: else somebody would have to confirm the time after every holiday.
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

  /** True when the time is known to go on as before the doubt. */
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

  /** Says in words what is wrong; null when nothing is. */
  get problem(): string | null {
    const { doubt } = this.#trust;
    if (!doubt) return null;
    const now = this.#moment();
    const should = iso(expected(this.#trust, now));
    return (
      `The clock of this computer shows ${iso(now.wall)}, but it should show ${doubt.running ? should : `${should} or somewhat later`}. ` +
      'Until the clock is right again, the screens agree with it or an administrator confirms it, nothing old is deleted, no backup is removed, and plays wait on the screens. Set the clock, or confirm that it is right.'
    );
  }

  /**
   * Believes the clock. Returns how it stands now, and the time that was confirmed.
   * @throws ApiError 409 when that is not what is doubted
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
    const after = look(before, this.#moment());
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
    // It is saved later, because this may run within a transaction.
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
      // The disk is full, most likely. The next start goes by what was saved before.
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

/** Returns when the server last wrote into its folder (epoch milliseconds). It is asked before anything is written. */
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

/** Believes the clock, and records who said that it is right. @throws ApiError 409 when that is not what is doubted */
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
