import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  type CommandResult,
  type DeviceProgram,
  type IdentifyResult,
  updateDevice,
} from '../../../shared/contract/screens/devices.ts';
import { TestClock } from '../../../test/harness.ts';
import { planAll } from '../../../test/plan-all.ts';
import { openRows } from '../../../test/rows.ts';
import { openDatabase } from '../../db/open.ts';
import { Bus, type Change } from '../../kernel/bus.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import { GroupsStore } from '../groups/groups.store.ts';
import { RuleGroups } from '../groups/rule-groups.ts';
import { PlanFollower } from '../plans/plan-follower.ts';
import { PlansStore } from '../plans/plans.store.ts';
import { DevicePages, type LiveDevices } from './device-pages.ts';
import { DeviceTags } from './device-tags.ts';
import { DevicesService, type Picture } from './devices.service.ts';
import { DevicesStore } from './devices.store.ts';
import type { LiveState } from './devices.view.ts';
import { TagsStore } from './tags.store.ts';

const ACTOR = { workspaceId: 'w', userId: 'u', userName: 'U', ip: '192.0.2.1' } as WorkspaceActor;
const STRANGER = { ...ACTOR, workspaceId: 'v' } as WorkspaceActor;
const PICTURE: Picture = { mime: 'image/png', data: Buffer.from('x'), taken_at: 1 };
const ONLINE: LiveState = {
  status: 'online',
  lastHeartbeat: 7,
  telemetry: {} as LiveState['telemetry'],
  showing: [],
  screenOn: true,
  sync: null,
  program: null,
  screenshotAt: null,
  formats: null,
  info: { platform: 'linux', version: '1', screen_width: 1, screen_height: 2, ip_address: null, capabilities: '["a"]' },
};

const setUp = (t: TestContext) => {
  const db = openDatabase(':memory:');
  t.after(() => db.close());
  db.raw.exec(`
    INSERT INTO organizations VALUES ('o', 'O', 1);
    INSERT INTO workspaces (id, organization_id, name, created_at) VALUES ('w', 'o', 'W', 1), ('v', 'o', 'V', 1);
    INSERT INTO layouts (id, workspace_id, name, width, height, created_at, updated_at) VALUES ('own', 'w', 'L', 1, 1, 1, 1), ('template', NULL, 'T', 1, 1, 1, 1), ('foreign', 'v', 'F', 1, 1, 1, 1);
    INSERT INTO content (id, workspace_id, filename, mime_type, kind, created_at, updated_at) VALUES ('c', 'w', 'C', 'image/png', 'image', 1, 1), ('cv', 'v', 'C', 'image/png', 'image', 1, 1);`);
  const heard: Change[] = [];
  const removed: string[] = [];
  const bus = new Bus((_event, error) => {
    throw error;
  });
  bus.on('changed', (change) => heard.push(change));
  bus.on('deviceRemoved', ({ deviceId, workspaceId }) => removed.push(`${deviceId} of ${workspaceId}`));
  const clock = new TestClock();
  const activity: string[] = [];
  const flushed: string[] = [];
  const known = new Map<string, LiveState>();
  let touch: (workspaceId: string, deviceId: string) => void = () => {};
  const live: LiveDevices = {
    get: (id) => known.get(id),
    onChange: (listener) => {
      touch = listener;
      return () => {};
    },
    flush: (id) => void flushed.push(id),
  };
  const store = new DevicesStore(db);
  const shown = { playlistId: null as string | null, program: undefined as DeviceProgram | undefined };
  const sent: unknown[][] = [];
  const answers = {
    command: [{ status: 'failed', error: 'no' }] as unknown as CommandResult[],
    identify: [{ status: 'sent' }] as unknown as IdentifyResult[],
    picture: undefined as Picture | undefined,
  };
  const plans = new PlanFollower({ db, bus, clock, store: new PlansStore(db) });
  const service = new DevicesService({
    db,
    bus,
    clock,
    activity: { add: ({ action, details, deviceId }) => activity.push(`${action} ${deviceId}: ${details}`) },
    store,
    live,
    pages: new DevicePages({ store, live, bus, run: 'run' }),
    inForce: {
      program: () => shown.program,
      inForce: () => ({ playlistId: shown.playlistId, source: shown.playlistId === null ? null : 'device' }),
    },
    items: { publishedItems: (id) => [`item of ${id}`] as never },
    plans,
    tags: new DeviceTags({
      db,
      bus,
      clock,
      activity: { add: () => {} },
      store: new TagsStore(db),
      rules: new RuleGroups({ db, bus, store: new GroupsStore(db) }),
      plans,
    }),
    commands: {
      send: async (...given) => {
        sent.push(given);
        return { id: 'command', results: answers.command };
      },
    },
    identifier: {
      send: (...given) => {
        sent.push(given);
        return answers.identify;
      },
    },
    pictures: { latest: () => answers.picture, fresh: async () => ({ ...PICTURE, taken_at: 2 }) },
  });
  const update = (body: object, actor = ACTOR, ifMatch?: string) =>
    service.update(actor, 'd', updateDevice.body.parse(body), ifMatch);
  const add = (id: string, name = id, workspaceId = 'w') =>
    db.write(() =>
      store.insert({
        id,
        workspace_id: workspaceId,
        name,
        timezone: 'UTC',
        secret_hash: id,
        created_at: 1,
        updated_at: 1,
      }),
    );
  add('d');
  /** Runs the work, and returns the announced changes: topic, ids, and whether screens may show something else. */
  const told = async (work: () => unknown) => {
    heard.length = 0;
    await work();
    await db.durable();
    return heard.map(({ topic, ids, screens = true, by }) => `${topic} ${ids?.join() ?? 'any'} ${screens} ${by}`);
  };
  const pageOf = (limit = 50, offset = 0) => service.list(ACTOR, { limit, offset });
  const names = (limit?: number, offset?: number) =>
    (JSON.parse(pageOf(limit, offset).bytes.toString()) as { name: string }[]).map(({ name }) => name);
  return {
    ...{ db, bus, clock, store, service, activity, flushed, removed, sent, shown, answers, known },
    ...{ update, add, told, pageOf, names, touch: () => touch('w', 'd') },
  };
};

