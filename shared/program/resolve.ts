/**
 * A screen is a pure function of (program, clock): `resolve(program, timezone, instant)` returns what the screen shows.
 * Time is divided into *frames*, in which the active schedules and the playable items stay the same. Within a frame
 * each zone computes its cycle by arithmetic. A play that crosses the border between two frames is followed over the
 * border, so that it has one start and one end for all its instants. All state here is a cache of pure results.
 */
import { DAY_MS } from './civil.ts';
import { type Cycle, createRing, type Ring, type Turn, turnAt } from './cycle.ts';
import { FULL_ZONE } from './full-zone.ts';
import { type Active, createPlanner, type Plan } from './precedence.ts';
import type {
  Cue,
  CueSource,
  LosingRule,
  Program,
  ProgramItem,
  ProgramLayout,
  ProgramSchedule,
  ProgramZone,
  Scene,
  ZoneScene,
} from './program.ts';
import { cacheWindows, type Window } from './windows.ts';

/** The current playlist and its source (`playlist_source`); both null if nothing is assigned. */
export interface CurrentPlaylist {
  readonly playlist_id: string | null;
  readonly source: 'schedule' | Program['base']['source'];
}

/**
 * Computes scenes of one program in one time zone. Callers keep a resolver as long as the program, because the
 * resolver caches its results.
 */
export interface Resolver {
  /**
   * Returns the scene at `instant` (epoch milliseconds, server clock). Every instant until `scene.until`, at most a day
   * ahead, gives the same scene.
   */
  resolve(instant: number): Scene;
  currentPlaylist(instant: number): CurrentPlaylist;
  /** Returns the deciding schedule or source, the losing schedules, and the time range in which they stay the same. */
  deciding(instant: number): Deciding;
  /** Returns the playlists that zones of the current layout have as their own content. */
  zonePlaylists(instant: number): string[];
  /** Returns the track of each zone, and the time range in which all tracks stay the same. */
  lanes(instant: number): Lanes;
}

/**
 * The deciding source: the schedule for the whole screen, otherwise a schedule for a part of it, otherwise the source
 * without a schedule.
 */
export interface Deciding extends Window {
  readonly source: CueSource['kind'] | 'nothing';
  readonly schedule: ProgramSchedule | null;
  readonly losing: readonly LosingRule[];
}

/** Content of a zone: a ring of items, the instant at which a round began (anchor), and the source. */
export interface Track {
  readonly ring: Ring;
  readonly cycle: Cycle;
  /** Instant at which a round began. */
  readonly anchor: number;
  readonly playlistId: string | null;
  readonly source: CueSource;
}

interface Lane {
  readonly zone: ProgramZone;
  readonly track: Track | null;
}

export interface Lanes extends Window {
  readonly lanes: readonly Lane[];
}

interface Frame extends Lanes {
  readonly plan: Plan;
  /** The visible layout. It differs from the layout of the plan when the fallback fills the whole screen. */
  readonly layout: ProgramLayout | null;
  readonly layoutRule: Active | null;
}

/** Items to play, before they are divided among zones. Sources are compared by identity. */
interface Source {
  readonly items: readonly ProgramItem[];
  readonly playlistId: string | null;
  /**
   * Anchor of the cycle: the start of a round. If a schedule plays the items, the start of the occurrence is the anchor
   * instead.
   */
  readonly anchor: number;
}

const FULL_SCREEN: readonly ProgramZone[] = [FULL_ZONE];

/**
 * Content that a program can play: playlists by id, and single items. Every result is cached, because sources are
 * compared by identity.
 */
function createSources(program: Program, timezone: string) {
  const playlists = new Map(
    program.playlists.map(({ id, items, anchor_ms }): [string, Source] => [
      id,
      { items, playlistId: id, anchor: anchor_ms },
    ]),
  );
  const singles = new Map<ProgramItem, Source>();
  const rings = new Map<Source, Map<ProgramZone | 'every item', Ring>>();

  return {
    /** A playlist precedes a single item. An unknown playlist plays nothing. */
    sourceOf(playlistId: string | null, item: ProgramItem | null): Source | null {
      if (playlistId !== null) return playlists.get(playlistId) ?? null;
      if (item === null) return null;
      const known = singles.get(item) ?? { items: [item], playlistId: null, anchor: 0 };
      singles.set(item, known);
      return known;
    },
    ringOf(source: Source, place: ProgramZone | 'every item', items: () => readonly ProgramItem[]): Ring {
      const places = rings.get(source) ?? new Map<ProgramZone | 'every item', Ring>();
      rings.set(source, places);
      const ring = places.get(place) ?? createRing(items(), timezone);
      places.set(place, ring);
      return ring;
    },
  };
}

