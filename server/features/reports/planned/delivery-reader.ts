/**
 * Compares planned plays with shown plays. Runs in the reports' thread. Planned plays of a time window are counted
 * once. The server's thread saves the counts, because it is the only thread that writes. A time window that is not over
 * is counted again each time.
 */
import type { Delivery } from '../../../../shared/contract/server/reports.ts';
import { formatDate } from '../../../../shared/program/civil.ts';
import { itemsOf } from '../../../../shared/program/program-items.ts';
import { zoneOf } from '../../../../shared/program/zones.ts';
import { readArchived } from '../../../programs/program-archive.ts';
import type { Period } from '../ingest/sums.ts';
import type { ReportReader, SummaryQuestion } from '../report-reader.ts';
import type { CachedRow, Planned, PlannedStore, PlannedSum } from './planned.store.ts';
import { Counter, type Cut, cutUp, type Line, meantBy, type PlannedWindow } from './planned-windows.ts';
import type { Shortfalls } from './shortfalls.ts';

export interface DeliveryQuestion extends SummaryQuestion {
  /** Present time in epoch milliseconds. */
  readonly now: number;
}

/** Counts of planned plays in a time window, ready to be saved. */
export interface CountedWindow {
  readonly program: number;
  readonly timezone: string;
  readonly since: number;
  readonly until: number;
  readonly sums: readonly PlannedSum[];
}

interface Deps {
  readonly store: PlannedStore;
  readonly reader: Pick<ReportReader, 'summary'>;
  readonly shortfalls: Shortfalls;
}

interface Amount {
  readonly plays: number;
  readonly ms: number;
}
interface Subject extends Pick<PlannedSum, 'kind' | 'ref'> {
  plays: number;
  ms: number;
}
/** Contents and widgets by id. */
type Subjects = Readonly<Record<Subject['kind'], Map<string, Subject>>>;

export class DeliveryReader {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Counts time windows without a saved count, for at most the given milliseconds. Returns an empty list when no such
   * time window is left.
   */
  count(question: DeliveryQuestion, ms: number): CountedWindow[] {
    return this.#deps.store.atOnce(() => this.#count(question, ms));
  }

  delivery(question: DeliveryQuestion): Delivery {
    return this.#deps.store.atOnce(() => this.#delivery(question));
  }

