/**
 * Counts how often and for how long a program shows each content in a time range, for comparison with the reported
 * plays. Rounds of the same items are counted by arithmetic in one step. Only changes of the items that play are
 * processed one by one.
 */
import { mod } from './civil.ts';
import { MAX_TURN_MS, type Turn, turnAt } from './cycle.ts';
import type { Gate } from './dayparting.ts';
import type { ProgramItem, ProgramZone } from './program.ts';
import { continues, type Resolver, type Track } from './resolve.ts';
import type { Window } from './windows.ts';

/** Time range in epoch milliseconds; both ends are finite. */
export interface Stretch extends Window {
  /**
   * How to count a play that runs at the beginning of the range. `whole`: not at all, because it began before the
   * range. `cut`: as a play that begins here.
   */
  readonly begins: 'whole' | 'cut';
  /**
   * How to count a play that runs at the end of the range. `whole`: with its full duration. `cut`: as a play that ends
   * here. `open`: not yet.
   */
  readonly ends: 'whole' | 'cut' | 'open';
}

/** Number and total milliseconds of the planned plays of one content or widget, from one playlist and one schedule. */
export interface Planned {
  readonly content_id: string | null;
  readonly widget_id: string | null;
  readonly playlist_id: string | null;
  /** Id of the schedule that causes the plays; null: no schedule causes them. */
  readonly schedule_id: string | null;
  readonly plays: number;
  readonly ms: number;
}

/** A time range in which the panel is on. No play continues beyond `limit`. */
interface Open extends Stretch {
  readonly limit: number;
}

/** The content (track) of a zone, and the time for which it stays without an interruption within the range. */
interface Run {
  readonly zone: ProgramZone;
  readonly track: Track;
  readonly since: number;
  until: number;
}

/**
 * Counts planned plays that begin in the time range, in the same way as reported plays.
 * @param gate tells when the panel is on: a play ends when the panel is switched off, and a new play begins when it is
 * switched on
 */
export function plannedIn(resolver: Resolver, stretch: Stretch, gate?: Gate): Planned[] {
  const tally = new Tally();
  for (const open of gate ? whileOn(stretch, gate) : [{ ...stretch, limit: Number.POSITIVE_INFINITY }])
    for (const run of runsIn(resolver, open)) count(resolver, open, run, tally);
  return tally.all();
}

function* whileOn(stretch: Stretch, gate: Gate): Generator<Open> {
  for (let at = stretch.since; at < stretch.until; ) {
    const { open, since, until } = gate(at);
    if (open)
      yield {
        since: at,
        until: Math.min(until, stretch.until),
        begins: since < at ? stretch.begins : 'cut',
        ends: stretch.ends,
        limit: until,
      };
    at = until;
  }
}

function runsIn(resolver: Resolver, { since, until }: Window): Run[] {
  const runs: Run[] = [];
  const last = new Map<string, Run>();
  for (let at = since; at < until; ) {
    const frame = resolver.lanes(at);
    const end = Math.min(frame.until, until);
    for (const { zone, track } of frame.lanes) {
      if (!track) continue;
      const before = last.get(zone.id);
      if (before?.until === at && continues(frame, zone, before.track)) before.until = end;
      else {
        const run = { zone, track, since: at, until: end };
        last.set(zone.id, run);
        runs.push(run);
      }
    }
    at = end;
  }
  return runs;
}

function count(resolver: Resolver, open: Open, { zone, track, since, until }: Run, tally: Tally): void {
  const { cycle, anchor } = track;
  const turnOf = (instant: number): Turn => turnAt(cycle, anchor, instant);
  const [first, last] = [turnOf(since), turnOf(until - 1)];
  let [from, to] = [since, until];
  let beyond = 0;
  const runsBefore = () => since === open.since && continues(resolver.lanes(since - 1), zone, track);
  if (first.since < since) {
    if (open.begins === 'whole' && runsBefore()) from = first.until;
    else tally.add(first.item, track, { plays: 1, ms: 0 });
  }
  if (last.until > until && until === open.until && open.ends !== 'cut') {
    const end = Math.min(endOf(resolver, { zone, track, from: until, to: last.until }), open.limit);
    if (open.ends === 'whole') beyond = end - until;
    else if (end > until) {
      to = Math.max(last.since, since);
      if (to === since && first.since < since && from === since) tally.add(first.item, track, { plays: -1, ms: 0 });
    }
  }
  if (from >= to) return;
  let start = anchor;
  for (const item of cycle.items) {
    tally.add(item, track, turnsOf(item.duration_ms, start, cycle.total, { since: from, until: to }));
    start += item.duration_ms;
  }
  if (beyond > 0) tally.add(last.item, track, { plays: 0, ms: beyond });
}

/** Returns the end of a play that runs at `from`, at most `to`. */
function endOf(
  resolver: Resolver,
  { zone, track, from, to }: { zone: ProgramZone; track: Track; from: number; to: number },
): number {
  for (let at = from; at < to; ) {
    const frame = resolver.lanes(at);
    if (!continues(frame, zone, track)) return at;
    at = frame.until;
  }
  return to;
}

/**
 * Counts the plays of an item that starts at `start` and every `total` milliseconds before and after. Returns the
 * number of plays that begin in the time range, and their total time in the range.
 */
function turnsOf(
  duration: number,
  start: number,
  total: number,
  { since, until }: Window,
): { plays: number; ms: number } {
  let plays = 0;
  // A play that lasts for days is divided into pieces of a day.
  for (let piece = 0; piece < duration; piece += MAX_TURN_MS) {
    const at = start + piece;
    plays += Math.ceil((until - at) / total) - Math.ceil((since - at) / total);
  }
  const before = (instant: number) =>
    Math.floor((instant - start) / total) * duration + Math.min(duration, mod(instant - start, total));
  return { plays, ms: before(until) - before(since) };
}

class Tally {
  readonly #sums = new Map<string, { -readonly [K in keyof Planned]: Planned[K] }>();

  add(item: ProgramItem, { playlistId, source }: Track, { plays, ms }: { plays: number; ms: number }): void {
    const { content_id, widget_id } = item;
    const schedule_id = source.kind === 'schedule' ? source.schedule_id : null;
    const key = `${content_id}|${widget_id}|${playlistId}|${schedule_id}`;
    const sum = this.#sums.get(key);
    if (sum) {
      sum.plays += plays;
      sum.ms += ms;
    } else this.#sums.set(key, { content_id, widget_id, playlist_id: playlistId, schedule_id, plays, ms });
  }

  all(): Planned[] {
    return [...this.#sums.values()].filter(({ ms }) => ms > 0);
  }
}
