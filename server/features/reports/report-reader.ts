/**
 * Answers the long questions. Runs in the reports' thread over its own connection, and for short lists in the server's
 * over the writer's.
 */
import type { PlayRow, Summary, UptimeRow } from '../../../shared/contract/reports.ts';
import { zoneOf } from '../../../shared/program/zones.ts';
import { csvLine } from './csv.ts';
import type { Cursor, PlaysFilter, PlaysStore, StoredPlay } from './plays.store.ts';
import type { Scope, SummaryStore } from './summary.store.ts';
import { type GroupBy, summarize } from './summary.ts';
import { type Period, splitPeriod } from './sums.ts';
import type { UptimeQuestion, UptimeStore } from './uptime.store.ts';

export interface SummaryQuestion extends Scope, Period {
  readonly groupBy?: GroupBy | undefined;
  /** IANA name, of hours and days. */
  readonly zone: string;
}

export interface PlaysQuestion extends PlaysFilter {
  readonly limit: number;
  readonly offset: number;
}

export interface CsvQuestion extends PlaysFilter {
  readonly limit: number;
  readonly cursor?: Cursor | undefined;
}

interface Deps {
  readonly sums: SummaryStore;
  readonly plays: PlaysStore;
  readonly uptime: UptimeStore;
}

export class ReportReader {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  summary(question: SummaryQuestion): Summary {
    const split = splitPeriod(question);
    const scope = { workspaceId: question.workspaceId, deviceId: question.deviceId };
    const needsTimes = question.groupBy === undefined || question.groupBy === 'hour' || question.groupBy === 'day';
    const sums = {
      contents: this.#deps.sums.contents(scope, split),
      devices: this.#deps.sums.devices(scope, split),
      quarters: needsTimes ? this.#deps.sums.quarters(scope, split) : [],
    };
    return summarize(sums, zoneOf(question.zone), question.groupBy);
  }

  /** A page, and how many there are in all: from the sums, so that ten million need not be counted. */
  plays(question: PlaysQuestion): { rows: PlayRow[]; total: number } {
    const { limit, offset, ...filter } = question;
    const split = splitPeriod(filter);
    const { plays: total } =
      filter.contentId === undefined
        ? this.#deps.sums.total(filter, split)
        : this.#deps.sums.content(filter, filter.contentId, split);
    const rows = offset >= total ? [] : this.#deps.plays.list(filter, { limit, offset }).map(toPlayRow);
    return { rows, total };
  }

  /** Some lines of CSV; `next` where to go on, null at the end. */
  csv(question: CsvQuestion): { text: string; next: Cursor | null } {
    const { limit, cursor, ...filter } = question;
    const plays = this.#deps.plays.following(filter, cursor, limit);
    let text = '';
    for (const play of plays) text += csvLine(play);
    const last = plays.at(-1);
    return { text, next: last && plays.length === limit ? { started_ms: last.started_ms, id: last.id } : null };
  }

  uptime(question: UptimeQuestion): UptimeRow[] {
    return this.#deps.uptime.sums(question).map(({ since, ...sums }) => {
      const period = Math.max(0, question.end - since);
      const online = Math.min(sums.online_seconds, period);
      // Cut off, not rounded: 100 says that it was never away.
      const percent = period === 0 ? 0 : Math.floor((online * 10_000) / period) / 100;
      const { device_id, device_name, first_seen, last_seen, outages } = sums;
      return {
        device_id,
        device_name,
        online_seconds: online,
        period_seconds: period,
        uptime_pct: percent,
        first_seen,
        last_seen,
        outages,
      };
    });
  }
}

const toPlayRow = ({ started_ms, ended_ms, id, completed, ...play }: StoredPlay): PlayRow => ({
  id: String(id),
  ...play,
  started_at: Math.floor(started_ms / 1000),
  ended_at: Math.floor(ended_ms / 1000),
  duration_sec: (ended_ms - started_ms) / 1000,
  completed: completed ? 1 : 0,
});
