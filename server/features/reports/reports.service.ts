/**
 * Rules of reports (resource API, Reports): period, filters, and which thread computes the answer. The reports' threads
 * do everything that may take long; only a short page of plays is read here.
 */
import { ApiError, notFound } from '../../../shared/contract/errors.ts';
import { DEFAULT_WORKSPACE } from '../../../shared/contract/people/workspaces.ts';
import type { ReportLanguage, Summary, UptimeRow } from '../../../shared/contract/server/reports.ts';
import { dayOf, formatDate } from '../../../shared/program/civil.ts';
import { zoneOf } from '../../../shared/program/zones.ts';
import { type Clock, seconds } from '../../kernel/time/clock.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import { JournalNumbers, MISSING_HEADER, missingLines } from './ingest/journal-numbers.ts';
import { namesMore, type Which } from './ingest/play-tables.ts';
import type { KnownSubjectsStore, Narrowing } from './known-subjects.store.ts';
import { parsePeriod } from './period.ts';
import type { CountedWindow, DeliveryQuestion } from './planned/delivery-reader.ts';
import type { Cursor, PlaysFilter } from './plays.store.ts';
import { CSV_HEADER } from './proof/csv.ts';
import { proofChunks, type Signer } from './proof/proof-export.ts';
import type { ReportNamesStore } from './report-names.store.ts';
import type { ReportReader, ScreenNumbers } from './report-reader.ts';
import { type Answer, bytesOf, countedIn } from './report-tasks.ts';
import type { ReportThreads } from './report-threads.ts';
import type { GroupBy } from './summary.ts';

/**
 * Number of rows from the start of a list that this thread may read itself, in one or two milliseconds. A worker thread
 * reads lists beyond that.
 */
const SHORT_PAGE = 500;
/** Rows per chunk of an export. A chunk takes one or two milliseconds, so that tasks of other users run in between. */
const CSV_ROWS = 2_000;
/**
 * Journal numbers per chunk. A chunk is reduced to a few ranges of numbers, and takes some ten milliseconds of the
 * thread.
 */
const NUMBERS_ROWS = 20_000;
/** Number of chunks that are made in advance while a chunk is being sent. */
const CSV_AHEAD = 2;
/** Maximum number of simultaneous exports. Each needs memory for three chunks of about 200 kB. */
const MAX_EXPORTS = 64;

const parsed = <T>(answer: Answer): T => JSON.parse(bytesOf(answer).toString()) as T;

const NARROWINGS: Readonly<Record<Narrowing, string>> = {
  group: 'Group',
  folder: 'Folder',
  playlist: 'Playlist',
  plan: 'Plan',
};

export interface PeriodQuery {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly device_id?: string | undefined;
  readonly content_id?: readonly string[] | undefined;
  readonly label?: string | undefined;
  readonly folder_id?: string | undefined;
  readonly playlist_id?: string | undefined;
  readonly group_id?: string | undefined;
  readonly tag?: string | undefined;
  readonly plan_id?: string | undefined;
}

type Where = Pick<WorkspaceActor, 'workspaceId'>;

export interface PlaysExport {
  readonly filename: string;
  readonly type: string;
  /** Text of the export before the first chunk. */
  readonly head: string;
  /** The chunks of the file. A chunk is valid only until the next chunk is requested. */
  readonly chunks: AsyncGenerator<Buffer>;
}

interface Deps {
  readonly known: KnownSubjectsStore;
  readonly names: ReportNamesStore;
  /** Returns the path of a stored file. */
  readonly fileOf: (sha256: string) => string;
  readonly reader: ReportReader;
  readonly threads: Pick<ReportThreads, 'runTask'>;
  /** Saves counts of planned plays. Resolves when the counts are on disk and other work had time to run. */
  readonly keep: (windows: readonly CountedWindow[]) => Promise<void>;
  readonly signer: Signer;
  readonly clock: Clock;
  /** Name of the store, for the PDF of a workspace without a name. */
  readonly server: () => string;
  /** The time zone in which days are counted. */
  readonly zone: () => string;
}

