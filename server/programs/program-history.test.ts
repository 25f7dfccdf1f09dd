import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  addContents,
  addDevices,
  addPlaylist,
  addStore,
  deviceId,
  PLAYLIST,
  WORKSPACE,
} from '../../test/bench/seed.ts';
import { TestClock, tempFolder } from '../../test/harness.ts';
import { longestTurn, told } from '../../test/longest-turn.ts';
import { openDatabase } from '../db/open.ts';
import { readSetting } from '../db/settings-rows.ts';
import { Bus } from '../kernel/bus.ts';
import { readArchived } from './program-archive.ts';
import { KNOWN_FROM, ProgramHistoryStore } from './program-history.store.ts';
import { ProgramHistory } from './program-history.ts';
import { ProgramsStore } from './programs.store.ts';
import { Programs } from './programs.ts';

interface Span {
  readonly device_id: string;
  readonly sha256: string;
  readonly body: Buffer;
  readonly timezone: string;
  readonly since: number;
  readonly until: number | null;
}

const START = Date.UTC(2026, 2, 10, 9);

/** Creates a store with this many screens, none of them connected, all with the same playlist. */
const setUp = (t: TestContext, screens: number) => {
  const db = openDatabase(join(tempFolder(t), 'vitrine.db'));
  db.write(() => {
    addStore(db);
    addContents(db, 10, { files: true });
    addPlaylist(db, 3);
    addDevices(db, screens, { playlist: PLAYLIST });
  });
  const clock = new TestClock(START);
  const trusted = { now: () => clock.now(), doubtful: false };
  const warnings: unknown[] = [];
  /** Starts a server on the data of the previous one. */
  const server = () => {
    const bus = new Bus((_event, error) => assert.fail(String(error)));
    const programs = new Programs({
      store: new ProgramsStore(db),
      widgets: { page: () => undefined },
      players: { connected: () => [] },
      bus,
      clock,
      onError: (error) => assert.fail(String(error)),
    });
    const store = new ProgramHistoryStore(db);
    const log = { debug() {}, info() {}, error() {}, warn: (...said: unknown[]) => void warnings.push(said) };
    const history = new ProgramHistory({ db, bus, clock: trusted, mono: () => clock.mono(), log, store, programs });
    programs.start();
    history.start();
    const stop = async () => {
      programs.stop();
      await history.stop();
    };
    t.after(() => history.stop());
    const changed = (topic: 'devices' | 'playlists', ...ids: string[]) =>
      bus.emit('changed', { workspaceId: WORKSPACE, topic, ids, by: null });
    return {
      history,
      store,
      bus,
      stop,
      /**
       * Publishes the playlist again, this many milliseconds later. The time is part of the program, so the program
       * differs.
       */
      publish: (later: number) => {
        db.raw.prepare('UPDATE playlists SET published_ms = ? WHERE id = ?').run(1_700_000_000_000 + later, PLAYLIST);
        changed('playlists', PLAYLIST);
      },
      edit: (device: number, column: string, value: unknown) => {
        db.raw.prepare(`UPDATE devices SET ${column} = ? WHERE id = ?`).run(value, deviceId(device));
        changed('devices', deviceId(device));
      },
      remove: (device: number) => {
        db.raw.prepare('DELETE FROM devices WHERE id = ?').run(deviceId(device));
        bus.emit('deviceRemoved', { deviceId: deviceId(device), workspaceId: WORKSPACE });
        // Announces a change that names no device, as when a wall changes.
        bus.emit('changed', { workspaceId: WORKSPACE, topic: 'devices', by: null });
      },
    };
  };
  const spans = (device?: number) =>
    db.raw
      .prepare(
        `SELECT s.device_id, a.sha256, a.body, s.timezone, s.since, s.until FROM program_spans s JOIN program_archive a ON a.id = s.program
         ${device === undefined ? '' : `WHERE device_id = '${deviceId(device)}'`} ORDER BY s.device_id, s.since, s.id`,
      )
      .all() as Span[];
  const times = (device: number) => spans(device).map(({ since, until }) => [since, until]);
  return { db, clock, trusted, warnings, server, spans, times };
};

test('many screens that change together get the same instant, and their program is archived once', async (t) => {
  const { db, clock, server, spans } = setUp(t, 600);
  const { history, publish } = server();
  await history.write();
  assert.deepEqual(
    new Set(spans().map(({ since, until, timezone }) => `${since} ${until} ${timezone}`)),
    new Set([`${START} null Europe/Berlin`]),
  );
  assert.equal(readSetting(db.raw, KNOWN_FROM), START);
  clock.advance(60_000);
  publish(20);
  clock.advance(700);
  const held = await longestTurn(history.write());
  assert.ok(held.worked < 40, told(held));
  assert.equal(spans().length, 1200);
  const [first, second] = spans(599) as [Span, Span];
  assert.deepEqual([first.until, second.since, second.until], [START + 60_000, START + 60_000, null]);
  assert.equal(new Set(spans().map(({ since }) => since)).size, 2);
  assert.equal(db.raw.prepare('SELECT count(*) FROM program_archive').pluck().get(), 2);
  const { program, hours } = readArchived(second.body);
  assert.deepEqual(
    [program.playlists[0]?.anchor_ms, program.playlists[0]?.items.length, hours],
    [1_700_000_000_020, 3, []],
  );
});