test('the announcement of an edit says whether screens may show something else', async (t) => {
  const { service, update, told, activity, clock, store } = setUp(t);
  const edit = (body: object) => told(() => update(body));
  clock.advance(60_000);
  assert.deepEqual(await edit({ name: 'Door', notes: 'n' }), ['devices d false u']);
  assert.deepEqual(await edit({ orientation: '90', notes: undefined }), ['devices d true u']);
  assert.deepEqual(await told(() => service.clearPlaylist(ACTOR, 'd')), ['devices d true u']);
  assert.deepEqual(activity, ['device.updated d: d', 'device.updated d: Door', 'device.playlist_cleared d: Door']);
  const { revision, notes, updated_at } = store.find('w', 'd')!;
  assert.deepEqual([revision, notes, updated_at], [4, 'n', Math.floor(clock.now() / 1000)]);
});

test('a device accepts a layout and content of its workspace, and a layout template', (t) => {
  const { update } = setUp(t);
  for (const [i, layout_id] of ['own', 'template', null].entries()) {
    const { record, revision } = update({ layout_id, default_content_id: 'c' });
    assert.deepEqual([record.layout_id, record.default_content_id, revision], [layout_id, 'c', i + 2]);
  }
  assert.throws(() => update({ layout_id: 'foreign' }), { status: 404, message: /^Layout/ });
  assert.throws(() => update({ default_content_id: 'cv' }), { status: 404, message: /^Content/ });
  assert.throws(() => update({ name: 'x' }, ACTOR, '"1"'), { status: 412, message: /^The device/ });
  assert.throws(() => update({ name: 'x' }, STRANGER), { status: 404, message: /^Device/ });
});

