/**
 * Tests rare and malicious conditions at headquarters: lost folders, slow senders, copies of servers, and the number of
 * stores in a large chain.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sessionText } from '../../../shared/chain/wire.ts';
import { tempFolder } from '../../../test/harness.ts';
import { verifyChainFile } from '../../cli/hq/verify-chain.ts';
import { openDatabase } from '../../db/open.ts';
import { SPKI } from '../../kernel/trust/signed-by.ts';
import { newKey } from '../../store-link/testing/journal.ts';
import { enrolled, outboxOf, Panels } from '../../store-link/testing/store.ts';
import { ChainPlays } from '../plays/chain-plays.ts';
import type { KnownStore } from '../plays/segment-writer.ts';
import { bothPlaces, type Place } from '../testing/both.ts';
import { ALWAYS, epochOf, openHq, playOf, segmentOf } from '../testing/rig.ts';
import { RequestPipeline } from './request-pipeline.ts';
import { Sessions } from './sessions.ts';
import { createStoreEndpoints } from './store-endpoints.ts';

const EPOCH = epochOf(1);
const FINGERPRINT = 'ab'.repeat(32);
const run = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => playOf(from + i, from + i));
const PROOF = { headquarters: 'HQ', from: '2026-11-02', to: '2026-11-02', made_at: 1 };

const wherever = (place: Place): void => {
  test('report passes `vitrine verify` when an answer was lost and its plays arrived again with newer plays', async (t) => {
    const { folder, warehouse, segmentFiles, writer, registry, addStore, take } = await place.openHq(t);
    const own = openDatabase(join(tempFolder(t), 'store.db'));
    t.after(() => own.close());
    enrolled(own, 'w');
    const panels = new Panels();
    panels.add(own, 'w', 'till');
    const mill = addStore('store-1');
    const outbox = outboxOf(own, 'w', mill.of);
    await writer.through(mill, outbox.epochs);
    for (let i = 0; i < 3; i++) {
      panels.show('till', 20);
      await panels.send(own, 'till');
      const { file, end } = (await outbox.next())!;
      assert.equal(await take(mill, file), 'taken');
      // The answer to the second segment is lost. The store therefore sends the plays of the second segment again in
      // the third segment.
      if (i !== 1) outbox.storeCursors([end]);
    }
    const hq = newKey();
    const plays = new ChainPlays({ warehouse, segmentFiles, identity: { publicKey: SPKI + hq.key, sign: hq.sign } });
    const stores = [{ id: 'store-1', name: 'Mill', keys: [mill.key] }];
    const pieces: Buffer[] = [];
    for await (const piece of plays.proof({ ...ALWAYS, stores: registry.all('hq') }, { ...PROOF, stores }))
      pieces.push(piece);
    writeFileSync(join(folder, 'report'), Buffer.concat(pieces));
    const { problems, segments, stores: found } = verifyChainFile(join(folder, 'report'));
    assert.deepEqual(problems, []);
    assert.equal(segments, 3);
    assert.deepEqual(found[0]?.screens, [{ name: 'till', plays: 60, signed: 60, gaps: [] }]);
  });

  test('headquarters without its old segment files reports the loss, and accepts new plays and restored stores', async (t) => {
    const { folder, writer, addStore, take, all, plays, registry } = await place.openHq(t);
    const mill = addStore('mill');
    await writer.through(mill, [{ epoch: EPOCH, first: 1 }]);
    const send = (first: number, last: number) =>
      take(mill, segmentOf(mill.of, 'mill', { epoch: EPOCH, first, last, plays: run(1, 30) }).file);
    assert.equal(await send(1, 10), 'taken');
    rmSync(join(folder, 'chain'), { recursive: true });
    assert.equal(await send(11, 20), 'taken');
    assert.equal(await send(21, 30), 'taken');
    const stores = registry.all('hq');
    assert.equal((await plays.missing({ ...ALWAYS, stores }))?.ref, 'mill');
    assert.equal(await plays.missing({ ...ALWAYS, start: playOf(11, 11).started_ms, stores }), undefined);
    assert.deepEqual(
      (await all()).map(({ number }) => number),
      run(11, 30).map(({ number }) => number),
    );
    const { cursors } = await writer.through(mill, [
      { epoch: EPOCH, first: 1 },
      { epoch: epochOf(2), first: 5 },
    ]);
    assert.equal(cursors.length, 2);
  });

  test('play that a screen sent to a store and to its copy is counted once, in either order of arrival', async (t) => {
    const [a, b] = [epochOf(1), epochOf(2)];
    for (const isCopyFirst of [true, false]) {
      const { warehouse, writer, addStore, take, all } = await place.openHq(t);
      const mill = addStore('mill');
      await writer.through(mill, [{ epoch: a, first: 1 }]);
      const send = (epoch: string, first: number, last: number, plays: ReturnType<typeof run>) =>
        take(mill, segmentOf(mill.of, 'mill', { epoch, first, last, plays }).file);
      await send(a, 1, 10, run(1, 20));
      await writer.through(mill, [
        { epoch: a, first: 1 },
        { epoch: b, first: 11 },
      ]);
      const sending = [() => send(a, 11, 20, run(1, 20)), () => send(b, 11, 12, [playOf(11, 15), playOf(12, 30)])];
      for (const one of isCopyFirst ? sending : sending.toReversed()) assert.equal(await one(), 'taken');
      assert.equal((await all()).length, 21);
      const { plays } = await warehouse.totals({
        stores: [mill],
        from: 0,
        to: 100_000,
        content: undefined,
        campaign: undefined,
      });
      assert.equal(plays, 21);
    }
  });

  test('headquarters limits the restored databases (epochs) of a store, and refuses plays with invalid times', async (t) => {
    const { writer, addStore, take, warehouse } = await place.openHq(t);
    const mill = addStore('mill');
    await writer.through(mill, [{ epoch: EPOCH, first: 1 }]);
    const epochs = Array.from({ length: 1_000 }, (_, i) => ({ epoch: epochOf(i + 2), first: 1 }));
    await assert.rejects(writer.through(mill, epochs), { code: 'forked', status: 409 });
    assert.equal((await warehouse.cursors(mill)).length, 1);
    for (const [started_ms, ended_ms] of [
      [4.4e15, 8.8e15],
      [1_000, -5_000],
    ] as const) {
      const plays = [playOf(1, 1, { started_ms, ended_ms })];
      const { file } = segmentOf(mill.of, 'mill', { epoch: EPOCH, first: 1, last: 1, plays });
      assert.equal(await take(mill, file), 'bad_segment');
    }
  });

  test('segment is refused when its store was replaced during the upload, or when two other segments are in progress', {
    timeout: 20_000,
  }, async (t) => {
    const { parts, writer, addStore, registry, db, stores } = await place.openHq(t);
    const mill = addStore('mill');
    await writer.through(mill, [{ epoch: EPOCH, first: 1 }]);
    const sessions = new Sessions({ ...parts, registry, fingerprint: FINGERPRINT });
    let release = () => {};
    let gate: Promise<void> | undefined;
    let waiting = 0;
    const segment = async (store: KnownStore, file: Buffer) => {
      waiting++;
      await gate;
      return writer.storeSegment(store, file);
    };
    const door = createStoreEndpoints({
      sessions,
      pipeline: new RequestPipeline({ ...parts, handlers: { segment } as never }),
      downlink: undefined as never,
      blobs: undefined as never,
      tunnels: undefined as never,
      addressOf: () => 'a',
    });
    const http = createServer((req, res) => void door.request(req, res));
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    t.after(() => http.close());
    t.after(() => http.closeAllConnections());
    const { port } = http.address() as { port: number };
    const nonce = sessions.challenge('mill');
    const signature = mill.of.sign(sessionText('mill', nonce, FINGERPRINT));
    const headers = { Authorization: `Bearer ${sessions.open({ store: 'mill', nonce, signature })}` };
    const post = () => {
      const asked = request({ port, host: '127.0.0.1', method: 'POST', path: '/chain/segment', headers });
      const answered = once(asked, 'response').then(async ([reply]) => {
        let text = '';
        for await (const part of reply) text += part;
        return JSON.parse(text) as { code?: string; verdict?: string };
      });
      return { asked, answered };
    };
    const { file } = segmentOf(mill.of, 'mill', { epoch: EPOCH, first: 1, last: 5, plays: run(1, 5) });

    gate = new Promise((done) => {
      release = done;
    });
    const held = [post(), post()];
    for (const { asked } of held) asked.end(file);
    while (waiting < 2) await pause(5);
    const third = post();
    third.asked.end(file);
    assert.equal((await third.answered).code, 'too_many');
    release();
    assert.deepEqual(
      (await Promise.all(held.map(({ answered }) => answered))).map(({ verdict }) => verdict).toSorted(),
      ['known', 'taken'],
    );

    const slow = post();
    slow.asked.write(file.subarray(0, 20));
    await pause(50);
    db.write(() => {
      stores.enrol(mill.id, { key: newKey().key, server_name: 'S', workspace_name: 'W', at: 2 });
      registry.refresh(mill.id);
    });
    slow.asked.end(file.subarray(20));
    assert.equal((await slow.answered).code, 'not_enrolled');
  });
};

for (const place of bothPlaces()) describe(`with plays ${place.where}`, () => wherever(place));

test('proof begins where each signed group of plays begins, however many other stores send segments meanwhile', async (t) => {
  const { db, writer, addStore, take, plays, registry } = openHq(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  await writer.through(mill, [{ epoch: EPOCH, first: 1 }]);
  const all = run(1, 40);
  const marks = [{ device_id: 'till', seq: 1, prev: '0'.repeat(64) }];
  await take(mill, segmentOf(mill.of, 'mill', { epoch: EPOCH, first: 1, last: 10, plays: all, marks }).file);
  // Stores as many segments of other stores as a large chain sends in a minute.
  db.write(() => {
    const add = db.raw.prepare(
      `INSERT INTO hq_segments (store, epoch, first, last, plays, from_ms, to_ms, fresh, pack, "offset", bytes) VALUES (?, 'x', ?, ?, 0, 1, 1, 1, 'dock/x', 0, 0)`,
    );
    for (let i = 0; i < 6_000; i++) add.run(dock.id, i, i);
  });
  await take(mill, segmentOf(mill.of, 'mill', { epoch: EPOCH, first: 11, last: 20, plays: all }).file);
  const stores = registry.all('hq').filter(({ ref }) => ref === 'mill');
  const selection = { ...ALWAYS, start: playOf(11, 11).started_ms, stores };
  let text = '';
  for await (const piece of plays.proof(selection, { ...PROOF, stores: [] })) text += piece.toString('latin1');
  assert.deepEqual(
    [...text.matchAll(/"first":(\d+)/g)].map(([, first]) => first),
    ['1', '11'],
  );
});

test('queries for each segment and each list use an index', async (t) => {
  const { db } = openHq(t);
  const planOf = (sql: string) => db.raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
  for (const sql of [
    `SELECT "offset" + bytes FROM hq_segments WHERE pack = 'x' ORDER BY "offset" DESC LIMIT 1`,
    `SELECT * FROM hq_segments WHERE store = 1 AND epoch = 'x' AND last >= 1 ORDER BY last LIMIT 1`,
    `SELECT * FROM hq_segments WHERE store = 1 AND epoch = 'x' AND last BETWEEN 1 AND 9 ORDER BY last LIMIT 50`,
  ])
    for (const { detail } of planOf(sql)) assert.match(detail, /^SEARCH hq_segments USING INDEX/, sql);
});
