/** Values and ratings for the tables of a report. */
import type { Delivery } from '../../../shared/contract/server/reports.ts';

export const reportViews = ['content', 'screens', 'uptime', 'plays'] as const;

/** The numbers in a table row. */
export interface Amounts {
  readonly plays: number;
  readonly seconds: number;
  /** Absent if the plan is unknown for a part of the period. */
  readonly planned?: { readonly plays: number; readonly seconds: number };
  /**
   * Percentage of the planned time that was shown; null if nothing was planned or no whole day is known; absent if
   * unknown.
   */
  readonly delivered?: number | null;
}

type Played = { readonly plays: number; readonly total_seconds: number };
type Planned = Pick<NonNullable<Delivery['overall']>, 'planned_plays' | 'planned_seconds' | 'delivered_pct'>;

/** Adds planned values to the rows of plays, and rows that were planned but never played. */
export const plannedBy = <R extends Played>(
  played: readonly R[],
  planned: readonly (R & Planned)[] | undefined,
  keyOf: (row: R) => string,
  { isWhole, hasDay }: { readonly isWhole: boolean; readonly hasDay: boolean },
): (Amounts & { readonly key: string; readonly row: R })[] => {
  const known = new Map((planned ?? []).map((row) => [keyOf(row), row]));
  const seen = new Set(played.map(keyOf));
  const missed = isWhole ? [...known.values()].filter((row) => !seen.has(keyOf(row))) : [];
  return [...played, ...missed].map((row) => {
    const key = keyOf(row);
    const of = known.get(key);
    return {
      key,
      row,
      plays: row.plays,
      seconds: row.total_seconds,
      ...(planned && isWhole && { planned: { plays: of?.planned_plays ?? 0, seconds: of?.planned_seconds ?? 0 } }),
      ...(planned && planned.length > 0 && { delivered: hasDay ? (of?.delivered_pct ?? null) : null }),
    };
  });
};

/**
 * Returns the rating of an uptime. 99 % means seven hours of downtime per month; below 95 %, somebody has to check
 * the screen.
 */
export const uptimeTone = (percent: number): 'good' | 'warn' | 'bad' =>
  percent >= 99 ? 'good' : percent >= 95 ? 'warn' : 'bad';

/**
 * Returns the rating of the shown share of the plan, with the same limits as for the uptime. One percent less is
 * seven hours per month that a customer has paid for; at five percent, customers complain.
 */
export const deliveredTone = (percent: number): 'good' | 'warn' | 'bad' => uptimeTone(percent);