test('deleting a device announces every record that contained it, and deletes the playlists made only for it', async (t) => {
  const { db, service, told, removed, activity, store, add } = setUp(t);
  assert.deepEqual(await told(() => add('alone')), []);
  assert.deepEqual(await told(() => service.delete(ACTOR, 'alone')), ['devices alone true u']);
  add('e');
  const playlist = (id: string, isMade: number) =>
    `INSERT INTO playlists (id, workspace_id, name, owner_device_id, made_for_owner, created_at, updated_at) VALUES ('${id}', 'w', 'P', 'd', ${isMade}, 1, 1);`;
  const schedule = (id: string, device: string, playlistId: string) =>
    `INSERT INTO schedules (id, workspace_id, device_id, playlist_id, start_time, end_time, timezone, created_at, updated_at) VALUES ('${id}', 'w', '${device}', '${playlistId}', '', '', 'UTC', 1, 1);`;
  db.raw.exec(`
    ${['gone', 'of-e', 'of-group', 'of-tag', 'of-wall', 'of-schedule'].map((id) => playlist(id, 1)).join('')} ${playlist('kept', 0)}
    UPDATE devices SET playlist_id = 'gone' WHERE id = 'd'; UPDATE devices SET playlist_id = 'of-e' WHERE id = 'e';
    INSERT INTO groups (id, workspace_id, name, playlist_id, created_at) VALUES ('g', 'w', 'G', 'of-group', 1);
    INSERT INTO group_members (group_id, device_id) VALUES ('g', 'd');
    INSERT INTO walls (id, workspace_id, name, playlist_id, leader_device_id, created_at) VALUES ('led', 'w', 'W', 'of-wall', 'd', 1), ('joined', 'w', 'W', NULL, 'e', 1), ('other', 'w', 'W', NULL, NULL, 1);
    INSERT INTO wall_members (wall_id, device_id, grid_col, grid_row) VALUES ('joined', 'd', 0, 0);
    ${schedule('own', 'd', 'gone')} ${schedule('others', 'e', 'of-schedule')} ${schedule('both', 'd', 'of-e')}`);
  planAll(db);
  db.raw.exec(
    "INSERT INTO plans (id, workspace_id, playlist_id, start_time, end_time, timezone, created_at, updated_at) VALUES ('tagged', 'w', 'of-tag', '', '', '', 1, 1); INSERT INTO plan_targets VALUES ('tagged', 0, 'tag', 'nobody')",
  );
  db.raw.exec("INSERT INTO plan_targets VALUES ('both', 1, 'device', 'e')");
  assert.deepEqual(await told(() => service.delete(ACTOR, 'd')), [
    'plans both,own true u',
    'devices d true u',
    'playlists gone false u',
    'groups any false u',
    'walls any false u',
    'schedules any false u',
  ]);
  assert.deepEqual([removed, activity.at(-1)], [['alone of w', 'd of w'], 'device.deleted d: d']);
  assert.equal(store.find('w', 'd'), undefined);
  const all = (sql: string) => db.raw.prepare(sql).pluck().all();
  assert.deepEqual(all('SELECT id FROM playlists WHERE owner_device_id IS NOT NULL OR made_for_owner'), []);
  assert.deepEqual(all('SELECT id FROM playlists ORDER BY id'), [
    'kept',
    'of-e',
    'of-group',
    'of-schedule',
    'of-tag',
    'of-wall',
  ]);
  assert.deepEqual(all('SELECT revision FROM walls ORDER BY id'), [2, 2, 1]);
  assert.deepEqual(all('SELECT id FROM schedules ORDER BY id'), ['both', 'others'], 'one for the screen that is left');
  assert.deepEqual(all("SELECT id || ' ' || revision FROM plans ORDER BY id"), ['both 2', 'others 1', 'tagged 1']);
});

test('the detail of a device has the items in force, reports newest first, and the states of the last day', (t) => {
  const { db, service, shown, flushed, clock } = setUp(t);
  const now = Math.floor(clock.now() / 1000);
  const report = db.raw.prepare('INSERT INTO telemetry (device_id, reported_at) VALUES (?, ?)');
  for (let i = 0; i < 25; i++) report.run('d', now - i * 3_600);
  const state = db.raw.prepare('INSERT INTO status_intervals (device_id, status, since, until) VALUES (?, ?, ?, ?)');
  state.run('d', 'online', 5, now - 86_400);
  state.run('d', 'offline', 6, now - 86_399);
  state.run('d', 'online', 7, null);
  const { record } = service.get(ACTOR, 'd');
  assert.deepEqual([record.assignments, record.current_playlist_id, record.playlist_source], [[], null, null]);
  assert.equal(record.telemetry.length, 20);
  assert.deepEqual(
    record.telemetry.slice(0, 2).map((row) => row.reported_at),
    [now, now - 3_600],
  );
  assert.deepEqual(
    record.status_log.map(({ since }) => since),
    [6, 7],
  );
  shown.playlistId = 'p';
  const shows = service.get(ACTOR, 'd').record;
  assert.deepEqual(
    [shows.assignments, shows.current_playlist_id, shows.playlist_source],
    [['item of p'], 'p', 'device'],
  );
  const reports = service.telemetry(ACTOR, 'd', 2).map((row) => row.reported_at);
  assert.deepEqual(reports, [now - 7_200, now - 3_600, now]);
  assert.deepEqual(flushed, ['d', 'd', 'd'], 'what is known is written down before it is read');
});

