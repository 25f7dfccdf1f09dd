/** Tests that stored live data is separate per device, in order, and deleted when it is no longer needed. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { NO_TELEMETRY } from '../../shared/protocol/telemetry.ts';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open.ts';
import { addDevice, addWorkspace } from '../features/reports/testing/plays.ts';
import { PlayersStore } from './players/players.store.ts';
import { DeliveryStore } from './screens/delivery.store.ts';
import { LiveStore } from './state/live.store.ts';

const db = openDatabase(':memory:');
after(() => db.close());

/** Two screens (till and door) of one workspace, and a screen of another workspace without any data. */
const setUp = (): Database => {
  db.write(() => db.raw.exec('DELETE FROM organizations; DELETE FROM blobs; DELETE FROM settings'));
  for (const workspace of ['store', 'other']) addWorkspace(db, workspace);
  for (const id of ['till', 'door']) addDevice(db, 'store', id);
  addDevice(db, 'other', 'abroad');
  return db;
};

test('unanswered commands of a device are stored in order until they expire', () => {
  const delivery = new DeliveryStore(setUp());
  const keep = (id: string, device_id: string, expires_at: number, status: 'waiting' | 'sent' = 'waiting') =>
    delivery.storeCommand({ id, device_id, command: 'reboot', payload: '{}', created_at: 1, expires_at, status });
  const waiting = (device: string, now: number) => delivery.waitingCommands(device, now).map(({ id }) => id);
  for (const [id, expires_at] of [
    ['c', 100],
    ['a', 100],
    ['b', 200],
  ] as const)
    keep(id, 'till', expires_at, id === 'a' ? 'sent' : 'waiting');
  keep('d', 'door', 300);
  keep('e', 'gone', 300);
  assert.deepEqual([waiting('till', 99), waiting('door', 99), waiting('gone', 99)], [['a', 'b', 'c'], ['d'], []]);
  assert.deepEqual(delivery.waitingCommands('door', 1), [
    { id: 'd', command: 'reboot', payload: '{}', expires_at: 300 },
  ]);
  assert.deepEqual([waiting('till', 100), waiting('till', 200)], [['b'], []]);
  assert.deepEqual(delivery.devicesWithCommands(199).sort(), ['door', 'till']);
  assert.deepEqual(delivery.devicesWithCommands(200), ['door']);
  delivery.commandResult('a', 'done', null);
  delivery.commandResult('b', 'failed', 'no panel');
  assert.deepEqual([waiting('till', 99), waiting('door', 99)], [['c'], ['d']]);
});

test('the result of a command is stored once and deleted a day after the command expired', () => {
  setUp();
  const delivery = new DeliveryStore(db);
  for (const [id, expires_at] of [
    ['old', 99],
    ['newer', 100],
  ] as const)
    delivery.storeCommand({
      ...{ id, device_id: 'till', command: 'launch', payload: '{}', created_at: 1, expires_at, status: 'waiting' },
    });
  delivery.commandResult('old', 'failed', 'no panel');
  delivery.commandResult('old', 'done', null);
  const kept = () => db.raw.prepare('SELECT id, status, error FROM commands ORDER BY id').raw().all();
  assert.deepEqual(kept(), [
    ['newer', 'waiting', null],
    ['old', 'failed', 'no panel'],
  ]);
  delivery.dropPast((100 + 86_400) * 1000 + 999);
  assert.deepEqual(kept(), [['newer', 'waiting', null]]);
});

