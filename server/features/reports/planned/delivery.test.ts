import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Delivery } from '../../../../shared/contract/server/reports.ts';
import type { Play } from '../../../../shared/protocol/messages.ts';
import { must } from '../../../../test/people.ts';
import { openShops } from '../../../../test/shop.ts';
import { newId } from '../../../kernel/ids.ts';
import { addDevice, playAt, takeIn } from '../testing/plays.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const shops = openShops();
let stores = 0;

/** Opens a store with two screens that show a photo for 10 s and a poster for 20 s in turn, from 9:00 on a new day. */
const openStore = async (t: TestContext) => {
  const { site, clock, owner, call: ask, make, get, image } = await shops.open(t);
  const { db } = site.app;
  const known = clock.now();
  clock.set(Math.ceil(known / DAY) * DAY + 9 * HOUR);
  const start = clock.now();
  const workspaceId = owner.workspaceId!;
  const [photo, poster] = [await image('photo.gif'), await image('poster.gif')];
  const { id: playlist } = await make('/api/playlists', { name: 'Offers' });
  await make(`/api/playlists/${playlist}/items`, { content_id: photo, duration_sec: 10 });
  await make(`/api/playlists/${playlist}/items`, { content_id: poster, duration_sec: 20 });
  const call = async (method: string, path: string, body?: unknown) => must(await ask(method, path, body));
  await call('POST', `/api/playlists/${playlist}/publish`);
  const [till, window] = [`till ${++stores}`, `window ${stores}`];
  const addScreen = async (id: string) => {
    const name = `The ${id.replace(/ .*/, '')}`;
    addDevice(db, workspaceId, id, { name, createdAt: clock.now() / 1000 });
    await call('POST', `/api/playlists/${playlist}/assign`, { device_id: id });
    await site.app.history.write();
  };
  for (const id of [till, window]) await addScreen(id);
  /** Returns the plays of a screen that follows its plan, from `from` to `to`, in milliseconds since the start. */
  const asPlanned = (from: number, to: number): Play[] => {
    const plays: Play[] = [];
    for (let at = start + from; at < start + to; at += 30_000)
      plays.push(
        playAt(at, { content_id: photo, content_name: 'photo.gif', playlist_id: playlist }),
        playAt(at + 10_000, {
          content_id: poster,
          content_name: 'poster.gif',
          playlist_id: playlist,
          ended_at: at + 30_000,
        }),
      );
    return plays;
  };
  return {
    site,
    owner,
    clock,
    db,
    workspaceId,
    ask,
    call,
    make,
    start,
    today: new Date(start).toISOString().slice(0, 10),
    photo,
    poster,
    playlist,
    till,
    window,
    addScreen,
    asPlanned,
    run: (sql: string, ...values: unknown[]) => db.write(() => db.raw.prepare(sql).run(...values)),
    play: (device: string, plays: Play[]) => takeIn(db, clock, device, plays),
    delivery: (query = ''): Promise<Delivery> => get(`/api/reports/delivery?${query}`),
  };
};

const figures = (row: Delivery['overall']) =>
  row && [row.planned_plays, row.planned_seconds, row.plays, row.total_seconds, row.delivered_pct];

test('plays from before plans were recorded are neither compared with a plan nor reported as planned', async (t) => {
  const { clock, delivery, play, asPlanned, till } = await openStore(t);
  // Plans are known since the server started, a day before the shop opened.
  const known = Date.UTC(2026, 2, 10, 9) / 1000;
  await play(till, asPlanned(-3 * DAY, -3 * DAY + HOUR));
  const before = await delivery('start=2026-03-01&end=2026-03-09');
  assert.deepEqual(before, {
    known_from: null,
    overall: null,
    by_content: [],
    by_device: [],
    by_day: [],
    shortfalls: [],
  });
  clock.advance(HOUR);
  await play(till, asPlanned(0, HOUR));
  const partly = await delivery(`start=2026-03-01&device_id=${till}`);
  assert.equal(partly.known_from, known);
  assert.deepEqual(figures(partly.overall), [240, 3_600, 240, 3_600, 100]);
});

