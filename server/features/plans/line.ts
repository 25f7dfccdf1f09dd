/** One line for many screens: what at least one of them shows, over time. */
import type { CalendarLineSpan, CalendarSpan } from '../../../shared/contract/plans.ts';
import { formatLocal } from '../../../shared/program/civil.ts';
import { toLocal } from '../../../shared/program/zones.ts';

/** Screens that show the same at the same instants. */
export interface SameSpans {
  readonly spans: readonly CalendarSpan[];
  readonly timezone: string;
  screens: number;
}

interface Stretch {
  readonly span: CalendarSpan;
  /** Local milliseconds. */
  readonly from: number;
  to: number;
  /** Each kind of screens counts once. */
  readonly kinds: Set<SameSpans>;
}

/**
 * Merges by the screens' own wall clocks: each plan, or playlist without a plan, becomes one span for each stretch of
 * time without a gap. Spans of different plans may overlap. Returns the spans in order of time.
 */
export const mergedLine = (alike: readonly SameSpans[]): CalendarLineSpan[] => {
  const pieces = new Map<string, Stretch[]>();
  for (const kind of alike)
    for (const span of kind.spans) {
      if (span.source === 'off') continue;
      const key = span.plan_id === null ? `${span.source} ${span.title}` : `plan ${span.plan_id}`;
      const local = (epoch: number) => toLocal(epoch * 1000, kind.timezone);
      const piece = { span, from: local(span.from_epoch), to: local(span.to_epoch), kinds: new Set([kind]) };
      const known = pieces.get(key);
      if (known) known.push(piece);
      else pieces.set(key, [piece]);
    }
  return [...pieces.values()]
    .flatMap(joined)
    .sort((a, b) => a.from - b.from || b.to - a.to)
    .map(({ span: { source, plan_id, title, color, rank }, from, to, kinds }) => ({
      ...{ source, plan_id, title, color, rank },
      start: formatLocal(from),
      end: formatLocal(to),
      screens: [...kinds].reduce((sum, { screens }) => sum + screens, 0),
    }));
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
