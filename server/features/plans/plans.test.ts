import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Plan, PlanTarget } from '../../../shared/contract/screens/plans.ts';
import { MAX_SCHEDULES, type Schedule } from '../../../shared/contract/screens/schedules.ts';
import { must } from '../../../test/people.ts';
import { actorOf, openParts, openRows, refusedWith } from '../../../test/rows.ts';
import { openShops, type Shop } from '../../../test/shop.ts';
import { Bus, type Change } from '../../kernel/bus.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import { PlanFollower } from './plan-follower.ts';
import { PlansService } from './plans.service.ts';
import { PlansStore } from './plans.store.ts';

const shops = openShops();
const SERVER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Adds screens that never connect. Plans need no connected players. */
const addScreens = ({ site, owner }: Shop, names: readonly string[], timezone = 'Europe/Berlin'): string[] => {
  const { db } = site.app;
  const add = db.raw.prepare(
    `INSERT INTO devices (id, workspace_id, name, timezone, secret_hash, orientation, created_at, updated_at) VALUES (@id, @workspace, @name, @timezone, @id, '0', 0, 0)`,
  );
  const ids = names.map((name) => `${name} ${owner.workspaceId}`);
  db.write(() => {
    for (const [i, name] of names.entries()) add.run({ id: ids[i], workspace: owner.workspaceId, name, timezone });
  });
  return ids;
};

const planning = async (t: TestContext) => {
  const shop = await shops.open(t);
  const { site, owner, make, get, call } = shop;
  const { db } = site.app;
  const content_id = await shop.image();
  const times = { content_id, start_time: '2026-03-16T09:00', end_time: '2026-03-16T18:00' };
  const heard: Change[] = [];
  const bus = new Bus((_, error) => assert.fail(String(error)));
  bus.on('changed', (change) => void heard.push(change));
  const parts = { db, bus, clock: shop.clock, store: new PlansStore(db) };
  const follower = new PlanFollower(parts);
  const service = new PlansService({
    ...parts,
    activity: { add: () => 0 } as never,
    bin: { storeRecord: () => {} },
    layouts: { findZone: () => undefined },
    tags: { spelled: (_, tags) => [...tags] },
    serverZone: () => 'UTC',
  });
  const actor = { workspaceId: owner.workspaceId!, userId: 'u' } as WorkspaceActor;
  /** Changes a tag like features/devices does: the tag is written and the plans are updated in one transaction. */
  const tag = (name: string, devices: readonly string[], on = true) =>
    db.write(() => {
      const change = db.raw.prepare(
        on
          ? 'INSERT OR IGNORE INTO device_tags VALUES (?, ?)'
          : 'DELETE FROM device_tags WHERE device_id = ? AND tag = ?',
      );
      for (const device of devices) change.run(device, name);
      follower.syncTags(owner.workspaceId!, [name]);
    });
  return {
    ...shop,
    content_id,
    times,
    heard,
    service,
    actor,
    tag,
    screens: (...names: string[]) => addScreens(shop, names),
    group: async (name: string, members: readonly string[]): Promise<string> => {
      const { id } = await make('/api/groups', { name });
      for (const device_id of members) await make(`/api/groups/${id}/devices`, { device_id });
      return id;
    },
    plan: (targets: readonly PlanTarget[], more: object = {}): Promise<Plan> =>
      make('/api/plans', { ...times, targets, ...more }),
    /** Returns the schedules of a workspace by target id. */
    schedules: async (): Promise<Map<string, Schedule>> =>
      new Map((await get('/api/schedules')).map((s: Schedule) => [s.device_id ?? s.group_id, s])),
    edit: async (id: string, body: object) => must(await call('PUT', `/api/plans/${id}`, body)) as Plan,
  };
};
const device = (id: string): PlanTarget => ({ kind: 'device', id });
const group = (id: string): PlanTarget => ({ kind: 'group', id });
const tagged = (id: string): PlanTarget => ({ kind: 'tag', id });