test('planned and shown plays are reported in total, by content, by screen and by day', async (t) => {
  const { clock, delivery, play, asPlanned, photo, poster, till, window, today } = await openStore(t);
  clock.advance(2 * HOUR);
  await play(till, asPlanned(0, 2 * HOUR));
  await play(window, asPlanned(0, HOUR));
  const found = await delivery();
  assert.deepEqual(figures(found.overall), [960, 14_400, 720, 10_800, 75]);
  assert.deepEqual(
    found.by_content.map((row) => [row.content_id, row.content_name, ...figures(row)!]),
    [
      [poster, 'poster.gif', 480, 9_600, 360, 7_200, 75],
      [photo, 'photo.gif', 480, 4_800, 360, 3_600, 75],
    ],
  );
  assert.deepEqual(
    found.by_device.map((row) => [row.device_name, ...figures(row)!]),
    [
      ['The till', 480, 7_200, 480, 7_200, 100],
      ['The window', 480, 7_200, 240, 3_600, 50],
    ],
  );
  assert.deepEqual(
    found.by_day.map((row) => [row.day, ...figures(row)!]),
    [[today, 960, 14_400, 720, 10_800, 75]],
  );
});

test('a shortened play counts with its real duration, and surplus plays do not make up for missing plays', async (t) => {
  const { clock, delivery, play, asPlanned, photo, till, window, start } = await openStore(t);
  clock.advance(HOUR);
  const [first, ...rest] = asPlanned(0, HOUR);
  await play(till, [{ ...first!, ended_at: first!.started_at + 4_000, completed: false }, ...rest]);
  // The screen plays only one of the two contents, twice as often.
  await play(
    window,
    Array.from({ length: 240 }, (_, n) => playAt(start + n * 15_000, { content_id: photo, content_name: 'photo.gif' })),
  );
  const { overall, by_content } = await delivery();
  assert.deepEqual(
    by_content.map((row) => [row.content_name, ...figures(row)!]),
    [
      ['poster.gif', 240, 4_800, 120, 2_400, 50],
      ['photo.gif', 240, 2_400, 360, 3_594, 100],
    ],
  );
  assert.equal(overall!.delivered_pct, 66.66);
  const ofTill = await delivery(`device_id=${till}&content_id=${photo}`);
  assert.deepEqual(figures(ofTill.overall), [120, 1_200, 120, 1_194, 99.5]);
});

test('each filter narrows planned and shown plays alike', async (t) => {
  const shop = await openStore(t);
  const { clock, delivery, play, asPlanned, photo, poster, playlist, run, workspaceId, make, till, window, today } =
    shop;
  run("UPDATE content SET folder = 'Spring' WHERE id = ?", photo);
  const folder = "INSERT INTO folders (id, workspace_id, parent_id, name, created_at) VALUES (?, ?, ?, 'Ads', 0)";
  run(folder, 'ads', workspaceId, null);
  run(folder, 'cola', workspaceId, 'ads');
  run("UPDATE content SET folder_id = 'cola' WHERE id = ?", poster);
  run("INSERT INTO groups (id, workspace_id, name, created_at) VALUES ('doors', ?, 'Doors', 0)", workspaceId);
  run("INSERT INTO group_members (group_id, device_id) VALUES ('doors', ?)", window);
  run("INSERT INTO device_tags (device_id, tag) VALUES (?, 'front')", till);
  const other = (await make('/api/playlists', { name: 'Empty' })).id;
  run(
    "INSERT INTO plans (id, workspace_id, content_id, start_time, end_time, timezone, created_at, updated_at) VALUES ('campaign', ?, ?, '2026-03-10T00:00:00', '2026-03-11T00:00:00', 'UTC', 0, 0)",
    workspaceId,
    photo,
  );
  run("INSERT INTO plan_targets (plan_id, position, kind, ref) VALUES ('campaign', 0, 'group', 'doors')");
  clock.advance(HOUR);
  for (const screen of [till, window]) await play(screen, asPlanned(0, HOUR));
  const expected: Record<string, number> = {
    '': 480,
    [`device_id=${till}`]: 240,
    [`device_id=${till}&start=${today}T09:30:00Z`]: 120,
    [`end=${today}T09:15:00Z`]: 120,
    [`content_id=${photo}`]: 240,
    [`content_id=${photo},${poster}`]: 480,
    'label=Spring': 240,
    'folder_id=ads': 240,
    'label=Spring&folder_id=ads': 0,
    'group_id=doors': 240,
    'tag=front': 240,
    [`playlist_id=${playlist}`]: 480,
    [`playlist_id=${other}`]: 0,
    'plan_id=campaign': 120,
    [`tag=front&content_id=${poster}&playlist_id=${playlist}`]: 120,
  };
  for (const [query, plays] of Object.entries(expected)) {
    const { overall, by_content, by_device, by_day } = await delivery(query);
    assert.deepEqual([overall?.planned_plays, overall?.plays], [plays, plays], query);
    assert.equal(overall?.planned_seconds, overall?.total_seconds, query);
    for (const rows of [by_content, by_device, by_day])
      assert.equal(
        rows.reduce((sum, row) => sum + row.planned_plays, 0),
        plays,
        query,
      );
  }
});

