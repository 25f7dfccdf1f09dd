/**
 * Tests that a store sends each play once, in order and signed, also after a restore of the store's or headquarters'
 * database.
 */
import assert from 'node:assert/strict';
import { createHash, createPublicKey, randomUUID, verify } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { type Cursor, judge } from '../../../shared/chain/cursor.ts';
import {
  decodeColumns,
  firstHead,
  headOf,
  playAsWritten,
  type SegmentBody,
  SegmentHeader,
  segmentText,
} from '../../../shared/chain/segment.ts';
import { rowHash, sealText } from '../../../shared/protocol/journal-chain.ts';
import { tempFolder } from '../../../test/harness.ts';
import type { Database } from '../../db/database.ts';
import { beginEpochIn } from '../../db/epochs.ts';
import { openDatabase } from '../../db/open.ts';
import { addDevice, addWorkspace, playAt, takeIn } from '../../features/reports/testing/plays.ts';
import { ChainStore } from '../membership/chain.store.ts';
import { newKey } from '../testing/journal.ts';
import { enrolled, outboxOf, Panels } from '../testing/store.ts';

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const isSigned = (key: string, text: string, signature: string): boolean =>
  verify(
    null,
    Buffer.from(text),
    createPublicKey({ key: Buffer.concat([SPKI, Buffer.from(key, 'hex')]), format: 'der', type: 'spki' }),
    Buffer.from(signature, 'hex'),
  );

const readSegment = (file: Buffer): { header: SegmentHeader; body: SegmentBody; bytes: Buffer } => {
  const end = file.indexOf('\n');
  const header = SegmentHeader.parse(JSON.parse(file.subarray(0, end).toString()));
  const bytes = file.subarray(end + 1);
  assert.equal(bytes.length, header.bytes);
  return { header, bytes, body: decodeColumns(zstdDecompressSync(bytes)) };
};

/** A minimal headquarters; `bodies` are the segments that it has accepted. */
class Headquarters {
  readonly cursors = new Map<string, Cursor>();
  readonly bodies: SegmentBody[] = [];

  take(file: Buffer, key: string): Cursor {
    const { header, body, bytes } = readSegment(file);
    const { epoch, first, last, prev_head, head } = header;
    assert.ok(isSigned(key, segmentText(header, sha256(bytes)), header.signature), 'the store has signed it');
    const cursor = this.cursors.get(epoch) ?? { epoch, through: first - 1, head: firstHead(sha256, epoch) };
    assert.deepEqual(judge(cursor.through, header), { take: 'from', from: first }, 'nothing is sent twice or left out');
    assert.equal(prev_head, cursor.head);
    assert.equal(headOf(sha256, prev_head, body.plays), head);
    assert.equal(body.plays.length, header.plays);
    this.bodies.push(body);
    const next = { epoch, through: last, head };
    this.cursors.set(epoch, next);
    return next;
  }

  /** Sends segments until no play waits. Returns the number of segments. */
  async drain(segmentSender: ReturnType<typeof outboxOf>, key: string): Promise<number> {
    const fork = await segmentSender.forked([...this.cursors.values()]);
    assert.equal(fork, undefined);
    segmentSender.storeCursors([...this.cursors.values()]);
    for (let segments = 0; ; segments++) {
      const segment = await segmentSender.next();
      if (!segment) return segments;
      segmentSender.storeCursors([this.take(segment.file, key)]);
    }
  }

  get plays(): string[] {
    return this.bodies.flatMap(({ plays }) => plays.map(({ play_id }) => play_id));
  }
}

const setUp = (t: TestContext) => {
  const file = join(tempFolder(t), 'vitrine.db');
  const db = openDatabase(file);
  t.after(() => db.close());
  enrolled(db, 'w');
  const panels = new Panels();
  const key = newKey();
  return { file, db, panels, key, segmentSender: outboxOf(db, 'w', key), hq: new Headquarters() };
};

const copyOf = async (t: TestContext, db: Database): Promise<string> => {
  await db.durable();
  const copy = join(tempFolder(t), 'copy.db');
  db.raw.pragma('wal_checkpoint(TRUNCATE)');
  copyFileSync(db.file, copy);
  return copy;
};

test('segment sender waits for an open commit, so that a segment contains every play in its range of numbers', async (t) => {
  const { db, panels, segmentSender } = setUp(t);
  panels.add(db, 'w', 'till');
  await db.durable();
  panels.show('till', 3);
  const sending = panels.send(db, 'till');
  assert.ok(db.raw.inTransaction, 'the plays are written and not committed');
  const segment = await segmentSender.next();
  assert.deepEqual([segment?.end.through, segment?.plays], [3, 3]);
  await sending;
});

