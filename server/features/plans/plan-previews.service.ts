/**
 * Previews plans and computes the calendar of screens. Screens with the same program, time zone, opening hours and wall
 * are computed once.
 */

import { notFound } from '../../../shared/contract/errors.ts';
import {
  type CalendarLine,
  type CalendarRow,
  type CalendarSpan,
  MAX_LINE_PROGRAMS,
  type NewPlan,
  type PlanOccurrence,
  type PlanPreview,
  type PlanTarget,
} from '../../../shared/contract/screens/plans.ts';
import { DAY_MS, formatDate, formatLocal, parseLocal } from '../../../shared/program/civil.ts';
import { createGate } from '../../../shared/program/dayparting.ts';
import { toProgramLayout, toProgramSchedule } from '../../../shared/program/from-records.ts';
import { PLAIN_ITEM } from '../../../shared/program/plain-item.ts';
import type { Placement, Program } from '../../../shared/program/program.ts';
import { rankOf } from '../../../shared/program/ranks.ts';
import { createResolver } from '../../../shared/program/resolve.ts';
import type { Occurrence } from '../../../shared/program/series.ts';
import { titleOf } from '../../../shared/program/titles.ts';
import { toInstant, toLocal } from '../../../shared/program/zones.ts';
import { newId } from '../../kernel/ids.ts';
import { inSlices } from '../../kernel/threads/slices.ts';
import { type Clock, seconds } from '../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { Programs } from '../../programs/programs.ts';
import type { LayoutsService } from '../layouts/layouts.service.ts';
import { mergedLine, type SameSpans } from './line.ts';
import { dayOfDate } from './local-times.ts';
import {
  type DecidedSpan,
  decidedIn,
  type Effect,
  effectOf,
  occurrencesOf,
  type Stretch,
  shownBy,
} from './plan-previews.ts';
import { specOf } from './plan-rules.ts';
import type { PlansService } from './plans.service.ts';
import type { CalendarQuery, PlannedFields, PlansStore } from './plans.store.ts';

/**
 * Limits of a preview: time from now on in milliseconds, and maximum numbers of examined occurrences, listed
 * occurrences and displaced records.
 */
const LOOK_MS = 60 * DAY_MS;
const MAX_OCCURRENCES = 20;
const MAX_NEXT = 5;
const MAX_DISPLACED = 20;

interface Deps {
  readonly clock: Clock;
  readonly store: PlansStore;
  readonly plans: Pick<PlansService, 'get' | 'proposed'>;
  readonly layouts: Pick<LayoutsService, 'get'>;
  readonly programs: Pick<Programs, 'program'>;
}

/** Value of LIMIT in SQLite that returns all rows. */
const ALL = -1;

/** Days that a requested calendar covers. */
interface DaysAsked {
  /** First day, `YYYY-MM-DD`; undefined: today. */
  readonly from?: string | undefined;
  readonly days: number;
  /** True: only screens with a plan in these days. */
  readonly planned?: boolean;
}

/** Screens on which a plan has the same effect. */
interface Alike {
  readonly program: Program;
  readonly placement: Placement;
  readonly direct: boolean;
  screens: number;
}