test('publishing ends the old plan and begins a new plan, and a play in progress does not count as missed', async (t) => {
  const { site, clock, delivery, call, playlist, poster, till } = await openStore(t);
  clock.advance(HOUR + 15_000);
  // Publishes a change in the middle of a play of the poster.
  const [item] = await call('GET', `/api/playlists/${playlist}/items`);
  await call('DELETE', `/api/playlists/${playlist}/items/${item.id}`);
  await call('POST', `/api/playlists/${playlist}/publish`);
  await site.app.history.write();
  clock.advance(50_000);
  const { by_content } = await delivery(`device_id=${till}`);
  assert.deepEqual(
    by_content.map((row) => [row.content_id === poster, row.planned_plays, row.planned_seconds]),
    [
      [true, 120 + 1 + 2, 2_400 + 5 + 40],
      [false, 121, 1_210],
    ],
  );
});

test('nothing is planned outside opening hours, and a screen that is off then is not reported as a reason', async (t) => {
  const { site, clock, delivery, run, call, till, start } = await openStore(t);
  const hours = [{ days: [0, 1, 2, 3, 4, 5, 6], start: '10:00', end: '12:00' }];
  await call('PUT', `/api/devices/${till}`, { opening_hours: hours, timezone: 'UTC' });
  await site.app.history.write();
  const [from, to] = [start / 1000, (start + 2 * HOUR) / 1000];
  run("INSERT INTO status_intervals (device_id, status, since, until) VALUES (?, 'offline', ?, ?)", till, from, to);
  clock.advance(5 * HOUR);
  const { overall, shortfalls } = await delivery(`device_id=${till}`);
  assert.deepEqual([overall!.planned_seconds, overall!.delivered_pct], [7_200, 0]);
  assert.deepEqual([shortfalls[0]!.missing_seconds, shortfalls[0]!.off_seconds], [7_200, 3_600]);
});

