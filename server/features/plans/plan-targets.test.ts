/** Tests targets of plans: spelling of tags, and plans of deleted groups. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_PLAN_TARGETS } from '../../../shared/contract/screens/plans.ts';
import { must } from '../../../test/people.ts';
import { openShops } from '../../../test/shop.ts';

const shops = openShops();
const TIMES = { start_time: '2026-03-16T09:00', end_time: '2026-03-16T18:00' };

test('a tag matches in any spelling: in a plan, in its change, and in its preview', async (t) => {
  const { call, image, make, get, screen } = await shops.open(t);
  const { deviceId } = await screen('Window');
  must(await call('PUT', `/api/devices/${deviceId}`, { tags: ['Window'] }));
  const body = { ...TIMES, content_id: await image() };
  const tags = (...ids: string[]) => ids.map((id) => ({ kind: 'tag', id }));
  const plan = await make('/api/plans', { ...body, targets: tags('window', 'WINDOW') });
  assert.deepEqual([plan.targets.map(({ id }: { id: string }) => id), plan.screens], [['Window'], 1]);
  const changed = must(await call('PUT', `/api/plans/${plan.id}`, { targets: tags('wIndow', 'door') }));
  assert.deepEqual(
    [changed.targets.map(({ id }: { id: string }) => id).sort(), changed.screens],
    [['Window', 'door'], 1],
  );
  const preview = must(await call('POST', '/api/plans/preview', { ...body, targets: tags('windoW') }));
  assert.equal(preview.screens, 1);
  assert.equal((await get('/api/schedules')).length, 1);
});

test('a plan keeps the screens of a deleted large group and can be changed, but accepts no further targets', async (t) => {
  const { call, image, make, get, site, owner } = await shops.open(t);
  const { raw } = site.app.db;
  const { id: group } = await make('/api/groups', { name: 'All' });
  const ids = Array.from({ length: MAX_PLAN_TARGETS + 20 }, (_, n) => `screen-${n}`);
  const add = raw.prepare(
    "INSERT INTO devices (id, workspace_id, name, timezone, secret_hash, created_at, updated_at) VALUES (?, ?, ?, 'UTC', ?, 0, 0)",
  );
  const join = raw.prepare('INSERT INTO group_members (group_id, device_id) VALUES (?, ?)');
  for (const id of ids) {
    add.run(id, owner.workspaceId, id, id);
    join.run(group, id);
  }
  const plan = await make('/api/plans', {
    ...TIMES,
    content_id: await image(),
    targets: [{ kind: 'group', id: group }],
  });
  must(await call('DELETE', `/api/groups/${group}`));
  const left = must(await call('GET', `/api/plans/${plan.id}`));
  assert.deepEqual([left.targets.length, left.screens], [ids.length, ids.length]);
  const targets = left.targets.map(({ kind, id }: { kind: string; id: string }) => ({ kind, id }));
  const change = (body: object) => call('PUT', `/api/plans/${plan.id}`, body);
  assert.equal(must(await change({ title: 'Autumn', targets })).targets.length, ids.length);
  must(await call('POST', '/api/plans/preview', { ...TIMES, content_id: plan.content_id, targets, plan_id: plan.id }));
  const { id: other } = await make('/api/groups', { name: 'Others' });
  const more = await change({ targets: [...targets, { kind: 'group', id: other }] });
  assert.deepEqual([more.status, more.body.error], [400, `targets: must be at most ${MAX_PLAN_TARGETS} targets`]);
  assert.equal(must(await change({ targets: targets.slice(1) })).targets.length, ids.length - 1);
  assert.equal((await get('/api/schedules')).length, ids.length - 1);
});
