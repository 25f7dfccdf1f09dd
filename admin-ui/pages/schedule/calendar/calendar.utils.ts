/**
 * Geometry of the plans of a week: columns, positions and lanes. Pure functions; times are in the time zone of the
 * calendar.
 */
import type { Schedule } from '../../../../shared/contract/screens/schedules.ts';
import {
  DAY_MS,
  dayOf,
  formatDate,
  formatLocal,
  MINUTE_MS,
  mod,
  parseLocal,
  weekdayOf,
} from '../../../../shared/program/civil.ts';
import { parseRule } from '../../../../shared/program/recurrence.ts';
import { createSeries } from '../../../../shared/program/series.ts';
import { toInstant, toLocal } from '../../../../shared/program/zones.ts';

/** One occurrence of a plan, in epoch milliseconds. */
export interface Occurring {
  readonly schedule: Schedule;
  readonly start: number;
  readonly end: number;
}

/** The part of an occurrence that falls on one day. */
export interface Piece extends Occurring {
  /** Key that stays the same while the piece is moved: the plan, its occurrence and its day. */
  readonly key: string;
  /** Index of the column, counted from the first day in view. */
  readonly column: number;
  /** Start in minutes since midnight by the wall clock, 0 to 1440. */
  readonly from: number;
  readonly to: number;
  readonly begins: boolean;
  readonly ends: boolean;
  /** Index of the lane, from 0. Overlapping pieces are in different lanes side by side. */
  readonly lane: number;
  readonly lanes: number;
}

/** Returns the first day of the week that contains `day`. */
export const weekStart = (day: number, firstWeekday: number): number => day - mod(weekdayOf(day) - firstWeekday, 7);

/** Returns the Sundays of the server's weeks that contain the seven days from `first`, as dates. */
export const serverWeeks = (first: number): string[] => {
  const sunday = weekStart(first, 0);
  return sunday === first ? [formatDate(first)] : [formatDate(sunday), formatDate(sunday + 7)];
};

/**
 * Returns the occurrences of a schedule between two instants. A recurrence rule that this code cannot evaluate has
 * no occurrences here, although the server applies it.
 */
export const occurrencesOf = (schedule: Schedule, from: number, to: number): Occurring[] => {
  try {
    const { start_time: start, end_time: end, timezone, recurrence, recurrence_end } = schedule;
    return [...createSeries({ start, end, timezone, recurrence, recurrence_end }).occurrences(from, to)].map((o) => ({
      schedule,
      ...o,
    }));
  } catch {
    return [];
  }
};

/** Assigns lanes to overlapping pieces, so that they are side by side with the earliest on the left. */
const withLanes = (pieces: readonly Omit<Piece, 'lane' | 'lanes'>[]): Piece[] => {
  const sorted = [...pieces].sort((a, b) => a.from - b.from || b.to - a.to);
  const done: Piece[] = [];
  let cluster: { piece: Omit<Piece, 'lane' | 'lanes'>; lane: number }[] = [];
  let ends: number[] = [];
  const close = () => {
    for (const { piece, lane } of cluster) done.push({ ...piece, lane, lanes: ends.length });
    cluster = [];
    ends = [];
  };
  for (const piece of sorted) {
    if (ends.length > 0 && ends.every((end) => end <= piece.from)) close();
    const free = ends.findIndex((end) => end <= piece.from);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = piece.to;
    cluster.push({ piece, lane });
  }
  close();
  return done;
};

