/** Actions on a group of 2,000 screens do not delay other requests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownedSite } from '../harness.ts';
import { longestTurn, MOST_TURN_MS, told } from '../longest-turn.ts';
import { must } from '../people.ts';

const SCREENS = 2_000;

test('actions on a group of 2,000 screens do not delay other requests', async (t) => {
  const { site, call } = await ownedSite(t);
  const workspace = must(await call('GET', '/api/workspaces'))[0].id;
  const image = must(
    await call('POST', '/api/content/remote', { url: 'https://example.test/a.png', mime_type: 'image/png' }),
    201,
  ).id;
  const playlist = must(await call('POST', '/api/playlists', { name: 'All day' }), 201).id;
  for (let i = 0; i < 10; i++) must(await call('POST', `/api/playlists/${playlist}/items`, { content_id: image }), 201);
  must(await call('POST', `/api/playlists/${playlist}/publish`));
  const group = must(await call('POST', '/api/groups', { name: 'Every window' }), 201).id;
  const { db } = site.app;
  db.write(() => {
    const insert = db.raw.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO devices (id, workspace_id, name, timezone, secret_hash, created_at, updated_at) SELECT 'd' || i, ?, 'D' || i, 'UTC', lower(hex(randomblob(32))), 0, 0 FROM n`,
    );
    insert.run(SCREENS, workspace);
    db.raw.prepare('INSERT INTO group_members (group_id, device_id) SELECT ?, id FROM devices').run(group);
  });
  await db.durable();
  const schedule = { group_id: group, content_id: image, start_time: '2026-03-10T09:00', end_time: '2026-03-10T10:00' };
  const acts: [what: string, method: string, path: string, body: unknown, answer: object][] = [
    ['assign a playlist', 'POST', 'assign-playlist', { playlist_id: playlist }, { devices_updated: SCREENS }],
    [
      'assign a content, to playlists that are made for it',
      'POST',
      'assign-content',
      { content_id: image },
      { devices_updated: SCREENS },
    ],
    ['assign another, to those', 'POST', 'assign-content', { content_id: image }, { devices_updated: SCREENS }],
    ['command', 'POST', 'command', { type: 'screen_on' }, { total: SCREENS, offline: SCREENS }],
    ['delete', 'DELETE', '', undefined, { schedules_converted: SCREENS, devices: SCREENS }],
  ];
  must(await call('POST', '/api/schedules', schedule), 201);
  await t.test('message to 2,000 screens, its results and its withdrawal do not delay other requests', async (t) => {
    const message = { text: 'Closing soon', targets: [{ kind: 'group', id: group }] };
    const held: number[] = [];
    const ask = async (method: string, path: string, body?: unknown) => {
      const asking = call(method, `/api/messages${path}`, body);
      const turn = await longestTurn(asking);
      t.diagnostic(`${method} ${path}: ${told(turn)}`);
      held.push(turn.worked);
      return must(await asking, path === '' && method === 'POST' ? 201 : 200);
    };
    const { id, total, offline } = await ask('POST', '', message);
    assert.deepEqual([total, offline], [SCREENS, SCREENS]);
    assert.equal((await ask('GET', '?in_force=true'))[0].offline, SCREENS);
    assert.equal((await ask('GET', `/${id}/screens?limit=500&offset=1500`)).length, 500);
    assert.equal((await ask('DELETE', `/${id}`)).missed, SCREENS);
    assert.ok(Math.max(...held) < MOST_TURN_MS, String(held));
  });
  for (const [what, method, path, body, answer] of acts) {
    await t.test(what, async (t) => {
      const acting = call(method, `/api/groups/${group}${path && `/${path}`}`, body);
      const held = await longestTurn(acting);
      t.diagnostic(told(held));
      const said = must(await acting);
      assert.deepEqual(Object.fromEntries(Object.keys(answer).map((key) => [key, said[key]])), answer);
      assert.ok(held.worked < MOST_TURN_MS, told(held));
    });
  }
  assert.equal(must(await call('GET', '/api/assignments/device/d7')).length, 12);
});
