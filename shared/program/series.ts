/** A schedule's occurrences in time: its days (recurrence.ts) set against the wall clock of its zone. */
import { DAY_MS, dayOf, parseDate, parseLocal } from './civil.ts';
import type { ProgramSchedule } from './program.ts';
import { type DayPattern, dayPattern, REACH_DAYS, type Rule, ruleOf } from './recurrence.ts';
import { keepWindows, type Window } from './windows.ts';
import { type Zone, zoneOf } from './zones.ts';

export type SeriesSpec = Pick<ProgramSchedule, 'start' | 'end' | 'timezone' | 'recurrence' | 'recurrence_end'>;

/** Epoch milliseconds, start inclusive, end exclusive. */
export interface Occurrence {
  readonly start: number;
  readonly end: number;
}

/** A stretch in which the active occurrence, or the lack of one, stays the same. */
export interface SeriesWindow extends Window {
  readonly occurrence: Occurrence | null;
}

/**
 * Occurrences of one rule that may run at the same time. Who lets a daily one end with the season says in every
 * calendar a hundred times what it says once, but it is clear what is meant; beyond a year it is a mistake, and costs
 * every screen.
 */
export const MOST_AT_ONCE = 366;
/** As many starts say all about a rule that there is to say: a year has no more of them than days. */
const STARTS_LOOKED_AT = 2000;

export interface Series {
  /**
   * What is active at `instant` (where occurrences overlap, the one that started last) and from when until when that
   * holds.
   */
  window(instant: number): SeriesWindow;
  /**
   * Everything that overlaps `[from, to)`, in order of start. Lazy; ends by itself with the series, or where nothing
   * follows within 400 years. Of those that began before `from` the last {@link MOST_AT_ONCE}: the server takes in no
   * rule with more. Occurrences that the clock change swallows (02:30–03:00 on the day these do not exist) are left
   * out.
   */
  occurrences(from: number, to: number): Generator<Occurrence, void, undefined>;
}

/**
 * Each occurrence lasts `end − start` by the wall clock: 22:00–06:00 ends at 06:00 also when the clocks change.
 * A start that does not match the rule is no occurrence.
 * @throws RecurrenceError for a rule we cannot follow, RangeError for an unknown zone or a malformed date
 */
export function createSeries(spec: SeriesSpec): Series {
  const zone = zoneOf(spec.timezone);
  const startLocal = parseLocal(spec.start);
  const first = dayOf(startLocal);
  const timeOfDay = startLocal - first * DAY_MS;
  const length = parseLocal(spec.end) - startLocal;
  const rule = spec.recurrence === null ? null : ruleOf(spec.recurrence);
  const pattern = dayPattern(rule, first);
  const last = rule ? lastDay(spec, rule, { zone, first, timeOfDay, pattern }) : first;

  const startOn = (day: number): number => zone.toInstant(day * DAY_MS + timeOfDay);
  const endOn = (day: number): number => zone.toInstant(day * DAY_MS + timeOfDay + length);
  const dayAt = (instant: number): number => dayOf(zone.toLocal(instant));

  function compute(instant: number): SeriesWindow {
    // One day more, since a clock set back over midnight makes a time of the next day come before this one.
    let day = pattern.previous(Math.min(dayAt(instant) + 1, last));
    while (day !== null && startOn(day) > instant) day = pattern.previous(day - 1);
    const following = pattern.next(day === null ? first : day + 1, last);
    const until = following === null ? Number.POSITIVE_INFINITY : startOn(following);
    if (day === null) return { since: Number.NEGATIVE_INFINITY, until, occurrence: null };
    const occurrence = { start: startOn(day), end: endOn(day) };
    // Ends never run backwards from one day to the next, so when the last to start has ended, all have. One that a
    // clock change swallows ends before it starts; the window before it ran up to its start all the same.
    return instant < occurrence.end
      ? { since: occurrence.start, until: Math.min(occurrence.end, until), occurrence }
      : { since: Math.max(occurrence.start, occurrence.end), until, occurrence: null };
  }

  const days: Days = { first, last, length, pattern, startOn, endOn, dayAt };
  return { window: keepWindows(compute), occurrences: (from, to) => occurrencesOf(days, from, to) };
}

interface Days {
  readonly first: number;
  readonly last: number;
  /** By the wall clock, milliseconds. */
  readonly length: number;
  readonly pattern: DayPattern;
  readonly startOn: (day: number) => number;
  readonly endOn: (day: number) => number;
  readonly dayAt: (instant: number) => number;
}

