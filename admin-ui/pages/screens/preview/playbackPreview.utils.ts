/** Explains what a screen shows at an instant, and why. Pure functions with the engine of the player. */
import { DAY_MS, formatDate, formatLocal, MINUTE_MS, parseDate, parseLocal } from '../../../../shared/program/civil.ts';
import { createItemGate } from '../../../../shared/program/dayparting.ts';
import { FULL_ZONE } from '../../../../shared/program/full-zone.ts';
import { createPlanner } from '../../../../shared/program/precedence.ts';
import type { Program, ProgramItem, Scene } from '../../../../shared/program/program.ts';
import { currentPlaylistId } from '../../../../shared/program/resolve.ts';
import { toInstant, toLocal } from '../../../../shared/program/zones.ts';

/** An instant by the screen's clock: a day number and minutes since midnight. */
export interface Moment {
  readonly day: number;
  readonly minute: number;
}

export const momentOf = (instant: number, zone: string): Moment => {
  const local = toLocal(instant, zone);
  const day = Math.floor(local / DAY_MS);
  return { day, minute: Math.floor((local - day * DAY_MS) / MINUTE_MS) };
};
export const instantOf = ({ day, minute }: Moment, zone: string): number =>
  toInstant(day * DAY_MS + minute * MINUTE_MS, zone);

/** `YYYY-MM-DDTHH:MM`, as in the address. */
export const momentText = ({ day, minute }: Moment): string =>
  formatLocal(day * DAY_MS + minute * MINUTE_MS).slice(0, 16);
export const parseMoment = (text: string | undefined): Moment | undefined => {
  try {
    if (text === undefined) return undefined;
    const local = parseLocal(text);
    const day = Math.floor(local / DAY_MS);
    return { day, minute: Math.floor((local - day * DAY_MS) / MINUTE_MS) };
  } catch {
    return undefined;
  }
};
export const dateText = ({ day }: Moment): string => formatDate(day);
export const timeText = (moment: Moment): string => momentText(moment).slice(11);
export const withDate = (moment: Moment, date: string): Moment => {
  try {
    return { ...moment, day: parseDate(date) };
  } catch {
    return moment;
  }
};
export const withTime = (moment: Moment, time: string): Moment => {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(time) ?? [];
  return hours && minutes ? { ...moment, minute: Number(hours) * 60 + Number(minutes) } : moment;
};

/** A period of the day with one source of content: a plan, or null for the screen's default content. */
export interface Stretch {
  readonly schedule: { readonly id: string; readonly title: string } | null;
  /** Start and end as shares of the day, 0 to 1. */
  readonly from: number;
  readonly to: number;
}

/** Maximum number of periods in a day. More could not be drawn. */
const MAX_STRETCHES = 500;

export const stretchesOf = (program: Program, zone: string, day: number): Stretch[] => {
  const planAt = createPlanner(program, zone);
  const [start, end] = [toInstant(day * DAY_MS, zone), toInstant((day + 1) * DAY_MS, zone)];
  const stretches: Stretch[] = [];
  for (let at = start, steps = 0; at < end && steps < MAX_STRETCHES; steps++) {
    const plan = planAt(at);
    const until = Math.min(plan.until, end);
    const rule = plan.main ?? plan.layoutRule ?? [...plan.zones.values()][0];
    const schedule = rule ? { id: rule.schedule.id, title: rule.schedule.title } : null;
    const [from, to] = [(at - start) / (end - start), (until - start) / (end - start)];
    const last = stretches.at(-1);
    if (last && last.schedule?.id === schedule?.id) stretches[stretches.length - 1] = { ...last, to };
    else stretches.push({ schedule, from, to });
    at = until;
  }
  return stretches;
};

/** The default content of a screen that waits while a plan plays. */
export interface Waiting {
  readonly source: NonNullable<Program['base']['source']>;
  readonly name: string;
}
export const waitingOf = (program: Program, zone: string, instant: number): Waiting | null => {
  const { source, playlist_id, item } = program.base;
  if (source === null || currentPlaylistId(program, zone, instant).source !== 'schedule') return null;
  return { source, name: program.playlists.find((p) => p.id === playlist_id)?.name ?? item?.name ?? '' };
};

/** Returns why nothing is shown at an instant. */
export const emptyBecause = (
  program: Program,
  zone: string,
  instant: number,
): { readonly why: 'plan' | 'playlist'; readonly name: string } | null => {
  const { main } = createPlanner(program, zone)(instant);
  if (main) return { why: 'plan', name: main.schedule.title };
  const { playlist_id } = program.base;
  return playlist_id === null
    ? null
    : { why: 'playlist', name: program.playlists.find((p) => p.id === playlist_id)?.name ?? '' };
};

/** Returns the items of the present playlist that do not play at this hour. */
export const closedItems = (program: Program, zone: string, instant: number): ProgramItem[] => {
  const { playlist_id } = currentPlaylistId(program, zone, instant);
  return (program.playlists.find((p) => p.id === playlist_id)?.items ?? []).filter(
    (item) => !createItemGate(item, zone)(instant).open,
  );
};

/**
 * Returns the size of the upright picture in pixels. For a wall: the whole picture, at the usual width of a screen.
 */
export const pictureSize = (
  screen: { readonly screen_width: number; readonly screen_height: number },
  placement: {
    readonly orientation: string;
    readonly wall: { readonly canvas: { readonly width: number; readonly height: number } } | null;
  },
): { width: number; height: number } => {
  if (placement.wall) {
    const { width, height } = placement.wall.canvas;
    return { width: 1920, height: Math.max(1, Math.round((1920 * height) / width)) };
  }
  const { screen_width: w, screen_height: h } =
    screen.screen_width > 0 && screen.screen_height > 0 ? screen : { screen_width: 1920, screen_height: 1080 };
  return placement.orientation === '90' || placement.orientation === '270'
    ? { width: h, height: w }
    : { width: w, height: h };
};

/** Returns whether the scene is a single full-screen zone, which has no name. */
export const isWholeScreen = (scene: Scene): boolean =>
  scene.layout === null || scene.zones.every(({ zone }) => zone.id === FULL_ZONE.id);