/** Returns the frame at an instant: the track of each zone, by schedule, base source, layout or fallback. */
function createFrames(
  program: Program,
  timezone: string,
  planAt: (instant: number) => Plan,
): (instant: number) => Frame {
  const { sourceOf, ringOf } = createSources(program, timezone);
  const stacked = new Map(program.layouts.map((layout) => [layout, backToFront(layout.zones)]));
  const fallbacks = [program.fallback, ...(program.fallbacks ?? [])].flatMap((item) => sourceOf(null, item) ?? []);
  return cacheWindows((instant): Frame => {
    const plan = planAt(instant);
    let { since, until } = plan;
    const trackOf = (source: Source, ring: Ring, rule: Active | null, by: CueSource): Track | null => {
      const cycle = ring.cycle(instant);
      since = Math.max(since, cycle.since);
      until = Math.min(until, cycle.until);
      const anchor = Math.max(rule ? rule.occurrence.start : source.anchor, cycle.since);
      return cycle.items.length > 0 ? { ring, cycle, anchor, playlistId: source.playlistId, source: by } : null;
    };

    const { main } = plan;
    const { base } = program;
    const mainSource = main
      ? sourceOf(main.schedule.playlist_id, main.schedule.item)
      : sourceOf(base.playlist_id, base.item);
    const mainBy = main ? scheduled(main) : { kind: base.source ?? 'device' };
    const zones = (plan.layout && stacked.get(plan.layout)) ?? FULL_SCREEN;
    const largest = largestZone(plan.layout?.zones ?? FULL_SCREEN);

    const wholeOf = (source: Source | null, rule: Active | null, by: CueSource): Track | null =>
      source &&
      trackOf(
        source,
        ringOf(source, 'every item', () => source.items),
        rule,
        by,
      );
    const told = (zone: ProgramZone): Track | null => {
      const rule = plan.zones.get(zone.id);
      if (rule) return wholeOf(sourceOf(rule.schedule.playlist_id, rule.schedule.item), rule, scheduled(rule));
      if (!mainSource) return null;
      const ring = ringOf(mainSource, zone, () => itemsIn(zone, mainSource.items, zones, largest));
      return trackOf(mainSource, ring, main, mainBy);
    };
    const own = ({ fill }: ProgramZone): Track | null =>
      fill ? wholeOf(sourceOf(fill.playlist_id, fill.item), null, { kind: 'layout' }) : null;

    const lanes = zones.map((zone): Lane => ({ zone, track: told(zone) ?? own(zone) }));
    if (lanes.some(({ track }) => track) || fallbacks.length === 0)
      return { since, until, plan, layout: plan.layout, layoutRule: plan.layoutRule, lanes };

    let track: Track | null = null;
    for (const source of fallbacks) track ??= wholeOf(source, null, { kind: 'fallback' });
    return { since, until, plan, layout: null, layoutRule: null, lanes: [{ zone: FULL_ZONE, track }] };
  });
}

/**
 * @param timezone of the placement, for day-parting blocks (schedules have their own); an unknown name counts as UTC
 */
export function createResolver(program: Program, timezone: string): Resolver {
  const planAt = createPlanner(program, timezone);
  const frameAt = createFrames(program, timezone, planAt);

  /**
   * Limits the play to the time in which no other track had the zone. Borders of frames are whole milliseconds, so
   * `since - 1` is in the previous frame.
   */
  function clip(turn: Turn, frame: Frame, zone: ProgramZone, track: Track): Window {
    let { since, until } = turn;
    for (let at = frame; at.since > since; ) {
      const before = frameAt(at.since - 1);
      if (!continues(before, zone, track)) since = at.since;
      at = before;
    }
    for (let at = frame; at.until < until; ) {
      const after = frameAt(at.until);
      if (!continues(after, zone, track)) until = at.until;
      at = after;
    }
    return { since, until };
  }

  function cueAt(zone: ProgramZone, frame: Frame, instant: number): Cue | null {
    const track = frame.lanes.find((lane) => lane.zone.id === zone.id)?.track;
    if (!track) return null;
    const turn = turnAt(track.cycle, track.anchor, instant);
    const { since, until } = clip(turn, frame, zone, track);
    return { item: turn.item, since, until, playlist_id: track.playlistId, source: track.source };
  }

  return {
    resolve(at) {
      // Rounds the instant down. All borders are whole milliseconds, so a fraction changes nothing.
      const instant = Math.floor(at);
      const frame = frameAt(instant);
      const cues = frame.lanes.map(({ zone }) => cueAt(zone, frame, instant));
      const until = Math.min(
        frame.until,
        ...cues.map((cue) => cue?.until ?? Number.POSITIVE_INFINITY),
        // Limit of a scene: the next midnight UTC instead of 24 h later, so that each scene has exactly one `until`.
        (Math.floor(instant / DAY_MS) + 1) * DAY_MS,
      );
      const zones = frame.lanes.map(({ zone }, index): ZoneScene => {
        const cue = cues[index] ?? null;
        const then = cue?.until ?? until;
        return { zone, cue, next: cueAt(zone, frameAt(then), then) };
      });
      return {
        layout: frame.layout,
        zones,
        until,
        idle: cues.every((cue) => cue === null),
        layout_schedule_id: frame.layoutRule?.schedule.id ?? null,
        losing: frame.plan.losing,
      };
    },
    deciding(at) {
      const { since, until, plan, layoutRule, lanes } = frameAt(Math.floor(at));
      const shown = lanes.flatMap(({ track }) => track?.source ?? []);
      const isShown = (rule: Active | null): rule is Active =>
        shown.some((source) => source.kind === 'schedule' && source.schedule_id === rule?.schedule.id);
      const rule = isShown(plan.main) ? plan.main : (layoutRule ?? [...plan.zones.values()].find(isShown));
      // A layout's own content only decides if no other source does.
      const [first] = [...shown.filter(({ kind }) => kind !== 'layout'), ...shown];
      const source = rule ? 'schedule' : (first?.kind ?? 'nothing');
      return { since, until, source, schedule: rule?.schedule ?? null, losing: plan.losing };
    },
    currentPlaylist(at) {
      const { main } = planAt(Math.floor(at));
      const { playlist_id, item, source } = program.base;
      if (main) return { playlist_id: main.schedule.playlist_id, source: 'schedule' };
      return playlist_id === null && item === null ? { playlist_id: null, source: null } : { playlist_id, source };
    },
    zonePlaylists(at) {
      const { layout } = planAt(Math.floor(at));
      return [...new Set((layout?.zones ?? []).flatMap(({ fill }) => fill?.playlist_id ?? []))];
    },
    lanes: (at) => frameAt(Math.floor(at)),
  };
}

