/**
 * Makes the columns of a segment (shared/chain/segment.ts) from saved plays, and continues the hash chain of plays.
 * Runs in the reports' thread.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import {
  encodeColumns,
  headOf,
  MAX_SEGMENT_PLAYS,
  type SegmentBody,
  type SegmentMark,
  type SegmentPlay,
  type SegmentSeal,
} from '../../../../shared/chain/segment.ts';
import type { NumberedPlay, SegmentStore } from './segment.store.ts';

/**
 * Maximum number of ids that one segment searches through. The search takes some milliseconds when most plays belong to
 * another workspace.
 */
const MAX_NUMBERS = 50_000;
/** Plays per signature while a signed group still grows. A signature is 64 bytes, as much as three plays. */
const SEAL_ROWS = 32;
/** Level of zstd compression: the smallest output within a few milliseconds. */
const LEVEL = 12;

export type SegmentQuestion =
  /** Requests the next plays from `first`, at most through `last`. */
  | {
      readonly ask: 'segment';
      readonly workspaceId: string;
      readonly first: number;
      readonly last: number;
      readonly prevHead: string;
    }
  /** Requests the head of the hash chain after the plays `first` to `last`, which follow `prevHead`. */
  | {
      readonly ask: 'head';
      readonly workspaceId: string;
      readonly first: number;
      readonly last: number;
      readonly prevHead: string;
    };

export interface MadeSegment {
  /** The columns of the segment, compressed. */
  readonly bytes: Buffer;
  /** Id of the last play that the segment covers. */
  readonly last: number;
  readonly plays: number;
  readonly head: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const compress = promisify(zstdCompress);

export class SegmentReader {
  readonly #store: SegmentStore;

  constructor(store: SegmentStore) {
    this.#store = store;
  }

  async make({ workspaceId, first, last: wanted, prevHead }: SegmentQuestion): Promise<MadeSegment> {
    const end = Math.min(wanted, first + MAX_NUMBERS - 1);
    const rows = this.#store.plays(workspaceId, { first, last: end }, MAX_SEGMENT_PLAYS);
    const last = rows.length === MAX_SEGMENT_PLAYS ? rows.at(-1)!.id : end;
    const body = this.#bodyOf(workspaceId, rows, { first, last });
    const columns = encodeColumns(body);
    const bytes = await compress(columns, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
    return { bytes, last, plays: body.plays.length, head: headOf(sha256, prevHead, body.plays) };
  }

  head({ workspaceId, first, last, prevHead }: SegmentQuestion): string {
    let head = prevHead;
    for (let from = first; from <= last; ) {
      const rows = this.#store.plays(workspaceId, { first: from, last }, MAX_SEGMENT_PLAYS);
      head = headOf(sha256, head, rows.map(playOf));
      if (rows.length < MAX_SEGMENT_PLAYS) break;
      from = rows.at(-1)!.id + 1;
    }
    return head;
  }

  #bodyOf(workspaceId: string, rows: readonly NumberedPlay[], range: { first: number; last: number }): SegmentBody {
    const [marks, seals]: [SegmentMark[], SegmentSeal[]] = [[], []];
    const devices = [...Map.groupBy(rows, ({ device_id }) => device_id)].map(([id, plays]) => {
      const found = this.#store.seals(workspaceId, id, range);
      // A device with a new key has signed groups of both keys. The plays of the older key count as unsigned.
      const key = found.at(-1)?.signing_key ?? null;
      const numbers = new Map(plays.map((play) => [play.seq, play.id]));
      for (const seal of found.filter(({ signing_key }) => signing_key === key)) {
        if (seal.first_play >= range.first) marks.push({ device_id: id, seq: seal.first, prev: seal.prev });
        const from = Math.max(seal.first, Math.min(...plays.filter((p) => p.id >= seal.first_play).map((p) => p.seq)));
        const isDue = seal.closed === 1 || crosses(from, seal.through);
        if (isDue && seal.last_play <= range.last && numbers.has(seal.through))
          seals.push({ device_id: id, seq: seal.through, signature: seal.signature });
      }
      const isSigned = marks.some((m) => m.device_id === id) || seals.some((s) => s.device_id === id);
      return { id, name: plays.at(-1)!.device_name, key: isSigned ? key : null };
    });
    return { devices, plays: rows.map(playOf), marks, seals };
  }
}

const crosses = (from: number, through: number): boolean =>
  Math.floor(through / SEAL_ROWS) > Math.floor((from - 1) / SEAL_ROWS);

const playOf = (row: NumberedPlay): SegmentPlay => {
  const { id, device_name: _, completed, claimed, ...rest } = row;
  return {
    ...rest,
    number: id,
    completed: completed === 1,
    claimed: claimed === null ? null : (JSON.parse(claimed) as [number, number]),
  };
};
