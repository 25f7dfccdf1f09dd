/** What a campaign would change on a screen: by the planner that the players run, with the campaign put in. */
import type { Rehearsal } from '../../shared/chain/rehearsal.ts';
import { DAY_MS, parseLocal } from '../../shared/program/civil.ts';
import { PLAIN_ITEM } from '../../shared/program/plain-item.ts';
import { type Active, createPlanner, isInForce, type Plan } from '../../shared/program/precedence.ts';
import type { Program, ProgramLayout, ProgramSchedule } from '../../shared/program/program.ts';
import { MAX_PRIORITY, PLACE_OF_RANK } from '../../shared/program/ranks.ts';
import { createSeries, type Occurrence } from '../../shared/program/series.ts';
import { titleOf } from '../../shared/program/titles.ts';
import { zoneOf } from '../../shared/program/zones.ts';

/** How far is looked ahead, from now or from when it begins, and at how many instants. */
export const LOOK_MS = 14 * DAY_MS;
const MAX_INSTANTS = 72;
/** Of one schedule: as many as begin in the time that is looked at, and a few that overlap. */
const MAX_OCCURRENCES = 40;

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
 * Looks from now, or from when it begins, piece by piece: whoever asks may leave the loop to others in between.
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
  const others = program.schedules.filter(({ id }) => id !== asked.id);
  const todayAt = createPlanner(program, timezone);
  const thenAt = createPlanner(
    {
      ...program,
      layouts: [...program.layouts, LAYOUT],
      playlists: [...program.playlists, PLAYLIST],
      schedules: [...others, candidate],
    },
    timezone,
  );
  const found = { hidden: new Map<string, Other>(), before: new Map<string, Other>() };
  let isChanged = false;
  // One that begins in weeks is looked at from then on.
  const from = Math.max(clock.now, zoneOf(clock.timezone).toInstant(parseLocal(asked.start_time)));
  for (const instant of instantsOf(candidate, program.schedules, from)) {
    yield;
    const [today, then] = [todayAt(instant), thenAt(instant)];
    if (isInForce(then, asked.id) && !isInForce(today, asked.id)) {
      isChanged = true;
      const gone = inForce(today).filter(({ schedule }) => !isInForce(then, schedule.id));
      for (const other of gone.map(({ schedule }) => nameOf(program, schedule))) note(found.hidden, other);
      if (!today.main && own) note(found.hidden, own);
    }
    const lost = then.losing.find(({ schedule_id }) => schedule_id === asked.id);
    const winner = lost && others.find(({ id }) => id === lost.lost_to);
    if (winner) note(found.before, nameOf(program, winner));
  }
  return { isChanged, hidden: [...found.hidden.values()], before: [...found.before.values()] };
}

const note = (all: Map<string, Other>, other: Other): void => {
  all.set(`${other.what} ${other.name}`, other);
};

const inForce = ({ main, layoutRule, zones }: Plan): Active[] =>
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

/**
 * At which the plan may be another one while the campaign runs: its own occurrences begin, and others (also those of its
 * edition before) begin and end in them. Where there are more than can be looked at, each schedule has its turn.
 */
const instantsOf = (candidate: ProgramSchedule, others: readonly ProgramSchedule[], now: number): number[] => {
  const until = now + LOOK_MS;
  const runs = occurrencesOf(candidate, { now, until });
  const isWithin = (instant: number) => runs.some(({ start, end }) => start <= instant && instant < end);
  const lists = [
    runs.map(({ start }) => Math.max(start, now)),
    ...others.map((schedule) => edgesOf(schedule, { now, until }).filter(isWithin)),
  ];
  const instants = new Set<number>();
  for (let i = 0; instants.size < MAX_INSTANTS && lists.some((list) => list.length > i); i++)
    for (const list of lists) if (i < list.length && instants.size < MAX_INSTANTS) instants.add(list[i]!);
  return [...instants].sort((a, b) => a - b);
};

const occurrencesOf = (schedule: ProgramSchedule, { now, until }: { now: number; until: number }): Occurrence[] => {
  const all: Occurrence[] = [];
  for (const occurrence of createSeries(schedule).occurrences(now, until))
    if (all.push(occurrence) === MAX_OCCURRENCES) break;
  return all;
};

/** One whose times are none never applies (precedence.ts). */
const edgesOf = (schedule: ProgramSchedule, stretch: { now: number; until: number }): number[] => {
  try {
    return occurrencesOf(schedule, stretch)
      .flatMap(({ start, end }) => [start, end])
      .sort((a, b) => a - b);
  } catch {
    return [];
  }
};