test('plan keeps equal schedules for each of its screens and groups, and one schedule for a screen that is included twice', async (t) => {
  const { screens, group: makeGroup, plan, schedules, tag, get } = await planning(t);
  const [a, b, c, d] = screens('A', 'B', 'C', 'D') as [string, string, string, string];
  const g = await makeGroup('Front', [c, d]);
  tag('window', [a, b]);
  const made = await plan([device(a), group(g), tagged('window'), device(a)], { title: 'Spring', priority: 3 });
  assert.deepEqual(
    made.targets,
    [
      { kind: 'device', id: a, name: 'A' },
      { kind: 'group', id: g, name: 'Front' },
      { kind: 'tag', id: 'window', name: 'window' },
    ],
    'each once, as they were sent, by name',
  );
  assert.deepEqual([made.screens, made.revision, made.timezone], [4, 1, 'Europe/Berlin']);
  const kept = await schedules();
  assert.deepEqual([...kept.keys()].toSorted(), [a, b, g].toSorted());
  for (const { plan_id, title, priority, start_time, created_at } of kept.values())
    assert.deepEqual(
      [plan_id, title, priority, start_time, created_at],
      [made.id, 'Spring', 3, '2026-03-16T09:00:00', made.created_at],
    );
  assert.deepEqual(await get(`/api/plans/${made.id}`), made);
});

test('a plan without a zone gets the zone of its first screen, named by id or tag, else the server’s zone', async (t) => {
  const shop = await planning(t);
  const [a] = shop.screens('A') as [string];
  const [far] = addScreens(shop, ['Far'], 'Asia/Tokyo') as [string];
  const g = await shop.group('G', [a]);
  shop.tag('far', [far]);
  const zone = async (...targets: PlanTarget[]) => (await shop.plan(targets)).timezone;
  assert.deepEqual(
    [
      await zone(device(a), device(far)),
      await zone(tagged('far'), device(a)),
      await zone(group(g), device(far)),
      await zone(group(g)),
      await zone(tagged('nobody')),
    ],
    ['Europe/Berlin', 'Asia/Tokyo', 'Asia/Tokyo', SERVER_ZONE, SERVER_ZONE],
  );
});

test('schedules keep their ids while their plan changes, and added and removed schedules are announced', async (t) => {
  const { screens, plan, schedules, site, service, actor, heard } = await planning(t);
  const [a, b, c] = screens('A', 'B', 'C') as [string, string, string];
  const { id } = await plan([device(a), device(b)]);
  const before = await schedules();
  const change = { targets: [device(b), device(c)], title: 'New', enabled: 0 } as const;
  const { record: changed } = service.update(actor, id, { ...change, targets: [...change.targets] });
  await site.app.db.durable();
  const after = await schedules();
  assert.deepEqual([changed.revision, changed.screens, changed.enabled], [2, 2, 0]);
  assert.deepEqual([...after.keys()].toSorted(), [b, c]);
  assert.equal(after.get(b)!.id, before.get(b)!.id);
  assert.ok([...after.values()].every((s) => s.title === 'New' && s.enabled === 0));
  const told = (topic: string) => heard.filter((change) => change.topic === topic).flatMap(({ ids }) => ids ?? []);
  assert.deepEqual(told('plans'), [id]);
  assert.deepEqual(new Set(told('schedules')), new Set([before.get(a)!.id, after.get(b)!.id, after.get(c)!.id]));
});

test('a screen that gets or loses a tag gets or loses the tag’s plans, unless another target includes the screen', async (t) => {
  const { screens, plan, schedules, tag, get, heard, site } = await planning(t);
  const [a, b, c] = screens('A', 'B', 'C') as [string, string, string];
  const made = await plan([tagged('window'), device(b)]);
  assert.equal(made.screens, 1);
  tag('window', [a, b]);
  await site.app.db.durable();
  assert.deepEqual([...(await schedules()).keys()].toSorted(), [a, b]);
  assert.ok(heard.some(({ topic, ids }) => topic === 'schedules' && ids?.length === 1));
  const { screens: count, revision } = await get(`/api/plans/${made.id}`);
  assert.deepEqual([count, revision], [2, 1], 'nobody edited it');
  tag('window', [a, b], false);
  assert.deepEqual([...(await schedules()).keys()], [b]);
  tag('other', [c]);
  assert.deepEqual([...(await schedules()).keys()], [b]);
});

test('a schedule made without a plan gets its own plan, which changes and ends with it', async (t) => {
  const { screens, make, times, call, get } = await planning(t);
  const [a, b] = screens('A', 'B') as [string, string];
  const schedule = await make('/api/schedules', { ...times, device_id: a, title: 'Alone' });
  const plan = await get(`/api/plans/${schedule.plan_id}`);
  assert.deepEqual([plan.title, plan.targets, plan.revision], ['Alone', [{ kind: 'device', id: a, name: 'A' }], 1]);
  const moved = must(await call('PUT', `/api/schedules/${schedule.id}`, { device_id: b, title: 'Moved' }));
  assert.deepEqual([moved.id, moved.plan_id, moved.device_id], [schedule.id, plan.id, b]);
  const after = await get(`/api/plans/${plan.id}`);
  assert.deepEqual([after.title, after.targets, after.revision], ['Moved', [{ kind: 'device', id: b, name: 'B' }], 2]);
  must(await call('DELETE', `/api/schedules/${schedule.id}`));
  assert.deepEqual(await get('/api/plans'), []);
});

