import type { Database as Connection, Statement } from 'better-sqlite3';
import { namesContents, namesDevices, numberOf, ofNumbers, type Which } from './ingest/play-tables.ts';
import { type Period, QUARTER_MS, Series, type Split } from './ingest/sums.ts';
import {
  Amounts,
  type NamedAmount,
  type QuarterAmount,
  type RawAmount,
  rawPlays,
  type SubjectAmount,
  type SummaryStore,
} from './summary.store.ts';

export interface Chosen extends Which {
  readonly workspaceId: string;
}

export interface ChosenAmounts {
  readonly contents: readonly NamedAmount[];
  readonly devices: readonly NamedAmount[];
  readonly quarters: readonly QuarterAmount[];
}

/** Plays and durations per record, before the names of the records are added. */
class Found {
  readonly contents = new Amounts();
  readonly devices = new Amounts();
  readonly quarters: QuarterAmount[] = [];
}

const DEVICES = "SELECT id FROM play_subjects WHERE workspace_id = @workspaceId AND kind = 'device'";

/**
 * Sums plays that match a filter. A filter by only devices or only contents reads stored sums, and reads plays for the
 * few quarter-hours at the ends of the period. For devices and contents together there are only sums by day, and for
 * playlists and plans there are none. Such filters read the plays by the best index, about a second for a million
 * plays.
 */
export class ChosenSumsStore {
  readonly #raw: Connection;
  readonly #sums: SummaryStore;
  readonly #statements = new Map<string, Statement>();

  constructor(raw: Connection, sums: SummaryStore) {
    this.#raw = raw;
    this.#sums = sums;
  }

  amounts(which: Chosen, period: Period, split: Split): ChosenAmounts {
    const found = new Found();
    const byDevice = namesDevices(which);
    const isSummed = byDevice !== namesContents(which) && which.playlistId === undefined && which.planId === undefined;
    if (!isSummed) this.#plays(which, period, { into: found, of: ['contents', 'devices', 'quarters'], sign: 1 });
    else {
      for (const edge of split.raw)
        this.#plays(which, edge, { into: found, of: ['contents', 'devices', 'quarters'], sign: 1 });
      if (byDevice) this.#ofDevices(which, split, found);
      else this.#ofContents(which, split, found);
    }
    return {
      contents: this.#sums.named(found.contents),
      devices: this.#sums.named(found.devices),
      quarters: found.quarters,
    };
  }

  /** Counts the plays one by one, so that the count matches a list of these plays. */
  count(which: Chosen, period: Period): number {
    let count = 0;
    const rows = this.#statement(rawPlays(which)).all({ ...which, ...period }) as RawAmount[];
    for (const { plays } of rows) count += plays;
    return count;
  }

  #plays(
    which: Chosen,
    period: Period,
    { into, of, sign }: { into: Found; of: readonly (keyof Found)[]; sign: 1 | -1 },
  ): void {
    const rows = this.#statement(rawPlays(which, { quarter: true })).iterate({ ...which, ...period });
    for (const row of rows as IterableIterator<RawAmount & { quarter: number }>) {
      if (of.includes('contents')) into.contents.add(row.shown, row, sign);
      if (of.includes('devices')) into.devices.add(row.device, row, sign);
      if (of.includes('quarters')) into.quarters.push({ quarter: row.quarter, plays: row.plays, ms: row.ms });
    }
  }

  #ofDevices(which: Chosen, { quarters, parts }: Split, into: Found): void {
    const scopes = [
      ...(which.deviceId === undefined ? [] : [`scope_id = ${numberOf('device', '@deviceId')}`]),
      ...ofNumbers('device', which, 'scope_id'),
    ].join(' AND ');
    for (const row of this.#read(which, scopes, { id: 'scope_id', series: Series.totalByQuarter, ...quarters }))
      into.devices.add(row.id, row, 1);
    for (const row of this.#read(which, scopes, { id: 'bucket', series: Series.totalByQuarter, ...quarters }))
      into.quarters.push({ quarter: row.id, plays: row.plays, ms: row.ms });
    for (const { grain, from, to, sign } of parts) {
      if (grain === 'quarter')
        this.#plays(which, { start: from * QUARTER_MS, end: to * QUARTER_MS }, { into, of: ['contents'], sign });
      else
        for (const row of this.#read(which, scopes, { id: 'subject_id', series: Series.contentByDay, from, to }))
          into.contents.add(row.id, row, sign);
    }
  }

  #ofContents(which: Chosen, { quarters, parts }: Split, into: Found): void {
    const subjects = [
      ...(which.contentId === undefined ? [] : [`subject_id = ${numberOf('content', '@contentId')}`]),
      ...ofNumbers('content', which, 'subject_id'),
    ].join(' AND ');
    const [all, each] = [
      `scope_id = ${numberOf('workspace', "''")} AND ${subjects}`,
      `scope_id IN (${DEVICES}) AND ${subjects}`,
    ];
    for (const row of this.#read(which, all, { id: 'bucket', series: Series.contentByQuarter, ...quarters }))
      into.quarters.push({ quarter: row.id, plays: row.plays, ms: row.ms });
    for (const { grain, from, to, sign } of parts) {
      if (grain === 'quarter') {
        const period = { start: from * QUARTER_MS, end: to * QUARTER_MS };
        this.#plays(which, period, { into, of: ['contents', 'devices'], sign });
        continue;
      }
      for (const row of this.#read(which, all, { id: 'subject_id', series: Series.contentByDay, from, to }))
        into.contents.add(row.id, row, sign);
      for (const row of this.#read(which, each, { id: 'scope_id', series: Series.contentByDay, from, to }))
        into.devices.add(row.id, row, sign);
    }
  }

  #read(
    which: Chosen,
    where: string,
    { id, ...range }: { id: 'scope_id' | 'subject_id' | 'bucket'; series: Series; from: number; to: number },
  ): SubjectAmount[] {
    return this.#statement(
      `SELECT ${id} AS id, sum(plays) AS plays, sum(ms) AS ms FROM play_sums
       WHERE ${where} AND series = @series AND bucket >= @from AND bucket < @to GROUP BY 1`,
    ).all({ ...which, ...range }) as SubjectAmount[];
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql) ?? this.#raw.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}