test('device has only its newest overlay, until the overlay is cleared or has ended', () => {
  const delivery = new DeliveryStore(setUp());
  const put = (device_id: string, pip_id: string, until_ms: number | null) =>
    delivery.setOverlay({ device_id, pip_id, message: `{"of":"${pip_id}"}`, until_ms, created_at: 1 });
  const shown = (device: string) => {
    const row = delivery.overlay(device);
    return row && [row.pip_id, row.message, row.until_ms, row.status];
  };
  put('till', 'first', 500);
  delivery.overlayStatus('till', 'first', 'shown');
  put('door', 'first', 100);
  put('abroad', 'lasting', null);
  put('gone', 'first', 500);
  assert.deepEqual(shown('till'), ['first', '{"of":"first"}', 500, 'shown']);
  assert.equal(shown('door')![3], 'waiting', 'one overlay goes to many, each with a status of its own');
  put('till', 'second', 600);
  assert.deepEqual(shown('till'), ['second', '{"of":"second"}', 600, 'waiting']);
  delivery.overlayStatus('till', 'first', 'failed');
  delivery.dropOverlay('till', 'first');
  assert.equal(shown('till')![3], 'waiting', 'what is said of the one before is nothing to it');
  assert.deepEqual(delivery.devicesWithOverlay().sort(), ['abroad', 'door', 'till']);
  delivery.dropPast(100);
  assert.equal(delivery.devicesWithOverlay().length, 3, 'it may show to its last moment');
  delivery.dropPast(101);
  assert.deepEqual(delivery.devicesWithOverlay().sort(), ['abroad', 'till']);
  delivery.dropOverlay('till', 'second');
  assert.deepEqual(delivery.devicesWithOverlay(), ['abroad']);
});

test('only the newest screenshot of a device is stored', () => {
  const delivery = new DeliveryStore(setUp());
  delivery.saveScreenshot('till', 'image/png', Buffer.from('a'), 1);
  delivery.saveScreenshot('till', 'image/jpeg', Buffer.from('b'), 2);
  delivery.saveScreenshot('gone', 'image/png', Buffer.from('a'), 1);
  assert.deepEqual(delivery.screenshot('till'), { mime: 'image/jpeg', data: Buffer.from('b'), taken_at: 2 });
  assert.deepEqual([delivery.screenshot('door'), delivery.screenshot('gone')], [undefined, undefined]);
});

test('device keeps its latest 20 reports, then a report per five minutes for a day, then one per hour for thirty days', () => {
  setUp();
  const live = new LiveStore(db);
  const DAY = 86_400;
  const now = 100 * DAY;
  const times = (device: string) =>
    db.raw
      .prepare('SELECT reported_at FROM telemetry WHERE device_id = ? ORDER BY reported_at')
      .pluck()
      .all(device) as number[];
  const report = (device: string, reported_at: number) =>
    live.addReport(device, { ...NO_TELEMETRY, cpu_usage: 1, reported_at });
  // With one report per minute, the older reports that stay are the first of each five minutes.
  const begun = now + 30;
  const minutesOf = (device: string) => times(device).map((at) => (at - begun) / 60);
  for (let minute = 0; minute < 60; minute++) report('till', begun + minute * 60);
  const minutes = minutesOf('till');
  assert.deepEqual(minutes, [0, 5, 10, 15, 20, 25, 30, 35, ...Array.from({ length: 20 }, (_, i) => 40 + i)]);

  const later = now + 31 * DAY;
  const put = (device: string, at: number) =>
    db.raw.prepare('INSERT INTO telemetry (device_id, reported_at) VALUES (?, ?)').run(device, at);
  const hour = later - 2 * DAY;
  const old = [later - 30 * DAY - 1, later - 30 * DAY];
  const fine = [later - DAY, later - DAY + 300];
  for (const at of [later - 31 * DAY, hour, hour + 300]) put('abroad', at);
  for (const at of [...old, hour, hour + 300, hour + 3_599, hour + 3_600, ...fine]) put('door', at);
  const latest = Array.from({ length: 20 }, (_, i) => later - 100 + i);
  for (const at of latest) put('door', at);
  live.thinHistory('door', later);
  assert.deepEqual(times('door'), [old[1], hour, hour + 3_600, ...fine, ...latest]);
  live.thinHistory('till', later);
  assert.deepEqual(
    minutesOf('till'),
    Array.from({ length: 20 }, (_, i) => 40 + i),
    'one that is long gone keeps what it said last',
  );
  assert.equal(times('abroad').length, 3, 'another device’s are left alone');
});

