/** What a campaign would change on a screen: by the planner that the players run, with the campaign put in. */
import type { Rehearsal } from '../../shared/chain/rehearsal.ts';
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

/** How far is looked ahead, from now or from when it begins. */
const LOOK_DAYS = 14;
export const LOOK_MS = LOOK_DAYS * DAY_MS;
/** Changes, and rules active at each: a screen with more of them in a fortnight is looked at for a shorter time. */
const MAX_WORK = 100_000;
/** Then others may have a turn. */
const WORK_AT_ONCE = 500;
/** To read a rule costs as much as to go past so many changes. */
const WORK_OF_RULE = 20;
/** Orders of more rules than these are decided anew each time. */
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

/** What gives way to it, or it to. */
export interface Other {
  readonly what: 'schedule' | 'playlist' | 'campaign';
  readonly name: string;
}

export interface Rehearsed {
  /** It would show something else at some time. */
  readonly isChanged: boolean;
  readonly hidden: readonly Other[];
  readonly before: readonly Other[];
}

/** @param clock.timezone in which the campaign's times are meant @param clock.now epoch milliseconds @throws what no rule is */
const candidateOf = (
  { id, rank, start_time, end_time, recurrence, recurrence_end, has_layout }: Rehearsal,
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
 * Looks from now, or from when it begins, from one change of what is active to the next. What the same rules in the same
 * order make of the screen is decided once, and a day that goes as one before it is not gone through again. Whoever asks
 * may leave the loop to others in between.
 * @param screen.timezone its own
 * @throws RecurrenceError, RangeError where the campaign's own times are none
 */
export function* rehearse(
  { program, timezone }: { readonly program: Program; readonly timezone: string },
  asked: Rehearsal,
  clock: { readonly timezone: string; readonly now: number },
): Generator<undefined, Rehearsed> {
  const before = program.schedules.find(({ id }) => id === asked.id);
  const candidate = candidateOf(asked, { ...clock, before });
  const nothing: Rehearsed = { isChanged: false, hidden: [], before: [] };
  if (!candidate) return nothing;
  const { base } = program;
  const own = base.source === null ? undefined : ownOf(program);
  // Headquarters' default is not planned there at all (assignment.ts).
  if (asked.rank === 'default' && base.source !== null) return { ...nothing, before: own ? [own] : [] };
  // One that begins in weeks is looked at from then on.
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
  // Rules without a layout and a zone have the whole screen or nothing: only those that come first decide.
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

  /** Whether others may have a turn now. */
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
  /** From 0 on. */
  readonly number: number;
  /** The campaign itself today, its edition before then. */
  readonly isLeftOut: 'today' | 'then' | null;
}

/** That a rule, or the other form of it, is active from now on. */
interface Change {
  /** Milliseconds since the day began. */
  readonly at: number;
  readonly rule: Rule;
  /** Null: it ends. */
  readonly schedule: ProgramSchedule | null;
  readonly occurrence: Occurrence;
}

interface Ranked extends Active {
  readonly rule: Rule;
  readonly mark: number;
}

/** 24 hours. */
interface Day {
  /** Epoch milliseconds. */
  readonly begins: number;
  /** Those of one rule in the order of time. */
  readonly changes: Change[];
}

interface Gone {
  readonly day: Day;
  /** What was active when it began, best first, and when it was over. */
  readonly marks: readonly number[];
  readonly after: readonly Ranked[];
}

/** Of a rule, and of the form of it that is active. */
const markOf = ({ known, number }: Rule, schedule: ProgramSchedule): number =>
  number * 2 + (schedule === known.schedule ? 0 : 1);

/** Adds a rule's changes to the days on which they are; what is active already changes when the first begins. */
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
    // Where they overlap, the one that started last is active.
    const end = last && Math.min(last.end, occurrence.start);
    if (last && end! > from) play(last, end!);
    last = occurrence;
  }
  if (last) play(last, last.end);
  return count;
};

/** Whether the same changes come at the same hours to the same rules. */
const goesAs = ({ day, marks }: Gone, { changes }: Day, now: readonly number[]): boolean =>
  day.changes.length === changes.length &&
  marks.length === now.length &&
  changes.every(({ at, rule, schedule }, i) => {
    const other = day.changes[i]!;
    return at === other.at && rule === other.rule && schedule === other.schedule;
  }) &&
  marks.every((mark, i) => mark === now[i]);

/** `ranked`, best first, as it is from a change on. */
const change = (ranked: Ranked[], { rule, schedule, occurrence }: Change): void => {
  const was = ranked.findIndex((one) => one.rule === rule);
  if (was >= 0) ranked.splice(was, 1);
  if (!schedule) return;
  const now = { rule, schedule, occurrence, mark: markOf(rule, schedule) };
  const place = ranked.findIndex((other) => outranks(now, other));
  ranked.splice(place < 0 ? ranked.length : place, 0, now);
};

/** How many there are until today's first, then's first and the campaign itself are among them. */
const firstsOf = (ranked: readonly Ranked[], candidate: ProgramSchedule): number => {
  const today = ranked.findIndex(({ rule: { isLeftOut } }) => isLeftOut !== 'today');
  const itself = ranked.findIndex(({ schedule }) => schedule === candidate);
  // What comes first then is the campaign or something before it.
  return Math.max(today, itself) + 1;
};

/** Which orders of rules were looked at: a tree of them, whose branches are numbered. */
class Orders {
  readonly #marks: number;
  readonly #branches = new Map<number, number>();
  readonly #ends = new Set<number>();

  /** @param marks how many there are */
  constructor(marks: number) {
    this.#marks = marks;
  }

  /** Whether the first `length` of them were asked for before. */
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

/** What the store shows there without any schedule. */
const ownOf = ({ base, playlists }: Program): Other => ({
  what: 'playlist',
  name: playlists.find(({ id }) => id === base.playlist_id)?.name ?? base.item?.name ?? '',
});