test('history writes nothing when a change leaves the program as it was, but writes new opening hours or a time zone', async (t) => {
  const { clock, server, spans, times } = setUp(t, 2);
  const { history, edit, publish } = server();
  await history.write();
  clock.advance(1_000);
  publish(0);
  edit(0, 'orientation', '90');
  await history.write();
  assert.equal(spans().length, 2);
  edit(0, 'timezone', 'America/New_York');
  await history.write();
  assert.deepEqual(times(0), [
    [START, START + 1_000],
    [START + 1_000, null],
  ]);
  clock.advance(1_000);
  const hours = [{ days: [1], start: '08:00', end: '20:00', start_date: null, end_date: null }];
  edit(1, 'opening_hours', JSON.stringify(hours));
  await history.write();
  const [before, after] = spans(1) as [Span, Span];
  assert.notEqual(after.sha256, before.sha256);
  assert.deepEqual(readArchived(after.body).hours, hours);
  assert.deepEqual(readArchived(after.body).program, readArchived(before.body).program);
});

test('history finds changes that a crash lost at the next start, and continues unchanged spans', async (t) => {
  const { db, clock, server, times } = setUp(t, 2);
  const first = server();
  await first.history.write();
  clock.advance(1_000);
  first.edit(0, 'playlist_id', null);
  // Simulates that the server is killed before anything is written.
  clock.advance(1_000);
  const second = server();
  await second.history.write();
  assert.deepEqual(times(0), [
    [START, START + 2_000],
    [START + 2_000, null],
  ]);
  assert.deepEqual(times(1), [[START, null]]);
  assert.equal(readSetting(db.raw, KNOWN_FROM), START);
});

test('history writes pending changes when the server stops', async (t) => {
  const { clock, server, times } = setUp(t, 1);
  const { history, publish, stop } = server();
  await history.write();
  clock.advance(1_000);
  publish(20);
  await stop();
  assert.deepEqual(times(0), [
    [START, START + 1_000],
    [START + 1_000, null],
  ]);
});

test('deleted screen ends its span, and a restored screen begins a new span', async (t) => {
  const { db, clock, server, times, spans } = setUp(t, 2);
  const { history, remove, bus } = server();
  await history.write();
  clock.advance(5_000);
  remove(0);
  clock.advance(300);
  await history.write();
  assert.deepEqual(times(0), [[START, START + 5_000]]);
  assert.deepEqual(times(1), [[START, null]]);
  clock.advance(4_700);
  addDevices(db, 1, { playlist: PLAYLIST });
  bus.emit('changed', { workspaceId: WORKSPACE, topic: 'devices', ids: [deviceId(0)], by: null });
  await history.write();
  assert.deepEqual(times(0), [
    [START, START + 5_000],
    [START + 10_000, null],
  ]);
  assert.equal(new Set(spans(0).map(({ sha256 }) => sha256)).size, 1);
});

test('history writes nothing while the clock is untrusted, and later dates the changes by their age', async (t) => {
  const { clock, trusted, server, times, warnings } = setUp(t, 1);
  const { history, publish } = server();
  await history.write();
  trusted.doubtful = true;
  clock.jump(400 * 86_400_000);
  clock.advance(3_000);
  publish(20);
  clock.advance(30_000);
  await history.write();
  assert.deepEqual(times(0), [[START, null]]);
  assert.equal(warnings.length, 0);
  clock.jump(-400 * 86_400_000);
  trusted.doubtful = false;
  await history.write();
  assert.deepEqual(times(0), [
    [START, START + 3_000],
    [START + 3_000, null],
  ]);
});

test('history has one planned program for each time, also after the clock was corrected', async (t) => {
  const { clock, server, times } = setUp(t, 1);
  const { history, publish } = server();
  await history.write();
  clock.advance(10 * 3_600_000);
  publish(20);
  await history.write();
  // Sets the clock back by four hours, as if it had been ahead.
  clock.jump(-4 * 3_600_000);
  publish(40);
  await history.write();
  assert.deepEqual(times(0), [
    [START, START + 6 * 3_600_000],
    [START + 6 * 3_600_000, null],
  ]);
});

test('failed write of a change is retried with the original time of the change', async (t) => {
  const { clock, server, times, warnings } = setUp(t, 1);
  const { history, store, publish } = server();
  await history.write();
  clock.advance(1_000);
  publish(20);
  const begin = t.mock.method(store, 'begin', () => {
    throw new Error('disk full');
  });
  await history.write();
  assert.deepEqual(times(0), [[START, null]]);
  assert.equal(warnings.length, 1);
  begin.mock.restore();
  clock.advance(8_000);
  await history.write();
  assert.deepEqual(times(0), [
    [START, START + 1_000],
    [START + 1_000, null],
  ]);
});
