/**
 * Answers queries of reports. Runs in the reports' thread over its own connection, and for short lists in the server's
 * thread over the writer's connection.
 */
import type { PlayRow, Summary, UptimeRow } from '../../../shared/contract/server/reports.ts';
import { zoneOf } from '../../../shared/program/zones.ts';
import type { ChosenSumsStore } from './chosen-sums.store.ts';
import { JournalNumbers, type Stretch } from './ingest/journal-numbers.ts';
import { namesContents, namesMore, type Which } from './ingest/play-tables.ts';
import { type Period, QUARTER_MS, QUARTERS_A_DAY, splitPeriod } from './ingest/sums.ts';
import type { UptimeQuestion, UptimeStore } from './planned/uptime.store.ts';
import type { Cursor, PlaysFilter, PlaysStore, StoredPlay } from './plays.store.ts';
import { CsvLines } from './proof/csv.ts';
import type { SummaryStore } from './summary.store.ts';
import { type GroupBy, summarize } from './summary.ts';

export interface SummaryQuestion extends Which, Period {
  readonly workspaceId: string;
  readonly groupBy?: GroupBy | undefined;
  /** IANA name of the zone for hours and days. */
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

/** Journal numbers of a screen's plays. */
export interface ScreenNumbers {
  /** Number of the screen in play_subjects. */
  readonly device: number;
  readonly name: string;
  readonly stretches: readonly Stretch[];
}

interface Deps {
  readonly sums: SummaryStore;
  readonly chosen: ChosenSumsStore;
  readonly plays: PlaysStore;
  readonly uptime: UptimeStore;
}

export class ReportReader {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  summary(question: SummaryQuestion): Summary {
    const { groupBy, zone: zoneName, ...filter } = question;
    const split = splitPeriod(question);
    if (namesContents(filter) || namesMore(filter))
      return summarize(this.#deps.chosen.amounts(filter, question, split), zoneOf(zoneName), groupBy);
    const scope = { workspaceId: question.workspaceId, deviceId: question.deviceId };
    const needsTimes = groupBy === undefined || groupBy === 'hour' || groupBy === 'day';
    const sums = {
      contents: this.#deps.sums.contents(scope, split),
      devices: this.#deps.sums.devices(scope, split),
      quarters: needsTimes ? this.#deps.sums.quarters(scope, split) : [],
    };
    return summarize(sums, zoneOf(zoneName), groupBy);
  }

  /**
   * Returns a page (part of the list) of plays and the total. The total comes from the sums, so that ten million plays
   * need not be counted.
   */
  plays({ limit, offset, ...filter }: PlaysQuestion): { rows: PlayRow[]; total: number } {
    const total = this.#count(filter, filter);
    if (offset >= total) return { rows: [], total };
    const { end, left } = this.#skip(filter, offset);
    return { rows: this.#deps.plays.list({ ...filter, end }, { limit, offset: left }).map(toPlayRow), total };
  }

  #count(filter: PlaysFilter, period: Period): number {
    const { sums, chosen } = this.#deps;
    if (namesMore(filter)) return chosen.count(filter, period);
    const split = splitPeriod(period);
    const { plays } =
      filter.contentId === undefined ? sums.total(filter, split) : sums.content(filter, filter.contentId, split);
    return plays;
  }

  /**
   * Returns a time `end` and a number `left`: a list that skips the newest `offset` plays starts at `end` and skips
   * only `left` more. Uses binary search over the sums, so that a page of the list costs the same at any depth.
   */
  #skip(filter: PlaysFilter, offset: number): { end: number; left: number } {
    const { start, end } = filter;
    // For such a filter, counting in a binary search would read as many plays as skipping them does.
    if (namesMore(filter)) return { end, left: offset };
    // A content on one device has sums by day only, so the search goes in steps of a day. Parts of a day would be
    // counted play by play.
    const isByDay = filter.contentId !== undefined && filter.deviceId !== undefined;
    const step = isByDay ? QUARTERS_A_DAY * QUARTER_MS : QUARTER_MS;
    let [low, high] = [Math.ceil(start / step), Math.floor(end / step)];
    if (offset === 0 || low > high) return { end, left: offset };
    let left = offset - this.#count(filter, { start: high * step, end });
    if (left < 0) return { end, left: offset };
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const newer = this.#count(filter, { start: middle * step, end: high * step });
      if (newer <= left) {
        left -= newer;
        high = middle;
      } else low = middle + 1;
    }
    return { end: high * step, left };
  }

  /**
   * Returns some lines of CSV. `next` is the position to continue from, null at the end.
   * @param block memory to reuse
   * when it is large enough
   */
  csv({ limit, cursor, ...filter }: CsvQuestion, block?: ArrayBuffer): { lines: CsvLines; next: Cursor | null } {
    const lines = new CsvLines(block);
    const next = this.#deps.plays.following(filter, cursor, limit, (names, startedMs, endedMs, completed) =>
      lines.add(names, startedMs, endedMs, completed),
    );
    return { lines, next };
  }

  /** Returns the journal numbers of some plays by screen. `next` is the position to continue from, null at the end. */
  numbers({ limit, cursor, ...filter }: CsvQuestion): { screens: ScreenNumbers[]; next: Cursor | null } {
    const { plays } = this.#deps;
    const screens = new Map<number, { readonly newestTurn: number; readonly numbers: JournalNumbers }>();
    const next = plays.numbers(filter, cursor, limit, (device, number, endedMs, turn) => {
      let screen = screens.get(device);
      if (!screen) screens.set(device, (screen = { newestTurn: turn, numbers: new JournalNumbers() }));
      screen.numbers.add(number, endedMs);
    });
    const found = [...screens].map(([device, { newestTurn, numbers }]) => ({
      device,
      name: plays.deviceNameOf(newestTurn),
      stretches: numbers.stretches,
    }));
    return { screens: found, next };
  }

  uptime(question: UptimeQuestion): UptimeRow[] {
    return this.#deps.uptime.sums(question).map(({ since, ...sums }) => {
      const period = Math.max(0, question.end - since);
      const online = Math.min(sums.online_seconds, period);
      // Rounds down, so that 100 means that the screen was never offline.
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
