/**
 * Stores the segments of stores, each play exactly once. The cursor (last stored play) decides which plays are new, and
 * moves in the transaction that writes the sums. The segment is on the disk before this transaction. After a crash, the
 * store sends the segment again.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { z } from 'zod';
import { BadBytes, bytesOfHex } from '../../../shared/chain/bytes.ts';
import { type Epoch, judge, lastsOf } from '../../../shared/chain/cursor.ts';
import {
  decodeColumns,
  firstHead,
  headOf,
  MAX_COLUMN_BYTES,
  MAX_HEADER_BYTES,
  type SegmentBody,
  SegmentHeader,
  type SegmentPlay,
  segmentText,
  UUID,
} from '../../../shared/chain/segment.ts';
import type { SegmentAnswer, ThroughAnswer } from '../../../shared/chain/wire.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { Zone } from '../../../shared/program/zones.ts';
import { diskTrouble } from '../../kernel/disk/disk-trouble.ts';
import type { Parts } from '../../kernel/parts.ts';
import { recent } from '../../kernel/time/recent.ts';
import { isSignedBy } from '../../kernel/trust/signed-by.ts';
import type { HqIncidents } from '../stores/hq-incidents.ts';
import { Refused } from '../stores/refused.ts';
import type { SegmentFiles } from './segment-files.ts';
import { summed } from './summed.ts';
import type { CursorRow, Warehouse } from './warehouse.ts';

/** A store, identified by the session of the request. */
export interface KnownStore {
  /** Number of the store in headquarters' database. */
  readonly id: number;
  readonly ref: string;
  readonly workspaceId: string;
  /** Public key of the store's server: raw, hex. */
  readonly key: string;
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const unpack = promisify(zstdDecompress);
/** Maximum number of epochs in the map of noted plays, which is kept in memory. */
const MAX_NOTED = 10_000;
/**
 * Maximum number of epochs per store. Each restore begins an epoch. A store that is restored every week has some
 * hundred epochs in its life.
 */
const MAX_EPOCHS = 1_000;
/** Maximum distance of play times from 1970 in milliseconds: the range of Date. */
const MAX_TIME = 8.64e15;

interface Deps extends Pick<Parts, 'clock' | 'log'> {
  readonly warehouse: Warehouse;
  readonly segmentFiles: SegmentFiles;
  readonly incidents: HqIncidents;
  readonly zone: () => Zone;
  /** Returns the name of a campaign of a workspace; undefined: unknown. */
  readonly campaign: (workspaceId: string, id: string) => string | undefined;
}

export class Writer {
  readonly #deps: Deps;
  /** Running work by store. Each store is processed by one request at a time. */
  readonly #turns = new Map<number, Promise<unknown>>();
  /**
   * For each epoch, the range of play numbers whose ids are already in the table of noted ids. The map is empty after a
   * restart; the ids are then noted again, which changes nothing.
   */
  readonly #noted = recent<string, { readonly from: number; readonly through: number }>(MAX_NOTED);

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Compares the epochs that a store announces, the oldest first, and records new ones. Returns the cursors of these
   * epochs.
   * @throws Refused
   */
  through(store: KnownStore, epochs: readonly Epoch[]): Promise<z.infer<typeof ThroughAnswer>> {
    return this.#inTurn(store, async () => {
      const known = await this.#deps.warehouse.cursors(store);
      const names = new Set(epochs.map(({ epoch }) => epoch));
      if (new Set([...names, ...known.map(({ epoch }) => epoch)]).size > MAX_EPOCHS)
        throw this.#forked(store, `reports that its database was restored more than ${MAX_EPOCHS} times`);
      for (const announced of epochs) {
        const before = known.find(({ epoch }) => epoch === announced.epoch);
        if (before && before.first !== announced.first)
          throw this.#forked(
            store,
            `reports that the epoch ${announced.epoch} begins at number ${announced.first}, not ${before.first}`,
          );
      }
      await this.#noteForeign(store, epochs, known);
      for (const announced of epochs)
        if (!known.some(({ epoch }) => epoch === announced.epoch))
          await this.#deps.warehouse.begin(store, announced, firstHead(sha256, announced.epoch));
      const cursors = await this.#deps.warehouse.cursors(store);
      return {
        cursors: cursors
          .filter(({ epoch }) => names.has(epoch))
          .map(({ epoch, through, head }) => ({ epoch, through, head })),
      };
    });
  }

  /** Stores a segment. @param file the whole segment, unchanged @throws Refused */
  storeSegment(store: KnownStore, file: Buffer): Promise<z.infer<typeof SegmentAnswer>> {
    return this.#inTurn(store, () => this.#take(store, file));
  }

  /** Resolves when no request of the store is being processed. */
  async idle(storeId: number): Promise<void> {
    await this.#turns.get(storeId);
  }

  async #inTurn<T>(store: KnownStore, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(store.id) ?? Promise.resolve();
    const working = before.then(work);
    const quiet = working.catch(() => {});
    this.#turns.set(store.id, quiet);
    try {
      return await working;
    } catch (error) {
      if (diskTrouble(error) !== undefined)
        throw new Refused(
          'busy',
          503,
          'The disk of headquarters is full or failing. Plays stay on the server of the store until the disk works again.',
        );
      if (error instanceof ApiError && error.status === 503)
        throw new Refused('busy', 503, `${error.message} Plays stay on the server of the store until then.`);
      throw error;
    } finally {
      if (this.#turns.get(store.id) === quiet) this.#turns.delete(store.id);
    }
  }

  /**
   * Notes the ids of plays that the announcing database does not have: the database was restored from a backup, or is a
   * copy. Screens may send the same plays to it again, under other numbers, and the noted ids make these plays
   * recognisable.
   * @param epochs epochs of the database in order. The database has the numbers of an epoch up to the
   * start of the next one, and no plays of unlisted epochs.
   */
  async #noteForeign(store: KnownStore, epochs: readonly Epoch[], known: readonly CursorRow[]): Promise<void> {
    const lasts = lastsOf(epochs, Number.MAX_SAFE_INTEGER);
    for (const { epoch, first, through } of known) {
      const index = epochs.findIndex((one) => one.epoch === epoch);
      const from = index < 0 ? first : lasts[index]! + 1;
      const noted = this.#noted.get(epoch);
      const isKnownFrom = noted !== undefined && noted.from <= from;
      if (through < from || (isKnownFrom && noted.through >= through)) continue;
      await this.#noteOverlap(store, epoch, isKnownFrom ? noted.through + 1 : from);
      this.#noted.set(epoch, { from: isKnownFrom ? noted.from : from, through });
    }
  }

  async #noteOverlap(store: KnownStore, epoch: string, from: number): Promise<void> {
    const { warehouse, segmentFiles, log } = this.#deps;
    // Each segment gets its own transaction, because there may be very many segments.
    for (let next = from; ; ) {
      const segment = await warehouse.segmentFrom(store, epoch, next);
      if (!segment) return;
      next = segment.last + 1;
      const file = await segmentFiles.read(segment);
      if (!file) {
        log.warn('A segment is not there any more; plays of it may be counted twice', { store: store.ref, epoch });
        continue;
      }
      const { body } = await readSegment(file);
      await warehouse.noteOverlaps(store, idsOf(body.plays.filter(({ number }) => number >= from)));
    }
  }

  async #take(store: KnownStore, file: Buffer): Promise<z.infer<typeof SegmentAnswer>> {
    const { header, bytes } = this.#headerOf(store, file);
    const cursors = await this.#deps.warehouse.cursors(store);
    const index = cursors.findIndex(({ epoch }) => epoch === header.epoch);
    const cursor = cursors[index];
    if (!cursor) throw this.#bad(store, 'belongs to an epoch that the store did not announce');
    const end = lastsOf(cursors, Number.MAX_SAFE_INTEGER)[index]!;
    // This segment comes from a copy of the server's database, while the restored server also sends. The plays are
    // real, so they are stored.
    const isCopy = header.last > end && header.last > cursor.through;
    if (isCopy) this.#doubt(store, `sends plays with numbers from ${end + 1}, which belong to another of its epochs`);
    const { through, head } = cursor;
    const verdict = judge(through, header);
    if (verdict.take === 'nothing') return { verdict: 'known', through, head };
    if (verdict.take === 'gap') return { verdict: 'gap', through, head };
    const body = await this.#bodyOf(store, header, bytes);
    const fresh = this.#follows(store, header, body, cursor);
    // A screen may send the same play to both copies of the server before headquarters knows about the copy. The noted
    // ids make sure that the second arrival is recognised.
    if (isCopy) await this.#noteForeign(store, cursors.slice(0, index + 1), cursors);
    await this.#save(store, file, { header, body, fresh, isCopy, before: through });
    return { verdict: 'taken', through: header.last, head: header.head };
  }

  #headerOf(store: KnownStore, file: Buffer): { header: SegmentHeader; bytes: Buffer } {
    let parts: ReturnType<typeof partsOf>;
    try {
      parts = partsOf(file);
    } catch (error) {
      throw this.#bad(store, (error as Error).message);
    }
    const { header, bytes } = parts;
    if (header.store !== store.ref) throw this.#bad(store, 'belongs to another store');
    if (header.key !== store.key) throw this.#bad(store, 'is not signed with the key of the store', 1);
    if (header.first > header.last) throw this.#bad(store, 'has a last number that is lower than its first number');
    if (!isSignedBy(store.key, segmentText(header, sha256(bytes)), header.signature))
      throw this.#bad(store, 'does not match the signature of the store', 1);
    return parts;
  }

  async #bodyOf(store: KnownStore, header: SegmentHeader, bytes: Buffer): Promise<SegmentBody> {
    let body: SegmentBody;
    try {
      body = decodeColumns(await unpack(bytes, { maxOutputLength: MAX_COLUMN_BYTES }));
    } catch (error) {
      throw this.#bad(store, error instanceof BadBytes ? `cannot be read: ${error.message}` : 'cannot be unpacked');
    }
    const isWithin = body.plays.every(({ number }) => number >= header.first && number <= header.last);
    const isDated = body.plays.every(
      ({ started_ms, ended_ms }) => Math.abs(started_ms) <= MAX_TIME && ended_ms >= started_ms && ended_ms <= MAX_TIME,
    );
    if (!isDated) throw this.#bad(store, 'has plays with impossible times');
    if (!isWithin || body.plays.length !== header.plays)
      throw this.#bad(store, 'has other plays than its header states');
    return body;
  }

  /** Checks that the segment continues the hash chain at the cursor. Returns the new plays. @throws Refused */
  #follows(store: KnownStore, header: SegmentHeader, { plays }: SegmentBody, cursor: CursorRow): SegmentPlay[] {
    const known = plays.filter(({ number }) => number <= cursor.through);
    const fresh = plays.slice(known.length);
    const before = headOf(sha256, header.prev_head, known);
    if (before !== cursor.head)
      throw this.#forked(store, `has other plays up to number ${cursor.through} than it sent before`);
    if (headOf(sha256, before, fresh) !== header.head)
      throw this.#bad(store, 'has plays that do not match its checksum');
    return fresh;
  }

  async #save(
    store: KnownStore,
    file: Buffer,
    {
      header,
      body,
      fresh,
      isCopy,
      before,
    }: {
      header: SegmentHeader;
      body: SegmentBody;
      fresh: readonly SegmentPlay[];
      isCopy: boolean;
      before: number;
    },
  ): Promise<void> {
    const { warehouse, segmentFiles, zone, campaign } = this.#deps;
    const place = { ...(await this.#placeFor(store)), bytes: file.length };
    await segmentFiles.append(place, file);
    const known = new Set((await warehouse.overlapsAmong(store, idsOf(fresh))).map((id) => id.toString('hex')));
    const isKnown = ({ play_id }: SegmentPlay) => known.has(bytesOfPlayId(play_id).toString('hex'));
    const dropped = known.size > 0 ? fresh.filter(isKnown) : [];
    const counted = known.size > 0 ? fresh.filter((play) => !isKnown(play)) : fresh;
    const times = counted.map(({ started_ms }) => started_ms);
    await warehouse.storeSegment(store, {
      segment: {
        ...place,
        epoch: header.epoch,
        first: header.first,
        last: header.last,
        fresh: fresh[0]?.number ?? header.last + 1,
        dropped: dropped.length > 0 ? JSON.stringify(dropped.map(({ number }) => number)) : null,
        plays: counted.length,
        from_ms: times.reduce((a, b) => Math.min(a, b), Number.MAX_SAFE_INTEGER),
        to_ms: times.reduce((a, b) => Math.max(a, b), 0),
      },
      marks: body.marks.map(({ device_id }) => device_id),
      overlaps: isCopy ? idsOf(counted) : [],
      ...summed(counted, body.devices, { zone: zone(), campaign: (id) => campaign(store.workspaceId, id) }),
      cursor: { epoch: header.epoch, through: header.last, head: header.head },
      before,
    });
  }

  /**
   * Returns the file and offset for the next segment. After a loss of files a new segment file is begun, because a file
   * with a hole would look complete.
   */
  async #placeFor(store: KnownStore): Promise<{ pack: string; offset: number }> {
    const { warehouse, segmentFiles, clock } = this.#deps;
    const month = new Date(clock.now()).toISOString().slice(0, 7);
    for (let n = 1; ; n++) {
      const pack = `${store.ref}/${month}${n === 1 ? '' : `-${n}`}.segments`;
      const offset = await warehouse.endOf(pack);
      if (offset === 0 || (await segmentFiles.contains(pack, offset))) return { pack, offset };
    }
  }

  /** @param rank rank of the incident; 1: the segment was made or changed by someone other than the store */
  #bad(store: KnownStore, why: string, rank = 0): Refused {
    this.#deps.incidents.add(store, 'segment_refused', `A segment of the store was refused: the segment ${why}.`, rank);
    return new Refused(
      'bad_segment',
      400,
      `Headquarters did not accept some plays of this server: the segment ${why}.`,
    );
  }

  #forked(store: KnownStore, why: string): Refused {
    this.#doubt(store, why);
    return new Refused('forked', 409, `This server ${why}.`);
  }

  #doubt(store: KnownStore, why: string): void {
    this.#deps.incidents.add(
      store,
      'forked',
      `The store ${why}: a copy of its server was running, or its disk was restored to an earlier state.`,
    );
  }
}