test('changing one of a plan’s schedules moves it to a new plan, and replaces its tag by the tag’s other screens', async (t) => {
  const { screens, plan, schedules, call, get, tag } = await planning(t);
  const [a, b, c] = screens('A', 'B', 'C') as [string, string, string];
  tag('window', [a, b, c]);
  const made = await plan([device(a), tagged('window')], { title: 'Spring' });
  const first = (await schedules()).get(a)!;
  const left = must(await call('PUT', `/api/schedules/${first.id}`, { title: 'Own' }));
  assert.deepEqual([left.id, left.device_id, left.created_at], [first.id, a, first.created_at]);
  assert.notEqual(left.plan_id, made.id);
  assert.deepEqual((await get(`/api/plans/${left.plan_id}`)).targets, [{ kind: 'device', id: a, name: 'A' }]);
  const rest: Plan = await get(`/api/plans/${made.id}`);
  assert.deepEqual([rest.title, rest.revision, rest.targets.map((x) => x.id)], ['Spring', 2, [b, c]]);
  assert.deepEqual([...(await schedules()).values()].map((s) => s.title).toSorted(), ['Own', 'Spring', 'Spring']);
  const second = (await schedules()).get(b)!;
  must(await call('DELETE', `/api/schedules/${second.id}`));
  const last: Plan = await get(`/api/plans/${made.id}`);
  assert.deepEqual([last.revision, last.targets.map((x) => x.id)], [3, [c]]);
  assert.deepEqual([...(await schedules()).keys()].toSorted(), [a, c]);
});

test('a schedule is changed and deleted only with the current ETag of its plan', async (t) => {
  const { screens, make, times, site, owner, get } = await planning(t);
  const [a] = screens('A') as [string];
  const { id } = await make('/api/schedules', { ...times, device_id: a });
  const send = (method: string, path: string, ifMatch: string, body?: object) =>
    site.call(method, path, { token: owner.token, body, headers: { 'If-Match': ifMatch } });
  const schedule = `/api/schedules/${id}`;
  const changed = await send('PUT', schedule, '"1"', { title: 'x' });
  assert.deepEqual([changed.status, changed.headers.get('etag')], [200, '"2"']);
  assert.equal((await send('PUT', schedule, '"1"', { title: 'y' })).status, 412);
  assert.equal((await send('PUT', `/api/plans/${id}`, '"1"', { title: 'y' })).status, 412);
  assert.equal((await send('DELETE', schedule, '"1"')).status, 412);
  assert.equal((await send('DELETE', `/api/plans/${id}`, '"1"')).status, 412);
  assert.equal((await get(`/api/plans/${id}`)).title, 'x');
  assert.equal((await send('DELETE', schedule, '"2"')).status, 200);
});

test('a deleted screen leaves its plans, a deleted group is replaced by its screens, and empty plans are deleted', async (t) => {
  const { screens, plan, schedules, call, get, group: makeGroup } = await planning(t);
  const [a, b, c] = screens('A', 'B', 'C') as [string, string, string];
  const [g, empty] = [await makeGroup('G', [b, c]), await makeGroup('Empty', [])];
  const both = await plan([device(a), group(g), device(b)]);
  await plan([group(empty)], { title: 'For nobody' });
  assert.deepEqual(must(await call('DELETE', `/api/groups/${empty}`)), {
    success: true,
    schedules_converted: 0,
    devices: 0,
  });
  assert.deepEqual(
    (await get('/api/plans')).map((p: Plan) => p.id),
    [both.id],
  );
  assert.equal(must(await call('DELETE', `/api/groups/${g}`)).schedules_converted, 1, 'B had one already');
  assert.deepEqual(
    (await get(`/api/plans/${both.id}`)).targets.map((x: PlanTarget) => x.id),
    [a, b, c],
  );
  assert.deepEqual([...(await schedules()).keys()].toSorted(), [a, b, c]);
  for (const id of [a, b]) must(await call('DELETE', `/api/devices/${id}`));
  const { targets, revision, screens: count } = (await get('/api/plans'))[0] as Plan;
  assert.deepEqual([targets.map((x) => x.id), revision, count], [[c], 4, 1]);
  must(await call('DELETE', `/api/devices/${c}`));
  assert.deepEqual(await get('/api/plans'), []);
});