test('status intervals of a device have no gaps, even when changes are recorded late', () => {
  setUp();
  const live = new LiveStore(db);
  const of = (device: string) =>
    db.raw
      .prepare('SELECT status, since, until FROM status_intervals WHERE device_id = ? ORDER BY id')
      .raw()
      .all(device) as unknown[][];
  live.changeStatus({ deviceId: 'till', status: 'online', at: 10 });
  live.changeStatus({ deviceId: 'door', status: 'online', at: 10 });
  live.changeStatus({ deviceId: 'till', status: 'offline', at: 20 });
  live.changeStatus({ deviceId: 'gone', status: 'online', at: 20 });
  assert.deepEqual(of('till'), [
    ['online', 10, 20],
    ['offline', 20, null],
  ]);
  assert.deepEqual([of('door'), of('gone')], [[['online', 10, null]], []]);
  live.recallStatus({ deviceId: 'till', status: 'offline', at: 30 }, 100);
  assert.equal(of('till').length, 2, 'it is no change');
  live.recallStatus({ deviceId: 'till', status: 'online', at: 15 }, 100);
  assert.deepEqual(of('till').slice(1), [
    ['offline', 20, 20],
    ['online', 20, null],
  ]);
  live.recallStatus({ deviceId: 'till', status: 'offline', at: 40 }, 100);
  assert.deepEqual(of('till').at(-1), ['offline', 40, null]);
  // The status interval began in the future, because the clock was ahead.
  live.changeStatus({ deviceId: 'door', status: 'offline', at: 900 });
  live.recallStatus({ deviceId: 'door', status: 'online', at: 50 }, 100);
  assert.deepEqual(of('door').at(-1), ['online', 100, null]);
  live.recallStatus({ deviceId: 'abroad', status: 'online', at: 50 }, 100);
  assert.deepEqual(of('abroad'), [['online', 50, null]]);
});

test('devices that were online when the server crashed are offline since their last heartbeat', () => {
  setUp();
  const live = new LiveStore(db);
  addDevice(db, 'store', 'never');
  addDevice(db, 'store', 'spared');
  addDevice(db, 'store', 'ahead');
  const last = { till: 50, door: 50, spared: 50, ahead: 5 };
  for (const [id, at] of Object.entries(last)) assert.equal(live.saveState(id, at, NO_TELEMETRY), true);
  assert.equal(live.saveState('till', null, { ...NO_TELEMETRY, cpu_usage: 7 }), true, 'it was heard as before');
  assert.equal(live.saveState('gone', 50, NO_TELEMETRY), false);
  for (const id of ['till', 'never', 'spared', 'ahead']) live.changeStatus({ deviceId: id, status: 'online', at: 10 });
  live.changeStatus({ deviceId: 'door', status: 'online', at: 10 });
  live.changeStatus({ deviceId: 'door', status: 'offline', at: 20 });
  live.closeForgotten(['spared']);
  const rows = db.raw
    .prepare('SELECT device_id, status, since, until FROM status_intervals ORDER BY device_id, id')
    .raw()
    .all();
  assert.deepEqual(rows, [
    ['ahead', 'online', 10, 10],
    ['ahead', 'offline', 10, null],
    ['door', 'online', 10, 20],
    ['door', 'offline', 20, null],
    ['never', 'online', 10, 10],
    ['never', 'offline', 10, null],
    ['spared', 'online', 10, null],
    ['till', 'online', 10, 50],
    ['till', 'offline', 50, null],
  ]);
});