/** @throws BadBytes, or Error when the header is invalid */
export const partsOf = (file: Buffer): { header: SegmentHeader; bytes: Buffer } => {
  const end = file.subarray(0, MAX_HEADER_BYTES).indexOf('\n');
  if (end < 0) throw new BadBytes('has no header');
  let value: unknown;
  try {
    value = JSON.parse(file.subarray(0, end).toString());
  } catch {
    throw new BadBytes('has a header that is not valid JSON');
  }
  const header = SegmentHeader.safeParse(value);
  if (!header.success)
    throw new BadBytes(`has a header with an invalid ${header.error.issues[0]?.path.join('.') || 'form'}`);
  const bytes = file.subarray(end + 1);
  if (bytes.length !== header.data.bytes) throw new BadBytes('has another length than its header states');
  return { header: header.data, bytes };
};

/** Reads a stored segment. Its content was checked on arrival. */
export const readSegment = async (file: Buffer): Promise<{ header: SegmentHeader; body: SegmentBody }> => {
  const { header, bytes } = partsOf(file);
  return { header, body: decodeColumns(await unpack(bytes, { maxOutputLength: MAX_COLUMN_BYTES })) };
};

const idsOf = (plays: readonly SegmentPlay[]): Buffer[] => plays.map(({ play_id }) => bytesOfPlayId(play_id));

export const bytesOfPlayId = (id: string): Buffer =>
  UUID.test(id) ? Buffer.from(bytesOfHex(id.replaceAll('-', ''))) : Buffer.from(id);
