import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Play } from '../../../shared/protocol/messages.ts';
import { ownedSite, type Site, TestClock } from '../../../test/harness.ts';
import { fromAnywhere, must, type Person, person } from '../../../test/people.ts';
import { addDevice, playAt, takeIn } from './testing/plays.ts';

const NOW = Date.UTC(2026, 2, 10, 9);
const HOUR = 3_600_000;

interface Store {
  site: Site;
  clock: TestClock;
  owner: Person;
  workspaceId: string;
  get(path: string, token?: string): ReturnType<Site['call']>;
  play(deviceId: string, ...plays: Play[]): Promise<unknown>;
}

const openStore = async (t: TestContext): Promise<Store> => {
  const clock = new TestClock(NOW);
  const { site, owner } = await ownedSite(t, { clock });
  const workspaceId = owner.workspaceId!;
  for (const id of ['till', 'window'])
    addDevice(site.app.db, workspaceId, id, { name: `The ${id}`, createdAt: NOW / 1000 - 90 * 86_400 });
  return {
    site,
    clock,
    owner,
    workspaceId,
    get: (path, token = owner.token) => site.call('GET', path, { token, headers: fromAnywhere() }),
    play: (deviceId, ...plays) => takeIn(site.app.db, clock, deviceId, plays),
  };
};

test('plays are listed newest first, with all fields and the total', async (t) => {
  const { get, play } = await openStore(t);
  await play(
    'till',
    playAt(NOW - HOUR, { zone_id: 'z', completed: false }),
    playAt(NOW - 2 * HOUR, {
      content_id: null,
      widget_id: 'clock',
      content_name: 'Clock',
      ended_at: NOW - 2 * HOUR + 2500,
    }),
  );
  await play('window', playAt(NOW - 3 * HOUR));
  const { body, headers } = await get('/api/reports/plays?limit=2');
  assert.equal(headers.get('x-total-count'), '3');
  const [first, second] = body;
  assert.deepEqual(
    { ...first, id: 'x' },
    {
      id: 'x',
      device_id: 'till',
      device_name: 'The till',
      content_id: 'photo',
      widget_id: null,
      content_name: 'photo.jpg',
      zone_id: 'z',
      playlist_id: 'playlist',
      started_at: (NOW - HOUR) / 1000,
      ended_at: (NOW - HOUR) / 1000 + 10,
      duration_sec: 10,
      completed: 0,
    },
  );
  assert.deepEqual(
    [second.content_id, second.widget_id, second.content_name, second.duration_sec],
    [null, 'clock', 'Clock', 2.5],
  );
  const third = await get('/api/reports/plays?limit=2&offset=2');
  assert.deepEqual(
    third.body.map((p: { device_id: string }) => p.device_id),
    ['window'],
  );
});

test('plays are found by device, content and period, and a page from a worker thread equals a page read directly', async (t) => {
  const { get, play } = await openStore(t);
  await play('till', playAt(NOW - HOUR), playAt(NOW - 26 * HOUR, { content_id: 'film', content_name: 'film.mp4' }));
  await play('window', playAt(NOW - HOUR - 5000, { content_id: 'film', content_name: 'film.mp4' }));
  const count = async (query: string) => {
    const near = await get(`/api/reports/plays?${query}`);
    const far = await get(`/api/reports/plays?${query}&limit=5000`);
    assert.deepEqual(far.body, must(near));
    assert.equal(far.headers.get('x-total-count'), near.headers.get('x-total-count'));
    assert.equal(near.headers.get('x-total-count'), String(near.body.length));
    return near.body.length;
  };
  assert.equal(await count(''), 3);
  assert.equal(await count('device_id=till'), 2);
  assert.equal(await count('content_id=film'), 2);
  assert.equal(await count('content_id=film&device_id=till'), 1);
  assert.equal(await count('start=2026-03-10T00:00Z'), 2);
  assert.equal(await count('start=2026-03-08&end=2026-03-09T12:00Z'), 1);
  assert.equal(await count('device_id=&content_id=&start=&end='), 3);
});