export class PlanPreviews {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws ApiError like making the plan, and 404 for an unknown `plan_id` */
  async preview(
    actor: WorkspaceActor,
    { plan_id, targets: asked, ...body }: NewPlan & { plan_id?: string | null | undefined },
  ): Promise<PlanPreview> {
    const { plans, clock } = this.#deps;
    const replaced = plan_id ? plans.get(actor, plan_id).record : undefined;
    const { fields: plan, targets } = plans.proposed(actor, asked, body);
    const now = clock.now();
    const times = occurrencesOf(specOf(plan), { now, max: MAX_OCCURRENCES, look: LOOK_MS });
    const kinds = await this.#alike(actor, targets);
    const sums = new Sums();
    const stretches = disjoint(times.next, now);
    let off = 0;
    const layouts = plan.layout_id ? [toProgramLayout(this.#deps.layouts.get(actor, plan.layout_id).record)] : [];
    for await (const alike of inSlices(kinds)) {
      const today = {
        ...alike.program,
        schedules: alike.program.schedules.filter(({ id }) => id !== replaced?.id),
      };
      const candidate = toProgramSchedule(
        {
          ...plan,
          id: replaced?.id ?? newId(),
          created_at: replaced?.created_at ?? seconds(clock),
          device_id: alike.direct ? 'screen' : null,
        },
        plan.content_id || plan.widget_id ? PLAIN_ITEM : null,
      );
      const { wall, timezone } = alike.placement;
      const open = openOf(stretches, alike.placement);
      if (open.length === 0 && stretches.length > 0) off += alike.screens;
      sums.add(effectOf({ today, wall, timezone }, candidate, { times: open, layouts }), alike.screens);
    }
    const screens = kinds.reduce((sum, alike) => sum + alike.screens, 0);
    const warnings: PlanPreview['warnings'] = [...times.warnings];
    if (sums.isHiddenAlways) warnings.push('hidden_always');
    if (off > 0 && off === screens) warnings.push('always_off');
    if (screens === 0) warnings.push('no_screens');
    if (this.#isEmpty(plan, times.next, times.lastEnd)) warnings.push('no_content');
    return {
      screens,
      off_screens: off,
      next: times.next.slice(0, MAX_NEXT).map((occurrence) => toOccurrence(occurrence, plan.timezone)),
      occurrences: times.count,
      last_end_epoch: times.lastEnd === null ? null : Math.floor(times.lastEnd / 1000),
      displaces: sums.displaces(),
      hidden_by: sums.hiddenBy(),
      warnings,
    };
  }

  async calendar(
    actor: WorkspaceActor,
    query: Omit<CalendarQuery, 'planned'> & DaysAsked & { readonly detail: boolean },
  ): Promise<{ rows: CalendarRow[]; total: number }> {
    const { store, programs } = this.#deps;
    const day = query.from === undefined ? undefined : dayOfDate(query.from, 'from');
    if (query.device_id !== undefined && !store.device(actor.workspaceId, query.device_id)) throw notFound('Device');
    if (query.group_id !== undefined && !store.exists(actor.workspaceId, 'group', query.group_id))
      throw notFound('Group');
    const spansOf = this.#spansOf({ ...query, day });
    const { devices, total } = store.calendarScreens(actor.workspaceId, {
      ...query,
      planned: this.#planned({ ...query, day }),
    });
    const rows: CalendarRow[] = [];
    for await (const { id, name, index } of inSlices(devices)) {
      const found = programs.program(id);
      if (!found) continue;
      const scheduled = store.schedulesOf(id);
      rows.push({
        device_id: id,
        index,
        name,
        timezone: found.placement.timezone,
        spans: spansOf(found).map((span) =>
          span.plan_id === null ? span : { ...span, schedule_id: scheduled.get(span.plan_id) ?? null },
        ),
      });
    }
    return { rows, total };
  }

  /** Returns the groups that the calendar of these days has, each with the number of its screens. @throws ApiError 404: there is no such plan */
  groups(
    actor: WorkspaceActor,
    query: DaysAsked & { readonly plan_id?: string | undefined },
  ): ReturnType<PlansStore['calendarGroups']> {
    const day = query.from === undefined ? undefined : dayOfDate(query.from, 'from');
    if (query.plan_id !== undefined) this.#deps.plans.get(actor, query.plan_id);
    return this.#deps.store.calendarGroups(actor.workspaceId, {
      plan_id: query.plan_id,
      planned: this.#planned({ ...query, day }),
    });
  }

  /**
   * Returns what the chosen screens show, as one combined calendar row.
   * @throws ApiError 404: there is no such group
   */
  async line(
    actor: WorkspaceActor,
    query: DaysAsked & { readonly group_id?: string | undefined; readonly ungrouped: boolean },
  ): Promise<CalendarLine> {
    const { store, programs } = this.#deps;
    const day = query.from === undefined ? undefined : dayOfDate(query.from, 'from');
    if (query.group_id !== undefined && !store.exists(actor.workspaceId, 'group', query.group_id))
      throw notFound('Group');
    const spansOf = this.#spansOf({ ...query, day, detail: false });
    const { devices } = store.calendarScreens(actor.workspaceId, {
      ...{ group_id: query.group_id, ungrouped: query.ungrouped, planned: this.#planned({ ...query, day }) },
      ...{ limit: ALL, offset: 0 },
    });
    const alike = new Map<CalendarSpan[], SameSpans>();
    const counted = new Set<Program>();
    for await (const { id } of inSlices(devices)) {
      const found = programs.program(id);
      if (!found || (counted.size >= MAX_LINE_PROGRAMS && !counted.has(found.program))) continue;
      counted.add(found.program);
      const spans = spansOf(found);
      const same = alike.get(spans) ?? { spans, timezone: found.placement.timezone, screens: 0 };
      same.screens++;
      alike.set(spans, same);
    }
    const kinds = [...alike.values()];
    return {
      screens: devices.length,
      counted: kinds.reduce((sum, { screens }) => sum + screens, 0),
      spans: await mergedLine(kinds),
    };
  }

  /**
   * Returns the days in which a listed screen must have a plan; undefined when screens without a plan are listed too.
   */
  #planned({ day, days, planned }: DaysAsked & { readonly day: number | undefined }): CalendarQuery['planned'] {
    const from = day ?? Math.floor(this.#deps.clock.now() / DAY_MS);
    return planned ? { from: formatDate(from), until: formatDate(from + days - 1) } : undefined;
  }

  /**
   * Returns a function that computes the time spans of a screen. Screens with the same program, time zone, opening
   * hours and wall get the same array.
   */
  #spansOf({ day, days, detail }: { day: number | undefined; days: number; detail: boolean }) {
    const { store, clock } = this.#deps;
    const colors = new Map<string, string | null>();
    const known = new Map<Program, Map<string, CalendarSpan[]>>();
    return ({ program, placement }: { program: Program; placement: Placement }): CalendarSpan[] => {
      const { timezone, hours } = placement;
      const key = JSON.stringify([timezone, hours, placement.wall?.wall_id]);
      const ofProgram = known.get(program) ?? new Map<string, CalendarSpan[]>();
      known.set(program, ofProgram);
      const before = ofProgram.get(key);
      if (before) return before;
      const first = day ?? Math.floor(toLocal(clock.now(), timezone) / DAY_MS);
      const stretch = { from: toInstant(first * DAY_MS, timezone), to: toInstant((first + days) * DAY_MS, timezone) };
      const decided = decidedIn(createResolver(program, timezone), stretch);
      for (const {
        decided: { schedule },
      } of decided)
        if (schedule && !colors.has(schedule.id)) colors.set(schedule.id, store.color(schedule.id));
      const spans = whileOpen(decided, placement).map((span) => toSpan(span, { program, placement, colors, detail }));
      ofProgram.set(key, spans);
      return spans;
    };
  }

  /** Returns the screens of these targets, grouped by equal program and placement (time zone, opening hours, wall). */
  async #alike({ workspaceId }: WorkspaceActor, targets: readonly PlanTarget[]): Promise<Alike[]> {
    const { store, programs } = this.#deps;
    const kinds = new Map<Program, Map<string, Alike>>();
    for await (const { id, direct } of inSlices(store.screensOf(workspaceId, targets))) {
      const found = programs.program(id);
      if (!found) continue;
      const { program, placement } = found;
      const ofProgram = kinds.get(program) ?? new Map<string, Alike>();
      kinds.set(program, ofProgram);
      const { timezone, hours, wall } = placement;
      const key = JSON.stringify([direct, timezone, hours, wall?.wall_id]);
      const alike = ofProgram.get(key);
      if (alike) alike.screens++;
      else ofProgram.set(key, { program, placement, direct: direct === 1, screens: 1 });
    }
    return [...kinds.values()].flatMap((ofProgram) => [...ofProgram.values()]);
  }

