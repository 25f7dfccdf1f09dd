/** Values and ratings for the tables of a report. */
import type { Delivery } from '../../../shared/contract/server/reports.ts';

export const reportViews = ['content', 'screens', 'uptime', 'plays'] as const;
export type ReportView = (typeof reportViews)[number];

/** Values of a row in a table. */
export interface Amounts {
  readonly plays: number;
  readonly seconds: number;
  /** Absent if unknown for a part of the period. */
  readonly planned?: { readonly plays: number; readonly seconds: number };
  /** Percent of the planned time; null if nothing was planned or no whole day is known; absent if unknown. */
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

/** 99 % is seven hours of downtime per month; below 95 %, a person has to check the screen. */
export const uptimeTone = (percent: number): 'good' | 'warn' | 'bad' =>
  percent >= 99 ? 'good' : percent >= 95 ? 'warn' : 'bad';

/**
 * Same limits as the uptime. One percent less is seven hours per month that a customer has paid for; at five percent,
 * customers complain.
 */
export const deliveredTone = (percent: number): 'good' | 'warn' | 'bad' => uptimeTone(percent);