const scheduled = ({ schedule, occurrence }: Active): CueSource => ({
  kind: 'schedule',
  schedule_id: schedule.id,
  title: schedule.title,
  occurrence_start: occurrence.start,
  occurrence_end: occurrence.end,
});

/** Returns whether the zone still has exactly this track. */
export const continues = ({ lanes }: Lanes, zone: ProgramZone, track: Track): boolean =>
  lanes.some((lane) => lane.zone.id === zone.id && lane.track !== null && sameTrack(lane.track, track));

/**
 * Returns whether two tracks have the same items in the same cycle from the same source. Two occurrences of one
 * schedule are different sources.
 */
function sameTrack(a: Track, b: Track): boolean {
  if (a.ring !== b.ring || a.cycle.since !== b.cycle.since || a.source.kind !== b.source.kind) return false;
  return (
    a.source.kind !== 'schedule' ||
    b.source.kind !== 'schedule' ||
    (a.source.schedule_id === b.source.schedule_id && a.source.occurrence_start === b.source.occurrence_start)
  );
}

const backToFront = (zones: readonly ProgramZone[]): ProgramZone[] => [...zones].sort((a, b) => a.z_index - b.z_index);

const largestZone = (zones: readonly ProgramZone[]): ProgramZone =>
  zones.reduce((best, zone) => (zone.width * zone.height > best.width * best.height ? zone : best));

/** Items without a zone, or with a zone that the current layout does not have, play in the largest zone. */
function itemsIn(
  zone: ProgramZone,
  items: readonly ProgramItem[],
  zones: readonly ProgramZone[],
  largest: ProgramZone,
): ProgramItem[] {
  return items.filter((item) => (zones.find(({ id }) => id === item.zone_id) ?? largest) === zone);
}

const resolvers = new WeakMap<Program, Map<string, Resolver>>();

/** Programs are immutable, so a cached resolver stays valid as long as its program. */
function resolverOf(program: Program, timezone: string): Resolver {
  const known = resolvers.get(program) ?? new Map<string, Resolver>();
  resolvers.set(program, known);
  const resolver = known.get(timezone) ?? createResolver(program, timezone);
  known.set(timezone, resolver);
  return resolver;
}

/**
 * Returns what a screen shows at `instant` (epoch milliseconds, server clock) and how long this scene is valid. Pure.
 * Repeated calls with the same program object are fast, because results are cached per object.
 * @param timezone IANA name of the placement's zone
 */
export const resolve = (program: Program, timezone: string, instant: number): Scene =>
  resolverOf(program, timezone).resolve(instant);

/**
 * Returns the current playlist, for `playlist_source`: the playlist of the best schedule for the whole screen (null if
 * that schedule plays a single item), otherwise the base playlist. A scheduled layout or zone does not change the
 * result.
 */
export const currentPlaylistId = (program: Program, timezone: string, instant: number): CurrentPlaylist =>
  resolverOf(program, timezone).currentPlaylist(instant);

/** Returns the own playlists of the zones of the current layout. They play in addition to the current playlist. */
export const zonePlaylistIds = (program: Program, timezone: string, instant: number): string[] =>
  resolverOf(program, timezone).zonePlaylists(instant);
