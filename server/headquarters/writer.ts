/**
 * Takes stores' segments in, each play exactly once: the cursor judges, and changes in the transaction that writes the
 * sums. The segment itself is on the disk before. Whatever dies in between, the store sends again.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { z } from 'zod';
import { BadBytes, bytesOfHex } from '../../shared/chain/bytes.ts';
import { type Epoch, judge, lastsOf } from '../../shared/chain/cursor.ts';
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
} from '../../shared/chain/segment.ts';
import type { SegmentAnswer, ThroughAnswer } from '../../shared/chain/wire.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import type { Zone } from '../../shared/program/zones.ts';
import { diskTrouble } from '../kernel/disk-trouble.ts';
import type { Parts } from '../kernel/parts.ts';
import { recent } from '../kernel/recent.ts';
import { isSignedBy } from '../kernel/signed-by.ts';
import type { HqIncidents } from './hq-incidents.ts';
import type { Packs } from './packs.ts';
import { Refused } from './refused.ts';
import { summed } from './summed.ts';
import type { CursorRow, Warehouse } from './warehouse.ts';

/** A store as a session knows it. */
export interface KnownStore {
  /** Its number. */
  readonly id: number;
  readonly ref: string;
  readonly workspaceId: string;
  /** Raw, hex. */
  readonly key: string;
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const unpack = promisify(zstdDecompress);
/** Epochs of stores that were put back to a backup. */
const MAX_NOTED = 10_000;
/** A store that is restored every week has some hundreds in its life. */
const MAX_EPOCHS = 1_000;
/** Epoch milliseconds that a calendar has. */
const MAX_TIME = 8.64e15;

interface Deps extends Pick<Parts, 'clock' | 'log'> {
  readonly warehouse: Warehouse;
  readonly packs: Packs;
  readonly incidents: HqIncidents;
  readonly zone: () => Zone;
  /** What a campaign of a workspace is called; undefined: it is not here. */
  readonly campaign: (workspaceId: string, id: string) => string | undefined;
}

export class Writer {
  readonly #deps: Deps;
  /** Of each store, what is being done: one thing at a time. */
  readonly #turns = new Map<number, Promise<unknown>>();
  /** Of epochs, which of their plays' own ids are noted; what was noted before this start is noted again. */
  readonly #noted = recent<string, { readonly from: number; readonly through: number }>(MAX_NOTED);

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * The store's epochs, oldest first, as it announces them; returns what is here of them.
   * @throws Refused
   */
  through(store: KnownStore, epochs: readonly Epoch[]): Promise<z.infer<typeof ThroughAnswer>> {
    return this.#inTurn(store, async () => {
      const known = await this.#deps.warehouse.cursors(store);
      const names = new Set(epochs.map(({ epoch }) => epoch));
      if (new Set([...names, ...known.map(({ epoch }) => epoch)]).size > MAX_EPOCHS)
        throw this.#forked(store, `says that its database was put back more than ${MAX_EPOCHS} times`);
      for (const announced of epochs) {
        const before = known.find(({ epoch }) => epoch === announced.epoch);
        if (before && before.first !== announced.first)
          throw this.#forked(
            store,
            `says that the epoch ${announced.epoch} begins at ${announced.first}, not ${before.first}`,
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

  /** @param file a whole segment, as it came @throws Refused */
  take(store: KnownStore, file: Buffer): Promise<z.infer<typeof SegmentAnswer>> {
    return this.#inTurn(store, () => this.#take(store, file));
  }

  /** Resolves when nothing is being done for a store. */
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
        throw new Refused('busy', 503, 'Headquarters’ disk is full or fails. Plays stay here until it is well again.');
      if (error instanceof ApiError && error.status === 503)
        throw new Refused('busy', 503, `${error.message} Plays stay here until then.`);
      throw error;
    } finally {
      if (this.#turns.get(store.id) === quiet) this.#turns.delete(store.id);
    }
  }

  /**
   * Plays that are here and not in the database that announces itself: it was put back to a backup, or is a copy. Its
   * screens may send it the same plays again, under other numbers; so they are known by their own ids from now on.
   * @param epochs its own, in order: of each it has the numbers before those that come later, of others none
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
    const { warehouse, packs, log } = this.#deps;
    // One in a transaction: there may be very many.
    for (let next = from; ; ) {
      const segment = await warehouse.segmentFrom(store, epoch, next);
      if (!segment) return;
      next = segment.last + 1;
      const file = await packs.read(segment);
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
    if (!cursor) throw this.#bad(store, 'is of an epoch that was not announced');
    const end = lastsOf(cursors, Number.MAX_SAFE_INTEGER)[index]!;
    // Whoever sends it runs beside the one that went on from a backup. Its plays are plays all the same.
    const isCopy = header.last > end && header.last > cursor.through;
    if (isCopy) this.#doubt(store, `sends plays under numbers from ${end + 1} on that another of its epochs has`);
    const { through, head } = cursor;
    const verdict = judge(through, header);
    if (verdict.take === 'nothing') return { verdict: 'known', through, head };
    if (verdict.take === 'gap') return { verdict: 'gap', through, head };
    const body = await this.#bodyOf(store, header, bytes);
    const fresh = this.#follows(store, header, body, cursor);
    // A screen may have told both of a play, and neither has announced itself since: whichever comes second is known.
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
    if (header.store !== store.ref) throw this.#bad(store, 'is of another store');
    if (header.key !== store.key) throw this.#bad(store, 'is signed by another key than the store’s', 1);
    if (header.first > header.last) throw this.#bad(store, 'ends before it begins');
    if (!isSignedBy(store.key, segmentText(header, sha256(bytes)), header.signature))
      throw this.#bad(store, 'is not as the store signed it', 1);
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
    if (!isDated) throw this.#bad(store, 'has plays of times that no calendar has');
    if (!isWithin || body.plays.length !== header.plays) throw this.#bad(store, 'has other plays than it says');
    return body;
  }

  /** Whether it goes on where the cursor stands; returns the plays that are new. */
  #follows(store: KnownStore, header: SegmentHeader, { plays }: SegmentBody, cursor: CursorRow): SegmentPlay[] {
    const known = plays.filter(({ number }) => number <= cursor.through);
    const fresh = plays.slice(known.length);
    const before = headOf(sha256, header.prev_head, known);
    if (before !== cursor.head)
      throw this.#forked(store, `has other plays up to number ${cursor.through} than it had when it sent them first`);
    if (headOf(sha256, before, fresh) !== header.head) throw this.#bad(store, 'has plays that do not make its head');
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
    const { warehouse, packs, zone, campaign } = this.#deps;
    const place = { ...(await this.#placeFor(store)), bytes: file.length };
    await packs.append(place, file);
    const known = new Set((await warehouse.overlapsAmong(store, idsOf(fresh))).map((id) => id.toString('hex')));
    const isKnown = ({ play_id }: SegmentPlay) => known.has(bytesOfPlayId(play_id).toString('hex'));
    const dropped = known.size > 0 ? fresh.filter(isKnown) : [];
    const counted = known.size > 0 ? fresh.filter((play) => !isKnown(play)) : fresh;
    const times = counted.map(({ started_ms }) => started_ms);
    await warehouse.take(store, {
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

  /** Where files were lost, others are begun: what lies behind a hole would look as if all were there. */
  async #placeFor(store: KnownStore): Promise<{ pack: string; offset: number }> {
    const { warehouse, packs, clock } = this.#deps;
    const month = new Date(clock.now()).toISOString().slice(0, 7);
    for (let n = 1; ; n++) {
      const pack = `${store.ref}/${month}${n === 1 ? '' : `-${n}`}.segments`;
      const offset = await warehouse.endOf(pack);
      if (offset === 0 || (await packs.holds(pack, offset))) return { pack, offset };
    }
  }

  /** @param rank of the incident: 1 where somebody other than the store made or changed the segment */
  #bad(store: KnownStore, why: string, rank = 0): Refused {
    this.#deps.incidents.add(store, 'segment_refused', `A segment of the store was refused: it ${why}.`, rank);
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
      `The store ${why}: a copy of its server has been running, or its disk was put back.`,
    );
  }
}

/** @throws BadBytes, or Error of what is no line of a header */
export const partsOf = (file: Buffer): { header: SegmentHeader; bytes: Buffer } => {
  const end = file.subarray(0, MAX_HEADER_BYTES).indexOf('\n');
  if (end < 0) throw new BadBytes('has no header');
  let value: unknown;
  try {
    value = JSON.parse(file.subarray(0, end).toString());
  } catch {
    throw new BadBytes('has a header that is no JSON');
  }
  const header = SegmentHeader.safeParse(value);
  if (!header.success)
    throw new BadBytes(`has a header whose ${header.error.issues[0]?.path.join('.') || 'form'} is wrong`);
  const bytes = file.subarray(end + 1);
  if (bytes.length !== header.data.bytes) throw new BadBytes('has another length than it says');
  return { header: header.data, bytes };
};

/** A segment that was taken: it was looked at then. */
export const readSegment = async (file: Buffer): Promise<{ header: SegmentHeader; body: SegmentBody }> => {
  const { header, bytes } = partsOf(file);
  return { header, body: decodeColumns(await unpack(bytes, { maxOutputLength: MAX_COLUMN_BYTES })) };
};

const idsOf = (plays: readonly SegmentPlay[]): Buffer[] => plays.map(({ play_id }) => bytesOfPlayId(play_id));

export const bytesOfPlayId = (id: string): Buffer =>
  UUID.test(id) ? Buffer.from(bytesOfHex(id.replaceAll('-', ''))) : Buffer.from(id);
