/**
 * Day-parting: decides when an item may play. An item has blocks of time; their start and end are wall-clock times in
 * the device's time zone, converted to instants.
 */
import { DAY_MS, dayOf, parseClock, parseDate, parseLocal, weekdayOf } from './civil.ts';
import type { Block, ProgramItem, Validity } from './program.ts';
import { cacheWindows, type Window } from './windows.ts';
import { type Zone, zoneOrUtc } from './zones.ts';

export interface GateWindow extends Window {
  readonly open: boolean;
}

/**
 * A function that returns whether the blocks are open at an instant, and the instants of the last and the next change
 * (infinite if there is none).
 */
export type Gate = (instant: number) => GateWindow;

interface Span {
  readonly start: number;
  end: number;
}

/** A block with its times as milliseconds of its day and its dates as day numbers. */
interface Times {
  readonly days: ReadonlySet<number>;
  readonly start: number;
  readonly end: number;
  readonly firstDay: number;
  readonly lastDay: number;
}

/**
 * Number of days that are searched. Most blocks change daily, so the short search is usually enough. `searchBack`
 * explains why the long search is always enough.
 */
const NEAR_DAYS = 3;
const FAR_DAYS = 17;

/**
 * @param blocks combined by OR; none = always open. A malformed block never opens (the server accepts none).
 * @param timezone IANA name; an unknown name counts as UTC
 */
