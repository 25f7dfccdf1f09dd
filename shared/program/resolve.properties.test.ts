/**
 * Compares the resolver with a slow reference that is simple to verify. The reference applies the rules by wall clock
 * at one instant, and finds plays by stepping through time. All times are multiples of the step, so stepping misses
 * nothing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { runCount } from '../../test/run-count.ts';
import { DAY_MS, formatLocal } from './civil.ts';
import { createGate } from './dayparting.ts';
import { FULL_ZONE } from './full-zone.ts';
import { PLAIN_ITEM } from './plain-item.ts';
import { type Planned, plannedIn, type Stretch } from './planned.ts';
import type {
  Block,
  LosingRule,
  Program,
  ProgramItem,
  ProgramLayout,
  ProgramSchedule,
  ProgramZone,
  Scene,
} from './program.ts';
import { createResolver, resolve } from './resolve.ts';

const STEP = 10_000;
const QUARTER_MS = 15 * 60_000;

const IMAGE: ProgramItem = { ...PLAIN_ITEM, duration_ms: STEP };

// ── programs ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Nights with clock changes (forward, back) in New York, Berlin and Lord Howe, and a normal night. */
const nights = [
  '2026-03-08T07:00Z',
  '2026-11-01T06:00Z',
  '2026-03-29T01:00Z',
  '2026-10-25T01:00Z',
  '2026-10-03T15:30Z',
  '2026-04-04T15:00Z',
  '2026-06-10T00:00Z',
].map((text) => Temporal.Instant.from(text).epochMilliseconds);
const timezone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata');
const quarters = fc.integer({ min: 0, max: 95 });
const clock = quarters.map(
  (n) => `${String(Math.floor(n / 4)).padStart(2, '0')}:${String((n % 4) * 15).padStart(2, '0')}`,
);
const dateNear = (night: number, from: number, to: number) =>
  fc.option(
    fc.integer({ min: from, max: to }).map((days) => formatLocal(night + days * DAY_MS).slice(0, 10)),
    { nil: null },
  );
const block = (night: number): fc.Arbitrary<Block> =>
  fc.record({
    days: fc.oneof(
      fc.constant<number[]>([0, 1, 2, 3, 4, 5, 6]),
      fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
    ),
    start: fc.oneof(clock, fc.constantFrom('00:00', '02:15')),
    end: fc.oneof(clock, fc.constantFrom('24:00', '02:45')),
    start_date: dateNear(night, -20, 1),
    end_date: dateNear(night, -20, 3),
  });
const zoneId = fc.constantFrom(null, 'z1', 'z2', 'z3', 'nowhere');
const item = (night: number): fc.Arbitrary<ProgramItem> =>
  fc
    .record({
      name: fc.uuid(),
      turns: fc.integer({ min: 1, max: 9 }),
      zone_id: zoneId,
      blocks: fc.oneof(fc.constant<Block[]>([]), fc.array(block(night), { maxLength: 2 })),
    })
    .map(({ name, turns, zone_id, blocks }) => ({ ...IMAGE, name, duration_ms: turns * STEP, zone_id, blocks }));
const fill = (night: number): fc.Arbitrary<Pick<ProgramZone, 'fill'>> =>
  fc.oneof(
    fc.constant({}),
    item(night).map((single) => ({ fill: { playlist_id: null, item: single } })),
    fc.constantFrom('p1', 'p2', 'gone').map((playlist_id) => ({ fill: { playlist_id, item: null } })),
  );
const zone = (night: number, id: string): fc.Arbitrary<ProgramZone> =>
  fc
    .record({ width: fc.constantFrom(30, 50, 50, 70), z_index: fc.integer({ min: 0, max: 2 }), own: fill(night) })
    .map(({ own, ...from }) => ({ ...FULL_ZONE, id, ...from, ...own }));
const layout = (night: number, id: string, ...zones: string[]): fc.Arbitrary<ProgramLayout> =>
  fc
    .tuple(...zones.map((one) => zone(night, one)))
    .map((made) => ({ id, name: id, width: 1920, height: 1080, zones: made }));