test('deleting the only record that a plan shows deletes the plan, and else raises the revision of the plan', async (t) => {
  const { screens, plan, call, get, content_id, playlist, image, schedules } = await planning(t);
  const [a, b] = screens('A', 'B') as [string, string];
  await plan([device(a), device(b)]);
  const playlist_id = await playlist([await image('p.gif')]);
  const both = await plan([device(a)], { playlist_id });
  must(await call('DELETE', `/api/content/${content_id}`));
  const [left, ...none] = (await get('/api/plans')) as Plan[];
  assert.deepEqual([left!.id, left!.content_id, left!.revision, none], [both.id, null, 2, []]);
  assert.equal((await schedules()).size, 1);
});

test('plans are listed in pages, oldest first, and can be filtered by screen, by group, and by title', async (t) => {
  const { screens, plan, tag, site, owner, group: makeGroup, get, clock } = await planning(t);
  const [a, b] = screens('A', 'B') as [string, string];
  const g = await makeGroup('G', [a]);
  tag('window', [a]);
  const ids: string[] = [];
  for (const [title, target] of [
    ['Über alles', device(a)],
    ['Group', group(g)],
    ['Tag', tagged('window')],
    ['Other', device(b)],
  ] as const) {
    ids.push((await plan([target], { title })).id);
    clock.advance(1000);
  }
  const listed = async (query: string) => {
    const { body, headers } = await site.call('GET', `/api/plans?${query}`, { token: owner.token });
    return [body.map((p: Plan) => ids.indexOf(p.id)), Number(headers.get('x-total-count'))];
  };
  assert.deepEqual(await listed(''), [[0, 1, 2, 3], 4]);
  assert.deepEqual(await listed('limit=2&offset=1'), [[1, 2], 4]);
  assert.deepEqual(await listed(`device_id=${encodeURIComponent(a)}`), [[0, 1, 2], 3]);
  assert.deepEqual(await listed(`group_id=${g}`), [[1], 1]);
  assert.deepEqual(await listed('q=uber'), [[0], 1]);
  assert.deepEqual(await listed(`device_id=${encodeURIComponent(a)}&q=o`), [[1], 1]);
  assert.deepEqual(
    (await get('/api/plans')).map((p: Plan) => p.screens),
    [1, 1, 1, 1],
  );
});

