import type { Database as Connection, Statement } from 'better-sqlite3';
import { plays, type Which } from './ingest/play-tables.ts';
import { type Part, type Period, QUARTER_MS, Series, type Split, type Subject } from './ingest/sums.ts';

/** Selects all plays of a workspace, or the plays of one of its devices. */
export interface Scope {
  readonly workspaceId: string;
  readonly deviceId?: string | undefined;
}

export interface Amount {
  readonly plays: number;
  readonly ms: number;
}

export interface QuarterAmount extends Amount {
  /** Number of the quarter-hour since 1970-01-01 UTC. */
  readonly quarter: number;
}

export interface NamedAmount extends Amount, Subject {
  readonly name: string;
}

export interface SubjectAmount extends Amount {
  readonly id: number;
}

export interface RawAmount extends Amount {
  /** Numbers in play_subjects. */
  readonly device: number;
  readonly shown: number;
}

type Range = [scope: number, series: Series, from: number, to: number];

/** Selects current names, or the last name of a deleted record that played. */
const NAMED = `
  SELECT s.id, s.kind, s.ref, coalesce(d.name, c.filename, w.name, s.name) AS name
  FROM json_each(?) j
  JOIN play_subjects s ON s.id = j.value
  LEFT JOIN devices d ON s.kind = 'device' AND d.id = s.ref
  LEFT JOIN content c ON s.kind = 'content' AND c.id = s.ref
  LEFT JOIN widgets w ON s.kind = 'widget' AND w.id = s.ref`;

/**
 * Returns SQL for number and duration of plays in a period, by device and by shown content or widget. A pair may occur
 * twice.
 * @param by.quarter groups also by quarter-hour
 */
export const rawPlays = (filter: Which, by: { readonly quarter: boolean } = { quarter: false }): string => {
  const quarter = by.quarter ? `, p.started_ms / ${QUARTER_MS} AS quarter` : '';
  return plays(filter, {
    log: { select: `p.device, p.shown, count(*) AS plays, sum(p.lasted_ms) AS ms${quarter}` },
    old: {
      select: `d.id, s.id, count(*), sum(p.ended_ms - p.started_ms)${quarter}`,
      join: `CROSS JOIN play_subjects d ON d.workspace_id = p.workspace_id AND d.kind = 'device' AND d.ref = p.device_id
        CROSS JOIN play_subjects s ON s.workspace_id = p.workspace_id AND s.ref = coalesce(p.content_id, p.widget_id, p.content_name)
          AND s.kind = CASE WHEN p.content_id IS NOT NULL THEN 'content' WHEN p.widget_id IS NOT NULL THEN 'widget' ELSE 'other' END`,
    },
    rest: by.quarter ? 'GROUP BY 1, 2, 5' : 'GROUP BY 1, 2',
    inAnyOrder: true,
  });
};

/** Sums a period: from the stored sums, and at both ends from the plays. */
export class SummaryStore {
  readonly #subject: Statement<[string, string, string], { id: number }>;
  readonly #quarters: Statement<Range, QuarterAmount>;
  readonly #total: Statement<Range, Amount>;
  readonly #subjects: Statement<Range, SubjectAmount>;
  readonly #oneSubject: Statement<[...Range, subject: number], Amount>;
  readonly #deviceQuarters: Statement<[workspaceId: string, from: number, to: number], SubjectAmount>;
  readonly #named: Statement<[string], Subject & { id: number; name: string }>;
  readonly #raw: Statement<[Scope & Period], RawAmount>;
  readonly #rawOfDevice: Statement<[Scope & Period], RawAmount>;