const playlist = (night: number, id: string) =>
  fc.record({
    id: fc.constant(id),
    name: fc.constant(id),
    anchor_ms: fc.integer({ min: -1_000, max: 1_000 }).map((n) => night + n * STEP),
    items: fc.array(item(night), { maxLength: 5 }),
  });
const schedule = (night: number): fc.Arbitrary<ProgramSchedule> =>
  fc
    .record({
      id: fc.uuid(),
      target: fc.constantFrom('device', 'group'),
      priority: fc.integer({ min: 0, max: 2 }),
      created_at: fc.integer({ min: 0, max: 1 }),
      // Schedules begin up to four days before the night, and last minutes to two days. Daily occurrences of a day are
      // adjacent.
      first: fc.oneof(fc.integer({ min: -12, max: 11 }), fc.integer({ min: -4 * 96, max: 11 })).map((n) => n * 15),
      minutes: fc
        .oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 192 }), fc.constant(96))
        .map((n) => n * 15),
      timezone,
      recurrence: fc.constantFrom(null, 'FREQ=DAILY', 'FREQ=DAILY;INTERVAL=2', 'FREQ=DAILY;COUNT=3'),
      plays: fc.constantFrom('item', 'item', 'p1', 'p2', 'gone', 'nothing', 'nothing'),
      item: item(night),
      zone_id: fc.constantFrom(null, null, 'z1', 'z2', 'z3'),
      layout_id: fc.constantFrom(null, null, null, 'l1', 'l2', 'l2', 'gone'),
    })
    .map(({ first, minutes, plays, item: single, ...rest }) => {
      const start = night + first * 60_000;
      return {
        ...rest,
        title: rest.id,
        start: formatLocal(start),
        end: formatLocal(start + minutes * 60_000),
        recurrence_end: null,
        item: plays === 'item' ? single : null,
        playlist_id: plays === 'item' || plays === 'nothing' ? null : plays,
      };
    });
const world = fc.constantFrom(...nights).chain((night) =>
  fc.record({
    program: fc.record({
      format: fc.constant(1 as const),
      base: fc.record({
        layout_id: fc.constantFrom(null, 'l1', 'l2', 'gone'),
        playlist_id: fc.constantFrom('p1', 'p1', 'p2', null),
        item: fc.option(item(night), { nil: null }),
        source: fc.constantFrom('device' as const, 'wall' as const),
      }),
      fallback: fc.option(item(night), { nil: null }),
      layouts: fc.tuple(layout(night, 'l1', 'z1', 'z2'), layout(night, 'l2', 'z1', 'z3', 'z4')),
      playlists: fc.tuple(playlist(night, 'p1'), playlist(night, 'p2')),
      schedules: fc.array(schedule(night), { maxLength: 6 }),
      assets: fc.constant<Program['assets']>([]),
    }),
    timezone,
    // Instants mostly just before and after the quarter hours, where changes happen.
    asked: fc.array(
      fc
        .tuple(fc.integer({ min: -11, max: 11 }), fc.integer({ min: -90, max: 90 }))
        .map(([quarter, seconds]) => night + quarter * QUARTER_MS + seconds * 1_000),
      { minLength: 3, maxLength: 10 },
    ),
  }),
);

// ── the reference ───────────────────────────────────────────────────────────────────────────────────────────────────

type Span = readonly [start: number, end: number];

const instants = new Map<string, number>();
function instantOf(local: string, zoneName: string): number {
  const key = local + zoneName;
  const known = instants.get(key) ?? Temporal.PlainDateTime.from(local).toZonedDateTime(zoneName).epochMilliseconds;
  instants.set(key, known);
  return known;
}
const addDays = (date: string, days: number): string => Temporal.PlainDate.from(date).add({ days }).toString();

/** Returns the dates from 24 days before to 4 days after the night. Dates of blocks are in this range. */
const datesAround = (night: number): string[] =>
  Array.from({ length: 29 }, (_, i) => formatLocal(night + (i - 24) * DAY_MS).slice(0, 10));

