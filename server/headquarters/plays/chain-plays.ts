/** Reads single plays of all stores from their segments, and writes the file that proves these plays. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { campaignOf } from '../../../shared/chain/campaign-ids.ts';
import { type ChainFileHead, chainFileText } from '../../../shared/chain/report-file.ts';
import type { SegmentPlay } from '../../../shared/chain/segment.ts';
import type { StoreNow } from '../stores/store-registry.ts';
import type { SegmentFiles } from './segment-files.ts';
import { partsOf, readSegment } from './segment-writer.ts';
import type { Period, SegmentRow, Warehouse } from './warehouse.ts';

/**
 * Maximum number of segments that are read for one page. Content that rarely plays may be in none of these segments.
 */
const MAX_LOOKED_INTO = 300;
const ROWS = 50;
/**
 * Maximum number of segments that are searched backwards from the selection for the beginning of a signed group of
 * plays. These segments cover some days.
 */
const BACK_SEGMENTS = 5_000;

export interface FoundPlay extends SegmentPlay {
  readonly store: StoreNow;
  readonly device_name: string;
  /** Id of the campaign that showed the play; null: no campaign. */
  readonly campaign: string | null;
}

export interface Selection extends Period {
  readonly stores: readonly StoreNow[];
  /** Name of the content whose plays are selected; undefined: all contents. */
  readonly content: string | undefined;
  /** Id of the campaign whose plays are selected; undefined: all plays, also plays without a campaign. */
  readonly campaign: string | undefined;
}

interface Deps {
  readonly warehouse: Warehouse;
  readonly segmentFiles: SegmentFiles;
  /** Public key and signature function of this server. Key and signatures are hexadecimal. */
  readonly identity: { readonly publicKey: string; sign(text: string): string };
}

export class ChainPlays {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Returns a store whose segment files are missing on this computer, because headquarters was restored without the
   * folder of segment files.
   */
  async missing({ stores, ...period }: Selection): Promise<StoreNow | undefined> {
    const { warehouse, segmentFiles } = this.#deps;
    for (const store of stores) {
      const lost: string[] = [];
      for (const { pack, bytes } of await warehouse.packsIn(store))
        if (!(await segmentFiles.contains(pack, bytes))) lost.push(pack);
      if (lost.length > 0 && (await warehouse.isIn(lost, store, period))) return store;
    }
    return undefined;
  }

  /** Returns plays, the newest first. The list may be incomplete when the content is rarely played. */
  async newest(selection: Selection, limit: number): Promise<FoundPlay[]> {
    const { warehouse } = this.#deps;
    const stores = new Map(selection.stores.map((store) => [store.id, store]));
    const found: FoundPlay[] = [];
    let before = { to_ms: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
    for (let looked = 0; looked < MAX_LOOKED_INTO; ) {
      const rows = await warehouse.newestSegments(selection.stores, selection, { before, limit: ROWS });
      for (const row of rows) {
        found.sort((a, b) => b.started_ms - a.started_ms);
        // Plays in this segment and in all following segments are older than `row.to_ms`. The page is complete when its
        // oldest play is newer than that.
        found.length = Math.min(found.length, limit);
        if (found.length === limit && found.at(-1)!.started_ms > row.to_ms) return found;
        found.push(...(await this.#playsIn(row, stores.get(row.store)!, selection)));
        looked++;
        before = row;
        await nextTurn();
      }
      if (rows.length < ROWS) break;
    }
    return found.sort((a, b) => b.started_ms - a.started_ms).slice(0, limit);
  }

  /** Yields plays store by store, in order of arrival. */
  async *all(selection: Selection): AsyncGenerator<FoundPlay[]> {
    for (const store of selection.stores) {
      let after = { to_ms: -1, id: 0 };
      for (;;) {
        const rows = await this.#deps.warehouse.segmentsOf(store, selection, { after, limit: ROWS });
        for (const row of rows) yield await this.#playsIn(row, store, selection);
        if (rows.length < ROWS) break;
        after = rows.at(-1)!;
      }
    }
  }

  /** Yields a file in the format of shared/chain/report-file.ts, in chunks. */
  async *proof(selection: Selection, head: Omit<ChainFileHead, 'vitrine' | 'version'>): AsyncGenerator<Buffer> {
    const { identity } = this.#deps;
    const whole = createHash('sha256');
    const counted = (bytes: Buffer): Buffer => {
      whole.update(bytes);
      return bytes;
    };
    let [segments, plays] = [0, 0];
    yield counted(lineOf({ vitrine: 'chain', version: 1, ...head }));
    for (const store of selection.stores)
      for await (const segment of this.#segmentsOf(store, selection)) {
        segments++;
        plays += partsOf(segment).header.plays;
        yield counted(segment);
      }
    const facts = { segments, plays, sha256: whole.digest('hex') };
    yield lineOf({ vitrine: 'end', ...facts, key: identity.publicKey, signature: identity.sign(chainFileText(facts)) });
  }

  async *#segmentsOf(store: StoreNow, selection: Selection): AsyncGenerator<Buffer> {
    const { warehouse, segmentFiles } = this.#deps;
    for (const { epoch, from, to } of await warehouse.spansOf(store, selection)) {
      let next = await warehouse.beginningOf(store, epoch, from, BACK_SEGMENTS);
      for (;;) {
        const rows = await warehouse.between(store, epoch, { from: next, to }, ROWS);
        for (const row of rows) {
          const segment = await segmentFiles.read(row);
          if (segment) yield segment;
        }
        if (rows.length < ROWS) break;
        next = rows.at(-1)!.last + 1;
      }
    }
  }

  async #playsIn(row: SegmentRow, store: StoreNow, { start, end, content, campaign }: Selection): Promise<FoundPlay[]> {
    const file = await this.#deps.segmentFiles.read(row);
    // The segment is skipped, because headquarters was restored without its file. The sums still contain its plays.
    if (!file) return [];
    const { body } = await readSegment(file);
    const names = new Map(body.devices.map(({ id, name }) => [id, name]));
    const dropped = new Set<number>(row.dropped === null ? [] : (JSON.parse(row.dropped) as number[]));
    const wanted = content?.toLowerCase();
    return body.plays
      .filter(
        ({ number, started_ms, content_name }) =>
          number >= row.fresh &&
          !dropped.has(number) &&
          started_ms >= start &&
          started_ms < end &&
          (wanted === undefined || content_name.toLowerCase() === wanted),
      )
      .map((play) => ({
        ...play,
        store,
        device_name: names.get(play.device_id) ?? '',
        campaign: campaignOf(play) ?? null,
      }))
      .filter((play) => campaign === undefined || play.campaign === campaign);
  }
}

const lineOf = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);
