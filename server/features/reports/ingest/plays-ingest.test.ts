import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Play } from '../../../../shared/protocol/messages.ts';
import { ownedSite, TestClock } from '../../../../test/harness.ts';
import { pairPlayer, playOf, reconnect } from '../../../../test/player-client.ts';
import { Bus } from '../../../kernel/bus.ts';
import { PlaysIngestStore } from './plays-ingest.store.ts';
import { PlaysIngest } from './plays-ingest.ts';
import { Series } from './sums.ts';

const setUp = async (t: TestContext) => {
  const clock = new TestClock();
  const { site, token } = await ownedSite(t, { clock });
  const player = await pairPlayer(t, site, token, 'Till');
  const sale = { item_id: 1, playlist_id: 'p', content_id: 'c', content_name: 'Spring sale' };
  const play = (over: Partial<Play> = {}) =>
    playOf({ ...sale, started_at: clock.now() - 10_000.25, ended_at: clock.now() - 0.25, ...over });
  const rows = () => site.app.db.raw.prepare('SELECT * FROM plays ORDER BY id').all() as any[];
  const sums = () =>
    site.app.db.raw
      .prepare(
        "SELECT s.bucket, s.plays, s.ms FROM play_sums s JOIN play_subjects p ON p.id = s.scope_id WHERE p.kind = 'workspace' AND s.series = ? ORDER BY s.bucket",
      )
      .all(Series.totalByQuarter) as { bucket: number; plays: number; ms: number }[];
  const send = async (client: typeof player.client, first: number, plays: object[]) => {
    client.say({ type: 'plays', first, plays });
    return (await client.next('plays.ack'))['through'] as number;
  };
  return { clock, site, token, player, play, rows, sums, send };
};

test('acknowledged plays are on disk, with their names and their sums', async (t) => {
  const { player, play, rows, sums, send } = await setUp(t);
  assert.equal(await send(player.client, 1, [play(), play({ content_id: null, widget_id: 'w', completed: false })]), 2);
  assert.deepEqual(
    rows().map((r) => [r.device_name, r.content_name, r.ended_ms - r.started_ms, r.completed, r.seq]),
    [
      ['Till', 'Spring sale', 10_000, 1, 1],
      ['Till', 'Spring sale', 10_000, 0, 2],
    ],
  );
  assert.deepEqual(
    sums().map((r) => [r.plays, r.ms]),
    [[2, 20_000]],
  );
});

test('a batch that is sent several times counts each play once', async (t) => {
  const { site, player, play, rows, sums, send } = await setUp(t);
  const plays = [play(), play(), play()];
  await send(player.client, 1, plays.slice(0, 2));
  const again = await reconnect(t, site, player);
  assert.equal(await send(again, 1, plays), 3, 'half known, half new');
  again.say({ type: 'plays', first: 1, plays });
  again.say({ type: 'plays', first: 3, plays: [plays[2]!] });
  assert.equal((await again.next('plays.ack'))['through'], 3);
  assert.equal((await again.next('plays.ack'))['through'], 3);
  assert.equal(rows().length, 3);
  assert.deepEqual(
    sums().map((r) => [r.plays, r.ms]),
    [[3, 30_000]],
  );
});

test('a play that is sent again with another time is recognized by its number and its id', async (t) => {
  const { clock, player, play, rows, send } = await setUp(t);
  const plays = [play(), play()];
  await send(player.client, 1, plays);
  const later = plays.map((each) => ({ ...each, started_at: clock.now() + 60_000, ended_at: clock.now() + 70_000 }));
  await send(player.client, 1, [...later, play({ started_at: clock.now() + 60_000 })]);
  assert.equal(rows().length, 3);
});

test('a gap in the numbers is accepted, and lost plays are reported', async (t) => {
  const { site, token, player, play, rows, send } = await setUp(t);
  await send(player.client, 1, [play()]);
  assert.equal(await send(player.client, 11, [play()]), 11);
  assert.equal(rows().length, 2);
  const { body } = await site.call('GET', '/api/activity', { token });
  assert.match(body.find((entry: any) => entry.action === 'device.plays_lost').details, /^9 plays of Till/);
});

test('a player whose journal was lost starts numbering again, and loses no plays', async (t) => {
  const { player, play, rows, send } = await setUp(t);
  await send(player.client, 1, [play(), play(), play()]);
  assert.equal(await send(player.client, 1, [play()]), 1, 'not 3: that would make it forget what it has not sent');
  assert.equal(await send(player.client, 2, [play()]), 2);
  assert.equal(rows().length, 5);
});

test('plays with the times of a broken clock leave the sums plausible', async (t) => {
  const { clock, player, play, rows, send } = await setUp(t);
  const now = clock.now();
  await send(player.client, 1, [
    play({ started_at: now, ended_at: now - 5_000 }),
    play({ started_at: now + 40 * 86_400_000, ended_at: now + 40 * 86_400_000 + 7_000 }),
    play({ started_at: 0, ended_at: 8.64e15 }),
    play({ content_name: 'a\u0000\nb' }),
  ]);
  const [backwards, future, endless, named] = rows();
  assert.equal(backwards.ended_ms, backwards.started_ms);
  assert.deepEqual([future.started_ms, future.ended_ms], [now - 7_000, now]);
  assert.equal(endless.ended_ms - endless.started_ms, 366 * 86_400_000);
  assert.equal(named.content_name, 'a  b');
});

