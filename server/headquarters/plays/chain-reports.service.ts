/** Reports on plays of all stores: sums, single plays, and files. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { QueryOf } from '../../../shared/contract/endpoint.ts';
import { ApiError, badRequest } from '../../../shared/contract/errors.ts';
import type {
  ChainPlay,
  ChainSum,
  ChainTotals,
  exportChainPlays,
  listChainPlays,
  sumChainPlays,
  totalChainPlays,
} from '../../../shared/contract/headquarters/stores.ts';
import { DAY_MS, dayOf, formatDate, parseDate } from '../../../shared/program/civil.ts';
import type { Zone } from '../../../shared/program/zones.ts';
import type { SumRow, SumsQuestion } from '../../features/reports/chain-questions.ts';
import { JournalNumbers, MISSING_HEADER, missingLines } from '../../features/reports/ingest/journal-numbers.ts';
import { csvCell, csvLine } from '../../features/reports/proof/csv.ts';
import type { PlaysExport } from '../../features/reports/reports.service.ts';
import { collate } from '../../kernel/collate.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import type { StoreNow } from '../stores/store-registry.ts';
import { isWanted, type StoresService, workspaceOf } from '../stores/stores.service.ts';
import type { StoresStore } from '../stores/stores.store.ts';
import type { ChainPlays, FoundPlay, Selection } from './chain-plays.ts';
import type { Warehouse } from './warehouse.ts';

const DEFAULT_DAYS = 30;
/** Page size that covers all stores, because sums of regions are computed from the sums of all their stores. */
const ALL = 1_000_000;
/**
 * Number of unsent plays above which a connected store is reported as incomplete. So many plays take more than a few
 * minutes.
 */
const BEHIND = 2_000;
const MAX_BEHIND = 100;
/** Maximum offset in the list of single plays. The exported file contains all plays. */
const MAX_OFFSET = 10_000;

type Which = QueryOf<typeof totalChainPlays>;

interface Deps extends Pick<Parts, 'clock'> {
  readonly stores: Pick<StoresService, 'all' | 'find'>;
  readonly store: Pick<StoresStore, 'keys'>;
  readonly plays: ChainPlays;
  readonly warehouse: Pick<Warehouse, 'sums' | 'totals' | 'campaignNames'>;
  readonly zone: () => Zone;
  /** Returns the name of a campaign of a workspace; undefined: unknown. */
  readonly campaign: (workspaceId: string, id: string) => string | undefined;
  readonly server: () => { readonly name: string };
}

interface Chosen extends Selection {
  /** First and last day of the report as epoch days, both included. */
  readonly from: number;
  readonly to: number;
  readonly workspaceId: string;
}

