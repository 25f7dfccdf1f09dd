/** Tests the answers of headquarters to correct, forged and invalid segments. */
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import {
  decodeColumns,
  encodeColumns,
  firstHead,
  headOf,
  type SegmentBody,
  type SegmentHeader,
  segmentText,
} from '../../../shared/chain/segment.ts';
import { tempFolder } from '../../../test/harness.ts';
import { openDatabase } from '../../db/open.ts';
import { type Key, newKey } from '../../store-link/testing/journal.ts';
import { enrolled, outboxOf, Panels } from '../../store-link/testing/store.ts';
import type { KnownStore } from '../plays/segment-writer.ts';
import type { Refused } from '../stores/refused.ts';
import { bothPlaces, type Place } from '../testing/both.ts';
import { ALWAYS, sha256 } from '../testing/rig.ts';

interface Told {
  readonly header: SegmentHeader;
  readonly bytes: Buffer;
}
const fileOf = ({ header, bytes }: Told): Buffer => Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), bytes]);
const partsOf = (file: Buffer): Told => {
  const line = file.indexOf('\n');
  return { header: JSON.parse(file.subarray(0, line).toString()), bytes: file.subarray(line + 1) };
};

/** Signs the header with the key of the store, also when the test has put wrong values into the header. */
const signed = (key: Key, header: SegmentHeader, bytes: Buffer): Told => {
  const facts = { ...header, bytes: bytes.length, key: key.key };
  return { header: { ...facts, signature: key.sign(segmentText(facts, sha256(bytes))) }, bytes };
};
const madeOver = (key: Key, { header, bytes }: Told, change: (body: SegmentBody) => SegmentBody): Told => {
  const body = change(decodeColumns(zstdDecompressSync(bytes)));
  const head = headOf(sha256, header.prev_head, body.plays);
  return signed(key, { ...header, plays: body.plays.length, head }, zstdCompressSync(encodeColumns(body)));
};

const DAYS = { from: 0, to: 100_000, content: undefined, campaign: undefined };

const setUp = async (t: TestContext, { openHq }: Place) => {
  const { folder, db, warehouse, segmentFiles, writer, addStore, take, all } = await openHq(t);
  const key = newKey();
  const mill = addStore('store-1', key);

  // The database of the store.
  const own = openDatabase(join(tempFolder(t), 'store.db'));
  t.after(() => own.close());
  enrolled(own, 'w');
  const panels = new Panels();
  panels.add(own, 'w', 'till');
  const outbox = outboxOf(own, 'w', key);
  await writer.through(mill, outbox.epochs);
  /** Returns the next segment of the store after this number of new plays. */
  const next = async (plays: number): Promise<Told> => {
    panels.show('till', plays);
    await panels.send(own, 'till');
    const { file, end } = (await outbox.next())!;
    outbox.storeCursors([end]);
    return partsOf(file);
  };
  /** Returns everything that a refused segment must not change. */
  const state = async () => ({
    cursors: await warehouse.cursors(mill),
    segments: await warehouse.segmentsOf(mill, ALWAYS, { after: { to_ms: -1, id: 0 }, limit: 1_000 }),
    sums: (await warehouse.sums({ ...DAYS, stores: [mill], by: 'screen', limit: 1_000, offset: 0 })).rows,
  });
  const kinds = () => db.raw.prepare('SELECT kind FROM hq_incidents ORDER BY id').pluck().all() as string[];
  const codeOf = async (told: Told | Buffer, as: KnownStore = mill): Promise<string> => {
    const before = await state();
    const said = await take(as, Buffer.isBuffer(told) ? told : fileOf(told));
    if (said !== 'taken') assert.deepEqual(await state(), before, `${said} changes nothing`);
    return said;
  };
  const counted = async () => (await warehouse.totals({ ...DAYS, stores: [mill] })).plays;
  const ids = async () => (await all()).map(({ play_id }) => play_id);
  return {
    folder,
    writer,
    counted,
    mill,
    store: addStore,
    key,
    panels,
    next,
    codeOf,
    kinds,
    outbox,
    state,
    ids,
    segmentFiles,
  };
};