test('a screen with missing plays is reported with all known reasons: off, old program, faults, new, deleted', async (t) => {
  const { clock, delivery, play, asPlanned, run, workspaceId, call, site, till, window, start, addScreen } =
    await openStore(t);
  const at = start / 1000;
  const interval = 'INSERT INTO status_intervals (device_id, status, since, until) VALUES (?, ?, ?, ?)';
  run(interval, window, 'offline', at - 7_200, at + 600);
  run(interval, window, 'online', at + 600, at + 3_600);
  run(interval, window, 'offline', at + 3_600, null);
  run(
    "INSERT INTO alerts (id, workspace_id, kind, ref, since, ended_at) VALUES ('a', ?, 'screen_program', ?, ?, ?)",
    workspaceId,
    window,
    at + 900,
    at + 1_200,
  );
  for (const [details, ago] of [
    ['of another month', 60 * 86_400],
    ['photo.gif: it could not be read', 90],
    ['poster.gif: it could not be read', 50],
  ] as const)
    run(
      "INSERT INTO activity (id, workspace_id, user_name, device_id, action, details, created_at) VALUES (?, ?, '', ?, 'device.error', ?, 0)",
      newId(start + HOUR - ago * 1000),
      workspaceId,
      window,
      details,
    );
  clock.advance(HOUR);
  await addScreen('new screen');
  clock.advance(HOUR);
  await play(till, asPlanned(0, 2 * HOUR));
  await play(window, asPlanned(600_000, HOUR));
  const now = await delivery();
  const nothing = {
    off_seconds: 0,
    off_since: null,
    program_seconds: 0,
    faults: 0,
    last_fault: null,
    added_at: null,
    removed_at: null,
  };
  assert.deepEqual(now.shortfalls, [
    {
      ...nothing,
      device_id: window,
      device_name: 'The window',
      missing_seconds: 4_200,
      off_seconds: 4_200,
      off_since: at + 3_600,
      program_seconds: 300,
      faults: 2,
      last_fault: 'poster.gif: it could not be read',
      added_at: at,
    },
    { ...nothing, device_id: 'new screen', device_name: 'The new', missing_seconds: 3_600, added_at: at + 3_600 },
  ]);
  // After the screen is deleted the figures stay the same, and the report says that the screen was deleted.
  await call('DELETE', `/api/devices/${encodeURIComponent(window)}`);
  await site.app.history.write();
  const after = await delivery();
  assert.deepEqual(figures(after.overall), figures(now.overall));
  assert.deepEqual([after.shortfalls[0]!.device_name, after.shortfalls[0]!.removed_at], ['The window', at + 7_200]);
});

test('saved counts are reused, and a report from saved counts equals the first report', async (t) => {
  const { clock, db, delivery, run, start } = await openStore(t);
  clock.advance(3 * DAY + 5_000);
  const cold = await delivery();
  const midnight = Math.floor(start / DAY) * DAY + DAY;
  const kept = db.raw.prepare('SELECT since, until FROM planned_windows WHERE until > ? ORDER BY since').all(start);
  // The saved time windows are the rest of the first day and whole days. The window of today is not over.
  assert.deepEqual(kept, [
    { since: start, until: midnight },
    { since: midnight, until: midnight + DAY },
    { since: midnight + DAY, until: midnight + 2 * DAY },
  ]);
  assert.deepEqual(await delivery(), cold);
  // The saved counts are changed here, to show that the report reads them.
  run('UPDATE planned_sums SET plays = plays + 1');
  assert.equal((await delivery()).overall!.planned_plays, cold.overall!.planned_plays + 3 * 2 * 2);
});

test('the CSV lists planned and shown plays by content, screen and day, and makes formulas in names harmless', async (t) => {
  const { ask, clock, play, asPlanned, run, till, window, today } = await openStore(t);
  run("UPDATE devices SET name = '=SUM(A1)' WHERE id = ?", window);
  clock.advance(HOUR);
  await play(till, asPlanned(0, HOUR));
  const { headers, body } = await ask('GET', `/api/reports/export?format=planned&start=${today}&end=${today}`);
  assert.equal(headers.get('content-disposition'), `attachment; filename="planned-${today}-to-${today}.csv"`);
  assert.equal(
    body,
    `By,Name,Planned plays,Planned (sec),Plays,Played (sec),Delivered (%)
Total,,480,7200,240,3600,50
Content,poster.gif,240,4800,120,2400,50
Content,photo.gif,240,2400,120,1200,50
Screen,The till,240,3600,240,3600,100
Screen,'=SUM(A1),240,3600,0,0,0
Day,${today},480,7200,240,3600,50
`,
  );
});