  #count(question: DeliveryQuestion, ms: number): CountedWindow[] {
    const period = this.#known(question);
    const counted: CountedWindow[] = [];
    if (!period) return counted;
    const { store } = this.#deps;
    const { lines } = this.#cut(question, period);
    const until = performance.now() + ms;
    for (const line of lines) {
      const { program, timezone } = line;
      const before = new Set(store.counted(program, timezone, period).map(({ since, until }) => `${since} ${until}`));
      const counter = new Counter(store, line);
      for (const [key, window] of line.windows) {
        if (!window.isLasting || before.has(key)) continue;
        const { since, until: end } = window;
        counted.push({ program, timezone, since, until: end, sums: counter.count(window) });
        if (performance.now() > until) return counted;
      }
    }
    return counted;
  }

  #delivery(question: DeliveryQuestion): Delivery {
    const period = this.#known(question);
    if (!period) return { known_from: null, overall: null, by_content: [], by_device: [], by_day: [], shortfalls: [] };
    const cut = this.#cut(question, period);
    const subjects: Subjects = { content: new Map(), widget: new Map() };
    const meant = meantBy(this.#deps.store, question);
    const tell = (window: PlannedWindow, sum: Planned) => {
      if (meant && !meant(sum)) return;
      const { kind, ref, plays, ms } = sum;
      window.plays += plays;
      window.ms += ms;
      let subject = subjects[kind].get(ref);
      if (!subject) subjects[kind].set(ref, (subject = { kind, ref, plays: 0, ms: 0 }));
      subject.plays += window.screens * plays;
      subject.ms += window.screens * ms;
    };
    for (const line of cut.lines) this.#fill(line, period, tell);
    return this.#compare(question, period, { cut, subjects });
  }

  /** Returns the part of the period for which the plans are known; undefined when there is none. */
  #known({ start, end, now }: DeliveryQuestion): Period | undefined {
    const from = this.#deps.store.knownFrom();
    if (from === undefined || from >= Math.min(end, now)) return undefined;
    return { start: Math.max(start, from), end: Math.max(Math.max(start, from), Math.min(end, now)) };
  }

  #cut(question: DeliveryQuestion, period: Period): Cut {
    const spans = this.#deps.store.spans(question, period);
    return cutUp(spans, { ...period, now: question.now }, zoneOf(question.zone));
  }

  /** Passes the planned plays of each time window of a program to `tell`, from the saved counts or by counting now. */
  #fill(line: Line, period: Period, tell: (window: PlannedWindow, sum: Planned) => void): void {
    const { store } = this.#deps;
    const known = new Set<PlannedWindow>();
    // Rows of the same time window follow one another, so other times mean that the next time window begins.
    let last: Pick<CachedRow, 'since' | 'until'> | undefined;
    let window: PlannedWindow | undefined;
    for (const row of store.sums(line.program, line.timezone, period)) {
      if (row.since !== last?.since || row.until !== last.until) {
        last = row;
        window = line.windows.get(`${row.since} ${row.until}`);
        if (!window?.isLasting) window = undefined;
        else known.add(window);
      }
      if (window && isSum(row)) tell(window, row);
    }
    const counter = new Counter(store, line);
    for (const window of line.windows.values())
      if (!known.has(window)) for (const sum of counter.count(window)) tell(window, sum);
  }

  #compare(question: DeliveryQuestion, period: Period, { cut, subjects }: { cut: Cut; subjects: Subjects }): Delivery {
    const { groupBy: _, ...filter } = question;
    const played = this.#deps.reader.summary({ ...filter, ...period });
    const contents = this.#contents(question, { cut, subjects, played: played.by_content });
    const devices = this.#devices(question, { cut, played: played.by_device });
    const plays = contents.reduce((sum, row) => sum + row.plays, 0);
    const totals = contents.reduce(
      (sum, row) => ({
        planned_plays: sum.planned_plays + row.planned_plays,
        planned_seconds: sum.planned_seconds + row.planned_seconds,
        total_seconds: sum.total_seconds + row.total_seconds,
        shown: sum.shown + Math.min(row.planned_seconds, row.total_seconds),
      }),
      { planned_plays: 0, planned_seconds: 0, total_seconds: 0, shown: 0 },
    );
    const { shown, ...overall } = totals;
    return {
      known_from: Math.floor(period.start / 1000),
      overall: { ...overall, plays, delivered_pct: percent(shown, overall.planned_seconds) },
      by_content: contents,
      by_device: devices,
      by_day: this.#days(cut, played.by_day),
      shortfalls: this.#deps.shortfalls.of(question, period, devices),
    };
  }

  #contents(
    { workspaceId }: DeliveryQuestion,
    {
      cut,
      subjects,
      played,
    }: {
      cut: Cut;
      subjects: Subjects;
      played: ReturnType<ReportReader['summary']>['by_content'];
    },
  ): Delivery['by_content'] {
    const rows: Delivery['by_content'] = [];
    const seen = new Set<Subject>();
    for (const row of played) {
      const planned = subjects.content.get(row.content_id ?? '') ?? subjects.widget.get(row.widget_id ?? '');
      if (planned) seen.add(planned);
      rows.push({ ...row, ...against(planned, row) });
    }
    const left = [...subjects.content.values(), ...subjects.widget.values()].filter((subject) => !seen.has(subject));
    const names = this.#names(workspaceId, left, cut);
    for (const planned of left) {
      const { kind, ref } = planned;
      rows.push({
        content_id: kind === 'content' ? ref : null,
        widget_id: kind === 'widget' ? ref : null,
        content_name: names.get(`${kind} ${ref}`) ?? '',
        ...against(planned, NOTHING),
      });
    }
    return rows.sort(mostPlanned);
  }

  #devices(
    { workspaceId }: DeliveryQuestion,
    { cut, played }: { cut: Cut; played: ReturnType<ReportReader['summary']>['by_device'] },
  ): Delivery['by_device'] {
    const planned = cut.devices.map(() => ({ plays: 0, ms: 0 }));
    cut.pieces.forEach(({ plays, ms }, i) => {
      const sum = planned[cut.of[i]!]!;
      sum.plays += plays;
      sum.ms += ms;
    });
    const left = new Map(cut.devices.map((id, i) => [id, planned[i]!] as const).filter(([, { plays }]) => plays > 0));
    const rows = played.map((row) => {
      const sum = left.get(row.device_id);
      left.delete(row.device_id);
      return { ...row, ...against(sum, row) };
    });
    const names = this.#deps.store.names(
      workspaceId,
      [...left.keys()].map((ref) => ({ kind: 'device', ref })),
    );
    for (const [id, sum] of left)
      rows.push({ device_id: id, device_name: names.get(`device ${id}`) ?? '', ...against(sum, NOTHING) });
    return rows.sort(mostPlanned);
  }

  /** Returns days on which something was planned or played, oldest first. */
  #days({ lines, firstDay, days }: Cut, played: ReturnType<ReportReader['summary']>['by_day']): Delivery['by_day'] {
    const planned = Array.from({ length: days }, () => ({ plays: 0, ms: 0 }));
    for (const { windows } of lines)
      for (const { day, screens, plays, ms } of windows.values()) {
        planned[day]!.plays += screens * plays;
        planned[day]!.ms += screens * ms;
      }
    const byDay = new Map(played.map((row) => [row.day, row]));
    return planned.flatMap((sum, i) => {
      const day = formatDate(firstDay + i);
      const row = byDay.get(day);
      return row || sum.plays > 0 ? [{ day, ...against(sum, row ?? NOTHING) }] : [];
    });
  }

  /** Returns names by id. A deleted record that never played has its name in the program. */
  #names(workspaceId: string, subjects: readonly Subject[], { lines }: Cut): Map<string, string> {
    const { store } = this.#deps;
    const names = store.names(workspaceId, subjects);
    const missing = new Set(subjects.map(({ kind, ref }) => `${kind} ${ref}`).filter((key) => !names.has(key)));
    for (const { program } of lines) {
      if (missing.size === 0) break;
      const body = store.archived(program);
      for (const { content_id, widget_id, name } of body ? itemsOf(readArchived(body).program) : []) {
        const key = content_id === null ? `widget ${widget_id}` : `content ${content_id}`;
        if (missing.delete(key)) names.set(key, name);
      }
    }
    return names;
  }
}

const isSum = (row: CachedRow): row is CachedRow & Planned => row.kind !== null;

const NOTHING = { plays: 0, total_seconds: 0 };

/**
 * Returns the shown share in percent; null when nothing was planned. Rounds down, so that 100 means that nothing was
 * missing.
 */
const percent = (shown: number, planned: number): number | null =>
  planned === 0 ? null : Math.floor((Math.min(shown, planned) * 10_000) / planned) / 100;

const against = (
  planned: Amount = { plays: 0, ms: 0 },
  { plays, total_seconds }: { readonly plays: number; readonly total_seconds: number },
) => ({
  planned_plays: planned.plays,
  planned_seconds: planned.ms / 1000,
  plays,
  total_seconds,
  delivered_pct: percent(total_seconds * 1000, planned.ms),
});

const mostPlanned = (
  a: { readonly planned_seconds: number; readonly total_seconds: number },
  b: { readonly planned_seconds: number; readonly total_seconds: number },
): number => b.planned_seconds - a.planned_seconds || b.total_seconds - a.total_seconds;
