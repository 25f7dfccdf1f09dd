/**
 * Decides which of the active schedules determines the layout, the content of the whole screen, and the content of
 * single zones.
 */

import { createItemGate, type Gate } from './dayparting.ts';
import { FULL_ZONE_ID } from './full-zone.ts';
import type { LosingRule, Program, ProgramLayout, ProgramSchedule } from './program.ts';
import { createSeries, type Occurrence, type Series } from './series.ts';
import { cacheWindows, type Window } from './windows.ts';

export interface Active {
  readonly schedule: ProgramSchedule;
  readonly occurrence: Occurrence;
}

/** Result of the active schedules for the screen; valid from one start or end of a schedule to the next. */
export interface Plan extends Window {
  /** The current layout; null: the whole screen is one zone. */
  readonly layout: ProgramLayout | null;
  readonly layoutRule: Active | null;
  /**
   * Schedule that determines the content of the whole screen, shown through the layout; null: no schedule does, so the
   * base (the content without schedules) plays.
   */
  readonly main: Active | null;
  /** Key: id of a zone. Value: the schedule that replaces the content of this zone. */
  readonly zones: ReadonlyMap<string, Active>;
  readonly losing: readonly LosingRule[];
}

/** A valid schedule. If the schedule plays a single item, `gate` decides when that item may play. */
export interface Known {
  readonly schedule: ProgramSchedule;
  readonly series: Series;
  /** Gate of the schedule's single item; undefined: the item may always play. */
  readonly gate: Gate | undefined;
  /**
   * The schedule without its single item, for the times in which the item may not play; null: nothing else would apply
   * then.
   */
  readonly bare: ProgramSchedule | null;
}

/**
 * Returns null for a schedule that never applies: it has an unsupported rule or zone, or sets nothing (the server
 * accepts no such schedule).
 * @param timezone of the placement, for validity (schedules have their own); an unknown name counts as UTC
 */
export function knownOf(schedule: ProgramSchedule, timezone: string): Known | null {
  if (!setsSomething(schedule)) return null;
  try {
    const series = createSeries(schedule);
    if (!schedule.item?.valid) return { schedule, series, gate: undefined, bare: null };
    const bare = { ...schedule, item: null };
    return { schedule, series, gate: createItemGate(schedule.item, timezone), bare: setsSomething(bare) ? bare : null };
  } catch {
    return null;
  }
}

/** The result of the active schedules, without the time range in which it is valid. */
export type Decision = Omit<Plan, keyof Window>;

/** Creates the function that decides between the active schedules. The best schedule comes first ({@link outranks}). */
export function createDecide({
  layouts,
  base,
}: Pick<Program, 'layouts' | 'base'>): (ranked: readonly Active[]) => Decision {
  const byId = new Map(layouts.map((layout) => [layout.id, layout]));
  const baseLayout = usableLayout(byId, base.layout_id);
  return (ranked) => decide(ranked, byId, baseLayout);
}

/**
 * Returns the plan at an instant. A schedule whose single content is not valid has no content at that time. Such a
 * schedule does not apply if it sets nothing else.
 * @param timezone as in {@link knownOf}
 */
export function createPlanner(program: Program, timezone: string): (instant: number) => Plan {
  const decideAmong = createDecide(program);
  const all = program.schedules.map((schedule) => knownOf(schedule, timezone)).filter((known) => known !== null);

  return cacheWindows((instant) => {
    let since = Number.NEGATIVE_INFINITY;
    let until = Number.POSITIVE_INFINITY;
    const active: Active[] = [];
    for (const { schedule, series, gate, bare } of all) {
      const { occurrence, ...window } = series.window(instant);
      since = Math.max(since, window.since);
      until = Math.min(until, window.until);
      if (!occurrence) continue;
      const valid = gate?.(instant);
      since = Math.max(since, valid?.since ?? since);
      until = Math.min(until, valid?.until ?? until);
      const applies = valid?.open === false ? bare : schedule;
      if (applies) active.push({ schedule: applies, occurrence });
    }
    active.sort((a, b) => (outranks(a, b) ? -1 : 1));
    return { since, until, ...decideAmong(active) };
  });
}