function spansOfBlock(it: Block, dates: string[], zoneName: string): Span[] {
  return dates
    .filter(
      (date) =>
        it.days.includes(Temporal.PlainDate.from(date).dayOfWeek % 7) &&
        (it.start_date ?? '') <= date &&
        date <= (it.end_date ?? '9'),
    )
    .map((date): Span => {
      const on = it.start > it.end || it.end === '24:00' ? addDays(date, 1) : date;
      return [
        instantOf(`${date}T${it.start}`, zoneName),
        instantOf(`${on}T${it.end === '24:00' ? '00:00' : it.end}`, zoneName),
      ];
    });
}

function occurrencesOf(it: ProgramSchedule): Span[] {
  const every = it.recurrence === null ? 1 : it.recurrence.includes('INTERVAL') ? 2 : 1;
  const count = it.recurrence === null ? 1 : it.recurrence.includes('COUNT') ? 3 : 12;
  const shifted = (local: string, days: number) =>
    instantOf(Temporal.PlainDateTime.from(local).add({ days }).toString(), it.timezone);
  return Array.from({ length: count }, (_, i) => [shifted(it.start, i * every), shifted(it.end, i * every)] as const);
}

interface RefTurn {
  readonly name: string;
  readonly zone: string;
  readonly since: number;
  readonly until: number;
  /** Text that identifies the content of the zone. The text stays the same during a play. */
  readonly track: string;
  readonly playlist_id: string | null;
  readonly source: unknown;
}
interface RefState {
  readonly layout: string | null;
  readonly layoutRule: string | null;
  readonly zones: readonly string[];
  readonly turns: ReadonlyMap<string, RefTurn>;
  readonly losing: readonly LosingRule[];
}

/**
 * Returns the state at one instant by applying each rule of the decisions in order. Plays have their full duration
 * here; `clipped` limits them.
 */