export function createGate(blocks: readonly Block[], timezone: string): Gate {
  if (blocks.length === 0) {
    const always = { open: true, since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
    return () => always;
  }
  const zone = zoneOrUtc(timezone);
  const times = blocks.flatMap(timesOf);
  const eras = [...new Set(times.flatMap((block) => [block.firstDay, block.lastDay + 1]))].sort((a, b) => a - b);

  return cacheWindows((instant) => {
    const today = dayOf(zone.toLocal(instant));
    const [low, high] = [today - NEAR_DAYS, today + NEAR_DAYS];
    const spans = union(times, zone, low, high);
    const near = certain(spans, zone, low, high);
    const search = { times, zone, eras, instant };
    return {
      open: spans.some((span) => span.start <= instant && instant < span.end),
      since: near.findLast((change) => change <= instant) ?? searchBack(search, today + 1),
      until: near.find((change) => change > instant) ?? searchForward(search, low),
    };
  });
}

/** Returns whether `blocks` are open at `instant`. For repeated calls, keep a {@link createGate}. */
export const isOpen = (blocks: readonly Block[], timezone: string, instant: number): boolean =>
  createGate(blocks, timezone)(instant).open;

/**
 * Returns the gate of an item: its blocks within its validity. An item with a malformed validity never plays.
 * @param timezone IANA name; an unknown name counts as UTC
 */
export function createItemGate({ blocks, valid }: Pick<ProgramItem, 'blocks' | 'valid'>, timezone: string): Gate {
  const gate = createGate(blocks, timezone);
  if (!valid) return gate;
  const { from, until } = boundsOf(valid, timezone);
  return (instant) => {
    if (instant < from) return { open: false, since: Number.NEGATIVE_INFINITY, until: from };
    if (instant >= until) return { open: false, since: until, until: Number.POSITIVE_INFINITY };
    const within = gate(instant);
    return { open: within.open, since: Math.max(within.since, from), until: Math.min(within.until, until) };
  };
}

/**
 * Returns the start and end of the validity as instants; infinite if absent. If a clock change skips such a minute, the
 * minute moves forward with the clock.
 */
function boundsOf(valid: Validity, timezone: string): { from: number; until: number } {
  const zone = zoneOrUtc(timezone);
  const never = { from: Number.POSITIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  try {
    const from = valid.from === null ? Number.NEGATIVE_INFINITY : zone.toInstant(parseLocal(`${valid.from}:00`));
    const until = valid.until === null ? Number.POSITIVE_INFINITY : zone.toInstant(parseLocal(`${valid.until}:00`));
    return from < until ? { from, until } : never;
  } catch {
    return never;
  }
}

function timesOf(block: Block): Times[] {
  try {
    const start = parseClock(block.start);
    const end = parseClock(block.end);
    return [
      {
        days: new Set(block.days),
        start,
        end: end < start ? end + DAY_MS : end,
        firstDay: block.start_date === null ? Number.NEGATIVE_INFINITY : parseDate(block.start_date),
        lastDay: block.end_date === null ? Number.POSITIVE_INFINITY : parseDate(block.end_date),
      },
    ];
  } catch {
    return [];
  }
}

/**
 * Returns the time ranges in which blocks that start on the days `low`–`high` are open. The ranges are in order and do
 * not overlap; adjacent ranges are joined.
 */
function union(times: readonly Times[], zone: Zone, low: number, high: number): Span[] {
  const spans: Span[] = [];
  for (const block of times) {
    const last = Math.min(high, block.lastDay);
    for (let day = Math.max(low, block.firstDay); day <= last; day++) {
      if (!block.days.has(weekdayOf(day))) continue;
      const start = zone.toInstant(day * DAY_MS + block.start);
      const end = zone.toInstant(day * DAY_MS + block.end);
      if (start < end) spans.push({ start, end });
    }
  }
  spans.sort((a, b) => a.start - b.start);
  const joined: Span[] = [];
  for (const span of spans) {
    const previous = joined.at(-1);
    if (previous && span.start <= previous.end) previous.end = Math.max(previous.end, span.end);
    else joined.push(span);
  }
  return joined;
}

interface Search {
  readonly times: readonly Times[];
  readonly zone: Zone;
  /**
   * Returns the days on which the set of blocks within their dates changes, ascending. The first and the last day may
   * be infinite.
   */
  readonly eras: readonly number[];
  readonly instant: number;
}

/**
 * Returns the instants at which the blocks open or close, as far as the days `low`–`high` alone determine them. An open
 * period that began before `low` may last into `low + 1` (and be moved by a clock change). An open period that begins
 * after `high` may continue an earlier open period.
 */
function certain(spans: readonly Span[], zone: Zone, low: number, high: number): number[] {
  const from = zone.toInstant((low + 2) * DAY_MS);
  const to = zone.toInstant((high + 1) * DAY_MS);
  return spans.flatMap(({ start, end }) => [start, end]).filter((change) => change > from && change < to);
}

/**
 * Returns the last change at or before `instant`. Searches backwards in ranges of 17 days. Between two dates at which
 * the set of blocks changes (an era), a range without a change means that the era has no change: each weekday occurs at
 * least twice in the range, so at least one occurrence is not affected by a clock change. Then the search jumps to the
 * beginning of the era. Therefore an era of any length needs only a few ranges.
 */
function searchBack({ times, zone, eras, instant }: Search, highest: number): number {
  for (let high = highest; ; ) {
    const low = high - FAR_DAYS;
    const change = certain(union(times, zone, low, high), zone, low, high).findLast((at) => at <= instant);
    if (change !== undefined) return change;

    const era = eras.findLast((day) => day <= high) ?? Number.NEGATIVE_INFINITY;
    if (era === Number.NEGATIVE_INFINITY) return era;
    // The ranges overlap, because the days at their ends are not certain.
    high = era <= low ? Math.min(era + 3, low + 2) : low + 2;
  }
}

/** Returns the first change after `instant`. Works like {@link searchBack}, in the other direction. */
function searchForward({ times, zone, eras, instant }: Search, lowest: number): number {
  for (let low = lowest; ; ) {
    const high = low + FAR_DAYS;
    const change = certain(union(times, zone, low, high), zone, low, high).find((at) => at > instant);
    if (change !== undefined) return change;

    const era = eras.find((day) => day > low) ?? Number.POSITIVE_INFINITY;
    if (era === Number.POSITIVE_INFINITY) return era;
    low = era > high ? Math.max(era - 3, high - 2) : high - 2;
  }
}