/** Returns whether the schedule determines the screen, a part of the screen, or the layout of the screen. */
export const isInForce = ({ main, layoutRule, zones }: Decision, id: string): boolean =>
  main?.schedule.id === id ||
  layoutRule?.schedule.id === id ||
  [...zones.values()].some(({ schedule }) => schedule.id === id);

/** A layout that is missing or has no zones counts as none, so the content is shown anyway. */
function usableLayout(layouts: ReadonlyMap<string, ProgramLayout>, id: string | null): ProgramLayout | null {
  const layout = id === null ? undefined : layouts.get(id);
  return layout && layout.zones.length > 0 ? layout : null;
}

/** Returns the reason why `winner` precedes `loser` (device over group, priority, later start, newer). */
function reason(winner: Active, loser: Active): LosingRule['because'] | null {
  const [a, b] = [winner.schedule, loser.schedule];
  if (a.target !== b.target) return a.target === 'device' ? 'device-over-group' : null;
  if (a.priority !== b.priority) return a.priority > b.priority ? 'priority' : null;
  if (winner.occurrence.start !== loser.occurrence.start) {
    return winner.occurrence.start > loser.occurrence.start ? 'later-start' : null;
  }
  if (a.created_at !== b.created_at) return a.created_at > b.created_at ? 'newer' : null;
  return a.id > b.id ? 'newer' : null;
}

/** Returns whether `a` precedes `b`. Two different rules are never equal. */
export const outranks = (a: Active, b: Active): boolean => reason(a, b) !== null;

const playsSomething = ({ schedule }: Active): boolean => schedule.item !== null || schedule.playlist_id !== null;
const setsSomething = (schedule: ProgramSchedule): boolean =>
  schedule.item !== null || schedule.playlist_id !== null || schedule.layout_id !== null;

/** Decides between the schedules in `active`. The best schedule comes first. */
function decide(
  active: readonly Active[],
  layouts: ReadonlyMap<string, ProgramLayout>,
  baseLayout: ProgramLayout | null,
): Decision {
  const main = active.find((rule) => playsSomething(rule) && rule.schedule.zone_id === null) ?? null;
  const layoutRule = active.find((rule) => rule.schedule.layout_id !== null) ?? null;
  const layout = layoutRule ? usableLayout(layouts, layoutRule.schedule.layout_id) : baseLayout;
  // A single content or widget fills the whole screen, unless its own layout or a higher-ranking layout puts it into a
  // zone.
  const fillsScreen =
    main !== null &&
    main.schedule.playlist_id === null &&
    main.schedule.layout_id === null &&
    !(layoutRule && outranks(layoutRule, main));

  const zones = new Map<string, Active>();
  const losing: LosingRule[] = [];
  for (const rule of active) {
    const winner = beatenBy(rule) ?? (beatenAsLayout(rule) ? (fillsScreen ? main : layoutRule) : null);
    const because = winner && reason(winner, rule);
    if (because) losing.push({ ...titled(rule), lost_to: winner.schedule.id, because });
  }
  return { layout: fillsScreen ? null : layout, layoutRule: fillsScreen ? null : layoutRule, main, zones, losing };

  /**
   * Returns the schedule whose content is shown instead of this schedule's content; null if this schedule is shown, or
   * has no zone to be shown in. Also adds this schedule to `zones` if it is shown in a zone.
   */
  function beatenBy(rule: Active): Active | null {
    const zone = rule.schedule.zone_id;
    if (!playsSomething(rule) || rule === main) return null;
    if (zone === null) return main;
    if (layout ? !layout.zones.some(({ id }) => id === zone) : zone !== FULL_ZONE_ID) return null;
    const holder = zones.get(zone);
    if (holder) return holder;
    if (main && outranks(main, rule)) return main;
    if (!fillsScreen) zones.set(zone, rule);
    return null;
  }
  function beatenAsLayout(rule: Active): boolean {
    return rule.schedule.layout_id !== null && (fillsScreen || rule !== layoutRule);
  }
}

const titled = ({ schedule }: Active): Pick<LosingRule, 'schedule_id' | 'title'> => ({
  schedule_id: schedule.id,
  title: schedule.title,
});