function reference(program: Program, zoneName: string, dates: string[]): (at: number) => RefState {
  const spans = new Map<ProgramItem, Span[]>();
  const spansOfItem = (it: ProgramItem): Span[] => {
    const known = spans.get(it) ?? it.blocks.flatMap((one) => spansOfBlock(one, dates, zoneName));
    spans.set(it, known);
    return known;
  };
  const open = (it: ProgramItem, at: number): boolean =>
    it.blocks.length === 0 || spansOfItem(it).some(([start, end]) => start <= at && at < end);
  const occurrences = new Map(program.schedules.map((it) => [it, occurrencesOf(it)]));

  function turnIn(
    zoneId: string,
    items: readonly ProgramItem[],
    anchorMs: number,
    at: number,
    key: string,
    rest: Pick<RefTurn, 'playlist_id' | 'source'>,
  ): RefTurn | null {
    const set = (when: number) => items.map((it) => (open(it, when) ? '1' : '0')).join('');
    // The reference knows no days before its first days. A block that opens on the first days may have been open
    // before, so their changes are ignored.
    const edges = items
      .flatMap((it) => spansOfItem(it).flat())
      .filter((edge) => edge <= at && edge > at - 21.5 * DAY_MS);
    const change = Math.max(Number.NEGATIVE_INFINITY, ...edges.filter((edge) => set(edge) !== set(edge - 1)));
    const eligible = items.filter((it) => open(it, at));
    if (eligible.length === 0) return null;
    const anchor = Math.max(anchorMs, change);
    const total = eligible.reduce((sum, it) => sum + it.duration_ms, 0);
    let start = anchor + Math.floor((at - anchor) / total) * total;
    for (const it of eligible) {
      if (at < start + it.duration_ms) {
        return {
          name: it.name,
          zone: zoneId,
          since: start,
          until: start + it.duration_ms,
          track: `${key}|${anchor}|${set(at)}|${change}`,
          ...rest,
        };
      }
      start += it.duration_ms;
    }
    throw new Error('no turn');
  }

  /** Returns the zone's own content. */
  function ownTurn({ id, fill }: ProgramZone, at: number): RefTurn | null {
    if (!fill) return null;
    const list = program.playlists.find((it) => it.id === fill.playlist_id);
    const items = fill.playlist_id !== null ? (list?.items ?? []) : fill.item ? [fill.item] : [];
    const key = `own ${list?.id ?? fill.item?.name}`;
    return turnIn(id, items, list?.anchor_ms ?? 0, at, key, {
      playlist_id: list?.id ?? null,
      source: { kind: 'layout' },
    });
  }

  return (at) => {
    const active = program.schedules
      .flatMap((it) => {
        const span = occurrences.get(it)?.findLast(([start, end]) => start <= at && at < end);
        return span ? [{ ...it, span }] : [];
      })
      .sort(
        (a, b) =>
          Number(b.target === 'device') - Number(a.target === 'device') ||
          b.priority - a.priority ||
          b.span[0] - a.span[0] ||
          b.created_at - a.created_at ||
          (a.id < b.id ? 1 : -1),
      );
    type Rule = (typeof active)[number];
    const because = (winner: Rule, loser: Rule): LosingRule['because'] =>
      winner.target !== loser.target
        ? 'device-over-group'
        : winner.priority !== loser.priority
          ? 'priority'
          : winner.span[0] !== loser.span[0]
            ? 'later-start'
            : 'newer';
    const better = (a: Rule | undefined, b: Rule | undefined) => !!a && (!b || active.indexOf(a) < active.indexOf(b));
    const plays = (it: Rule) => it.item !== null || it.playlist_id !== null;

    const whole = active.find((it) => plays(it) && it.zone_id === null);
    const layoutRule = active.find((it) => it.layout_id !== null);
    const found = program.layouts.find(({ id }) => id === (layoutRule ?? program.base).layout_id);
    const fills = !!whole?.item && whole.layout_id === null && better(whole, layoutRule);
    const zones = (fills ? undefined : found?.zones) ?? [FULL_ZONE];
    const by = (it: Rule) => ({
      kind: 'schedule',
      schedule_id: it.id,
      title: it.title,
      occurrence_start: it.span[0],
      occurrence_end: it.span[1],
    });

    const losing: LosingRule[] = [];
    for (const it of active) {
      const rivals: (Rule | undefined)[] = [];
      if (plays(it) && it.zone_id === null) rivals.push(whole);
      if (plays(it) && it.zone_id !== null && found?.zones.some(({ id }) => id === it.zone_id)) {
        const best = active.find((other) => plays(other) && other.zone_id === it.zone_id);
        if (better(best, it) && better(best, whole) && !fills) rivals.push(best);
        else if (better(whole, it)) rivals.push(whole);
      }
      if (it.layout_id !== null) rivals.push(fills ? whole : layoutRule);
      const winner = rivals.find((rival) => rival && rival !== it);
      if (winner)
        losing.push({ schedule_id: it.id, title: it.title, lost_to: winner.id, because: because(winner, it) });
    }

    const turns = new Map<string, RefTurn>();
    const largest = zones.toSorted((a, b) => b.width * b.height - a.width * a.height)[0] as ProgramZone;
    for (const zone of zones) {
      const { id } = zone;
      const replaced = active.find((it) => plays(it) && it.zone_id === id && better(it, whole));
      const rule = replaced ?? whole;
      const from = rule ?? program.base;
      const list = program.playlists.find((it) => it.id === from.playlist_id);
      const items = from.playlist_id !== null ? (list?.items ?? []) : from.item ? [from.item] : [];
      const here = replaced
        ? items
        : items.filter((it) => (zones.some((z) => z.id === it.zone_id) ? it.zone_id === id : id === largest.id));
      const source = rule ? by(rule) : { kind: program.base.source };
      const anchor = rule ? rule.span[0] : (list?.anchor_ms ?? 0);
      const key = `${replaced ? 'all' : zones.map((z) => z.id)}${JSON.stringify(source)}`;
      const turn = turnIn(id, here, anchor, at, key, { playlist_id: list?.id ?? null, source }) ?? ownTurn(zone, at);
      if (turn) turns.set(id, turn);
    }
    const order = zones.toSorted((a, b) => a.z_index - b.z_index).map(({ id }) => id);
    const layoutId = fills ? null : (found?.id ?? null);
    if (turns.size > 0 || !program.fallback)
      return { layout: layoutId, layoutRule: fills ? null : (layoutRule?.id ?? null), zones: order, turns, losing };
    const logo = turnIn('full', [program.fallback], 0, at, 'fallback', {
      playlist_id: null,
      source: { kind: 'fallback' },
    });
    return { layout: null, layoutRule: null, zones: ['full'], turns: new Map(logo ? [['full', logo]] : []), losing };
  };
}