/** One function for all series: V8 makes a hidden class for each generator function, and does not forget it soon. */
function* occurrencesOf(
  { first, last, length, pattern, startOn, endOn, dayAt }: Days,
  from: number,
  to: number,
): Generator<Occurrence, void, undefined> {
  const around = dayAt(Math.max(from, startOn(first)));
  // Two days of slack: the clock may move a start or an end by hours over midnight.
  const earliest = Math.max(first, around - Math.ceil(length / DAY_MS) - 2);
  let day: number | null = null;
  let before = pattern.previous(Math.min(around + 1, last));
  for (let count = 0; count < MOST_AT_ONCE + 2 && before !== null && before >= earliest; count++) {
    day = before;
    before = pattern.previous(day - 1);
  }
  for (day ??= pattern.next(earliest, last); day !== null; day = pattern.next(day + 1, last)) {
    const occurrence = { start: startOn(day), end: endOn(day) };
    if (occurrence.start >= to) return;
    if (occurrence.end > from && occurrence.end > occurrence.start) yield occurrence;
  }
}

/** Whether more than {@link MOST_AT_ONCE} occurrences run at the same time. @throws as createSeries */
export function overlapsTooMuch(spec: SeriesSpec): boolean {
  if (spec.recurrence === null) return false;
  const zone = zoneOf(spec.timezone);
  const startLocal = parseLocal(spec.start);
  const first = dayOf(startLocal);
  const length = (parseLocal(spec.end) - startLocal) / DAY_MS;
  // Nothing begins more than once a day.
  if (length <= MOST_AT_ONCE) return false;
  const rule = ruleOf(spec.recurrence);
  const pattern = dayPattern(rule, first);
  const last = lastDay(spec, rule, { zone, first, timeOfDay: startLocal - first * DAY_MS, pattern });
  const starts: number[] = [];
  for (
    let day = pattern.next(first, last);
    day !== null && starts.length < STARTS_LOOKED_AT;
    day = pattern.next(day + 1, last)
  ) {
    const oldest = starts[starts.length - MOST_AT_ONCE];
    if (oldest !== undefined && day - oldest < length) return true;
    starts.push(day);
  }
  return false;
}

/** Why a series has no occurrence: its rule has no such day, or it ends before the first one. */
export type Never = 'rule' | 'until' | 'recurrence_end';

/** Returns why there will never be an occurrence; null when there is one. @throws as createSeries */
export function whyNever(spec: SeriesSpec): Never | null {
  if (spec.recurrence === null) return null;
  const zone = zoneOf(spec.timezone);
  const startLocal = parseLocal(spec.start);
  const first = dayOf(startLocal);
  const rule = ruleOf(spec.recurrence);
  const pattern = dayPattern(rule, first);
  if (pattern.next(first) === null) return 'rule';
  const within = (recurrence_end: string | null) =>
    lastDay({ ...spec, recurrence_end }, rule, { zone, first, timeOfDay: startLocal - first * DAY_MS, pattern });
  if (pattern.next(first, within(null)) === null) return 'until';
  return pattern.next(first, within(spec.recurrence_end)) === null ? 'recurrence_end' : null;
}

/** The last day on which an occurrence may start; +Infinity when there is none. */
function lastDay(
  spec: SeriesSpec,
  rule: Rule,
  { zone, first, timeOfDay, pattern }: { zone: Zone; first: number; timeOfDay: number; pattern: DayPattern },
): number {
  let last = spec.recurrence_end === null ? Number.POSITIVE_INFINITY : parseDate(spec.recurrence_end);
  if (rule.until?.kind === 'day') last = Math.min(last, rule.until.day);
  if (rule.until?.kind === 'local') last = Math.min(last, Math.floor((rule.until.local - timeOfDay) / DAY_MS));
  if (rule.until?.kind === 'instant') {
    const { instant } = rule.until;
    let day = dayOf(zone.toLocal(instant)) + 1;
    while (zone.toInstant(day * DAY_MS + timeOfDay) > instant) day--;
    last = Math.min(last, day);
  }
  if (rule.count !== null) last = Math.min(last, dayOfCount(pattern, first, rule.count, last));
  return last;
}

/** COUNT is the one part that must be counted from the start, once per series, 400 years at most. */
const dayOfCount = (pattern: DayPattern, first: number, count: number, limit: number): number =>
  (count <= REACH_DAYS ? pattern.nth(count, Math.min(limit, first + REACH_DAYS)) : null) ?? limit;
