/**
 * Splits the programs of screens into time windows of at most a day. Planned plays of a time window are counted once
 * for all screens with the same program at that time, and once for all reports.
 */
import { ApiError } from '../../../../shared/contract/errors.ts';
import { DAY_MS, dayOf } from '../../../../shared/program/civil.ts';
import { createGate, type Gate } from '../../../../shared/program/dayparting.ts';
import { plannedIn, type Stretch } from '../../../../shared/program/planned.ts';
import { createResolver, type Resolver } from '../../../../shared/program/resolve.ts';
import type { Zone } from '../../../../shared/program/zones.ts';
import { readArchived } from '../../../programs/program-archive.ts';
import type { Period } from '../ingest/sums.ts';
import type { Planned, PlannedStore, PlannedSum, PlannedWhich, SpanRow } from './planned.store.ts';

/**
 * Maximum numbers of time windows, and of pieces by device, in a report. Only years of thousands of screens with
 * separate programs exceed them.
 */
const MAX_WINDOWS = 100_000;
const MAX_PIECES = 3_000_000;

/** A time window in which some screens had the same program. */
export interface PlannedWindow extends Stretch {
  /** Number of the day within the period, from 0. */
  readonly day: number;
  /** Whether the count is final. */
  readonly isLasting: boolean;
  screens: number;
  plays: number;
  ms: number;
}

/** Time windows of one program in one time zone. */
export interface Line {
  readonly program: number;
  readonly timezone: string;
  readonly windows: Map<string, PlannedWindow>;
}

/** Time windows into which a period is split, and the time windows of each device. */
export interface Cut {
  readonly lines: readonly Line[];
  readonly devices: readonly string[];
  /** Index in `devices` for each entry of `pieces`. */
  readonly of: readonly number[];
  readonly pieces: readonly PlannedWindow[];
  /** First day number of the period, and the number of days. */
  readonly firstDay: number;
  readonly days: number;
}

/** Returns the start, the midnights and the end of a period. */
const edgesOf = ({ start, end }: Period, zone: Zone): { edges: number[]; firstDay: number } => {
  const firstDay = dayOf(zone.toLocal(start));
  const edges = [start];
  for (let day = firstDay + 1; ; day++) {
    const midnight = zone.toInstant(day * DAY_MS);
    if (midnight >= end) break;
    if (midnight > start) edges.push(midnight);
  }
  return { edges: [...edges, end], firstDay };
};

/**
 * @param period must be finite; nothing is planned after `now`, because later plans can change
 * @throws ApiError 400 when the period needs too many windows
 */
export const cutUp = (
  spans: Iterable<SpanRow>,
  { start, end, now }: Period & { readonly now: number },
  zone: Zone,
): Cut => {
  const { edges, firstDay } = edgesOf({ start, end }, zone);
  const isMidnight = (instant: number) => zone.toInstant(dayOf(zone.toLocal(instant)) * DAY_MS) === instant;
  const [startsWhole, endsWhole] = [isMidnight(start), isMidnight(end) && end <= now];
  const lines = new Map<string, Line>();
  const devices: string[] = [];
  const of: number[] = [];
  const pieces: PlannedWindow[] = [];
  let windows = 0;
  for (const span of spans) {
    if (devices.at(-1) !== span.device_id) devices.push(span.device_id);
    const key = `${span.program} ${span.timezone}`;
    let line = lines.get(key);
    if (!line) lines.set(key, (line = { program: span.program, timezone: span.timezone, windows: new Map() }));
    const until = Math.min(span.until ?? Number.POSITIVE_INFINITY, end);
    let day = edges.findLastIndex((edge) => edge <= Math.max(span.since, start));
    for (; day < edges.length - 1 && edges[day]! < until; day++) {
      const [from, to] = [edges[day]!, edges[day + 1]!];
      const [since, last] = [Math.max(span.since, from), Math.min(until, to)];
      if (since >= last) continue;
      const id = `${since} ${last}`;
      let window = line.windows.get(id);
      if (!window) {
        if (++windows > MAX_WINDOWS) throw tooMuch();
        const [isBegun, isEnded] = [since > from, last < to];
        window = {
          since,
          until: last,
          begins: isBegun ? 'cut' : 'whole',
          ends: isEnded ? 'cut' : last === now ? 'open' : 'whole',
          day,
          isLasting: (isBegun || day > 0 || startsWhole) && (isEnded || day < edges.length - 2 || endsWhole),
          screens: 0,
          plays: 0,
          ms: 0,
        };
        line.windows.set(id, window);
      }
      window.screens++;
      if (pieces.push(window) > MAX_PIECES) throw tooMuch();
      of.push(devices.length - 1);
    }
  }
  return { lines: [...lines.values()], devices, of, pieces, firstDay, days: edges.length - 1 };
};

const tooMuch = () =>
  new ApiError(400, 'This report has too many different programs. Ask for a shorter period or fewer screens.');

/** Counts planned plays in the time windows of one program. Reads the program for the first time window. */
export class Counter {
  readonly #store: Pick<PlannedStore, 'archived'>;
  readonly #line: Pick<Line, 'program' | 'timezone'>;
  #program: { readonly resolver: Resolver; readonly gate: Gate | undefined } | undefined;

  constructor(store: Pick<PlannedStore, 'archived'>, line: Pick<Line, 'program' | 'timezone'>) {
    this.#store = store;
    this.#line = line;
  }

  count(stretch: Stretch): PlannedSum[] {
    this.#program ??= this.#open();
    const { resolver, gate } = this.#program;
    return plannedIn(resolver, stretch, gate).flatMap(
      ({ content_id, widget_id, playlist_id, schedule_id, plays, ms }): PlannedSum[] => {
        const ref = content_id ?? widget_id;
        if (ref === null) return [];
        const kind = content_id === null ? 'widget' : 'content';
        return [{ kind, ref, playlist_id: playlist_id ?? '', plan_id: schedule_id ?? '', plays, ms }];
      },
    );
  }

  #open() {
    const { program: id, timezone } = this.#line;
    const body = this.#store.archived(id);
    if (!body) throw new Error(`program ${id} is not in the archive`);
    const { program, hours } = readArchived(body);
    return {
      resolver: createResolver(program, timezone),
      gate: hours.length > 0 ? createGate(hours, timezone) : undefined,
    };
  }
}

/** Returns a filter for planned plays of the report; undefined when the report includes all planned plays. */
export const meantBy = (store: PlannedStore, which: PlannedWhich): ((sum: Planned) => boolean) | undefined => {
  const contents = store.contents(which);
  const plan = store.plan(which);
  const { playlistId } = which;
  if (!contents && !plan && playlistId === undefined) return undefined;
  return ({ kind, ref, playlist_id }) =>
    (!contents || (kind === 'content' && contents.has(ref))) &&
    (playlistId === undefined || playlist_id === playlistId) &&
    // A play belongs to a plan if it shows what the plan shows, so planned plays are matched the same way.
    (!plan || playlist_id === plan.playlist_id || ref === (kind === 'content' ? plan.content_id : plan.widget_id));
};
