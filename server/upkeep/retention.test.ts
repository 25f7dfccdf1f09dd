import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { TestClock, tempFolder } from '../../test/harness.ts';
import { beginEpoch } from '../db/epochs.ts';
import { openDatabase } from '../db/open.ts';
import { putSetting, readSetting } from '../db/settings-rows.ts';
import { addDevice, addWorkspace, playAt, takeIn } from '../features/reports/testing/plays.ts';
import { KNOWN_FROM } from '../programs/program-history.store.ts';
import { Retention } from './retention.ts';
import { UpkeepStore } from './upkeep.store.ts';

const DAY_MS = 86_400_000;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

const keeping = (t: TestContext, clock: TestClock) => {
  const folder = tempFolder(t);
  const logFolder = join(folder, 'logs');
  mkdirSync(logFolder);
  const db = openDatabase(join(folder, 'vitrine.db'));
  t.after(() => db.close());
  addWorkspace(db, 'w');
  addDevice(db, 'w', 'till');
  const givenUp: [workspaceId: string, plays: number][] = [];
  const retention = new Retention({
    db,
    clock,
    log: silent,
    store: new UpkeepStore(db),
    settings: { values: { plays_days: 100, telemetry_days: 30, activity_days: 100, logs_days: 14 } } as never,
    logFolder,
    givenUp: (workspaceId, plays) => givenUp.push([workspaceId, plays]),
    pause: async () => {},
  });
  return { db, retention, givenUp };
};

test('records in the bin are deleted for good after thirty days', async (t) => {
  const clock = new TestClock(Date.UTC(2027, 0, 1, 12));
  const { db, retention } = keeping(t, clock);
  const add = db.raw.prepare(
    "INSERT INTO bin (id, workspace_id, kind, ref, name, record, user_name, created_at) VALUES (?, 'w', 'playlist', 'p', 'P', '{}', '', ?)",
  );
  db.write(() => {
    for (const days of [29, 31]) add.run(`${days} days`, clock.now() / 1000 - days * 86_400);
  });
  await retention.sweep();
  assert.deepEqual(db.raw.prepare('SELECT id FROM bin').pluck().all(), ['29 days']);
});

test('planned programs are deleted together with the plays: ended spans, time windows and unused programs', async (t) => {
  const start = Date.UTC(2027, 0, 1, 12);
  const clock = new TestClock(start);
  const { db, retention } = keeping(t, clock);
  const days = (n: number) => start + n * DAY_MS;
  db.write(() => {
    putSetting(db.raw, KNOWN_FROM, start);
    const program = db.raw.prepare("INSERT INTO program_archive (sha256, body, created_at) VALUES (?, x'', 0)");
    for (const name of ['lasts', 'past', 'late']) program.run(name);
    const span = db.raw.prepare(
      "INSERT INTO program_spans (workspace_id, device_id, program, timezone, since, until) VALUES ('w', 'till', ?, 'UTC', ?, ?)",
    );
    span.run(1, start, null);
    // Inserts more rows than one step of the deletion examines.
    for (let n = 0; n < 600; n++) span.run(2, start + n, start + n + 1);
    span.run(3, days(1), days(60));
    const window = db.raw.prepare(
      "INSERT INTO planned_windows (id, program, timezone, since, until) VALUES (?, ?, 'UTC', ?, ?)",
    );
    window.run(1, 1, start, days(1));
    window.run(2, 1, days(1), days(2));
    window.run(3, 2, start, days(5));
    for (const id of [1, 2, 3])
      db.raw
        .prepare("INSERT INTO planned_sums (window, kind, ref, plays, ms) VALUES (?, 'content', 'c', 1, 1)")
        .run(id);
  });
  const left = () => ({
    programs: db.raw.prepare('SELECT sha256 FROM program_archive ORDER BY id').pluck().all(),
    spans: db.raw.prepare('SELECT count(*) FROM program_spans').pluck().get(),
    windows: db.raw.prepare('SELECT w.id FROM planned_windows w JOIN planned_sums s ON s.window = w.id').pluck().all(),
    sums: db.raw.prepare('SELECT count(*) FROM planned_sums').pluck().get(),
    known: readSetting(db.raw, KNOWN_FROM),
  });
  clock.advance(99 * DAY_MS);
  await retention.sweep();
  assert.deepEqual(left(), {
    programs: ['lasts', 'past', 'late'],
    spans: 602,
    windows: [1, 2, 3],
    sums: 3,
    known: start,
  });
  clock.advance(2.5 * DAY_MS);
  await retention.sweep();
  assert.deepEqual(left(), { programs: ['lasts', 'late'], spans: 2, windows: [2], sums: 1, known: days(1.5) });
  clock.advance(100 * DAY_MS);
  await retention.sweep();
  assert.deepEqual(left(), { programs: ['lasts'], spans: 1, windows: [], sums: 0, known: days(101.5) });
});

