/** Numbers of a report, as its pages show them. */
import type { Delivery, Summary } from '../../../../shared/contract/server/reports.ts';

export interface Row {
  readonly name: string;
  readonly plays: number;
  readonly total_seconds: number;
  /** Planned plays. Absent when plans are not known, or not for all of the period. */
  readonly planned?: number | undefined;
  /** Percent; null: nothing was planned, or no whole day is known. Absent: the share is not known. */
  readonly delivered?: number | null | undefined;
}

/** Numbers of a report: shown plays, and planned plays if they are known. */
export class Figures {
  readonly summary: Summary;
  readonly #planned: Delivery;
  readonly #start: number;
  /** No whole day is known, so a share would mean nothing. */
  readonly isTooEarly: boolean;

  constructor(summary: Summary, planned: Delivery, start: number, hasDay: boolean) {
    this.summary = summary;
    this.#planned = planned;
    this.#start = start;
    this.isTooEarly = planned.known_from !== null && planned.overall !== null && !hasDay;
  }

  /** Percent; null: not known, or nothing was planned. */
  get delivered(): number | null {
    return this.isTooEarly ? null : (this.#planned.overall?.delivered_pct ?? null);
  }

  /** Planned plays; undefined when plans are not known, or not for all of the period. */
  get planned(): NonNullable<Delivery['overall']> | undefined {
    return this.isWhole && this.delivered !== null ? this.#planned.overall! : undefined;
  }

  /** Start of the known plans in epoch seconds, when this start lies within the period. */
  get knownFrom(): number | undefined {
    return this.delivered === null || this.isWhole ? undefined : this.#planned.known_from!;
  }

  get shortfalls(): Delivery['shortfalls'] {
    return this.#planned.shortfalls;
  }

  get days(): { day: string; plays: number; planned_plays: number }[] {
    if (this.planned) return this.#planned.by_day;
    return this.summary.by_day.map((row) => ({ ...row, planned_plays: 0 }));
  }

  get contents(): Row[] {
    const key = (row: Summary['by_content'][number]) => row.content_id ?? row.widget_id ?? row.content_name;
    return this.#rows(this.summary.by_content, this.#planned.by_content, key, ({ content_name }) => content_name);
  }

  get screens(): Row[] {
    return this.#rows(
      this.summary.by_device,
      this.#planned.by_device,
      ({ device_id }) => device_id,
      ({ device_name }) => device_name,
    );
  }

  get isWhole(): boolean {
    return this.#planned.known_from !== null && this.#planned.known_from * 1000 <= this.#start;
  }

  #rows<R extends { readonly plays: number; readonly total_seconds: number }>(
    played: readonly R[],
    planned: readonly (R & { readonly planned_plays: number; readonly delivered_pct: number | null })[],
    keyOf: (row: R) => string,
    nameOf: (row: R) => string,
  ): Row[] {
    if (this.planned)
      return planned.map((row) => ({
        name: nameOf(row),
        plays: row.plays,
        total_seconds: row.total_seconds,
        planned: row.planned_plays,
        delivered: row.delivered_pct,
      }));
    const known = new Map(planned.map((row) => [keyOf(row), row.delivered_pct]));
    return played.map((row) => ({
      name: nameOf(row),
      plays: row.plays,
      total_seconds: row.total_seconds,
      ...(this.isTooEarly && { delivered: null }),
      ...(this.delivered !== null && { delivered: known.get(keyOf(row)) ?? null }),
    }));
  }
}