test('requests for a device without a program, or for a device of another workspace, answer 404', (t) => {
  const { service, shown } = setUp(t);
  assert.throws(() => service.program(ACTOR, 'd'), { status: 404, message: /^Device/ });
  shown.program = {} as DeviceProgram;
  assert.equal(service.program(ACTOR, 'd'), shown.program);
  assert.throws(() => service.program(STRANGER, 'd'), { status: 404 });
  assert.deepEqual([service.nameOf('w', 'd'), service.nameOf('v', 'd')], ['d', undefined]);
  assert.deepEqual(
    service.records('w', ['none', 'd']).map(({ id, status }) => `${id} ${status}`),
    ['d offline'],
  );
});

test('the activity log records a command to a device, and the answer of the player is passed on unchanged', async (t) => {
  const { service, activity, sent, answers } = setUp(t);
  const command = () => service.command(ACTOR, 'd', { type: 'reboot', payload: {} });
  assert.deepEqual(await command(), { id: 'command', status: 'failed', error: 'no' });
  answers.command = [{ status: 'done' }] as unknown as CommandResult[];
  assert.deepEqual(await command(), { id: 'command', status: 'done' });
  answers.command = [];
  await assert.rejects(command(), { status: 404 });
  assert.deepEqual(service.identify(ACTOR, 'd', { seconds: 30 }), { status: 'sent' });
  answers.identify = [];
  assert.deepEqual(service.identify(ACTOR, 'd', { seconds: 30 }), { status: 'offline' });
  assert.deepEqual(
    [sent[0], sent[3]],
    [
      ['w', ['d'], 'reboot', {}],
      ['w', ['d'], 30],
    ],
  );
  assert.deepEqual([activity[0], activity[3]], ['device.command d: reboot: d', 'device.identify d: d']);
  await assert.rejects(service.command(STRANGER, 'd', { type: 'reboot', payload: {} }), { status: 404 });
});

test('a screenshot request returns the latest or a new screenshot, and answers 404 for a device without any', async (t) => {
  const { service, answers } = setUp(t);
  await assert.rejects(service.screenshot(ACTOR, 'd', { fresh: false } as never), { status: 404 });
  answers.picture = PICTURE;
  assert.equal((await service.screenshot(ACTOR, 'd', { fresh: false } as never)).taken_at, 1);
  assert.equal((await service.screenshot(ACTOR, 'd', { fresh: true } as never)).taken_at, 2);
});

test('a page of the device list is built once, and again in the right order when a device changes', async (t) => {
  const { update, add, bus, pageOf, names, touch, known, told } = setUp(t);
  await told(() => update({ name: 'm' }));
  for (const [id, name] of [
    ['1', 'b'],
    ['2', 'C'],
    ['3', 'a'],
  ] as const)
    add(id, name);
  add('elsewhere', 'x', 'v');
  assert.deepEqual(names(), ['a', 'b', 'C', 'm']);
  const page = pageOf(2, 1);
  assert.deepEqual([names(2, 1), page.total, page.tagsAll], [['b', 'C'], 4, true]);
  assert.equal(pageOf(2, 1), page);
  assert.notEqual(pageOf(1, 1), page);
  assert.deepEqual(names(5, 9), []);
  known.set('d', ONLINE);
  assert.equal(pageOf(2, 1), page, 'nobody said so yet');
  touch();
  assert.notEqual(pageOf(2, 1).etag, page.etag);
  assert.equal(JSON.parse(pageOf(1, 3).bytes.toString())[0].status, 'online');
  const changed = async (change: Partial<Change>) => {
    const { etag } = pageOf();
    bus.emit('changed', { workspaceId: 'w', topic: 'devices', ...change });
    return pageOf().etag !== etag;
  };
  assert.ok(await changed({}));
  assert.ok(await changed({ topic: 'layouts' }), 'deleting one clears references');
  assert.ok(!(await changed({ topic: 'layouts', screens: false })));
  assert.ok(!(await changed({ topic: 'groups' })));
  assert.ok(!(await changed({ workspaceId: 'v' })));
  const { etag } = pageOf();
  bus.emit('workspaceGone', 'w');
  assert.notEqual(pageOf().etag, etag);
});