test('figures, lists and files follow each filter: contents, label, folder, tag, group, playlist, plan', async (t) => {
  const { site, owner, get, play, workspaceId } = await openStore(t);
  const { raw } = site.app.db;
  site.app.db.write(() => {
    const one = (sql: string, ...values: unknown[]) => raw.prepare(sql).run(...values);
    one(
      "INSERT INTO folders (id, workspace_id, parent_id, name, created_at) VALUES ('ads', ?, NULL, 'Ads', 0), ('cola', ?, 'ads', 'Cola', 0)",
      workspaceId,
      workspaceId,
    );
    one(
      `INSERT INTO content (id, workspace_id, filename, mime_type, kind, folder, folder_id, created_at, updated_at) VALUES
       ('photo', ?, 'photo.jpg', 'image/jpeg', 'image', 'Spring', NULL, 0, 0), ('film', ?, 'film.mp4', 'video/mp4', 'video', '', 'cola', 0, 0)`,
      workspaceId,
      workspaceId,
    );
    one(
      "INSERT INTO playlists (id, workspace_id, name, created_at, updated_at) VALUES ('night', ?, 'Night', 0, 0)",
      workspaceId,
    );
    one("INSERT INTO groups (id, workspace_id, name, created_at) VALUES ('doors', ?, 'Doors', 0)", workspaceId);
    one("INSERT INTO group_members (group_id, device_id) VALUES ('doors', 'window')");
    one("INSERT INTO device_tags (device_id, tag) VALUES ('till', 'till')");
    one(
      "INSERT INTO plans (id, workspace_id, content_id, start_time, end_time, timezone, created_at, updated_at) VALUES ('campaign', ?, 'photo', '2026-03-10T00:00:00', '2026-03-11T00:00:00', 'UTC', 0, 0)",
      workspaceId,
    );
    one("INSERT INTO plan_targets (plan_id, position, kind, ref) VALUES ('campaign', 0, 'group', 'doors')");
  });
  const film = { content_id: 'film', content_name: 'film.mp4' };
  await play(
    'till',
    playAt(NOW - HOUR),
    playAt(NOW - 2 * HOUR, film),
    playAt(NOW - 3 * HOUR, { playlist_id: 'night' }),
  );
  await play('window', playAt(NOW - HOUR), playAt(NOW - 4 * HOUR, { ...film, playlist_id: 'night' }));
  const figures = async (query: string) => {
    const summary = must(await get(`/api/reports/summary?${query}`));
    const total = summary.overall.total_plays;
    const sum = (rows: { plays: number }[]) => rows.reduce((all, { plays }) => all + plays, 0);
    for (const group of ['by_content', 'by_device', 'by_hour', 'by_day'])
      assert.equal(sum(summary[group]), total, `${query}: ${group}`);
    assert.equal((await get(`/api/reports/plays?${query}`)).headers.get('x-total-count'), String(total), query);
    const csv = (await get(`/api/reports/export?${query}`)).body as string;
    assert.equal(csv.trimEnd().split('\n').length - 1, total, query);
    const proof = await fetch(`${site.origin}/api/reports/export?format=jsonl&${query}`, {
      headers: { Authorization: `Bearer ${owner.token}` },
    });
    const lines = (await proof.text()).trimEnd().split('\n');
    const kept = lines.map((line) => JSON.parse(line)).filter(({ type, context }) => type === 'play' && !context);
    assert.equal(kept.length, total, query);
    return total;
  };
  assert.equal(await figures(''), 5);
  assert.equal(await figures('content_id=film'), 2);
  assert.equal(await figures('content_id=film,photo'), 5);
  assert.equal(await figures('label=Spring'), 3);
  assert.equal(await figures('folder_id=ads'), 2);
  assert.equal(await figures('tag=till'), 3);
  assert.equal(await figures('group_id=doors'), 2);
  assert.equal(await figures('playlist_id=night'), 2);
  assert.equal(await figures('playlist_id=night&tag=till'), 1);
  assert.equal(await figures('folder_id=cola&group_id=doors'), 1);
  assert.equal(await figures('plan_id=campaign'), 1);
  assert.equal(await figures('device_id=till&label=Spring'), 2);
  const uptime = async (query: string) =>
    (await get(`/api/reports/uptime?${query}`)).body.map((row: { device_id: string }) => row.device_id);
  assert.deepEqual(await uptime('tag=till'), ['till']);
  assert.deepEqual(await uptime('plan_id=campaign'), ['window']);
  for (const kind of ['group', 'folder', 'playlist', 'plan', 'content'])
    assert.equal((await get(`/api/reports/summary?${kind}_id=nobody`)).status, 404, kind);
  const many = Array.from({ length: 101 }, (_, n) => `c${n}`).join(',');
  assert.match((await get(`/api/reports/summary?content_id=${many}`)).body.error, /content_id: must be at most 100/);
});

