/** Predicts what a campaign would change on a screen, by running the players' planner with the campaign added. */
import type { StorePreview } from '../../shared/chain/store-preview.ts';
import { DAY_MS, parseLocal } from '../../shared/program/civil.ts';
import { PLAIN_ITEM } from '../../shared/program/plain-item.ts';
import {
  type Active,
  createDecide,
  type Decision,
  isInForce,
  type Known,
  knownOf,
  outranks,
} from '../../shared/program/precedence.ts';
import type { Program, ProgramLayout, ProgramSchedule } from '../../shared/program/program.ts';
import { MAX_PRIORITY, PLACE_OF_RANK } from '../../shared/program/ranks.ts';
import { createSeries, type Occurrence } from '../../shared/program/series.ts';
import { titleOf } from '../../shared/program/titles.ts';
import { zoneOf } from '../../shared/program/zones.ts';

/** Number of days that a preview covers, from now or from the start of the campaign. */
const LOOK_DAYS = 14;
export const LOOK_MS = LOOK_DAYS * DAY_MS;
/**
 * Maximum work of a preview: number of changes times number of active rules. A screen with more work is examined for
 * less than a fortnight.
 */
const MAX_WORK = 100_000;
/** Amount of work after which the preview yields, so that other work can run. */
const WORK_AT_ONCE = 500;
/** Work for reading one rule, in units of one examined change. */
const WORK_OF_RULE = 20;
/** Maximum number of active rules for which the result is cached. */
const MAX_KEPT_ORDER = 32;

const LAYOUT: ProgramLayout = {
  id: 'rehearsed layout',
  name: '',
  width: 1920,
  height: 1080,
  zones: [
    {
      id: 'rehearsed zone',
      name: '',
      x: 0,
      y: 0,
      width: 100,
      height: 100,
      z_index: 0,
      zone_type: 'content',
      fit: 'contain',
      background: '#000000',
    },
  ],
};
const PLAYLIST = { id: 'rehearsed playlist', name: '', anchor_ms: 0, items: [PLAIN_ITEM] };

/** A schedule, playlist or campaign that the previewed campaign hides, or that hides the previewed campaign. */
export interface Other {
  readonly what: 'schedule' | 'playlist' | 'campaign';
  readonly name: string;
}

export interface PreviewedProgram {
  /** Whether the screen would show something else at some time. */
  readonly isChanged: boolean;
  readonly hidden: readonly Other[];
  readonly before: readonly Other[];
}

/**
 * @param clock.timezone time zone of the campaign's times
 * @param clock.now epoch milliseconds
 * @throws errors of an invalid rule
 */
const candidateOf = (
  { id, rank, start_time, end_time, recurrence, recurrence_end, has_layout }: StorePreview,
  { timezone, now, before }: { timezone: string; now: number; before: ProgramSchedule | undefined },
): ProgramSchedule | undefined =>
  rank === 'offer'
    ? undefined
    : {
        id,
        title: '',
        ...PLACE_OF_RANK[rank],
        created_at: before?.created_at ?? Math.floor(now / 1000),
        start: start_time,
        end: end_time,
        timezone,
        recurrence,
        recurrence_end,
        zone_id: null,
        item: null,
        playlist_id: PLAYLIST.id,
        layout_id: has_layout ? LAYOUT.id : null,
      };

/**
 * Predicts the effect of a campaign. Steps from each change of the active rules to the next, starting now or when the
 * campaign begins. The decision for each order of rules is computed once, and a day with the same changes as an earlier
 * day is skipped. Each `yield` lets the caller run other work.
 * @param screen.timezone time zone of the screen
 * @throws
 * RecurrenceError, RangeError for invalid times of the campaign
 */