/** Returns the play, extended over all steps that show the same content. All changes happen on a step. */
function clipped(state: (at: number) => RefState, turn: RefTurn, at: number): { since: number; until: number } {
  const same = (when: number) => state(when).turns.get(turn.zone)?.track === turn.track;
  let since = Math.floor(at / STEP) * STEP;
  while (since > turn.since && same(since - STEP)) since -= STEP;
  let until = Math.floor(at / STEP) * STEP + STEP;
  while (until < turn.until && same(until)) until += STEP;
  return { since, until };
}

// ── properties ──────────────────────────────────────────────────────────────────────────────────────────────────────

const nightOf = (asked: readonly number[]) =>
  nights.find((night) => Math.abs(night - (asked[0] as number)) <= 180 * 60_000) as number;
const summary = (scene: Scene) => ({
  layout: scene.layout?.id ?? null,
  layoutRule: scene.layout_schedule_id,
  losing: scene.losing,
  zones: scene.zones.map(({ zone: { id }, cue }) => [id, cue && { ...cue, item: cue.item.name }]),
});

test('scene at any instant equals the reference, and each play lasts until something changes it', () => {
  fc.assert(
    fc.property(world, ({ program, timezone: zoneName, asked }) => {
      const state = reference(program, zoneName, datesAround(nightOf(asked)));
      for (const at of asked) {
        const expected = state(at);
        assert.deepEqual(summary(resolve(program, zoneName, at)), {
          layout: expected.layout,
          layoutRule: expected.layoutRule,
          losing: expected.losing,
          zones: expected.zones.map((id) => {
            const turn = expected.turns.get(id);
            if (!turn) return [id, null];
            return [
              id,
              { item: turn.name, ...clipped(state, turn, at), playlist_id: turn.playlist_id, source: turn.source },
            ];
          }),
        });
      }
    }),
    { numRuns: runCount(150, 400) },
  );
});

/** Returns a whole millisecond in `[since, until)`, at the given share of this range. */
const within = (since: number, until: number, share: number) => since + Math.floor((until - 1 - since) * share);

test('scene stays the same until scene.until, and each instant of a play returns the same play', () => {
  fc.assert(
    fc.property(
      world,
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      ({ program, timezone: zoneName, asked }, share) => {
        for (const at of asked) {
          const scene = resolve(program, zoneName, at);
          assert.ok(scene.until > at && scene.until <= at + DAY_MS);
          for (const later of [within(at, scene.until, share), scene.until - 1]) {
            assert.deepEqual(createResolver(program, zoneName).resolve(later), scene);
          }
          for (const {
            zone: { id },
            cue,
            next,
          } of scene.zones) {
            const then = resolve(program, zoneName, cue?.until ?? scene.until);
            assert.deepEqual(next, then.zones.find((it) => it.zone.id === id)?.cue ?? null, 'next is what follows');
            if (!cue) continue;
            assert.ok(cue.since <= at && at < cue.until);
            assert.ok(cue.until - cue.since <= cue.item.duration_ms);
            for (const moment of [cue.since, within(cue.since, cue.until, share), cue.until - 1]) {
              assert.deepEqual(resolve(program, zoneName, moment).zones.find((it) => it.zone.id === id)?.cue, cue);
            }
          }
        }
      },
    ),
    { numRuns: runCount(150, 400) },
  );
});