test('reports contain nothing of another workspace, and answer 404 for its ids', async (t) => {
  const { site, get, play, workspaceId } = await openStore(t);
  const stranger = await person(site, 'stranger@other.test', { createOrg: true });
  addDevice(site.app.db, stranger.workspaceId!, 'theirs');
  await play('till', playAt(NOW - HOUR));
  await play('theirs', playAt(NOW - HOUR, { content_id: 'secret', content_name: 'secret.jpg' }));
  assert.notEqual(stranger.workspaceId, workspaceId);
  for (const report of ['plays', 'summary', 'export', 'uptime', 'delivery', 'pdf']) {
    assert.equal((await get(`/api/reports/${report}?device_id=theirs`)).status, 404, report);
    assert.equal((await get(`/api/reports/${report}?device_id=nobody`)).status, 404, report);
  }
  assert.equal((await get('/api/reports/plays?content_id=secret')).status, 404);
  assert.equal((await get('/api/reports/plays')).body.length, 1);
  const { overall, by_content } = (await get('/api/reports/summary')).body;
  assert.deepEqual([overall.total_plays, by_content.length], [1, 1]);
  assert.doesNotMatch((await get('/api/reports/export')).body, /secret|theirs/);
  assert.deepEqual(
    (await get('/api/reports/uptime', stranger.token)).body.map((row: { device_id: string }) => row.device_id),
    ['theirs'],
  );
});

test('a play survives the deletion of its device and its content', async (t) => {
  const { site, get, play, owner } = await openStore(t);
  await play('till', playAt(NOW - HOUR));
  must(await site.call('DELETE', '/api/devices/till', { token: owner.token }));
  const [row] = must(await get('/api/reports/plays?device_id=till&content_id=photo'));
  assert.deepEqual([row.device_name, row.content_name], ['The till', 'photo.jpg']);
  const summary = must(await get('/api/reports/summary?device_id=till'));
  assert.deepEqual(summary.by_device, [{ device_id: 'till', device_name: 'The till', plays: 1, total_seconds: 10 }]);
  assert.match(must(await get('/api/reports/export?device_id=till')), /^The till,photo\.jpg,/m);
  assert.equal((await get('/api/reports/uptime?device_id=till')).status, 404);
});

test('the summary contains only the part that group_by names, and without group_by all parts', async (t) => {
  const { get, play } = await openStore(t);
  await play(
    'till',
    playAt(NOW - HOUR),
    playAt(NOW - 2 * HOUR),
    playAt(NOW - 25 * HOUR, { content_id: 'film', content_name: 'film.mp4', ended_at: NOW - 25 * HOUR + 30_000 }),
  );
  const all = must(await get('/api/reports/summary'));
  assert.deepEqual(all.overall, {
    total_plays: 3,
    total_seconds: 50,
    total_hours: 0.014,
    unique_content: 2,
    unique_devices: 1,
    avg_duration_sec: 16.667,
  });
  assert.deepEqual(all.by_content, [
    { content_id: 'photo', widget_id: null, content_name: 'photo.jpg', plays: 2, total_seconds: 20 },
    { content_id: 'film', widget_id: null, content_name: 'film.mp4', plays: 1, total_seconds: 30 },
  ]);
  assert.equal(all.by_hour.length, 24);
  assert.equal(
    all.by_day.reduce((sum: number, day: { plays: number }) => sum + day.plays, 0),
    3,
  );
  const members = { content: 'by_content', device: 'by_device', hour: 'by_hour', day: 'by_day' };
  for (const [group, member] of Object.entries(members)) {
    const one = must(await get(`/api/reports/summary?group_by=${group}`));
    assert.deepEqual(one.overall, all.overall);
    for (const other of Object.values(members))
      assert.deepEqual(one[other], other === member ? all[member] : [], `${group}: ${other}`);
  }
  assert.equal((await get('/api/reports/summary?group_by=week')).status, 400);
});

test('an empty summary contains zeros and 24 hours', async (t) => {
  const { get } = await openStore(t);
  const { overall, by_hour, by_content } = must(await get('/api/reports/summary?device_id=till'));
  assert.deepEqual(overall, {
    total_plays: 0,
    total_seconds: 0,
    total_hours: 0,
    unique_content: 0,
    unique_devices: 0,
    avg_duration_sec: 0,
  });
  assert.deepEqual([by_hour.length, by_content], [24, []]);
});

test('every report refuses a malformed or reversed period with 400', async (t) => {
  const { get } = await openStore(t);
  for (const report of ['plays', 'summary', 'export', 'uptime', 'delivery', 'pdf']) {
    for (const query of ['start=yesterday', 'end=2026-02-30', 'start=2026-03-10&end=2026-03-09'])
      assert.equal((await get(`/api/reports/${report}?${query}`)).status, 400, `${report}?${query}`);
  }
  for (const query of ['limit=0', 'limit=5001', 'limit=x', 'offset=-1'])
    assert.equal((await get(`/api/reports/plays?${query}`)).status, 400, query);
});

