/** Converts between wall clock and instant for IANA zones. */
import { DAY_MS } from './civil.ts';
import { addBounded } from './keep.ts';

export interface Zone {
  toLocal(instant: number): number;
  /**
   * Returns the instant of a local time. A local time that does not exist moves forward by the gap. Of a time that
   * exists twice, the first is used.
   */
  toInstant(local: number): number;
}

/** A change of the UTC offset: from `start` on, local time minus UTC is `offset` milliseconds. */
interface Change {
  readonly start: number;
  readonly offset: number;
}

const STRETCH_MS = 64 * DAY_MS;
/**
 * No zone changes its clocks and changes them back within eight days (checked for every zone, 1970–2040; the test
 * covers only recent years).
 */
const SAMPLE_MS = 8 * DAY_MS;
/** Maximum number of cached ranges per zone: 45 years of one zone, about 40 kB. */
const MAX_STRETCHES = 256;
const MAX_ZONES = 64;

/** Returns a function that reads the UTC offset of an instant. The instant must be a whole second. */
function offsetReader(name: string): (second: number) => number {
  // Uses plain numeric fields instead of timeZoneName 'longOffset', which browsers of older signage sticks lack.
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (second) => {
    const [month, day, year, hour, minute, sec] = format.format(second).match(/\d+/g)!.map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    return Date.UTC(year, month - 1, day, hour, minute, sec) - second;
  };
}

/** Returns the changes within one range of 64 days in order, beginning with the first offset of the range. */
function learn(read: (second: number) => number, from: number): Change[] {
  let known = read(from);
  const changes = [{ start: from, offset: known }];
  for (let low = from; low < from + STRETCH_MS; low += SAMPLE_MS) {
    const after = read(low + SAMPLE_MS);
    if (after === known) continue;
    let before = low;
    let start = low + SAMPLE_MS;
    // Clocks change on whole seconds, so a resolution of a second is exact.
    while (start - before > 1_000) {
      const middle = Math.floor((before + start) / 2_000) * 1_000;
      if (read(middle) === known) before = middle;
      else start = middle;
    }
    changes.push({ start, offset: after });
    known = after;
  }
  return changes;
}

function createZone(name: string): Zone {
  const read = offsetReader(name);
  const stretches = new Map<number, Change[]>();
  // The last offset is stored with the time range in which it is constant, because most calls ask for nearby times.
  let [since, until, offset] = [Number.NaN, Number.NaN, Number.NaN];
  const offsetAt = (instant: number): number => {
    if (instant >= since && instant < until) return offset;
    const key = Math.floor(instant / STRETCH_MS);
    const changes = stretches.get(key) ?? addBounded(stretches, MAX_STRETCHES, key, learn(read, key * STRETCH_MS));
    let index = changes.length - 1;
    while (changes[index]!.start > instant) index--;
    ({ start: since, offset } = changes[index]!);
    until = changes[index + 1]?.start ?? (key + 1) * STRETCH_MS;
    return offset;
  };

  return {
    toLocal: (instant) => instant + offsetAt(instant),
    toInstant(local) {
      // No offset exceeds 24 h, so one day before and after `local` is certainly before and after a change near
      // `local`.
      const before = offsetAt(local - DAY_MS);
      const after = offsetAt(local + DAY_MS);
      if (before === after || offsetAt(local - before) === before) return local - before;
      // If neither offset is valid, `local` is in the gap, and the old offset moves it forward by exactly the gap.
      return offsetAt(local - after) === after ? local - after : local - before;
    },
  };
}

const zones = new Map<string, Zone>();

/** @throws RangeError if `Intl` does not know the name. */
export const zoneOf = (name: string): Zone => zones.get(name) ?? addBounded(zones, MAX_ZONES, name, createZone(name));

/**
 * Like {@link zoneOf}, but an unknown name is UTC: a player with an older `Intl` than the server's continues with
 * shifted hours instead of showing nothing.
 */
export const zoneOrUtc = (name: string): Zone => zoneOf(isTimeZone(name) ? name : 'UTC');

/**
 * Returns true for a name of the IANA database that `Intl` knows (`Europe/Berlin`, `UTC`), not for an offset like
 * `+01:00`.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    zoneOf(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the instant, in epoch milliseconds, of a wall clock time in `zone`.
 * @throws RangeError for an unknown zone.
 */
export const toInstant = (local: number, zone: string): number => zoneOf(zone).toInstant(local);

/**
 * Returns the wall clock time in `zone` at an instant in epoch milliseconds.
 * @throws RangeError for an unknown zone.
 */
export const toLocal = (instant: number, zone: string): number => zoneOf(zone).toLocal(instant);