export function* previewPrograms(
  { program, timezone }: { readonly program: Program; readonly timezone: string },
  asked: StorePreview,
  clock: { readonly timezone: string; readonly now: number },
): Generator<undefined, PreviewedProgram> {
  const before = program.schedules.find(({ id }) => id === asked.id);
  const candidate = candidateOf(asked, { ...clock, before });
  const nothing: PreviewedProgram = { isChanged: false, hidden: [], before: [] };
  if (!candidate) return nothing;
  const { base } = program;
  const own = base.source === null ? undefined : ownOf(program);
  // A screen for which the store has its own playlist shows no campaign of rank default (assignment.ts).
  if (asked.rank === 'default' && base.source !== null) return { ...nothing, before: own ? [own] : [] };
  // A campaign that begins later is examined from its start.
  const from = Math.max(clock.now, zoneOf(clock.timezone).toInstant(parseLocal(asked.start_time)));
  const days = Array.from({ length: LOOK_DAYS }, (_, day): Day => ({ begins: from + day * DAY_MS, changes: [] }));
  const work = new Work();
  const known: Known = { schedule: candidate, series: createSeries(candidate), gate: undefined, bare: null };
  spread({ known, number: 0, isLeftOut: 'today' }, days);
  let number = 0;
  for (const schedule of program.schedules) {
    number++;
    const other = knownOf(schedule, timezone);
    const isLeftOut = schedule === before ? 'then' : null;
    const changes = other ? spread({ known: other, number, isLeftOut }, days) : 0;
    if (work.isTurn(WORK_OF_RULE + changes)) yield;
  }

  const decideToday = createDecide(program);
  const decideThen = createDecide({ base, layouts: [...program.layouts, LAYOUT] });
  const found = { hidden: new Map<string, Other>(), before: new Map<string, Other>() };
  let isChanged = false;
  const look = (ranked: readonly Ranked[]): void => {
    const today = decideToday(ranked.filter(({ rule: { isLeftOut } }) => isLeftOut !== 'today'));
    const then = decideThen(ranked.filter(({ rule: { isLeftOut } }) => isLeftOut !== 'then'));
    if (isInForce(then, asked.id) && !isInForce(today, asked.id)) {
      isChanged = true;
      const gone = inForce(today).filter(({ schedule }) => !isInForce(then, schedule.id));
      for (const { schedule } of gone) note(found.hidden, nameOf(program, schedule));
      if (!today.main && own) note(found.hidden, own);
    }
    const lost = then.losing.find(({ schedule_id }) => schedule_id === asked.id);
    const winner = lost && ranked.find(({ schedule }) => schedule.id === lost.lost_to);
    if (winner) note(found.before, nameOf(program, winner.schedule));
  };
  // Without layouts and zones, each rule covers the whole screen or nothing, so only the rules with the highest
  // precedence matter.
  const isWhole = program.schedules.every((rule) => rule.layout_id === null && rule.zone_id === null);
  const orders = new Orders(2 * program.schedules.length + 2);
  let ranked: Ranked[] = [];
  const gone: Gone[] = [];
  for (const day of days) {
    const marks = ranked.map(({ mark }) => mark);
    const same = gone.find((one) => goesAs(one, day, marks));
    if (same) ranked = [...same.after];
    else {
      const changes = day.changes.toSorted((a, b) => a.at - b.at);
      for (let i = 0; i < changes.length; i++) {
        const one = changes[i]!;
        change(ranked, one);
        if (work.isTurn(1 + ranked.length)) yield;
        if (work.isDone) break;
        if (changes[i + 1]?.at === one.at || !ranked.some(({ schedule }) => schedule === candidate)) continue;
        const deciding = isWhole ? firstsOf(ranked, candidate) : ranked.length;
        if (!orders.has(ranked, deciding)) look(ranked.slice(0, deciding));
      }
      gone.push({ day, marks, after: [...ranked] });
    }
    if (work.isDone) break;
  }
  return { isChanged, hidden: [...found.hidden.values()], before: [...found.before.values()] };
}

class Work {
  #done = 0;
  #turn = WORK_AT_ONCE;

