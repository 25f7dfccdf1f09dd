/**
 * Wall clock ↔ instant for IANA zones, from `Intl`, which knows the zones but takes microseconds per question and has
 * no way back. So each zone keeps the offsets it has learnt, by stretches of 64 days; an answer then costs nanoseconds.
 * Instants are epoch milliseconds, local times as in civil.ts.
 */
import { DAY_MS } from './civil.ts';

export interface Zone {
  readonly name: string;
  /** Local minus UTC, in milliseconds. */
  offsetAt(instant: number): number;
  toLocal(instant: number): number;
  /** A local time that does not exist moves forward by the gap; one that exists twice is the first. */
  toInstant(local: number): number;
}

/** Offsets over one stretch: `offsets[i]` holds from `starts[i]` on. */
interface Stretch {
  readonly starts: number[];
  readonly offsets: number[];
}

const STRETCH_MS = 64 * DAY_MS;
/**
 * No zone changes its clocks and changes them back within eight days (checked for every zone, 1970–2040; the test keeps
 * to recent years).
 */
const SAMPLE_MS = 8 * DAY_MS;
/** 45 years of one zone, about 40 kB. */
const MAX_STRETCHES = 256;
const MAX_ZONES = 64;

function offsetReader(name: string): (instant: number) => number {
  // Plain numeric fields instead of timeZoneName 'longOffset', which browsers of older signage sticks lack.
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
  return (instant) => {
    const second = Math.floor(instant / 1_000) * 1_000;
    const [month, day, year, hour, minute, sec] = (format.format(second).match(/\d+/g) ?? []).map(Number) as [
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

function learn(read: (instant: number) => number, from: number): Stretch {
  const stretch: Stretch = { starts: [from], offsets: [read(from)] };
  let known = stretch.offsets[0] as number;
  for (let low = from; low < from + STRETCH_MS; low += SAMPLE_MS) {
    const after = read(low + SAMPLE_MS);
    if (after === known) continue;
    let before = low;
    let change = low + SAMPLE_MS;
    // Clocks change on whole seconds, so a second is exact.
    while (change - before > 1_000) {
      const middle = Math.floor((before + change) / 2_000) * 1_000;
      if (read(middle) === known) before = middle;
      else change = middle;
    }
    stretch.starts.push(change);
    stretch.offsets.push(after);
    known = after;
  }
  return stretch;
}

function createZone(name: string): Zone {
  const read = offsetReader(name);
  const stretches = new Map<number, Stretch>();
  let recentKey = Number.NaN;
  let recent: Stretch = { starts: [], offsets: [] };

  const stretchOf = (key: number): Stretch => {
    if (key === recentKey) return recent;
    let stretch = stretches.get(key);
    if (!stretch) {
      stretch = learn(read, key * STRETCH_MS);
      dropOldest(stretches, MAX_STRETCHES);
      stretches.set(key, stretch);
    }
    recentKey = key;
    recent = stretch;
    return stretch;
  };
  const offsetAt = (instant: number): number => {
    const { starts, offsets } = stretchOf(Math.floor(instant / STRETCH_MS));
    let index = starts.length - 1;
    while (index > 0 && instant < (starts[index] as number)) index--;
    return offsets[index] as number;
  };

  return {
    name,
    offsetAt,
    toLocal: (instant) => instant + offsetAt(instant),
    toInstant(local) {
      // No offset exceeds 24 h, so a day to either side is surely before and after a change near `local`.
      const before = offsetAt(local - DAY_MS);
      const after = offsetAt(local + DAY_MS);
      if (before === after || offsetAt(local - before) === before) return local - before;
      // With neither offset valid, `local` is in the gap, and the old offset moves it forward by just the gap.
      return offsetAt(local - after) === after ? local - after : local - before;
    },
  };
}

const zones = new Map<string, Zone>();

function dropOldest<K, V>(map: Map<K, V>, limit: number): void {
  if (map.size < limit) return;
  const oldest = map.keys().next();
  if (!oldest.done) map.delete(oldest.value);
}

/** @throws RangeError when `Intl` does not know the name. */
export function zoneOf(name: string): Zone {
  let zone = zones.get(name);
  if (!zone) {
    zone = createZone(name);
    dropOldest(zones, MAX_ZONES);
    zones.set(name, zone);
  }
  return zone;
}

/**
 * Like {@link zoneOf}, but an unknown name is UTC: a player whose `Intl` is older than the server's keeps playing,
 * if at shifted hours, instead of showing nothing.
 */
export function zoneOrUtc(name: string): Zone {
  return isTimeZone(name) ? zoneOf(name) : zoneOf('UTC');
}

/** A name of the IANA database that `Intl` knows (`Europe/Berlin`, `UTC`), not an offset like `+01:00`. */
export function isTimeZone(name: string): boolean {
  if (zones.has(name)) return true;
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    zoneOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Wall clock of `zone` → epoch milliseconds. @throws RangeError for an unknown zone. */
export const toInstant = (local: number, zone: string): number => zoneOf(zone).toInstant(local);

/** Epoch milliseconds → wall clock of `zone`. @throws RangeError for an unknown zone. */
export const toLocal = (instant: number, zone: string): number => zoneOf(zone).toLocal(instant);