test('segment sender sends each play of its workspace once and in order, and no play of another workspace', async (t) => {
  const { db, panels, key, segmentSender, hq } = setUp(t);
  addWorkspace(db, 'private');
  addDevice(db, 'private', 'office');
  for (const id of ['till', 'window']) panels.add(db, 'w', id);
  for (let i = 0; i < 6; i++) {
    panels.show('till', 3);
    panels.show('window', 2);
    await panels.send(db, 'till');
    await takeIn(db, { now: () => Date.UTC(2026, 10, 2) }, 'office', [playAt(Date.UTC(2026, 10, 1) + i)]);
    await panels.send(db, 'window');
    if (i % 2 === 0) await hq.drain(segmentSender, key.key);
  }
  assert.ok(segmentSender.waiting >= 5);
  await hq.drain(segmentSender, key.key);
  assert.deepEqual(hq.plays.toSorted(), panels.shown.toSorted());
  assert.equal(segmentSender.waiting, 0);
  assert.equal(await segmentSender.next(), undefined);
});

test('segment sender splits many plays into several segments, and reports a range without plays as an empty segment', async (t) => {
  const { db, panels, key, segmentSender, hq } = setUp(t);
  addWorkspace(db, 'private');
  addDevice(db, 'private', 'office');
  await takeIn(db, { now: () => Date.UTC(2026, 10, 2) }, 'office', [playAt(Date.UTC(2026, 10, 1))]);
  assert.equal(await hq.drain(segmentSender, key.key), 1);
  assert.deepEqual(hq.plays, []);
  panels.add(db, 'w', 'till');
  panels.show('till', 4_500);
  for (let row = 0; row < 4_500; row += 500) await panels.send(db, 'till', { from: row + 1, through: row + 500 });
  assert.equal(await hq.drain(segmentSender, key.key), 3);
  assert.deepEqual(hq.plays, panels.shown);
});

test('headquarters can follow the signed journal of a screen across segments, back to the screen’s key', async (t) => {
  const { db, panels, key, segmentSender, hq } = setUp(t);
  for (const id of ['till', 'window']) panels.add(db, 'w', id);
  for (let i = 0; i < 40; i++) {
    panels.show('till', 6);
    panels.show('window', 61);
    await panels.send(db, 'till');
    await panels.send(db, 'window');
    await hq.drain(segmentSender, key.key);
  }
  const heads = new Map<string, { seq: number; hash: string }>();
  const signed = new Map<string, number>();
  for (const { plays, marks, seals, devices } of hq.bodies) {
    for (const play of plays) {
      const mark = marks.find(({ device_id, seq }) => device_id === play.device_id && seq === play.seq);
      const before = heads.get(play.device_id);
      const prev = mark?.prev ?? (before && before.seq === play.seq - 1 ? before.hash : undefined);
      assert.ok(prev, 'the row before is known');
      const row = { ...playAsWritten(play), boot_id: play.boot_id ?? '', prev };
      const hash = rowHash(sha256, row);
      heads.set(play.device_id, { seq: play.seq, hash });
      const seal = seals.find(({ device_id, seq }) => device_id === play.device_id && seq === play.seq);
      if (!seal) continue;
      const device = devices.find(({ id }) => id === play.device_id)!;
      assert.ok(isSigned(device.key!, sealText({ seq: play.seq, hash }), seal.signature));
      signed.set(play.device_id, play.seq);
    }
  }
  // Only the last rows of the journal, fewer than 32, are not signed yet.
  assert.ok(signed.get('till')! > 240 - 32, `${signed.get('till')}`);
  assert.ok(signed.get('window')! > 2440 - 32, `${signed.get('window')}`);
});

test('segment with one minute of twenty screens needs at most 40 bytes per play', async (t) => {
  const { db, panels, segmentSender } = setUp(t);
  const screens = Array.from({ length: 20 }, (_, i) => (randomUUID() as string) + String(i).slice(0, 0));
  const contents = Array.from({ length: 12 }, (_, i) => ({
    content_id: randomUUID() as string,
    content_name: `Offer of the week ${i}.jpg`,
    item_id: i,
    playlist_id: '0199aaaa-0000-7000-8000-000000000001',
  }));
  for (const id of screens) panels.add(db, 'w', id);
  let bytes = 0;
  let plays = 0;
  for (let minute = 0; minute < 12; minute++) {
    for (const [i, id] of screens.entries()) {
      for (let n = 0; n < 6; n++) panels.show(id, 1, contents[(minute * 6 + n + i) % 12]!);
      await panels.send(db, id);
    }
    const segment = (await segmentSender.next())!;
    segmentSender.storeCursors([segment.end]);
    bytes += segment.file.length;
    plays += segment.plays;
  }
  t.diagnostic(`${(bytes / plays).toFixed(1)} bytes a play`);
  assert.equal(plays, 12 * 120);
  assert.ok(bytes / plays <= 40, `${bytes / plays}`);
});