  /** Returns whether the caller may run other work now. */
  isTurn(more: number): boolean {
    this.#done += more;
    if (this.#done < this.#turn) return false;
    this.#turn = this.#done + WORK_AT_ONCE;
    return true;
  }

  get isDone(): boolean {
    return this.#done > MAX_WORK;
  }
}

interface Rule {
  readonly known: Known;
  /** Number of the rule in the list of all rules, from 0. */
  readonly number: number;
  /**
   * Program from which the rule is left out. `today`: the rule is the campaign, which today's program does not contain.
   * `then`: the rule is the campaign's running edition, which the campaign replaces. Null: both programs have the rule.
   */
  readonly isLeftOut: 'today' | 'then' | null;
}

/** A change of a rule: the rule, or its variant without content, becomes active, or the rule ends. */
interface Change {
  /** Milliseconds since the start of the day. */
  readonly at: number;
  readonly rule: Rule;
  /** The schedule that becomes active; null if the rule ends. */
  readonly schedule: ProgramSchedule | null;
  readonly occurrence: Occurrence;
}

interface Ranked extends Active {
  readonly rule: Rule;
  readonly mark: number;
}

/** A period of 24 hours. */
interface Day {
  /** Start of the day in epoch milliseconds. */
  readonly begins: number;
  /** Starts and ends of all rules. Those of each rule are in chronological order, the whole list is not. */
  readonly changes: Change[];
}

interface Gone {
  readonly day: Day;
  /** Rules that are active at the start and at the end of the day, sorted by descending precedence. */
  readonly marks: readonly number[];
  readonly after: readonly Ranked[];
}

/** Returns a number that identifies a rule together with its active variant (with or without content). */
const markOf = ({ known, number }: Rule, schedule: ProgramSchedule): number =>
  number * 2 + (schedule === known.schedule ? 0 : 1);

/** Adds a rule's changes to their days. A rule that is already active changes at the start of the first day. */
const spread = (rule: Rule, days: readonly Day[]): number => {
  const { series, schedule, gate, bare } = rule.known;
  const from = days[0]!.begins;
  const until = from + LOOK_MS;
  let count = 0;
  const add = (at: number, applies: ProgramSchedule | null, occurrence: Occurrence): void => {
    if (at >= until) return;
    const day = days[Math.floor((at - from) / DAY_MS)]!;
    day.changes.push({ at: at - day.begins, rule, schedule: applies, occurrence });
    count++;
  };
  const play = (occurrence: Occurrence, end: number): void => {
    for (let at = Math.max(occurrence.start, from); at < end && at < until; ) {
      const valid = gate?.(at);
      add(at, valid?.open === false ? bare : schedule, occurrence);
      at = valid?.until ?? end;
    }
    add(end, null, occurrence);
  };
  let last: Occurrence | undefined;
  for (const occurrence of series.occurrences(from, until)) {
    // When occurrences of a rule overlap, the occurrence that started last is active.
    const end = last && Math.min(last.end, occurrence.start);
    if (last && end! > from) play(last, end!);
    last = occurrence;
  }
  if (last) play(last, last.end);
  return count;
};

/** Returns whether two days have the same changes at the same times and start with the same active rules. */
const goesAs = ({ day, marks }: Gone, { changes }: Day, now: readonly number[]): boolean =>
  day.changes.length === changes.length &&
  marks.length === now.length &&
  changes.every(({ at, rule, schedule }, i) => {
    const other = day.changes[i]!;
    return at === other.at && rule === other.rule && schedule === other.schedule;
  }) &&
  marks.every((mark, i) => mark === now[i]);

/** Applies a change to `ranked`, which is sorted by descending precedence. */
const change = (ranked: Ranked[], { rule, schedule, occurrence }: Change): void => {
  const was = ranked.findIndex((one) => one.rule === rule);
  if (was >= 0) ranked.splice(was, 1);
  if (!schedule) return;
  const now = { rule, schedule, occurrence, mark: markOf(rule, schedule) };
  const place = ranked.findIndex((other) => outranks(now, other));
  ranked.splice(place < 0 ? ranked.length : place, 0, now);
};

/** Returns how many rules with the highest precedence decide today's program and the program with the campaign. */
const firstsOf = (ranked: readonly Ranked[], candidate: ProgramSchedule): number => {
  const today = ranked.findIndex(({ rule: { isLeftOut } }) => isLeftOut !== 'today');
  const itself = ranked.findIndex(({ schedule }) => schedule === candidate);
  // Finds the deciding rule in the program with the campaign: the campaign itself, or a rule with higher precedence.
  return Math.max(today, itself) + 1;
};

/** Set of sequences of active rules that were already examined, stored as a tree with numbered branches. */
class Orders {
  readonly #marks: number;
  readonly #branches = new Map<number, number>();
  readonly #ends = new Set<number>();

  /** @param marks number of different marks */
  constructor(marks: number) {
    this.#marks = marks;
  }

  /** Returns whether this sequence of the first `length` rules was examined before. Adds the sequence to the set. */
  has(ranked: readonly Ranked[], length: number): boolean {
    if (length > MAX_KEPT_ORDER) return false;
    let at = 0;
    for (let i = 0; i < length; i++) {
      const branch = at * this.#marks + ranked[i]!.mark;
      let next = this.#branches.get(branch);
      if (next === undefined) this.#branches.set(branch, (next = this.#branches.size + 1));
      at = next;
    }
    if (this.#ends.has(at)) return true;
    this.#ends.add(at);
    return false;
  }
}

const note = (all: Map<string, Other>, other: Other): void => {
  all.set(`${other.what} ${other.name}`, other);
};

const inForce = ({ main, layoutRule, zones }: Decision): Active[] =>
  [main, layoutRule, ...zones.values()].filter((rule) => rule !== null);

const nameOf = (program: Program, schedule: ProgramSchedule): Other => ({
  what: Math.abs(schedule.priority) > MAX_PRIORITY ? 'campaign' : 'schedule',
  name: titleOf(program, schedule),
});

/** Returns the content that the store shows on the screen without any schedule. */
const ownOf = ({ base, playlists }: Program): Other => ({
  what: 'playlist',
  name: playlists.find(({ id }) => id === base.playlist_id)?.name ?? base.item?.name ?? '',
});
