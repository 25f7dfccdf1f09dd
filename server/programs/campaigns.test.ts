/** Tests the precedence of headquarters' campaigns over the content of a store, in every combination. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { currentPlaylistId, resolve } from '../../shared/program/resolve.ts';
import { addContents, addDevices, addStore, contentId, deviceId, WORKSPACE } from '../../test/bench/seed.ts';
import { TestClock, tempFolder } from '../../test/harness.ts';
import { openDatabase } from '../db/open.ts';
import { Bus } from '../kernel/bus.ts';
import { ProgramsStore } from './programs.store.ts';
import { Programs } from './programs.ts';

const NOON = Date.UTC(2026, 10, 2, 12);
const SCREEN = deviceId(0);
const WHEN = "'2026-11-02T09:00:00', '2026-11-02T18:00:00', 'UTC'";
/** Ranks and store content, from highest to lowest precedence. */
const RANKED = ['safety', 'must', 'schedule', 'own', 'default'] as const;
type Ranked = (typeof RANKED)[number];

const setUp = (t: TestContext) => {
  const db = openDatabase(join(tempFolder(t), 'store.db'));
  t.after(() => db.close());
  db.write(() => {
    addStore(db);
    addContents(db, 3);
    addDevices(db, 1);
  });
  const { raw } = db;
  raw.exec(
    "INSERT INTO blobs (sha256, size, created_at) VALUES ('f', 1, 1); UPDATE content SET sha256 = 'f', kind = 'image'",
  );
  const playlist = (id: string, content = 0) =>
    raw.exec(`INSERT INTO playlists (id, workspace_id, name, status, published_ms, created_at, updated_at) VALUES ('${id}', '${WORKSPACE}', '${id}', 'published', 1, 1, 1);
      INSERT INTO published_items (id, playlist_id, content_id, sort_order, duration_sec) VALUES (1, '${id}', '${contentId(content)}', 0, 10)`);
  for (const id of [...RANKED, 'fill']) playlist(id, id === 'fill' ? 1 : 0);
  const plan = (rank: string, tags: readonly string[] = []) =>
    raw.exec(`INSERT INTO campaign_plans (workspace_id, campaign, edition, title, rank, screen_tags, playlist_id, start_time, end_time, timezone, created_at)
      VALUES ('${WORKSPACE}', '${rank}', 1, 'Campaign ${rank}', '${rank}', '${JSON.stringify(tags)}', '${rank}', ${WHEN}, 1)`);
  const put: Record<Ranked, () => void> = {
    safety: () => plan('safety'),
    must: () => plan('must'),
    default: () => plan('default'),
    own: () => raw.exec(`UPDATE devices SET playlist_id = 'own'`),
    // Adds a schedule of the store with the highest possible priority.
    schedule: () =>
      raw.exec(`INSERT INTO plans (id, workspace_id, start_time, end_time, timezone, created_at, updated_at) VALUES ('p', '${WORKSPACE}', ${WHEN}, 1, 1);
        INSERT INTO schedules (id, plan_id, workspace_id, device_id, playlist_id, title, start_time, end_time, timezone, priority, created_at, updated_at)
          VALUES ('p', 'p', '${WORKSPACE}', '${SCREEN}', 'schedule', 'Own schedule', ${WHEN}, 1000, 99, 99)`),
  };
  const bus = new Bus((_, error) => assert.fail(String(error)));
  const programs = () =>
    new Programs({
      store: new ProgramsStore(db),
      widgets: { page: () => undefined },
      players: { connected: () => [] },
      bus,
      clock: new TestClock(NOON),
      onError: (error) => assert.fail(String(error)),
    });
  const shown = (by = programs(), at = NOON) => {
    const { program, placement } = by.program(SCREEN)!;
    return currentPlaylistId(program, placement.timezone, at).playlist_id;
  };
  return { db, raw, put, plan, playlist, programs, shown, bus };
};

test('campaign of rank safety hides rank must, rank must hides all content of the store, and default is shown last', (t) => {
  for (let mask = 0; mask < 2 ** RANKED.length; mask++) {
    const { put, shown } = setUp(t);
    const there = RANKED.filter((_, bit) => mask & (1 << bit));
    // Half of the combinations are created in reverse order, because the order of creation must not matter.
    for (const rank of mask % 2 ? there.toReversed() : there) put[rank]();
    assert.equal(shown(), there[0] ?? null, there.join(' ') || 'nothing');
  }
});

test('campaign has no effect outside of its times', (t) => {
  const { put, shown, programs } = setUp(t);
  for (const rank of ['must', 'own', 'default'] as const) put[rank]();
  const evening = Date.UTC(2026, 10, 2, 18);
  assert.deepEqual([shown(programs(), evening - 1), shown(programs(), evening)], ['must', 'own']);
});

test('content that a campaign hides is listed by name', (t) => {
  const { put, programs } = setUp(t);
  put.must();
  put.schedule();
  const { program, placement } = programs().program(SCREEN)!;
  assert.deepEqual(resolve(program, placement.timezone, NOON).losing, [
    { schedule_id: 'p', title: 'Own schedule', lost_to: 'must', because: 'priority' },
  ]);
});

test('campaign for some screens selects these screens by tag, ignoring case', (t) => {
  const { raw, plan, shown, programs, bus } = setUp(t);
  plan('must', ['Window', 'Till']);
  const all = programs();
  all.start();
  t.after(() => all.stop());
  assert.equal(shown(all), null);
  const tagged = () => bus.emit('changed', { workspaceId: WORKSPACE, topic: 'devices', ids: [SCREEN], by: null });
  raw.exec(`INSERT INTO device_tags (device_id, tag) VALUES ('${SCREEN}', 'window')`);
  tagged();
  assert.equal(shown(all), 'must');
  raw.exec('DELETE FROM device_tags');
  tagged();
  assert.equal(shown(all), null);
});

test('campaign slot plays the store’s playlist if it fits the limits, else the content of headquarters', (t) => {
  const { raw, put, programs, playlist } = setUp(t);
  put.must();
  raw.exec("UPDATE published_items SET slot_id = 'slot' WHERE playlist_id = 'must'");
  const items = () => {
    const { program } = programs().program(SCREEN)!;
    return program.playlists.find(({ id }) => id === 'must')!.items.map(({ content_id }) => content_id);
  };
  assert.deepEqual(items(), [contentId(0)]);
  const limits = { name: 'Offer', max_items: 1, max_seconds: 30, kinds: ['image'] };
  raw.exec(
    `INSERT INTO chain_slots (workspace_id, id, campaign, limits, playlist_id) VALUES ('${WORKSPACE}', 'slot', 'must', '${JSON.stringify(limits)}', 'fill')`,
  );
  assert.deepEqual(items(), [contentId(1)]);
  raw.exec(
    `INSERT INTO published_items (id, playlist_id, content_id, sort_order, duration_sec) VALUES (2, 'fill', '${contentId(2)}', 1, 10)`,
  );
  assert.deepEqual(items(), [contentId(1)], 'one item, and no more');
  raw.exec("UPDATE published_items SET duration_sec = 31 WHERE playlist_id = 'fill'");
  assert.deepEqual(items(), [contentId(0)], 'nothing fits');
  playlist('empty');
  raw.exec("DELETE FROM published_items WHERE playlist_id = 'empty'; UPDATE chain_slots SET playlist_id = 'empty'");
  assert.deepEqual(items(), [contentId(0)]);
});