test('a plan needs at least one target of its workspace, and an error names a screen with too many schedules', async (t) => {
  const { screens, call, times, plan, site } = await planning(t);
  const [a, b] = screens('A', 'B') as [string, string];
  const refused = async (targets: unknown) => {
    const { status, body } = await call('POST', '/api/plans', { ...times, targets });
    return [status, body.error];
  };
  assert.deepEqual(await refused([device('nobody')]), [404, 'Device not found']);
  assert.deepEqual(await refused([device(a), group('nobody')]), [404, 'Group not found']);
  for (const targets of [
    [],
    undefined,
    [{ kind: 'wall', id: a }],
    Array.from({ length: 501 }, (_, n) => tagged(`${n}`)),
  ]) {
    const [status, error] = await refused(targets);
    assert.equal(status, 400);
    assert.match(error, /^targets/);
  }
  const { id } = await plan([device(a)]);
  site.app.db.write(() =>
    site.app.db.raw
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
         INSERT INTO schedules (id, plan_id, workspace_id, device_id, start_time, end_time, timezone, created_at, updated_at)
         SELECT id || n.i, plan_id, workspace_id, device_id, start_time, end_time, timezone, 0, 0 FROM schedules, n WHERE id = ?`,
      )
      .run(id),
  );
  assert.deepEqual(await refused([tagged('x'), device(a)]), [
    400,
    'targets: a screen or group can have at most 1000 schedules',
  ]);
  const other = await plan([device(b)]);
  for (const [change, status] of [
    [{ targets: [device(a)] }, 400],
    [{ targets: [device('nobody')] }, 404],
    [{ end_time: times.start_time }, 400],
    [{ content_id: 'nothing' }, 404],
  ] as const)
    assert.equal((await call('PUT', `/api/plans/${other.id}`, change)).status, status, JSON.stringify(change));
});

test('a schedule of a group can move to another group and gain a screen, and its plan is announced', async (t) => {
  const {
    screens,
    group: addGroup,
    times,
    make,
    call,
    heard,
    service,
    actor,
    site,
    schedules,
    get,
  } = await planning(t);
  const [a] = screens('A') as [string];
  const [one, two] = [await addGroup('One', []), await addGroup('Two', [])];
  const { id } = await make('/api/schedules', { ...times, group_id: one });
  const moved = must(await call('PUT', `/api/schedules/${id}`, { group_id: two }));
  assert.equal(moved.group_id, two);
  const [plan] = await get('/api/plans');
  assert.deepEqual(
    plan.targets.map((target: PlanTarget) => target.id),
    [two],
  );
  const { db } = site.app;
  const joined = db.write(() => service.join(actor, moved, { device_id: a, group_id: null }));
  await db.durable();
  assert.equal((await schedules()).get(a)?.id, joined);
  assert.deepEqual(
    heard.map(({ topic, ids }) => [topic, ids]),
    [['plans', [plan.id]]],
  );
  assert.throws(
    () => db.write(() => service.join(actor, moved, { device_id: 'nobody', group_id: null })),
    /Device not found/,
  );
});

test('the activity log names a plan and its targets', async (t) => {
  const { screens, plan, edit, call, get } = await planning(t);
  const [a, b, c, d, e] = screens('A', 'B', 'C', 'D', 'E') as string[];
  const { id } = await plan([device(a!)]);
  await edit(id, { title: 'Spring', targets: [a!, b!, c!, d!, e!].map(device) });
  must(await call('DELETE', `/api/plans/${id}`));
  const entries = (await get('/api/activity?limit=3')).map((x: any) => [x.action, x.details, x.device_id]);
  assert.deepEqual(entries, [
    ['plan.deleted', 'Spring: A, B, C +2', null],
    ['plan.updated', 'Spring: A, B, C +2', null],
    ['plan.created', 'a.gif: A', a],
  ]);
});

/**
 * Makes two screens of `here` in a group and with a tag, a third without them, and an equal screen in another
 * workspace.
 */
const openStore = () => {
  const { db, add } = openRows();
  const screens = { b: 'Tür', a: 'tür', alone: 'Zoo', theirs: 'Tür' };
  for (const [id, name] of Object.entries(screens))
    add('devices', { id, name, timezone: `zone of ${id}`, workspace_id: id === 'theirs' ? 'there' : 'here' });
  add('groups', { id: 'g' }, { id: 'empty' }, { id: 'their group', workspace_id: 'there' });
  add('content', { id: 'photo', filename: 'photo.jpg' });
  for (const device_id of ['a', 'b', 'theirs']) {
    add('device_tags', { device_id, tag: 'window' });
    add('group_members', { group_id: device_id === 'theirs' ? 'their group' : 'g', device_id });
  }
  const store = new PlansStore(db);
  const plan = (id: string, targets: readonly PlanTarget[] = [], more: Record<string, string | number> = {}) => {
    add('plans', { id, title: id, content_id: 'photo', ...more });
    db.write(() => {
      store.setTargets(id, targets);
      store.fit({ id, workspace_id: String(more['workspace_id'] ?? 'here') });
    });
  };
  return { db, add, store, plan };
};

test('a plan has a schedule for each screen and group of any targets, and counts each screen once', () => {
  const { db, store, plan } = openStore();
  const all = [device('a'), device('alone'), device('theirs'), group('g'), group('empty'), tagged('window')];
  const targetsOf = () =>
    db.raw.prepare("SELECT coalesce(device_id, group_id) FROM schedules WHERE plan_id = 'p' ORDER BY 1").pluck().all();
  plan('p');
  plan('q', [device('alone'), group('g')]);
  for (let chosen = 0; chosen < 2 ** all.length; chosen++) {
    const targets = all.filter((_, at) => chosen & (1 << at));
    const has = (target: PlanTarget) => targets.includes(target);
    const own = new Set([...(has(all[0]!) ? ['a'] : []), ...(has(all[5]!) ? ['a', 'b'] : [])]);
    if (has(all[1]!)) own.add('alone');
    const groups = targets.filter(({ kind }) => kind === 'group').map(({ id }) => id);
    db.write(() => {
      store.setTargets('p', targets);
      const before = store.scheduleIds('p');
      const { made, gone } = store.fit({ id: 'p', workspace_id: 'here' });
      assert.deepEqual(
        new Set(store.scheduleIds('p')),
        new Set([...before.filter((id) => !gone.includes(id)), ...made]),
      );
    });
    assert.deepEqual(targetsOf(), [...own, ...groups].toSorted());
    const reached = has(all[3]!) ? new Set([...own, 'a', 'b']) : own;
    assert.deepEqual(new Set(store.screenIds('p')), reached);
    assert.equal(store.screens('p'), reached.size);
    const meant = store.screensOf('here', targets);
    assert.deepEqual(new Set(meant.map(({ id }) => id)), reached);
    for (const { id, direct } of meant) assert.equal(direct === 1, own.has(id));
    const missing = has(all[2]!) ? 'device' : undefined;
    assert.equal(store.missingTarget('here', targets), missing);
  }
  assert.equal(store.missingTarget('here', [group('g'), group('their group')]), 'group');
  assert.deepEqual(store.targets('p'), [
    { kind: 'device', id: 'a', name: 'tür' },
    { kind: 'device', id: 'alone', name: 'Zoo' },
    { kind: 'device', id: 'theirs', name: 'Tür' },
    { kind: 'group', id: 'g', name: 'g' },
    { kind: 'group', id: 'empty', name: 'empty' },
    { kind: 'tag', id: 'window', name: 'window' },
  ]);
  plan('r', [group('g')]);
  assert.deepEqual([...store.schedulesOf('alone').keys()].toSorted(), ['p', 'q'], 'not those of groups of others');
  assert.deepEqual([...store.schedulesOf('a').keys()].toSorted(), ['p', 'q', 'r']);
  const own = db.raw.prepare("SELECT id FROM schedules WHERE plan_id = 'p' AND device_id = 'a'").pluck().get();
  assert.equal(store.schedulesOf('a').get('p'), own, 'its own, not its group’s');
});

test('a target is added once, after the earlier targets, and keeps a schedule that a tag has already made', () => {
  const { db, store, plan } = openStore();
  plan('p', [tagged('window'), group('g')]);
  const [before, made] = db.write(() => {
    const before = store.scheduleIds('p');
    const known = store.addTarget('p', device('a'), { device_id: 'a', group_id: null });
    assert.ok(before.includes(known));
    assert.equal(known, store.addTarget('p', device('a'), { device_id: 'a', group_id: null }));
    assert.equal(store.schedulesOf('a').get('p'), known);
    return [before, store.addTarget('p', device('alone'), { device_id: 'alone', group_id: null })] as const;
  });
  assert.deepEqual(
    store.targets('p').map(({ id }) => id),
    ['window', 'g', 'a', 'alone'],
  );
  assert.deepEqual(new Set(store.scheduleIds('p')), new Set([...before, made]));
  plan('new');
  db.write(() => store.addTarget('new', group('g'), { device_id: null, group_id: 'g' }));
  assert.equal(db.raw.prepare("SELECT position FROM plan_targets WHERE plan_id = 'new'").pluck().get(), 0);
});

test('plans and screens of a workspace are filtered by the query, and sorted', () => {
  const { store, plan } = openStore();
  plan('2', [device('a')], { title: 'Übung' });
  plan('1', [group('g')], { title: 'Ubu' });
  plan('3', [tagged('window')], { created_at: 1 });
  plan('4', [device('alone')], { created_at: 2 });
  plan('5', [device('theirs'), tagged('window'), group('their group')], { workspace_id: 'there', title: 'Übung' });
  const plans = (query: object, page = { limit: 9, offset: 0 }) => {
    const { rows, total } = store.page('here', { ...query, ...page });
    return [rows.map(({ id }) => id).join(''), total];
  };
  assert.deepEqual(plans({}), ['1234', 4]);
  assert.deepEqual(plans({}, { limit: 2, offset: 1 }), ['23', 4]);
  assert.deepEqual(plans({ q: 'UB' }), ['12', 2]);
  assert.deepEqual(plans({ device_id: 'a' }), ['123', 3]);
  assert.deepEqual(plans({ device_id: 'a', q: 'uebung' }), ['', 0]);
  assert.deepEqual(plans({ device_id: 'theirs' }), ['', 0]);
  assert.deepEqual(plans({ group_id: 'g' }), ['1', 1]);
  assert.deepEqual(plans({ group_id: 'g', device_id: 'alone' }), ['', 0]);
  const withTag = (tags: string[]) => store.withTarget('here', 'tag', tags).map(({ id }) => id);
  assert.deepEqual([withTag(['window', 'x']), withTag(['a'])], [['3'], []]);
  assert.deepEqual(
    store.withTarget('here', 'device', ['alone', 'a', 'window']).map(({ id }) => id),
    ['2', '4'],
  );

  const screens = (query: object, page = { limit: 9, offset: 0 }) => {
    const { devices, total } = store.calendarScreens('here', { ...query, ...page });
    return [devices.map(({ id }) => id), total];
  };
  assert.deepEqual(screens({}), [['a', 'b', 'alone'], 3]);
  assert.deepEqual(
    store.calendarScreens('here', { plan_id: '4', limit: 9, offset: 0 }).devices.map(({ id, index }) => [id, index]),
    [['alone', 2]],
    'the place among all screens',
  );
  assert.deepEqual(screens({ q: 'ZO' }), [['alone'], 1]);
  assert.deepEqual(screens({ device_id: 'a' }), [['a'], 1]);
  assert.deepEqual(screens({ device_id: 'theirs' }), [[], 0]);
  for (const query of [{ group_id: 'g' }, { tag: 'window' }, { group_id: 'g', tag: 'window', q: 'TUR' }])
    assert.equal(screens(query)[1], 2);
  assert.deepEqual(screens({ group_id: 'empty' }), [[], 0]);
  assert.deepEqual(screens({ group_id: 'g', device_id: 'alone' }), [[], 0]);
  assert.deepEqual(store.tagged('here', 'window'), ['a', 'b']);
  assert.deepEqual(store.tagged('here', 'door'), []);
});

test('the zone of a plan is the zone of its first screen, and for a tag the zone of the first screen by name', () => {
  const { add, store } = openStore();
  add('devices', { id: 'first', name: 'a', timezone: 'first zone' }, { id: 'last', name: 'B', timezone: 'last zone' });
  for (const device_id of ['last', 'first']) add('device_tags', { device_id, tag: 'door' });
  assert.equal(store.firstZone('here', [group('g'), tagged('nobody'), tagged('door'), device('a')]), 'first zone');
  assert.equal(store.firstZone('there', [tagged('window')]), 'zone of theirs');
  assert.equal(store.firstZone('there', [tagged('door')]), undefined);
  assert.equal(store.firstZone('here', [group('g'), device('a'), tagged('door')]), 'zone of a');
});

test('a screen or a group is reported as crowded when it has more schedules than the limit', () => {
  const { store, plan } = openStore();
  for (const id of ['1', '2']) plan(id, [device('a'), group('g')]);
  assert.deepEqual([store.crowded('1', 1), store.crowded('1', 2)].map(Boolean), [true, false]);
  plan('3', [device('a')]);
  assert.equal(store.crowded('3', 2), 'device_id');
  plan('4', [group('g')]);
  assert.equal(store.crowded('4', 2), 'group_id');
  assert.equal(store.crowded('4', 3), undefined);
  assert.equal(store.countSchedules('here'), 6);
});

test('a plan has something to play when validity of the content and of the item overlaps its time', () => {
  const { add, store } = openStore();
  add('widgets', { id: 'clock', config: '{}' }, { id: 'past', config: '{}', valid_until: '2026-03-10T09:00' });
  add('playlists', { id: 'list', name: 'List' }, { id: 'nothing' });
  const bounds = { valid_from: '2026-03-10T09:00', valid_until: '2026-03-10T10:00' };
  add('content', { id: 'morning', filename: 'M', ...bounds });
  const shown = { content_id: null, widget_id: null, playlist_id: null, layout_id: null };
  const has = (what: object, from: string, until: string | null) =>
    store.hasContent({ ...shown, ...what } as never, {
      from: `2026-03-10T${from}`,
      until: until && `2026-03-10T${until}`,
    });
  const morning = { content_id: 'morning' };
  for (const [from, until, expected] of [
    ['08:00', '09:00', false],
    ['08:00', '09:01', true],
    ['08:00', null, true],
    ['09:59', '12:00', true],
    ['10:00', '12:00', false],
    ['10:00', null, false],
  ] as const) {
    assert.equal(has(morning, from, until), expected, `${from} to ${until}`);
    // The validity of an item is limited by its own dates, by its content, and by its widget.
    for (const [at, item] of [
      { content_id: 'morning' },
      { content_id: 'photo', ...bounds },
      { widget_id: 'clock', ...bounds },
      { widget_id: 'past' },
    ].entries()) {
      const id = `${from} ${until} ${at}`;
      add('playlists', { id });
      add('published_items', { id: 1, playlist_id: id, ...item });
      assert.equal(has({ playlist_id: id }, from, until), at === 3 ? from < '09:00' : expected, id);
    }
  }
  assert.deepEqual(
    [has({ playlist_id: 'nothing' }, '08:00', null), has({ widget_id: 'clock' }, '08:00', null)],
    [false, true],
  );
  assert.deepEqual(
    [has({ widget_id: 'past' }, '08:59', null), has({ widget_id: 'past' }, '09:00', null)],
    [true, false],
  );

  add('layouts', { id: 'layout', name: 'L' });
  const name = (what: object) => store.nameOfShown({ ...shown, ...what } as never);
  assert.deepEqual(
    [
      name({ layout_id: 'layout' }),
      name({ layout_id: 'layout', widget_id: 'clock' }),
      name({ layout_id: 'layout', widget_id: 'clock', content_id: 'morning' }),
      name({ layout_id: 'layout', widget_id: 'clock', content_id: 'morning', playlist_id: 'list' }),
      name({}),
    ],
    ['L', 'clock', 'M', 'List', undefined],
  );
});

const openService = () => {
  const opened = openParts();
  const store = new PlansStore(opened.db);
  const service = new PlansService({
    ...{ ...opened.parts, store },
    layouts: { findZone: () => undefined },
    tags: { spelled: (_, tags) => [...tags] },
    serverZone: () => 'UTC',
  });
  opened.add('content', { id: 'photo' });
  opened.add('devices', ...['a', 'b', 'c', 'd'].map((id) => ({ id })));
  opened.add('groups', { id: 'g' }, { id: 'h' });
  const body = { content_id: 'photo', start_time: '2026-03-16T09:00', end_time: '2026-03-16T18:00' };
  const here = actorOf('here');
  return {
    ...{ ...opened, store, service, here, body },
    make: (...targets: PlanTarget[]) => service.create(here, { ...body, targets }).record.id,
    retarget: (id: string, ...targets: PlanTarget[]) => service.update(here, id, { targets }).record,
    one: (planId: string, deviceId: string) =>
      opened.db.raw
        .prepare('SELECT * FROM schedules WHERE plan_id = ? AND device_id = ?')
        .get(planId, deviceId) as Schedule,
    write: <T>(work: () => T): T => opened.db.write(work),
  };
};

test('a workspace accepts schedules exactly up to its limit, in every way of adding a schedule', () => {
  const { add, service, here, store, body, make, retarget, one, write } = openService();
  add('schedules', ...Array.from({ length: MAX_SCHEDULES - 2 }, (_, nth) => ({ id: `${nth}` })));
  const full = refusedWith(400, /^A workspace can have at most 10000 schedules/);
  const id = make(device('a'));
  assert.throws(() => make(device('b'), device('c')), full);
  assert.equal(retarget(id, device('a'), device('b')).screens, 2);
  assert.throws(() => retarget(id, device('a'), device('b'), device('c')), full);
  assert.throws(() => make(), full, 'nor one that has none yet');
  const addOne = () => service.addOne(here, { device_id: 'c', group_id: null }, body);
  assert.throws(() => write(addOne), full);
  const join = () => service.join(here, one(id, 'a'), { device_id: 'c', group_id: null });
  assert.throws(() => write(join), full);
  assert.equal(store.countSchedules('here'), MAX_SCHEDULES);
  assert.equal(retarget(id, device('b'), device('c')).screens, 2, 'one goes, one comes');
});

test('a screen or group accepts a thousand schedules, and refuses more by making, moving or joining', () => {
  const { add, service, here, make, retarget, one, write, body } = openService();
  const crowd = { a: { device_id: 'a' }, g: { group_id: 'g' } };
  for (const [name, target] of Object.entries(crowd))
    add('schedules', ...Array.from({ length: 999 }, (_, nth) => ({ id: `${name}${nth}`, ...target })));
  for (const [target, column, own] of [
    [device('a'), 'device_id', { device_id: 'a', group_id: null }],
    [group('g'), 'group_id', { device_id: null, group_id: 'g' }],
  ] as const) {
    const last = make(target);
    const crowded = (names: string) =>
      refusedWith(400, new RegExp(`^${names}: a screen or group can have at most 1000 schedules$`));
    assert.throws(() => make(device('b'), target), crowded('targets'));
    const other = make(device('b'), device('c'));
    assert.throws(() => retarget(other, device('b'), target), crowded('targets'));
    const schedule = one(other, 'b');
    const move = () => service.updateOne(here, schedule, { target: own, body: {} });
    assert.throws(() => write(move), crowded(column));
    assert.throws(() => write(() => service.join(here, schedule, own)), crowded(column));
    assert.throws(() => write(() => service.addOne(here, own, body)), crowded(column));
    assert.deepEqual([one(other, 'b'), service.get(here, other).record.revision], [schedule, 1], 'nothing was changed');
    assert.equal(service.update(here, last, { title: 'Still its own' }).record.title, 'Still its own');
  }
});