/** Counts item by item, scene by scene, the plays that begin while the panel is on. */
function steppedIn(program: Program, zoneName: string, stretch: Stretch, hours: readonly Block[]): Planned[] {
  const gate = createGate(hours, zoneName);
  const seen = new Set<string>();
  const sums = new Map<string, { -readonly [K in keyof Planned]: Planned[K] }>();
  for (let at = stretch.since; at < stretch.until; ) {
    const scene = resolve(program, zoneName, at);
    const on = gate(at);
    for (const { zone: shown, cue } of on.open ? scene.zones : []) {
      if (!cue) continue;
      const [isBefore, isAfter] = [cue.since < stretch.since, cue.until > stretch.until];
      const since = Math.max(cue.since, on.since, stretch.begins === 'cut' ? stretch.since : 0);
      const until = Math.min(cue.until, on.until, stretch.ends === 'cut' ? stretch.until : Number.POSITIVE_INFINITY);
      const key = `${shown.id} ${since} ${cue.item.name} ${JSON.stringify(cue.source)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (stretch.begins === 'whole' && isBefore && since < stretch.since) continue;
      if (stretch.ends === 'open' && isAfter && until > stretch.until) continue;
      const { content_id, widget_id } = cue.item;
      const schedule_id = cue.source.kind === 'schedule' ? cue.source.schedule_id : null;
      const of = JSON.stringify([content_id, cue.playlist_id, schedule_id]);
      const sum = sums.get(of) ?? {
        content_id,
        widget_id,
        playlist_id: cue.playlist_id,
        schedule_id,
        plays: 0,
        ms: 0,
      };
      sum.plays += 1;
      sum.ms += until - since;
      sums.set(of, sum);
    }
    at = Math.min(scene.until, on.until);
  }
  return [...sums.values()];
}

const named = (program: Program): Program => {
  const name = (it: ProgramItem): ProgramItem => ({ ...it, content_id: it.name });
  const orNull = (it: ProgramItem | null) => it && name(it);
  return {
    ...program,
    base: { ...program.base, item: orNull(program.base.item) },
    fallback: orNull(program.fallback),
    layouts: program.layouts.map((it) => ({
      ...it,
      zones: it.zones.map((one) => (one.fill ? { ...one, fill: { ...one.fill, item: orNull(one.fill.item) } } : one)),
    })),
    playlists: program.playlists.map((it) => ({ ...it, items: it.items.map(name) })),
    schedules: program.schedules.map((it) => ({ ...it, item: orNull(it.item) })),
  };
};

test('plannedIn equals stepping from scene to scene, also with clock changes or a panel that is off', () => {
  const byKey = (all: Planned[]) => all.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  // Ends near the quarter hours, where plays are cut; at whole and at fractional seconds.
  const near = fc
    .tuple(fc.integer({ min: -12, max: 12 }), fc.integer({ min: -90, max: 90 }), fc.constantFrom(0, 0, 1, 4_321))
    .map(([quarter, seconds, odd]) => quarter * QUARTER_MS + seconds * 1_000 + odd);
  const stretches = fc.record({
    ends: fc.tuple(near, near),
    days: fc.constantFrom(0, 0, 2),
    isNear: fc.boolean(),
    short: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40_000 })),
    modes: fc.tuple(
      fc.constantFrom('whole' as const, 'cut' as const),
      fc.constantFrom('whole' as const, 'cut' as const, 'open' as const),
    ),
  });
  const evening = fc
    .integer({ min: 0, max: 24 })
    .map((n) => `0${Math.floor(n / 4)}:${String((n % 4) * 15).padStart(2, '0')}`);
  const hoursOf = fc.array(
    fc.record({
      days: fc.constant<number[]>([0, 1, 2, 3, 4, 5, 6]),
      start: evening,
      end: evening,
      start_date: fc.constant(null),
      end_date: fc.constant(null),
    }),
    { maxLength: 2 },
  );
  fc.assert(
    fc.property(
      world,
      stretches,
      hoursOf,
      ({ program, timezone: zoneName, asked }, { ends, days, modes, isNear, short }, hours) => {
        const shown = named(program);
        const resolver = createResolver(shown, zoneName);
        const gate = hours.length > 0 ? createGate(hours, zoneName) : undefined;
        const from = nightOf(asked) + Math.min(...ends);
        const to = nightOf(asked) + Math.max(...ends) + days * DAY_MS;
        // Ends just before the next change, where a play is cut after the end.
        const edge = Math.min(resolver.lanes(to).until, gate?.(to).until ?? Number.POSITIVE_INFINITY);
        const [since, until] = [from, isNear && Number.isFinite(edge) ? Math.max(to, edge - short) : to];
        if (since >= until) return;
        const stretch = { since, until, begins: modes[0], ends: modes[1] };
        assert.deepEqual(byKey(plannedIn(resolver, stretch, gate)), byKey(steppedIn(shown, zoneName, stretch, hours)));
      },
    ),
    { numRuns: runCount(150, 400) },
  );
});

test('plays of a day equal the sum of its hours, and a play of several days counts once a day', () => {
  const items = [7, 10, 31].map((seconds, i) => ({ ...IMAGE, content_id: `c${i}`, duration_ms: seconds * 1_000 }));
  const program = (all: ProgramItem[]): Program => ({
    format: 1,
    base: { layout_id: null, playlist_id: 'p', item: null, source: 'device' },
    fallback: null,
    layouts: [],
    playlists: [{ id: 'p', name: 'p', anchor_ms: 1_234, items: all }],
    schedules: [],
    assets: [],
  });
  const start = Date.UTC(2026, 0, 1);
  const resolver = createResolver(program(items), 'UTC');
  const inside = { begins: 'whole', ends: 'whole' } as const;
  const whole = plannedIn(resolver, { since: start, until: start + DAY_MS, ...inside });
  const sums = new Map<string | null, { plays: number; ms: number }>();
  for (let hour = start; hour < start + DAY_MS; hour += 3_600_000)
    for (const { content_id, plays, ms } of plannedIn(resolver, { since: hour, until: hour + 3_600_000, ...inside })) {
      const sum = sums.get(content_id) ?? { plays: 0, ms: 0 };
      sums.set(content_id, { plays: sum.plays + plays, ms: sum.ms + ms });
    }
  assert.deepEqual(new Map(whole.map(({ content_id, plays, ms }) => [content_id, { plays, ms }])), sums);
  assert.equal(
    whole.reduce((all, { plays }) => all + plays, 0),
    86_400 / 16,
  );
  const long = program([{ ...IMAGE, content_id: 'page', duration_ms: 2.5 * DAY_MS }]);
  const [page] = plannedIn(createResolver(long, 'UTC'), { since: start, until: start + 10 * DAY_MS, ...inside });
  assert.deepEqual([page?.plays, page?.ms], [12, 10 * DAY_MS]);
});

test('in ten years of virtual time, scenes follow each other without a gap, and each day begins as planned', () => {
  const base: ProgramItem = {
    ...IMAGE,
    name: 'day',
    duration_ms: 7 * 3_600_000,
    blocks: [{ days: [1, 2, 3, 4, 5, 6], start: '08:00', end: '20:00', start_date: null, end_date: null }],
  };
  const night: ProgramSchedule = {
    id: 'night',
    title: 'Night',
    target: 'group',
    priority: 0,
    created_at: 0,
    start: '2020-01-01T22:00:00',
    end: '2020-01-02T06:00:00',
    timezone: 'Europe/Berlin',
    recurrence: 'FREQ=DAILY',
    recurrence_end: null,
    zone_id: null,
    item: { ...base, name: 'night', blocks: [] },
    playlist_id: null,
    layout_id: null,
  };
  const program: Program = {
    format: 1,
    base: { layout_id: null, playlist_id: 'p', item: null, source: 'device' },
    fallback: { ...base, name: 'logo', blocks: [] },
    layouts: [],
    playlists: [{ id: 'p', name: 'p', anchor_ms: 0, items: [base] }],
    schedules: [night],
    assets: [],
  };
  const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2036, 0, 1)];
  const begins: Record<string, Set<string>> = {};
  let before: string | undefined;
  let at = from;
  while (at < to) {
    const scene = resolve(program, 'Europe/Berlin', at);
    const name = scene.zones[0]?.cue?.item.name ?? assert.fail('black');
    if (before !== undefined && name !== before) {
      const time = Temporal.Instant.fromEpochMilliseconds(at)
        .toZonedDateTimeISO('Europe/Berlin')
        .toPlainTime()
        .toString();
      begins[name] = (begins[name] ?? new Set()).add(time);
    }
    before = name;
    at = scene.until;
  }
  assert.deepEqual(begins, {
    day: new Set(['08:00:00']),
    logo: new Set(['06:00:00', '20:00:00']),
    night: new Set(['22:00:00']),
  });
});