test('the export is a CSV download, newest first, in chunks that neither lose nor repeat a line', async (t) => {
  const { get, play } = await openStore(t);
  // Synchronized screens start items in the same millisecond, so a chunk may end between plays with the same time.
  const plays = Array.from({ length: 4500 }, (_, n) =>
    playAt(NOW - HOUR - Math.floor(n / 1000) * 10_000, { content_name: `item ${n}` }),
  );
  await play('till', ...plays);
  const { headers, body } = await get('/api/reports/export?start=2026-03-01&end=2026-03-10');
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.equal(headers.get('content-disposition'), 'attachment; filename="plays-2026-03-01-to-2026-03-10.csv"');
  const lines = body.trimEnd().split('\n');
  assert.equal(lines.shift(), 'Device,Content,Started,Ended,Duration (sec),Completed');
  assert.equal(lines.length, 4500);
  assert.equal(new Set(lines.map((line: string) => line.split(',')[1])).size, 4500);
  const times = lines.map((line: string) => line.split(',')[2]);
  assert.deepEqual(times, [...times].sort().reverse());
  assert.equal(
    (await get('/api/reports/export?device_id=window&format=')).body,
    'Device,Content,Started,Ended,Duration (sec),Completed\n',
  );
});

test('an export whose client disconnects leaves the server working', async (t) => {
  const { site, owner, get, play } = await openStore(t);
  await play(
    'till',
    ...Array.from({ length: 10_000 }, (_, n) => playAt(NOW - HOUR - n, { content_name: 'x'.repeat(200) })),
  );
  for (let n = 0; n < 5; n++) {
    const response = await fetch(`${site.origin}/api/reports/export`, {
      headers: { Authorization: `Bearer ${owner.token}` },
    });
    await response.body!.cancel();
  }
  assert.equal(must(await get('/api/reports/export')).split('\n').length, 10_002);
});

test('uptime counts the part of the period in which the device existed', async (t) => {
  const { site, get, workspaceId } = await openStore(t);
  const now = NOW / 1000;
  addDevice(site.app.db, workspaceId, 'new', { name: 'New one', createdAt: now - 1000 });
  addDevice(site.app.db, workspaceId, 'never', { name: 'Never on', createdAt: now - 1000 });
  const interval = (device: string, status: string, since: number, until: number | null) =>
    site.app.db.write(() =>
      site.app.db.raw
        .prepare('INSERT INTO status_intervals (device_id, status, since, until) VALUES (?, ?, ?, ?)')
        .run(device, status, since, until),
    );
  interval('new', 'offline', now - 1000, now - 990);
  interval('new', 'online', now - 990, now - 500);
  interval('new', 'offline', now - 500, now - 400);
  interval('new', 'online', now - 400, null);
  interval('till', 'online', now - 40 * 86_400, now - 86_400);
  interval('till', 'offline', now - 86_400, null);
  const { body, headers } = await get('/api/reports/uptime?start=2026-03-08T09:00Z');
  assert.equal(headers.get('x-total-count'), '4');
  const rows = new Map<string, Record<string, unknown>>(body.map((row: { device_id: string }) => [row.device_id, row]));
  assert.deepEqual(rows.get('new'), {
    device_id: 'new',
    device_name: 'New one',
    online_seconds: 890,
    period_seconds: 1000,
    uptime_pct: 89,
    first_seen: now - 990,
    last_seen: now,
    outages: 1,
  });
  assert.deepEqual(rows.get('never'), {
    device_id: 'never',
    device_name: 'Never on',
    online_seconds: 0,
    period_seconds: 1000,
    uptime_pct: 0,
    first_seen: null,
    last_seen: null,
    outages: 0,
  });
  assert.deepEqual(rows.get('till'), {
    device_id: 'till',
    device_name: 'The till',
    online_seconds: 86_400,
    period_seconds: 172_800,
    uptime_pct: 50,
    first_seen: now - 172_800,
    last_seen: now - 86_400,
    outages: 1,
  });
  const earlier = must(await get('/api/reports/uptime?start=2026-01-01&end=2026-03-01'));
  assert.deepEqual(
    earlier.map((row: { device_id: string }) => row.device_id).sort(),
    ['till', 'window'],
    'who came later is not in it',
  );
  assert.equal(must(await get('/api/reports/uptime?device_id=new')).length, 1);
});