test('status change takes the same time after years of changes, because five thousand screens may reconnect at once', () => {
  const live = new LiveStore(setUp());
  db.write(() =>
    db.raw.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
         INSERT INTO status_intervals (device_id, status, since, until)
           SELECT 'till', iif(i % 2, 'online', 'offline'), i, i + 1 FROM n`,
    ),
  );
  /** Returns the number of milliseconds that 200 status changes take. */
  const took = (deviceId: string): number =>
    db.write(() => {
      const began = performance.now();
      for (let i = 0; i < 200; i++)
        live.changeStatus({ deviceId, status: i % 2 === 0 ? 'online' : 'offline', at: 200_000 + i });
      return performance.now() - began;
    });
  took('door');
  const [young, old] = [took('door'), took('till')];
  // The limit detects a scan of all changes, which would take three hundred times as long.
  assert.ok(old < 20 * young + 20, `${old.toFixed(1)} ms after years, ${young.toFixed(1)} ms without`);
  const began = performance.now();
  live.closeForgotten([]);
  assert.ok(performance.now() - began < 20 * young + 20);
});

test('status changes while the clock is untrusted are kept in order', () => {
  const live = new LiveStore(setUp());
  const row = (run: string, n: number, least: number) => ({ run, n, now: 1, least, heard: 1, changes: [] });
  const rows = [row('b', 9, 100), row('b', 10, 90), row('a', 1, 200), row('b', 11, 80)];
  for (const each of rows) live.storeUndated(each);
  const kept = () => live.doubted().map(({ run, n }) => `${run}${n}`);
  assert.deepEqual(kept(), ['b9', 'b10', 'b11', 'a1']);
  live.deleteUndated(rows[1]!);
  assert.deepEqual(kept(), ['b9', 'b11', 'a1']);
});

test('player is found by id or secret, keeps its first signing key, and sees only files of its workspace', () => {
  setUp();
  const players = new PlayersStore(db);
  assert.deepEqual([players.find('till')?.name, players.find('gone')], ['till', undefined]);
  assert.deepEqual([players.findBySecretHash('hash of door')?.id, players.findBySecretHash('x')], ['door', undefined]);
  assert.deepEqual(players.credential('abroad'), { workspace_id: 'other', secret_hash: 'hash of abroad' });
  players.setSigningKey('till', 'first');
  players.setSigningKey('till', 'second');
  assert.deepEqual([players.find('till')!.signing_key, players.find('door')!.signing_key], ['first', null]);
  assert.deepEqual(players.names('store', ['door', 'abroad', 'gone', 'till']), [
    { id: 'door', name: 'door' },
    { id: 'till', name: 'till' },
  ]);
  db.write(() => {
    for (const [sha256, size] of [
      ['ours', 3],
      ['theirs', 4],
    ] as const)
      db.raw
        .prepare("INSERT INTO blobs (sha256, size, mime, created_at) VALUES (?, ?, 'image/png', 0)")
        .run(sha256, size);
    for (const [id, workspace, sha] of [
      ['a', 'store', 'ours'],
      ['b', 'other', 'theirs'],
    ])
      db.raw
        .prepare(
          "INSERT INTO content (id, workspace_id, filename, mime_type, kind, sha256, created_at, updated_at) VALUES (?, ?, 'x', 'image/png', 'image', ?, 0, 0)",
        )
        .run(id, workspace, sha);
    const add = db.raw.prepare('INSERT INTO "groups" (id, workspace_id, name, created_at) VALUES (?, \'store\', ?, 0)');
    const join = db.raw.prepare('INSERT INTO group_members (group_id, device_id) VALUES (?, ?)');
    for (let i = 22; i > 0; i--) {
      add.run(`g${i}`, `group ${i}`);
      join.run(`g${i}`, i === 22 ? 'door' : 'till');
    }
  });
  assert.deepEqual(
    [players.asset('store', 'ours'), players.asset('store', 'theirs')],
    [{ size: 3, mime: 'image/png' }, undefined],
  );
  assert.deepEqual(players.groupNames('door'), ['group 22']);
  assert.deepEqual(
    players.groupNames('till'),
    Array.from({ length: 20 }, (_, i) => `group ${21 - i}`),
  );
});