test('a play counts in the quarter-hour in which it started', async (t) => {
  const { clock, player, play, sums, send } = await setUp(t);
  const quarter = Math.floor(clock.now() / 900_000);
  const edge = quarter * 900_000;
  await send(player.client, 1, [
    play({ started_at: edge - 1, ended_at: edge + 59_999 }),
    play({ started_at: edge, ended_at: edge + 1_000 }),
  ]);
  assert.deepEqual(
    sums().map((r) => [r.bucket - quarter, r.plays, r.ms]),
    [
      [-1, 1, 60_000],
      [0, 1, 1_000],
    ],
  );
});

test('500 plays of each of 20 players are acknowledged once, in the order of their journals', async (t) => {
  const { site, token, play, rows, sums } = await setUp(t);
  const players = [];
  for (let i = 0; i < 20; i++) players.push(await pairPlayer(t, site, token, `Screen ${i}`));
  for (const { client } of players)
    client.say({ type: 'plays', first: 1, plays: Array.from({ length: 500 }, () => play()) });
  for (const { client } of players) assert.equal((await client.next('plays.ack'))['through'], 500);
  assert.equal(rows().length, 10_000);
  assert.equal(
    sums().reduce((n, r) => n + r.plays, 0),
    10_000,
  );
});

const ingestOf = async (t: TestContext) => {
  const { site, player, clock, play, rows } = await setUp(t);
  const told: string[] = [];
  const [time, db] = [{ now: () => clock.now(), doubtful: false }, site.app.db];
  const ingest = new PlaysIngest({
    db,
    store: new PlaysIngestStore(db),
    bus: new Bus(() => {}),
    clock: time,
    activity: { add: ({ details }) => void told.push(details ?? '') },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  ingest.start();
  t.after(() => ingest.stop());
  const numbers = () => rows().map(({ seq }) => seq);
  /** Sends a full message, which is saved at once. */
  const send = (connection: object, first: number) =>
    ingest.add(
      connection,
      player.deviceId,
      first,
      Array.from({ length: 500 }, () => play()),
    );
  return { db, ingest, time, told, numbers, send };
};

test('after a refused message, ingest refuses later messages of the connection until that message is sent again', async (t) => {
  const { time, told, numbers, send } = await ingestOf(t);
  const connection = {};
  assert.equal(await send(connection, 1), 500);
  time.doubtful = true;
  assert.equal(await send(connection, 501), undefined);
  time.doubtful = false;
  assert.deepEqual(await Promise.all([send(connection, 1001), send(connection, 1501)]), [undefined, undefined]);
  assert.equal(numbers().length, 500);
  // The player sends all of these messages again, in order.
  const again = [501, 1001, 1501].map((first) => send(connection, first));
  assert.deepEqual(await Promise.all(again), [1000, 1500, 2000]);
  assert.deepEqual(
    numbers(),
    Array.from({ length: 2000 }, (_, i) => i + 1),
  );
  assert.deepEqual(told, []);
});

test('ingest refuses messages that were queued behind a message whose write failed', async (t) => {
  const { db, told, numbers, send } = await ingestOf(t);
  const connection = {};
  assert.equal(await send(connection, 1), 500);
  // The write transaction with the first two messages fails. The third message is queued behind them.
  let failures = 1;
  const write = db.write.bind(db);
  t.mock.method(db, 'write', (change: () => unknown) => {
    if (failures-- > 0) throw new Error('The disk is full');
    return write(change);
  });
  const answers = await Promise.all([501, 1001, 1501].map((first) => send(connection, first)));
  assert.deepEqual(answers, [undefined, undefined, undefined]);
  const again = [501, 1001, 1501].map((first) => send(connection, first));
  assert.deepEqual(await Promise.all(again), [1000, 1500, 2000]);
  assert.equal(numbers().length, 2000);
  assert.deepEqual(told, []);
});

test('ingest accepts later rows when the player has given up the refused rows, and reports the refused rows as lost', async (t) => {
  const { time, told, send } = await ingestOf(t);
  const connection = {};
  assert.equal(await send(connection, 1), 500);
  time.doubtful = true;
  assert.deepEqual([await send(connection, 501), await send(connection, 1001)], [undefined, undefined]);
  time.doubtful = false;
  assert.equal(await send(connection, 1001), 1500);
  assert.match(told[0]!, /^500 plays of Till/);
});

test('ingest accepts messages of a new connection while another connection must send a refused message again', async (t) => {
  const { time, send } = await ingestOf(t);
  const before = {};
  assert.equal(await send(before, 1), 500);
  time.doubtful = true;
  assert.equal(await send(before, 501), undefined);
  time.doubtful = false;
  assert.equal(await send({}, 501), 1000);
});