export class ReportsService {
  readonly #deps: Deps;
  #exports = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  plays(
    actor: WorkspaceActor,
    query: PeriodQuery & { limit: number; offset: number },
  ): ReturnType<ReportReader['plays']> | Promise<Answer> {
    const question = { ...this.#filter(actor, query), limit: query.limit, offset: query.offset };
    // Two conditions share no index, so even a few rows could need a long read.
    const isShort =
      query.limit + query.offset <= SHORT_PAGE && !(question.deviceId && question.contentId) && !namesMore(question);
    return isShort ? this.#deps.reader.plays(question) : this.#deps.threads.runTask({ do: 'plays', question });
  }

  summary(actor: Where, query: PeriodQuery & { group_by?: GroupBy | '' | undefined }): Promise<Answer> {
    const question = { ...this.#filter(actor, query), groupBy: query.group_by || undefined, zone: this.#deps.zone() };
    return this.#deps.threads.runTask({ do: 'summary', question });
  }

  /** Returns the online share of a day's screens in percent (undefined without screens), and the number of plays. */
  async figures(actor: Where, day: string): Promise<{ uptime: number | undefined; plays: number }> {
    const query = { start: day, end: day };
    // Requests sums by day, because they are enough for a single day.
    const [summary, uptime] = await Promise.all([
      this.summary(actor, { ...query, group_by: 'day' }),
      this.uptime(actor, query),
    ]);
    const { overall } = parsed<Summary>(summary);
    const rows = parsed<UptimeRow[]>(uptime);
    const sum = (of: 'online_seconds' | 'period_seconds') => rows.reduce((all, row) => all + row[of], 0);
    const period = sum('period_seconds');
    return {
      // Rounds down, so that 100 means that no screen was offline.
      uptime: period === 0 ? undefined : Math.floor((sum('online_seconds') * 1000) / period) / 10,
      plays: overall.total_plays,
    };
  }

  uptime(actor: Where, query: PeriodQuery): Promise<Answer> {
    const { clock, zone, known, threads } = this.#deps;
    const period = parsePeriod(query, clock.now(), zoneOf(zone()));
    if (query.device_id !== undefined && !known.isPresentDevice(actor.workspaceId, query.device_id))
      throw notFound('Device');
    const now = seconds(clock);
    const question = {
      workspaceId: actor.workspaceId,
      ...this.#which(actor, query),
      start: Math.floor(period.start / 1000),
      end: Math.min(now, Math.floor(period.end / 1000)),
      now,
    };
    return threads.runTask({ do: 'uptime', question });
  }

  async delivery(actor: WorkspaceActor, query: PeriodQuery): Promise<Answer> {
    return this.#delivery(this.#deliveryQuestion(this.#filter(actor, query)), 'json');
  }

  export(
    actor: Where,
    query: PeriodQuery & { format?: '' | 'csv' | 'jsonl' | 'planned' | 'missing' | undefined },
  ): PlaysExport {
    const filter = this.#filter(actor, query);
    const { from, to } = this.#days(filter);
    const name = `plays-${from}-to-${to}`;
    if (query.format === 'planned')
      return {
        filename: `planned-${from}-to-${to}.csv`,
        type: 'text/csv; charset=utf-8',
        head: '',
        chunks: this.#counted(() => this.#plannedCsv(filter)),
      };
    if (query.format === 'missing')
      return {
        filename: `missing-${from}-to-${to}.csv`,
        type: 'text/csv; charset=utf-8',
        head: MISSING_HEADER,
        chunks: this.#counted(() => this.#missingCsv(filter)),
      };
    if (query.format === 'jsonl') {
      const chunks = this.#counted(() =>
        proofChunks({ threads: this.#deps.threads, signer: this.#deps.signer, filter }),
      );
      return { filename: `${name}.jsonl`, type: 'application/jsonl; charset=utf-8', head: '', chunks };
    }
    return {
      filename: `${name}.csv`,
      type: 'text/csv; charset=utf-8',
      head: CSV_HEADER,
      chunks: this.#counted(() => this.#csv(filter)),
    };
  }

  /** Makes a report as PDF. The file has only a few pages, so it is returned as a whole. */
  async paper(
    actor: Where,
    query: PeriodQuery & { language?: ReportLanguage | undefined; title?: string | undefined },
  ): Promise<{ filename: string; bytes: Buffer }> {
    const { names, threads, fileOf } = this.#deps;
    const filter = this.#filter(actor, query);
    const { from, to } = this.#days(filter);
    const { name, logo, color } = names.store(actor.workspaceId);
    const store = name === DEFAULT_WORKSPACE ? this.#deps.server() : name;
    const asked = this.#deliveryQuestion(filter);
    await this.#countPlanned(asked);
    const question = {
      ...asked,
      logo: logo === null ? undefined : fileOf(logo),
      facts: {
        language: query.language ?? 'en',
        title: query.title,
        store,
        ...(color !== null && { color }),
        from,
        to,
        zone: this.#deps.zone(),
        filters: names.filters(actor.workspaceId, filter),
        now: asked.now,
      },
    };
    const bytes = bytesOf(await threads.runTask({ do: 'pdf', question }));
    return { filename: `report-${from}-to-${to}.pdf`, bytes };
  }

  #deliveryQuestion(filter: PlaysFilter): DeliveryQuestion {
    return { ...filter, zone: this.#deps.zone(), now: this.#deps.clock.now() };
  }

  async #delivery(question: DeliveryQuestion, as: 'json' | 'csv'): Promise<Answer> {
    await this.#countPlanned(question);
    return this.#deps.threads.runTask({ do: 'delivery', question, as });
  }

  /** Counts the time windows that have no saved count, and saves the counts. Works in slices on both threads. */
  async #countPlanned(question: DeliveryQuestion): Promise<void> {
    const { threads, keep } = this.#deps;
    let before: string | undefined;
    for (;;) {
      const answer = await threads.runTask({ do: 'count', question });
      const text = answer.parts?.length ? bytesOf(answer).toString('latin1', 0, answer.parts[0]) : undefined;
      // The thread returns the same part again when the part could not be saved. The rest is then counted for this
      // report alone.
      if (text === undefined || text === before) return;
      before = text;
      try {
        for (const windows of countedIn(answer)) await keep(windows);
      } catch {
        // Saving failed, for example on a full disk. The remaining time windows are counted for this report alone.
        return;
      }
    }
  }

  async *#plannedCsv(filter: PlaysFilter): AsyncGenerator<Buffer> {
    yield bytesOf(await this.#delivery(this.#deliveryQuestion(filter), 'csv'));
  }

  /** Filters by content are ignored: journal numbers count all plays of a screen, so other contents are no gap. */
  async *#missingCsv({ workspaceId, start, end, deviceId, groupId, tag }: PlaysFilter): AsyncGenerator<Buffer> {
    const filter = { workspaceId, start, end, deviceId, groupId, tag };
    const screens = new Map<number, { readonly name: string; readonly numbers: JournalNumbers }>();
    for (let cursor: Cursor | null | undefined; cursor !== null; ) {
      const question = { ...filter, limit: NUMBERS_ROWS, cursor };
      const answer = await this.#deps.threads.runTask({ do: 'numbers', question });
      for (const { device, name, stretches } of parsed<ScreenNumbers[]>(answer)) {
        const screen = screens.get(device) ?? { name, numbers: new JournalNumbers() };
        screens.set(device, screen);
        for (const stretch of stretches) screen.numbers.join(stretch);
      }
      cursor = answer.next ?? null;
    }
    const lines = [...screens.values()].flatMap(({ name, numbers }) => missingLines([name], numbers));
    yield Buffer.from(lines.join(''));
  }

  /** Returns the days of a period, up to today. */
  #days({ start, end }: { start: number; end: number }): { from: string; to: string } {
    const zone = zoneOf(this.#deps.zone());
    const day = (instant: number) => formatDate(dayOf(zone.toLocal(instant)));
    return { from: day(start), to: day(Math.max(start, Math.min(end - 1, this.#deps.clock.now()))) };
  }

  async *#counted(chunks: () => AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
    if (this.#exports >= MAX_EXPORTS) throw new ApiError(503, 'Too many exports are running', { retryAfter: 10 });
    this.#exports++;
    try {
      yield* chunks();
    } finally {
      this.#exports--;
    }
  }

  /** Makes the next chunks while one is sent, so that the thread does not wait for a client that reads fast enough. */
  async *#csv(filter: PlaysFilter): AsyncGenerator<Buffer> {
    const spare: ArrayBuffer[] = [];
    const ask = (cursor?: Cursor): Promise<Answer> => {
      const block = spare.pop();
      const question = { ...filter, limit: CSV_ROWS, cursor };
      return this.#deps.threads.runTask({ do: 'csv', question, ...(block && { block }) });
    };
    const coming: Promise<Answer | undefined>[] = [];
    const come = (answer: Promise<Answer | undefined>) => {
      // When the client goes away, nobody handles the chunks that are being made, so the errors of these chunks are
      // ignored here.
      answer.catch(() => {});
      coming.push(answer);
    };
    come(ask());
    for (let answer: Answer | undefined; ; spare.push(answer.block)) {
      while (coming.length <= CSV_AHEAD) come(coming.at(-1)!.then((last) => (last?.next ? ask(last.next) : undefined)));
      answer = await coming.shift();
      if (!answer) return;
      yield bytesOf(answer);
    }
  }

  #filter(actor: Where, query: PeriodQuery): PlaysFilter {
    const { clock, zone } = this.#deps;
    const period = parsePeriod(query, clock.now(), zoneOf(zone()));
    return { workspaceId: actor.workspaceId, ...period, ...this.#which(actor, query) };
  }

  /** @throws ApiError 404 like a report with these filters */
  requireKnown(actor: Where, filters: Omit<PeriodQuery, 'start' | 'end'>): void {
    this.#which(actor, filters);
  }

  /** @throws ApiError 404 that names a record which is not in the workspace and never played there */
  #which({ workspaceId }: Where, query: PeriodQuery): Which {
    const { known } = this.#deps;
    const { device_id: deviceId, content_id: contents = [], label, tag } = query;
    if (deviceId !== undefined && !known.isDevice(workspaceId, deviceId)) throw notFound('Device');
    for (const id of contents) if (!known.isContent(workspaceId, id)) throw notFound('Content');
    for (const [kind, noun] of Object.entries(NARROWINGS) as [Narrowing, string][]) {
      const id = query[`${kind}_id`];
      if (id !== undefined && !known.has(kind, workspaceId, id)) throw notFound(noun);
    }
    const which: Which = {
      deviceId,
      contentId: contents.length === 1 ? contents[0] : undefined,
      contentIds: contents.length > 1 ? JSON.stringify(contents) : undefined,
      label,
      tag,
      folderId: query.folder_id,
      playlistId: query.playlist_id,
      groupId: query.group_id,
      planId: query.plan_id,
    };
    // Removes undefined fields, because the remaining fields are bound to SQL statements.
    return Object.fromEntries(Object.entries(which).filter(([, value]) => value !== undefined));
  }
}