const refusals = (place: Place): void => {
  test('answer to a segment is “taken” once, “known” when sent again, and “gap” when it arrives too early', async (t) => {
    const { next, codeOf, panels, ids, state } = await setUp(t, place);
    const [first, second, third] = [await next(5), await next(4), await next(3)];
    assert.deepEqual(
      [
        await codeOf(first),
        await codeOf(first),
        await codeOf(third),
        await codeOf(second),
        await codeOf(first),
        await codeOf(third),
      ],
      ['taken', 'known', 'gap', 'taken', 'known', 'taken'],
    );
    assert.deepEqual(await ids(), panels.shown);
    assert.equal((await state()).segments.length, 3);
  });

  test('segment that overlaps stored plays adds only its new plays', async (t) => {
    const { next, codeOf, key, panels, ids, outbox, counted } = await setUp(t, place);
    const first = await next(5);
    assert.equal(await codeOf(first), 'taken');
    const second = await next(4);
    // The store sends all nine plays again in one segment.
    const { epoch } = outbox.epochs[0]!;
    const [a, b] = [first, second].map(({ bytes }) => decodeColumns(zstdDecompressSync(bytes)));
    const both = { ...b!, devices: a!.devices, plays: [...a!.plays, ...b!.plays], marks: a!.marks };
    const prev_head = firstHead(sha256, epoch);
    const facts = { ...second.header, first: 1, plays: 9, prev_head, head: headOf(sha256, prev_head, both.plays) };
    assert.equal(await codeOf(signed(key, facts, zstdCompressSync(encodeColumns(both)))), 'taken');
    assert.deepEqual(await ids(), panels.shown);
    assert.equal(await counted(), 9);
  });

  test('segment that differs from what its store signed is refused, changes nothing, and causes one incident', async (t) => {
    const { next, codeOf, key, store, kinds, mill } = await setUp(t, place);
    const other = newKey();
    const dock = store('store-2', other);
    const good = await next(6);
    const bomb = zstdCompressSync(Buffer.alloc(64 * 1024 * 1024));
    assert.ok(bomb.length < 100_000);
    const edit = (change: Partial<SegmentHeader>) => signed(key, { ...good.header, ...change }, good.bytes);
    const wrongs: Record<string, Told | Buffer> = {
      'a forged signature': { ...good, header: { ...good.header, signature: '0'.repeat(128) } },
      'a header that was changed': { ...good, header: { ...good.header, last: 7 } },
      'a byte that was changed': { ...good, bytes: Buffer.from(good.bytes).fill(7, 30, 31) },
      'another key': signed(other, good.header, good.bytes),
      'of another store': edit({ store: 'store-2' }),
      'an epoch that the store did not announce': edit({ epoch: 'f'.repeat(32) }),
      'another number of plays': edit({ plays: 5 }),
      'numbers beyond its own': edit({ last: 5 }),
      'another head': edit({ head: '1'.repeat(64) }),
      'has a last number that is lower than its first number': edit({ first: 6, last: 1 }),
      'a play that was changed by a hostile way': {
        ...good,
        bytes: madeOver(key, good, (body) => ({ ...body, plays: body.plays.slice(1) })).bytes,
      },
      'no columns': signed(key, good.header, Buffer.from('nothing that could be unpacked')),
      'columns of something else': signed(key, good.header, zstdCompressSync(Buffer.from('{"a":1}'))),
      'a bomb': signed(key, good.header, bomb),
      'cut off': fileOf(good).subarray(0, -3),
      'without a header': Buffer.from('no header at all'),
      'a header of something else': Buffer.from('{"vitrine":"segment"}\n'),
      nothing: Buffer.alloc(0),
    };
    for (const [what, told] of Object.entries(wrongs)) assert.equal(await codeOf(told), 'bad_segment', what);
    assert.deepEqual(kinds(), ['segment_refused']);
    assert.equal(await codeOf(good, dock), 'bad_segment', 'sent by another store');
    assert.equal(await codeOf(good), 'taken');
    assert.equal(mill.ref, 'store-1');
  });

  test('plays that do not continue the hash chain of the stored plays are refused as a fork, with an incident', async (t) => {
    const { next, codeOf, key, kinds } = await setUp(t, place);
    const first = await next(5);
    assert.equal(await codeOf(first), 'taken');
    const second = await next(4);
    const strange = signed(key, { ...second.header, prev_head: '2'.repeat(64) }, second.bytes);
    assert.equal(await codeOf(strange), 'forked');
    const otherwise = madeOver(key, first, (body) => ({
      ...body,
      plays: body.plays.map((play) => ({ ...play, ended_ms: play.ended_ms + 1 })),
    }));
    assert.equal(await codeOf(otherwise), 'known', 'what is there is not looked at again');
    assert.deepEqual(kinds(), ['forked']);
    assert.equal(await codeOf(second), 'taken');
  });

  test('epoch cannot change its first number, and plays beyond the next epoch’s start cause an incident about a copy', async (t) => {
    const { next, codeOf, writer, mill, outbox, kinds, ids, panels } = await setUp(t, place);
    await codeOf(await next(5));
    const [epoch] = outbox.epochs;
    const again = (first: number) =>
      writer.through(mill, [{ ...epoch!, first }]).then(
        () => 'well',
        (error: Refused) => error.code,
      );
    assert.equal(await again(2), 'forked');
    assert.equal(await again(1), 'well');
    await writer.through(mill, [epoch!, { epoch: 'a'.repeat(32), first: 7 }]);
    assert.equal(await codeOf(await next(3)), 'taken', 'numbers 7 and 8 are the next epoch’s, too');
    assert.deepEqual(kinds(), ['forked']);
    assert.deepEqual(await ids(), panels.shown);
  });

  test('plays that arrive again under an earlier epoch of the store are counted once', async (t) => {
    const { next, codeOf, key, writer, mill, outbox, ids, panels, counted } = await setUp(t, place);
    assert.equal(await codeOf(await next(5)), 'taken');
    const second = await next(3);
    const [first] = outbox.epochs as [(typeof outbox.epochs)[number]];
    // The database is restored to its state at play 5, so the three plays arrive in the next epoch.
    const epoch = 'b'.repeat(32);
    await writer.through(mill, [first, { epoch, first: 6 }]);
    const { plays } = decodeColumns(zstdDecompressSync(second.bytes));
    const prev_head = firstHead(sha256, epoch);
    const facts = { ...second.header, epoch, prev_head, head: headOf(sha256, prev_head, plays) };
    assert.equal(await codeOf(signed(key, facts, second.bytes)), 'taken');
    // Then the disk of the store was restored to an earlier state, and the screens send the plays again.
    await writer.through(mill, [first]);
    assert.equal(await codeOf(second), 'taken');
    assert.deepEqual(await ids(), panels.shown);
    assert.equal(await counted(), 8);
    // New plays are still counted.
    assert.equal(await codeOf(await next(2)), 'taken');
    assert.deepEqual(await ids(), panels.shown);
  });

  test('bytes after the last indexed segment of a segment file are overwritten', async (t) => {
    const { folder, next, codeOf, ids, panels } = await setUp(t, place);
    await codeOf(await next(5));
    // Simulates a power failure between the write of the segment file and the commit of the database.
    appendFileSync(
      join(folder, 'chain', 'store-1', '2026-11.segments'),
      'half a segment that nobody knows of'.repeat(500),
    );
    assert.equal(await codeOf(await next(4)), 'taken');
    assert.equal(await codeOf(await next(2)), 'taken');
    assert.deepEqual(await ids(), panels.shown);
  });

  test('segment on a full disk is answered with “busy” and not stored, and is accepted when there is room again', async (t) => {
    const { next, codeOf, segmentFiles } = await setUp(t, place);
    const told = await next(5);
    const append = segmentFiles.append.bind(segmentFiles);
    segmentFiles.append = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' }));
    assert.equal(await codeOf(told), 'busy');
    segmentFiles.append = append;
    assert.equal(await codeOf(told), 'taken');
  });
};

for (const place of bothPlaces()) describe(`with plays ${place.where}`, () => refusals(place));