test('devices of a workspace are listed by name, then by age, and their tags are sorted', () => {
  const { db, add } = openRows();
  const store = new DevicesStore(db);
  add('devices', { id: '4', name: 'b' }, { id: '2', name: 'A', created_at: 1 }, { id: '3', name: 'a', created_at: 1 });
  add('devices', { id: '1', name: 'a', created_at: 2 }, { id: 't', name: 'a', workspace_id: 'there' });
  for (const tag of ['b', 'C', 'a']) add('device_tags', { device_id: '1', tag });
  const listed = store.list('here');
  assert.deepEqual(
    listed.map(({ id, tags }) => [id, ...tags]),
    [['2'], ['3'], ['1', 'a', 'b', 'C'], ['4']],
  );
  assert.deepEqual([store.find('here', '1'), store.find('here', 't')], [listed[2], undefined]);
  assert.deepEqual([store.count('here'), store.countOf('here', ['1', 't', 'none', '4'])], [4, 2]);
  assert.deepEqual(
    store.namesOf('here', ['4', 't', '1', 'none']).map(({ id }) => id),
    ['4', '1'],
  );
  assert.deepEqual([store.hasSecret('4'), store.hasSecret('none')], [true, false]);
  db.write(() => store.update('there', '4', { name: 'No', updated_at: 1 }));
  assert.deepEqual(store.find('here', '4'), listed[3]);
  db.write(() => store.update('here', '1', { name: 'a', updated_at: 1 }));
  assert.deepEqual(
    store.list('here').map(({ revision }) => revision),
    [1, 1, 2, 1],
  );
  for (const [table, exists] of [
    ['content', (id: string) => store.contentExists('here', id)],
    ['groups', (id: string) => store.groupExists('here', id)],
    ['playlists', (id: string) => store.playlistExists('here', id)],
    ['layouts', (id: string) => store.layoutExists('here', id)],
  ] as const) {
    add(table, { id: 'ours' }, { id: 'theirs', workspace_id: 'there' });
    assert.deepEqual(['ours', 'theirs', 'none'].map(exists), [true, false, false], table);
  }
  add('layouts', { id: 'template', workspace_id: null });
  assert.deepEqual([store.layoutExists('here', 'template'), store.playlistName('theirs')], [true, 'theirs']);
});

test('the store returns only memberships, reports, states and containing records of the requested device', () => {
  const { db, add } = openRows();
  const store = new DevicesStore(db);
  add('devices', { id: 'a' }, { id: 'b' });
  add('groups', { id: 'y' }, { id: 'x' }, { id: 'z' });
  const members = [
    ['y', 'a'],
    ['x', 'b'],
    ['x', 'a'],
    ['z', 'b'],
  ] as const;
  for (const [group_id, device_id] of members) add('group_members', { group_id, device_id });
  add('walls', { id: 'w' });
  add('wall_members', { device_id: 'b', wall_id: 'w' });
  add('schedules', ...['1', '2', '3'].map((id) => ({ id, device_id: id === '3' ? 'b' : 'a' })));
  assert.deepEqual(store.placesOf('a'), { groups: 2, walls: 0, schedules: 2 });
  assert.deepEqual(store.placesOf('b'), { groups: 2, walls: 1, schedules: 1 });
  assert.deepEqual([store.groupsOf('a'), store.wallOf('a'), store.wallOf('b')], [['y', 'x'], null, 'w']);
  assert.deepEqual(store.membersOf('x').toSorted(), ['a', 'b']);
  const report = (id: number, reported_at: number, device_id = 'a') => ({ id, device_id, reported_at });
  add('telemetry', report(1, 7), report(2, 5), report(3, 5), report(4, 6, 'b'), report(5, 4));
  const reports = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);
  assert.deepEqual(reports(store.latestTelemetry('a', 3)), [1, 3, 2]);
  assert.deepEqual(reports(store.telemetrySince('a', 5)), [2, 3, 1]);
  const state = (since: number, until: number | null, device_id = 'a') => ({
    device_id,
    since,
    until,
    status: 'online',
  });
  add('status_intervals', state(9, null), state(3, 5), state(4, 6), state(1, null, 'b'), state(2, 9, 'b'));
  assert.deepEqual(
    store.statusSince('a', 5).map(({ since }) => since),
    [4, 9],
  );
});