test('data that several plays share is deleted with the last of these plays', async (t) => {
  const clock = new TestClock(Date.UTC(2027, 0, 1, 12));
  const { db, retention } = keeping(t, clock);
  const play = (name: string, boot_id: string) =>
    takeIn(db, clock, 'till', [playAt(clock.now() - 60_000, { content_name: name, boot_id })]);
  const left = () => [
    db.raw.prepare('SELECT content_name FROM play_turns ORDER BY id').pluck().all(),
    db.raw.prepare('SELECT boot_id FROM play_boots ORDER BY id').pluck().all(),
    db.raw.prepare('SELECT content_name FROM plays ORDER BY started_ms').pluck().all(),
  ];

  await play('Once', 'first');
  await play('Often', 'first');
  // Inserts more rows than one step of the deletion examines, before and after the rows that must stay.
  db.write(() => {
    const boot = db.raw.prepare("INSERT INTO play_boots (boot_id, used_day) VALUES ('lost ' || ?, 1)");
    for (let i = 0; i < 2500; i++) boot.run(i);
  });
  clock.advance(60 * DAY_MS);
  await play('Often', 'second');
  await retention.sweep();
  assert.deepEqual(left(), [
    ['Once', 'Often'],
    ['first', 'second'],
    ['Once', 'Often', 'Often'],
  ]);

  // It is 99 days after the first play. Only whole days are deleted, so that no row is deleted that a play may still
  // need.
  clock.advance(39 * DAY_MS);
  await retention.sweep();
  assert.deepEqual(left()[2], ['Once', 'Often', 'Often']);
  assert.deepEqual(left()[0], ['Once', 'Often']);
  clock.advance(4 * DAY_MS);
  await retention.sweep();
  assert.deepEqual(left(), [['Often'], ['second'], ['Often']]);
  clock.advance(100 * DAY_MS);
  await retention.sweep();
  assert.deepEqual(left(), [[], [], []]);
});

test('plays are deleted by age even if headquarters has not received them, and the number of such plays is reported', async (t) => {
  const clock = new TestClock(Date.UTC(2027, 0, 1, 12));
  const { db, retention, givenUp } = keeping(t, clock);
  addWorkspace(db, 'v');
  addDevice(db, 'v', 'window');
  // Plays 1 to 70 belong to one workspace, plays 71 to 80 to another, which is not connected to headquarters.
  await takeIn(
    db,
    clock,
    'till',
    Array.from({ length: 70 }, () => playAt(clock.now() - 60_000)),
  );
  await takeIn(
    db,
    clock,
    'window',
    Array.from({ length: 10 }, () => playAt(clock.now() - 60_000)),
  );
  const [first] = db.raw.prepare('SELECT epoch FROM play_epochs').pluck().all() as string[];
  db.write(() => {
    db.raw.exec(
      "INSERT INTO chain_links (workspace_id, store, name, address, headquarters, key, certificate, enrolled_at, enrolled_by) VALUES ('w', 's', 'Mill', 'https://hq.test:8711', 'HQ', 'k', 'c', 1, 'Owner')",
    );
    db.raw.prepare("INSERT INTO chain_cursors VALUES ('w', ?, 60, 'h')").run(first);
    // The database was restored at play 65, so the cursor of the previous epoch does not apply to later numbers.
    beginEpoch(db.raw, 1, 66);
  });
  clock.advance(101 * DAY_MS);
  assert.ok((await retention.sweep()) >= 80);
  assert.deepEqual(givenUp, [['w', 10]]);
});

test('play numbers are never reused, even after all plays were deleted', async (t) => {
  const clock = new TestClock(Date.UTC(2027, 0, 1, 12));
  const { db, retention } = keeping(t, clock);
  const numbers = () => db.raw.prepare('SELECT id FROM play_log ORDER BY id').pluck().all();
  await takeIn(db, clock, 'till', [playAt(clock.now()), playAt(clock.now())]);
  assert.deepEqual(numbers(), [1, 2]);
  clock.advance(101 * DAY_MS);
  await retention.sweep();
  assert.deepEqual(numbers(), []);
  await takeIn(db, clock, 'till', [playAt(clock.now())]);
  assert.deepEqual(numbers(), [3]);
});