test('segment sender sends plays again to a headquarters that was restored or has lost all plays', async (t) => {
  const { db, panels, key, segmentSender, hq } = setUp(t);
  panels.add(db, 'w', 'till');
  panels.show('till', 300);
  for (let row = 0; row < 300; row += 50) {
    await panels.send(db, 'till', { from: row + 1, through: row + 50 });
    await hq.drain(segmentSender, key.key);
  }
  const [yesterday] = [...hq.cursors.values()];
  const before = new Headquarters();
  // The cases: headquarters was restored to the end of a sent segment, and to a number within a segment.
  const epoch = yesterday!.epoch;
  const all = hq.bodies.flatMap(({ plays }) => plays);
  for (const through of [150, 173]) {
    const head = headOf(sha256, firstHead(sha256, epoch), all.slice(0, through));
    const restored = new Headquarters();
    restored.cursors.set(epoch, { epoch, through, head });
    await restored.drain(segmentSender, key.key);
    assert.deepEqual(restored.plays, panels.shown.slice(through));
  }
  await before.drain(segmentSender, key.key);
  // The store uses the cursors of a restored headquarters only after headquarters has reported them.
  assert.deepEqual(before.plays, []);
  db.write(() => db.raw.exec('DELETE FROM chain_cursors; DELETE FROM chain_segments'));
  await before.drain(segmentSender, key.key);
  assert.deepEqual(before.plays, panels.shown);
});

test('restored store continues in a new epoch (numbering of plays), and sends no old play under its old number', async (t) => {
  const { db, panels, key, segmentSender, hq } = setUp(t);
  panels.add(db, 'w', 'till');
  panels.show('till', 10);
  await panels.send(db, 'till');
  await hq.drain(segmentSender, key.key);
  panels.show('till', 5);
  await panels.send(db, 'till');
  // Plays 11 to 15 are in the backup, but were not sent before the restore.
  const backup = await copyOf(t, db);
  panels.show('till', 7);
  await panels.send(db, 'till');
  await hq.drain(segmentSender, key.key);
  beginEpochIn(backup, 1);
  const restored = openDatabase(backup);
  t.after(() => restored.close());
  const again = outboxOf(restored, 'w', key);
  assert.deepEqual(
    again.epochs.map(({ first }) => first),
    [1, 16],
  );
  // The restored store lost seven plays. The player still has three of them.
  await panels.send(restored, 'till', { from: 20, through: 22 });
  panels.show('till', 2);
  await panels.send(restored, 'till');
  await hq.drain(again, key.key);
  const counts = Object.groupBy(hq.plays, (id) => id);
  assert.deepEqual(
    panels.shown.map((id) => counts[id]?.length),
    // The player sends these plays again. They arrive in another epoch, and headquarters recognises them by their ids.
    [...Array(19).fill(1), 2, 2, 2, 1, 1],
  );
});

test('database that was copied is detected, and its plays after the last common play are sent in a new epoch', async (t) => {
  const { db, panels, key, segmentSender, hq } = setUp(t);
  panels.add(db, 'w', 'till');
  panels.show('till', 10);
  await panels.send(db, 'till');
  await hq.drain(segmentSender, key.key);
  const snapshot = await copyOf(t, db);
  panels.show('till', 6);
  await panels.send(db, 'till');
  await hq.drain(segmentSender, key.key);
  const copy = openDatabase(snapshot);
  t.after(() => copy.close());
  const other = outboxOf(copy, 'w', key);
  const told = [...hq.cursors.values()];
  // First case: headquarters has more plays than the copy, which has not used higher numbers.
  assert.deepEqual(await other.forked(told), { from: 11 });
  panels.show('till', 8);
  await panels.send(copy, 'till', { from: 17, through: 24 });
  // Second case: the copy has used the same numbers for other plays.
  assert.deepEqual(await other.forked(told), { from: 11 });
  other.part(11, 1);
  assert.equal(await other.forked(told), undefined);
  await hq.drain(other, key.key);
  assert.deepEqual(hq.plays.toSorted(), panels.shown.toSorted());
});

test('plays that were deleted because of their age are reported as a gap, and later plays are sent nevertheless', async (t) => {
  const { db, panels, key, segmentSender, hq } = setUp(t);
  panels.add(db, 'w', 'till');
  panels.show('till', 20);
  await panels.send(db, 'till');
  db.write(() => db.raw.exec('DELETE FROM play_log WHERE id <= 12'));
  await hq.drain(segmentSender, key.key);
  assert.deepEqual(hq.plays, panels.shown.slice(12));
  assert.equal([...hq.cursors.values()][0]!.through, 20);
});

test('end of a segment is on disk before the segment is sent, and the last 10,000 ends are kept', async (t) => {
  const { db, panels, segmentSender } = setUp(t);
  panels.add(db, 'w', 'till');
  panels.show('till', 3);
  await panels.send(db, 'till');
  const { end } = (await segmentSender.next())!;
  const store = new ChainStore(db);
  assert.deepEqual(store.endBefore('w', end.epoch, 99), { last: end.through, head: end.head });
  db.write(() => {
    for (let through = 10; through < 10_020; through++) store.addEnd('w', { ...end, through });
  });
  assert.equal(db.raw.prepare('SELECT count(*) FROM chain_segments').pluck().get(), 10_000);
});