export class ChainReportsService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws ApiError 400, 404 */
  async sums(actor: Actor, query: QueryOf<typeof sumChainPlays>): Promise<{ rows: ChainSum[]; total: number }> {
    const chosen = this.#choose(actor, query);
    const { by, limit, offset } = query;
    if (by !== 'region') {
      const { rows, total } = await this.#ask(chosen, { by, limit, offset });
      const names = await this.#campaignNames(rows, chosen);
      return { rows: rows.map((row) => this.#sumOf(row, chosen, names)), total };
    }
    const { rows } = await this.#ask(chosen, { by: 'store', limit: ALL, offset: 0 });
    const regions = regionsOf(rows, chosen.stores);
    return { rows: regions.slice(offset, offset + limit), total: regions.length };
  }

  /** @throws ApiError 400, 404 */
  async totals(actor: Actor, query: Which): Promise<ChainTotals> {
    return this.#totalsOf(this.#choose(actor, query));
  }

  async #totalsOf(chosen: Chosen): Promise<ChainTotals> {
    const { ms, ...rest } = await this.#deps.warehouse.totals(facts(chosen));
    const behind = chosen.stores
      .filter(
        ({ line, heard_at, presence }) =>
          (line === 'down' && (heard_at === null || heard_at * 1000 < chosen.end)) ||
          (line === 'up' && presence !== null && presence.waiting > BEHIND),
      )
      .slice(0, MAX_BEHIND)
      .map(({ ref, name, presence, heard_at }) => ({ id: ref, name, waiting: presence?.waiting ?? 0, heard_at }));
    return { ...rest, seconds: ms / 1000, behind };
  }

  /** @throws ApiError 400, 404 */
  async list(actor: Actor, query: QueryOf<typeof listChainPlays>): Promise<{ rows: ChainPlay[]; total: number }> {
    const { limit, offset } = query;
    const chosen = this.#choose(actor, query);
    await this.#requireSingle(chosen);
    const [{ plays: total }, found] = await Promise.all([
      this.#totalsOf(chosen),
      offset > MAX_OFFSET ? [] : this.#deps.plays.newest(chosen, offset + limit),
    ]);
    const page = found.slice(offset);
    const names = await this.#campaignNames(page, chosen);
    const rows = page.map(
      ({ store, device_id, device_name, content_name, campaign, started_ms, ended_ms, completed }) => ({
        store_id: store.ref,
        store_name: store.name,
        device_id,
        device_name,
        content_name,
        campaign_id: campaign,
        campaign_name: campaign === null ? null : (names.get(campaign) ?? ''),
        started_ms,
        ended_ms,
        completed: (completed ? 1 : 0) as 0 | 1,
      }),
    );
    return { rows, total };
  }

  /** @throws ApiError 400, 404, 503 when single plays are missing on this computer */
  async export(actor: Actor, query: QueryOf<typeof exportChainPlays>): Promise<PlaysExport> {
    const chosen = this.#choose(actor, query);
    if (query.format !== 'sums') await this.#requireSingle(chosen);
    const [from, to] = [formatDate(chosen.from), formatDate(chosen.to)];
    const name = `vitrine-chain-${from}-${to}`;
    if (query.format === 'proof')
      return {
        filename: `${name}.vitrine-chain`,
        type: 'application/vnd.vitrine.chain',
        head: '',
        chunks: this.#proof(chosen, { from, to }),
      };
    const type = 'text/csv; charset=utf-8';
    if (query.format === 'sums')
      return { filename: `${name}-${query.by}.csv`, type, head: SUMS_HEADER, chunks: this.#sumsCsv(actor, query) };
    if (query.format === 'missing')
      return { filename: `${name}-missing.csv`, type, head: CHAIN_MISSING_HEADER, chunks: this.#missingCsv(chosen) };
    return { filename: `${name}.csv`, type, head: PLAYS_HEADER, chunks: this.#playsCsv(chosen) };
  }

  async #requireSingle(chosen: Chosen): Promise<void> {
    const missing = await this.#deps.plays.missing(chosen);
    if (missing)
      throw new ApiError(
        503,
        `The single plays of ${missing.name} are not on this computer, because headquarters was restored without its folder “chain”. The totals are complete. Put the folder back, or exclude this store.`,
      );
  }

  async *#proof(chosen: Chosen, { from, to }: { from: string; to: string }): AsyncGenerator<Buffer, undefined> {
    const { plays, store, clock, server } = this.#deps;
    const stores = chosen.stores.map(({ id, ref, name }) => ({ id: ref, name, keys: store.keys(id) }));
    yield* plays.proof(chosen, { headquarters: server().name, from, to, made_at: seconds(clock), stores });
    return undefined;
  }

  async *#playsCsv(chosen: Chosen): AsyncGenerator<Buffer, undefined> {
    const names = new Map<string, string>();
    for await (const plays of this.#deps.plays.all(chosen)) {
      const unnamed = plays.filter(({ campaign }) => campaign !== null && !names.has(campaign));
      for (const [id, name] of await this.#campaignNames(unnamed, chosen)) names.set(id, name);
      yield Buffer.from(plays.map((play) => playLine(play, names.get(play.campaign ?? '') ?? '')).join(''));
    }
    return undefined;
  }

  /**
   * Yields the missing play numbers of each screen, one store after the other. The filter by content does not apply:
   * numbers count all plays of a screen, so plays of other content would look like gaps.
   */
  async *#missingCsv(chosen: Chosen): AsyncGenerator<Buffer, undefined> {
    for (const store of chosen.stores) {
      const screens = new Map<string, { name: string; readonly numbers: JournalNumbers }>();
      const all = { ...chosen, stores: [store], content: undefined, campaign: undefined };
      for await (const plays of this.#deps.plays.all(all)) {
        for (const { device_id, device_name, seq, ended_ms } of plays) {
          const screen = screens.get(device_id) ?? { name: device_name, numbers: new JournalNumbers() };
          screen.name = device_name;
          screen.numbers.add(seq, ended_ms);
          screens.set(device_id, screen);
        }
        // The answer begins only after the segments of the store were read completely. Meanwhile, other requests may
        // run.
        await nextTurn();
      }
      const lines = [...screens.values()].flatMap(({ name, numbers }) =>
        missingLines([store.name, store.region, name], numbers),
      );
      if (lines.length > 0) yield Buffer.from(lines.join(''));
    }
    return undefined;
  }

  async *#sumsCsv(actor: Actor, query: QueryOf<typeof exportChainPlays>): AsyncGenerator<Buffer, undefined> {
    const limit = 5_000;
    for (let offset = 0; ; offset += limit) {
      const { rows, total } = await this.sums(actor, { ...query, limit, offset });
      yield Buffer.from(rows.map(sumLine).join(''));
      if (offset + limit >= total) return undefined;
    }
  }

  /** @throws ApiError 400, 404 */
  #choose(actor: Actor, { start, end, region, tag, store_id, campaign_id, content }: Which): Chosen {
    const { stores, zone, clock } = this.#deps;
    const local = zone();
    const today = dayOf(local.toLocal(clock.now()));
    const to = end === undefined ? today : dayIn('end', end);
    const from = start === undefined ? to - DEFAULT_DAYS + 1 : dayIn('start', start);
    if (to < from) throw badRequest('end: must not be before start');
    const all = store_id === undefined ? stores.all(actor) : [stores.find(actor, store_id)];
    return {
      from,
      to,
      start: local.toInstant(from * DAY_MS),
      end: local.toInstant((to + 1) * DAY_MS),
      content,
      campaign: campaign_id,
      workspaceId: workspaceOf(actor),
      stores: all.filter((store) => isWanted(store, { region, tag })).sort((a, b) => collate(a.name, b.name)),
    };
  }

  #ask(
    chosen: Chosen,
    page: Pick<SumsQuestion, 'by' | 'limit' | 'offset'>,
  ): Promise<{ rows: SumRow[]; total: number }> {
    return this.#deps.warehouse.sums({ ...facts(chosen), ...page });
  }

  /** Returns the current names of campaigns by id. A deleted campaign gets the last name that its plays had. */
  async #campaignNames(
    rows: readonly Pick<SumRow, 'campaign'>[],
    { workspaceId, stores }: Pick<Chosen, 'workspaceId' | 'stores'>,
  ): Promise<Map<string, string>> {
    const ids = [...new Set(rows.flatMap(({ campaign }) => campaign ?? []))];
    const names = new Map(ids.map((id) => [id, this.#deps.campaign(workspaceId, id)]));
    const gone = ids.filter((id) => names.get(id) === undefined);
    const known = gone.length > 0 ? await this.#deps.warehouse.campaignNames(gone, stores) : {};
    return new Map(ids.map((id) => [id, names.get(id) ?? known[id] ?? '']));
  }

  #sumOf(
    { name, store, day, campaign, plays, ms, stores, screens }: SumRow,
    chosen: Chosen,
    names: ReadonlyMap<string, string>,
  ): ChainSum {
    const of = store === null ? undefined : chosen.stores.find(({ id }) => id === store);
    return {
      name: day !== null ? formatDate(day) : (name ?? of?.name ?? names.get(campaign ?? '') ?? ''),
      campaign_id: campaign,
      store_id: of?.ref ?? null,
      store_name: of?.name ?? null,
      plays,
      seconds: ms / 1000,
      stores,
      screens,
    };
  }
}

const facts = ({ stores, from, to, content, campaign }: Chosen) => ({ stores, from, to, content, campaign });

const dayIn = (name: string, text: string): number => {
  try {
    return parseDate(text);
  } catch {
    throw badRequest(`${name}: must be a date like 2026-11-01`);
  }
};

const regionsOf = (rows: readonly SumRow[], stores: readonly StoreNow[]): ChainSum[] => {
  const regionOf = new Map(stores.map(({ id, region }) => [id, region]));
  const sums = new Map<string, ChainSum>();
  for (const { store, plays, ms, screens } of rows) {
    const name = regionOf.get(store ?? -1) ?? '';
    const sum = sums.get(name) ?? {
      name,
      campaign_id: null,
      store_id: null,
      store_name: null,
      plays: 0,
      seconds: 0,
      stores: 0,
      screens: 0,
    };
    sums.set(name, {
      ...sum,
      plays: sum.plays + plays,
      seconds: sum.seconds + ms / 1000,
      stores: sum.stores + 1,
      screens: sum.screens === null || screens === null ? null : sum.screens + screens,
    });
  }
  return [...sums.values()].sort((a, b) => b.plays - a.plays || collate(a.name, b.name));
};

const PLAYS_HEADER = 'Store,Region,Screen,Content,Started,Ended,Duration (sec),Completed,Campaign\n';
const playLine = (
  { store, device_name, content_name, completed, ...times }: FoundPlay,
  campaignName: string,
): string => {
  const names = [store.name, store.region, device_name, content_name].map(csvCell).join(',');
  const line = csvLine({ ...times, names, completed: completed ? 1 : 0 });
  return `${line.slice(0, -1)},${csvCell(campaignName)}\n`;
};
const CHAIN_MISSING_HEADER = `Store,Region,${MISSING_HEADER}`;
const SUMS_HEADER = 'Name,Store,Plays,Played (sec),Stores,Screens\n';
const sumLine = ({ name, store_name, plays, seconds, stores, screens }: ChainSum): string =>
  `${csvCell(name)},${csvCell(store_name ?? '')},${plays},${seconds},${stores},${screens ?? ''}\n`;