  /** Returns whether the plan has nothing to play at all, or nothing at its times. */
  #isEmpty(plan: PlannedFields, next: readonly Occurrence[], lastEnd: number | null): boolean {
    const { timezone } = plan;
    const minuteAt = (at: number) => formatLocal(toLocal(at, timezone)).slice(0, 16);
    // When the plan begins too far in the future to have a known occurrence, the start time of the plan is the earliest
    // possible begin.
    const begin = Math.max(this.#deps.clock.now(), toInstant(parseLocal(plan.start_time), timezone));
    const from = minuteAt(next[0]?.start ?? begin);
    const until = lastEnd === null ? null : minuteAt(lastEnd);
    if (plan.playlist_id === null && plan.content_id === null && plan.widget_id === null) return false;
    return !this.#deps.store.hasContent(plan, { from, until });
  }
}

/** Sums the effect of a plan over all of its screens. */
class Sums {
  readonly #displaces = new Map<string, PlanPreview['displaces'][number]>();
  readonly #hiddenBy = new Map<string, PlanPreview['hidden_by'][number]>();
  #total = 0;
  #seen = 0;

  add({ total, seen, displaced, hiddenBy }: Effect, screens: number): void {
    this.#total += total;
    this.#seen += seen;
    for (const [key, { kind, id, name, rank, first }] of displaced) {
      const first_epoch = Math.floor(first / 1000);
      const sum = this.#displaces.get(key) ?? { kind, id, name, rank, screens: 0, first_epoch };
      this.#displaces.set(key, {
        ...sum,
        screens: sum.screens + screens,
        first_epoch: Math.min(sum.first_epoch, first_epoch),
      });
    }
    for (const [plan_id, { title, rank, first, ms }] of hiddenBy) {
      const first_epoch = Math.floor(first / 1000);
      const sum = this.#hiddenBy.get(plan_id) ?? { plan_id, title, rank, screens: 0, always: true, first_epoch };
      this.#hiddenBy.set(plan_id, {
        ...sum,
        screens: sum.screens + screens,
        always: sum.always && ms === total,
        first_epoch: Math.min(sum.first_epoch, first_epoch),
      });
    }
  }

  get isHiddenAlways(): boolean {
    return this.#total > 0 && this.#seen === 0;
  }

  displaces(): PlanPreview['displaces'] {
    return [...this.#displaces.values()].sort(mostScreens).slice(0, MAX_DISPLACED);
  }

  hiddenBy(): PlanPreview['hidden_by'] {
    return [...this.#hiddenBy.values()].sort(mostScreens).slice(0, MAX_DISPLACED);
  }
}

interface OnScreens {
  readonly screens: number;
  readonly first_epoch: number;
}
const mostScreens = (a: OnScreens, b: OnScreens): number => b.screens - a.screens || a.first_epoch - b.first_epoch;

/** Returns the remaining times from now on, without overlaps. */
const disjoint = (occurrences: readonly Occurrence[], now: number) => {
  let done = now;
  return occurrences.flatMap(({ start, end }) => {
    const from = Math.max(start, done);
    done = Math.max(done, end);
    return from < end ? [{ from, to: end }] : [];
  });
};

const toOccurrence = ({ start, end }: Occurrence, timezone: string): PlanOccurrence => ({
  start: formatLocal(toLocal(start, timezone)),
  end: formatLocal(toLocal(end, timezone)),
  start_epoch: Math.floor(start / 1000),
  end_epoch: Math.floor(end / 1000),
});

/** Returns the parts of the times that lie within the screen's opening hours. */
const openOf = (stretches: readonly Stretch[], { hours, timezone }: Placement): readonly Stretch[] => {
  if (!hours) return stretches;
  const gate = createGate(hours, timezone);
  return stretches.flatMap((stretch) => {
    const open: Stretch[] = [];
    for (let at = stretch.from; at < stretch.to; ) {
      const { open: isOpen, until } = gate(at);
      const to = Math.min(until, stretch.to);
      if (isOpen) open.push({ from: at, to });
      at = to;
    }
    return open;
  });
};

type OpenSpan = DecidedSpan & { readonly isOff: boolean };

/** Returns the time spans, split at each instant where the opening hours turn the screen on or off. */
const whileOpen = (spans: readonly DecidedSpan[], { hours, timezone }: Placement): OpenSpan[] => {
  const gate = createGate(hours ?? [], timezone);
  const cut: OpenSpan[] = [];
  for (const span of spans)
    for (let at = span.from; at < span.to; ) {
      const { open, until } = gate(at);
      const to = Math.min(until, span.to);
      const last = cut.at(-1);
      if (!open && last?.isOff) cut[cut.length - 1] = { ...last, to };
      else cut.push({ ...span, from: at, to, isOff: !open });
      at = to;
    }
  return cut;
};

const OFF = {
  source: 'off',
  plan_id: null,
  schedule_id: null,
  title: '',
  color: null,
  rank: null,
  hidden: [],
} as const;

const toSpan = (
  { from, to, isOff, decided }: OpenSpan,
  {
    program,
    placement,
    colors,
    detail,
  }: {
    readonly program: Program;
    readonly placement: Placement;
    readonly colors: ReadonlyMap<string, string | null>;
    readonly detail: boolean;
  },
): CalendarSpan => {
  const when = { from_epoch: Math.floor(from / 1000), to_epoch: Math.floor(to / 1000) };
  if (isOff) return { ...when, ...OFF, hidden: [] };
  const { schedule, source, losing } = decided;
  const lost = new Set(detail ? losing.map(({ schedule_id }) => schedule_id) : []);
  return {
    ...when,
    source,
    plan_id: schedule?.id ?? null,
    schedule_id: null,
    title: shownBy(program, placement.wall, decided).name,
    color: schedule ? (colors.get(schedule.id) ?? null) : null,
    rank: schedule && rankOf(schedule),
    hidden: program.schedules.flatMap((other) =>
      other !== schedule && lost.has(other.id)
        ? [{ plan_id: other.id, title: titleOf(program, other), rank: rankOf(other) }]
        : [],
    ),
  };
};
