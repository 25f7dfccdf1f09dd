/** The occurrences of a schedule: its days (recurrence.ts) on the wall clock of its zone. */
import { DAY_MS, dayOf, parseDate, parseLocal } from './civil.ts';
import type { ProgramSchedule } from './program.ts';
import { type DayPattern, dayPattern, REACH_DAYS, type Rule, ruleOf } from './recurrence.ts';
import { cacheWindows, type Window } from './windows.ts';
import { type Zone, zoneOf } from './zones.ts';

export type SeriesSpec = Pick<ProgramSchedule, 'start' | 'end' | 'timezone' | 'recurrence' | 'recurrence_end'>;

/** Epoch milliseconds, start inclusive, end exclusive. */
export interface Occurrence {
  readonly start: number;
  readonly end: number;
}

/** A time range in which the active occurrence, or its absence, stays the same. */
export interface SeriesWindow extends Window {
  readonly occurrence: Occurrence | null;
}

/**
 * Limit of simultaneous occurrences of one rule. Daily occurrences that each last for months are unusual but make
 * sense. Daily occurrences of more than a year are a mistake that would slow down every screen.
 */
export const MOST_AT_ONCE = 366;
/** Number of starts examined. More starts give no new information: a year has no more starts than days. */
const STARTS_LOOKED_AT = 2000;

export interface Series {
  /**
   * Returns the active occurrence at `instant` and the time range in which it stays the same. If occurrences overlap,
   * the occurrence that started last is active.
   */
  window(instant: number): SeriesWindow;
  /**
   * Yields all occurrences that overlap `[from, to)`, in order of start. Lazy. Ends with the series, or if there is no
   * occurrence within 400 years. Limit for occurrences that began before `from`: only the last {@link MOST_AT_ONCE};
   * the server accepts no rule with more. Occurrences that a clock change removes (02:30–03:00 on a day without these
   * times) are omitted.
   */
  occurrences(from: number, to: number): Generator<Occurrence, void, undefined>;
}

/**
 * Each occurrence lasts `end − start` by the wall clock: 22:00–06:00 ends at 06:00 also when the clocks change. A start
 * that does not match the rule is not an occurrence.
 * @throws RecurrenceError for an unsupported rule, RangeError for an unknown zone or a malformed date
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
    // Searches one day further, because a clock that is set back over midnight can move a time of the next day before
    // this instant.
    let day = pattern.previous(Math.min(dayAt(instant) + 1, last));
    while (day !== null && startOn(day) > instant) day = pattern.previous(day - 1);
    const following = pattern.next(day === null ? first : day + 1, last);
    const until = following === null ? Number.POSITIVE_INFINITY : startOn(following);
    if (day === null) return { since: Number.NEGATIVE_INFINITY, until, occurrence: null };
    const occurrence = { start: startOn(day), end: endOn(day) };
    // Ends never decrease from one day to the next, so when the occurrence that started last has ended, all occurrences
    // have ended. An occurrence that a clock change removes ends before it starts; the previous time range still ends
    // at its start.
    return instant < occurrence.end
      ? { since: occurrence.start, until: Math.min(occurrence.end, until), occurrence }
      : { since: Math.max(occurrence.start, occurrence.end), until, occurrence: null };
  }

  const days: Days = { first, last, length, pattern, startOn, endOn, dayAt };
  return { window: cacheWindows(compute), occurrences: (from, to) => occurrencesOf(days, from, to) };
}

interface Days {
  readonly first: number;
  readonly last: number;
  /** Duration by the wall clock in milliseconds. */
  readonly length: number;
  readonly pattern: DayPattern;
  readonly startOn: (day: number) => number;
  readonly endOn: (day: number) => number;
  readonly dayAt: (instant: number) => number;
}

/**
 * One generator function serves all series, because V8 creates a hidden class for each generator function and keeps it
 * for long.
 */
function* occurrencesOf(
  { first, last, length, pattern, startOn, endOn, dayAt }: Days,
  from: number,
  to: number,
): Generator<Occurrence, void, undefined> {
  const around = dayAt(Math.max(from, startOn(first)));
  // Adds two days at each side, because a clock change may move a start or an end by hours over midnight.
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

/** Returns true if more than {@link MOST_AT_ONCE} occurrences run at the same time. @throws as createSeries */
export function overlapsTooMuch(spec: SeriesSpec): boolean {
  if (spec.recurrence === null) return false;
  const zone = zoneOf(spec.timezone);
  const startLocal = parseLocal(spec.start);
  const first = dayOf(startLocal);
  const length = (parseLocal(spec.end) - startLocal) / DAY_MS;
  // At most one occurrence begins per day, so occurrences of at most this many days never overlap too often.
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

/** Reason why a series has no occurrence: its rule matches no day, or it ends before the first match. */
export type Never = 'rule' | 'until' | 'recurrence_end';

/** Returns the reason why there is never an occurrence; null if there is one. @throws as createSeries */
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

/** Returns the last day on which an occurrence may start; +Infinity if unlimited. */
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

/**
 * Returns the day of the last occurrence that COUNT allows. COUNT is the only part that must be counted from the start,
 * once per series, at most 400 years.
 */
const dayOfCount = (pattern: DayPattern, first: number, count: number, limit: number): number =>
  (count <= REACH_DAYS ? pattern.nth(count, Math.min(limit, first + REACH_DAYS)) : null) ?? limit;
