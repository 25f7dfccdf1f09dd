/** Combines the calendars of many screens into one row: what at least one of the screens shows, over time. */
import {
  type CalendarLineSpan,
  type CalendarSpan,
  MAX_LINE_BASES,
  MAX_LINE_PLANS,
} from '../../../shared/contract/screens/plans.ts';
import { formatLocal } from '../../../shared/program/civil.ts';
import { toLocal } from '../../../shared/program/zones.ts';
import { inSlices } from '../../kernel/threads/slices.ts';

/** Screens that show the same at the same instants: their time spans, and the number of screens. */
export interface SameSpans {
  readonly spans: readonly CalendarSpan[];
  readonly timezone: string;
  screens: number;
}

interface Stretch {
  readonly span: CalendarSpan;
  /** Start and end as local time, in milliseconds (civil.ts). */
  readonly from: number;
  to: number;
  /** Groups of equal screens. Each group counts once. */
  readonly kinds: Set<SameSpans>;
}

/**
 * Merges by the screens' own wall clocks: each plan, or playlist without a plan, becomes one time span for each
 * continuous time. Spans of different plans may overlap. Returns the time spans of the plans and playlists on most
 * screens, in order of time.
 */
export const mergedLine = async (alike: readonly SameSpans[]): Promise<CalendarLineSpan[]> => {
  const pieces = new Map<string, Stretch[]>();
  for await (const kind of inSlices(alike))
    for (const span of kind.spans) {
      if (span.source === 'off') continue;
      const key = span.plan_id === null ? `${span.source} ${span.title}` : `plan ${span.plan_id}`;
      const local = (epoch: number) => toLocal(epoch * 1000, kind.timezone);
      const piece = { span, from: local(span.from_epoch), to: local(span.to_epoch), kinds: new Set([kind]) };
      const known = pieces.get(key);
      if (known) known.push(piece);
      else pieces.set(key, [piece]);
    }
  const stretches: Stretch[] = [];
  const named = [...ofMost(pieces, true, MAX_LINE_PLANS), ...ofMost(pieces, false, MAX_LINE_BASES)];
  for await (const all of inSlices(named)) stretches.push(...joined(all));
  return stretches
    .sort((a, b) => a.from - b.from || b.to - a.to)
    .map(({ span: { source, plan_id, title, color, rank }, from, to, kinds }) => ({
      ...{ source, plan_id, title, color, rank },
      start: formatLocal(from),
      end: formatLocal(to),
      screens: screensOf(kinds),
    }));
};

const screensOf = (kinds: Iterable<SameSpans>): number => {
  let sum = 0;
  for (const { screens } of kinds) sum += screens;
  return sum;
};

/** Returns the plans, or the playlists without a plan, that are on most screens. */
const ofMost = (pieces: ReadonlyMap<string, Stretch[]>, isPlan: boolean, most: number): Stretch[][] => {
  const found = [...pieces.values()].filter(([first]) => (first!.span.plan_id !== null) === isPlan);
  if (found.length <= most) return found;
  const weighed = found.map((all) => ({ all, screens: screensOf(new Set(all.flatMap(({ kinds }) => [...kinds]))) }));
  return weighed
    .sort((a, b) => b.screens - a.screens)
    .slice(0, most)
    .map(({ all }) => all);
};

const joined = (pieces: readonly Stretch[]): Stretch[] => {
  const found: Stretch[] = [];
  for (const piece of pieces.toSorted((a, b) => a.from - b.from)) {
    const last = found.at(-1);
    if (!last || piece.from > last.to) {
      found.push(piece);
      continue;
    }
    last.to = Math.max(last.to, piece.to);
    for (const kind of piece.kinds) last.kinds.add(kind);
  }
  return found;
};