  constructor(raw: Connection) {
    const range = 'FROM play_sums WHERE scope_id = ? AND series = ? AND bucket >= ? AND bucket < ?';
    this.#subject = raw.prepare('SELECT id FROM play_subjects WHERE workspace_id = ? AND kind = ? AND ref = ?');
    this.#quarters = raw.prepare(`SELECT bucket AS quarter, plays, ms ${range}`);
    this.#total = raw.prepare(`SELECT coalesce(sum(plays), 0) AS plays, coalesce(sum(ms), 0) AS ms ${range}`);
    this.#subjects = raw.prepare(
      `SELECT subject_id AS id, sum(plays) AS plays, sum(ms) AS ms ${range} GROUP BY subject_id`,
    );
    this.#oneSubject = raw.prepare(
      `SELECT coalesce(sum(plays), 0) AS plays, coalesce(sum(ms), 0) AS ms ${range} AND subject_id = ?`,
    );
    this.#deviceQuarters = raw.prepare(
      `SELECT scope_id AS id, sum(plays) AS plays, sum(ms) AS ms FROM play_sums
       WHERE scope_id IN (SELECT id FROM play_subjects WHERE workspace_id = ? AND kind = 'device') AND series = ${Series.totalByQuarter} AND bucket >= ? AND bucket < ?
       GROUP BY scope_id`,
    );
    this.#named = raw.prepare(NAMED);
    this.#raw = raw.prepare(rawPlays({}));
    this.#rawOfDevice = raw.prepare(rawPlays({ deviceId: '' }));
  }

  /** Returns the number of a content, widget or device in play_subjects; undefined when it never played. */
  #number(workspaceId: string, { kind, ref }: Subject): number | undefined {
    return this.#subject.get(workspaceId, kind, ref)?.id;
  }

  #scopeId({ workspaceId, deviceId }: Scope): number | undefined {
    return this.#number(
      workspaceId,
      deviceId === undefined ? { kind: 'workspace', ref: '' } : { kind: 'device', ref: deviceId },
    );
  }

  /** Returns every quarter-hour with plays, unsorted. A quarter-hour may occur twice. */
  quarters(scope: Scope, { raw, quarters }: Split): QuarterAmount[] {
    const id = this.#scopeId(scope);
    if (id === undefined) return [];
    const edges = raw.flatMap((edge) =>
      this.#edge(scope, edge).map(({ plays, ms }) => ({ quarter: Math.floor(edge.start / QUARTER_MS), plays, ms })),
    );
    return [...this.#quarters.all(id, Series.totalByQuarter, quarters.from, quarters.to), ...edges];
  }

  total(scope: Scope, { raw, quarters }: Split): Amount {
    const id = this.#scopeId(scope);
    if (id === undefined) return { plays: 0, ms: 0 };
    const edges = raw.flatMap((edge) => this.#edge(scope, edge));
    return [this.#total.get(id, Series.totalByQuarter, quarters.from, quarters.to)!, ...edges].reduce(add);
  }

  /** Returns each content and widget that played. */
  contents(scope: Scope, split: Split): NamedAmount[] {
    const id = this.#scopeId(scope);
    if (id === undefined) return [];
    const found = new Amounts();
    const count = (period: Period, sign: 1 | -1) => {
      for (const row of this.#edge(scope, period)) found.add(row.shown, row, sign);
    };
    for (const edge of split.raw) count(edge, 1);
    for (const { grain, from, to, sign } of split.parts) {
      if (grain === 'quarter' && scope.deviceId !== undefined)
        count({ start: from * QUARTER_MS, end: to * QUARTER_MS }, sign);
      else
        for (const row of this.#subjects.iterate(
          id,
          grain === 'day' ? Series.contentByDay : Series.contentByQuarter,
          from,
          to,
        ))
          found.add(row.id, row, sign);
    }
    return this.named(found);
  }

  /** Returns each device that played. */
  devices(scope: Scope, split: Split): NamedAmount[] {
    const id = this.#scopeId(scope);
    if (id === undefined) return [];
    const found = new Amounts();
    if (scope.deviceId !== undefined) found.add(id, this.total(scope, split), 1);
    else {
      for (const edge of split.raw) for (const row of this.#edge(scope, edge)) found.add(row.device, row, 1);
      for (const part of split.parts)
        for (const row of this.#devicesIn(id, scope.workspaceId, part)) found.add(row.id, row, part.sign);
    }
    return this.named(found);
  }

  /** Returns the number and duration of plays of one content. */
  content(scope: Scope, contentId: string, { raw, parts }: Split): Amount {
    const id = this.#scopeId(scope);
    const subject = this.#number(scope.workspaceId, { kind: 'content', ref: contentId });
    let total: Amount = { plays: 0, ms: 0 };
    if (id === undefined || subject === undefined) return total;
    const count = (period: Period, sign: 1 | -1) => {
      for (const row of this.#edge(scope, period)) if (row.shown === subject) total = add(total, signed(row, sign));
    };
    for (const edge of raw) count(edge, 1);
    for (const { grain, from, to, sign } of parts) {
      if (grain === 'quarter' && scope.deviceId !== undefined)
        count({ start: from * QUARTER_MS, end: to * QUARTER_MS }, sign);
      else
        total = add(
          total,
          signed(
            this.#oneSubject.get(
              id,
              grain === 'day' ? Series.contentByDay : Series.contentByQuarter,
              from,
              to,
              subject,
            )!,
            sign,
          ),
        );
    }
    return total;
  }

  #devicesIn(scopeId: number, workspaceId: string, { grain, from, to }: Part): SubjectAmount[] {
    return grain === 'day'
      ? this.#subjects.all(scopeId, Series.deviceByDay, from, to)
      : this.#deviceQuarters.all(workspaceId, from, to);
  }

  #edge(scope: Scope, period: Period): RawAmount[] {
    return (scope.deviceId === undefined ? this.#raw : this.#rawOfDevice).all({ ...scope, ...period });
  }

  /** Adds the names of records. Leaves out records whose plays were subtracted to zero. */
  named(found: Amounts): NamedAmount[] {
    const amounts = found.present();
    return this.#named
      .all(JSON.stringify([...amounts.keys()]))
      .map(({ id, kind, ref, name }) => ({ kind, ref, name, ...amounts.get(id)! }));
  }
}

const add = (a: Amount, b: Amount): Amount => ({ plays: a.plays + b.plays, ms: a.ms + b.ms });
const signed = ({ plays, ms }: Amount, sign: 1 | -1): Amount => ({ plays: sign * plays, ms: sign * ms });

/**
 * Number and duration of plays by record. A record whose plays were added and subtracted again counts as never played.
 */
export class Amounts {
  readonly #by = new Map<number, { plays: number; ms: number }>();

  add(subject: number, { plays, ms }: Amount, sign: 1 | -1): void {
    const known = this.#by.get(subject);
    if (known) {
      known.plays += sign * plays;
      known.ms += sign * ms;
    } else this.#by.set(subject, { plays: sign * plays, ms: sign * ms });
  }

  present(): Map<number, Amount> {
    return new Map([...this.#by].filter(([, { plays }]) => plays > 0));
  }
}