/** @param first day number of the first column */
export const piecesOf = (occurring: readonly Occurring[], zone: string, first: number, columns: number): Piece[] => {
  const byColumn: Omit<Piece, 'lane' | 'lanes'>[][] = Array.from({ length: columns }, () => []);
  const counts = new Map<string, number>();
  for (const { schedule, start, end } of [...occurring].sort((a, b) => a.start - b.start)) {
    const nth = counts.get(schedule.id) ?? 0;
    counts.set(schedule.id, nth + 1);
    const from = toLocal(start, zone);
    const to = toLocal(end, zone);
    for (let day = Math.max(dayOf(from), first); day < first + columns && day * DAY_MS < to; day++) {
      const midnight = day * DAY_MS;
      byColumn[day - first]?.push({
        schedule,
        start,
        end,
        key: `${schedule.id} ${nth} ${day - dayOf(from)}`,
        column: day - first,
        from: Math.max(0, (from - midnight) / MINUTE_MS),
        to: Math.min(1440, (to - midnight) / MINUTE_MS),
        begins: from >= midnight,
        ends: to <= midnight + DAY_MS,
      });
    }
  }
  return byColumn.flatMap(withLanes);
};

/** Rounds to multiples of `step` minutes. */
export const snapped = (minutes: number, step: number): number => Math.round(minutes / step) * step;

/**
 * Returns whether an occurrence can be dragged to another day. A daily, monthly or yearly plan cannot, since it
 * would get another rule.
 */
export const canChangeDay = ({ recurrence }: Pick<Schedule, 'recurrence'>): boolean => {
  if (recurrence === null) return true;
  try {
    const rule = parseRule(recurrence);
    return rule.freq === 'WEEKLY' && rule.byMonth.length === 0 && (rule.interval === 1 || rule.byDay.length <= 1);
  } catch {
    return false;
  }
};

export type Times = Pick<Schedule, 'start_time' | 'end_time' | 'recurrence'>;
const CODES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/**
 * Returns a weekly rule with its weekdays moved by some days: Monday and Wednesday, moved by one day, are Tuesday
 * and Thursday.
 */
const turnedDays = (recurrence: string | null, days: number): string | null =>
  recurrence && days !== 0
    ? recurrence.replace(
        /BYDAY=([A-Z,]+)/i,
        (_, list: string) =>
          `BYDAY=${list
            .split(',')
            .map((code) => CODES[mod(CODES.indexOf(code.toUpperCase()) + days, 7)])
            .join(',')}`,
      )
    : recurrence;

/** Returns the times of a plan with all occurrences moved by the wall clock. */
export const movedBy = (
  { start_time, end_time, recurrence }: Times,
  { days, minutes }: { days: number; minutes: number },
): Times => {
  const shift = days * DAY_MS + minutes * MINUTE_MS;
  const start = parseLocal(start_time) + shift;
  const turned = dayOf(start) - dayOf(parseLocal(start_time));
  return {
    start_time: formatLocal(start),
    end_time: formatLocal(parseLocal(end_time) + shift),
    recurrence: turnedDays(recurrence, turned),
  };
};

/** Minimum duration of a plan in minutes. A shorter plan could not be seen and dragged. */
export const SHORTEST_MIN = 5;

/**
 * Returns the times of a plan with another duration, at least five minutes. `edge` is `start`: changes the start
 * within its day.
 */
export const stretchedBy = (
  { start_time, end_time, recurrence }: Times,
  edge: 'start' | 'end',
  minutes: number,
): Times => {
  const start = parseLocal(start_time);
  const end = parseLocal(end_time);
  const least = SHORTEST_MIN * MINUTE_MS;
  if (edge === 'end')
    return { start_time, end_time: formatLocal(Math.max(start + least, end + minutes * MINUTE_MS)), recurrence };
  // The start must not move over midnight: it would be on another day, and the weekdays of the rule would be wrong.
  const midnight = dayOf(start) * DAY_MS;
  const next = Math.min(end - least, midnight + DAY_MS - least, Math.max(midnight, start + minutes * MINUTE_MS));
  return { start_time: formatLocal(next), end_time, recurrence };
};

export const isMoved = (a: Times, b: Times): boolean =>
  a.start_time !== b.start_time || a.end_time !== b.end_time || a.recurrence !== b.recurrence;

/** Returns the instants at which the days from `first` begin and end in the time zone. */
export const spanOf = (first: number, columns: number, zone: string): { from: number; to: number } => ({
  from: toInstant(first * DAY_MS, zone),
  to: toInstant((first + columns) * DAY_MS, zone),
});
