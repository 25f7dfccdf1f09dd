/** Tests of the rollout service: order of updates, records, notices and refusals. */
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { openDatabase } from '../../db/open.ts';
import { put } from '../../db/testing/put.ts';
import { Bus } from '../../kernel/bus.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import { addDevice, addWorkspace } from '../reports/testing/plays.ts';
import { RolloutsService } from './rollouts.service.ts';
import { UpdatesStore } from './updates.store.ts';

const NOW = 1_800_000_000;
const WHO = { workspaceId: 'w', userId: 'u' } as Actor;

const db = openDatabase(':memory:');
after(() => db.close());
for (const workspace of ['w', 'v']) addWorkspace(db, workspace);
for (const [id, workspace] of [
  ['till', 'w'],
  ['door', 'w'],
  ['yard', 'v'],
] as const)
  addDevice(db, workspace, id, { name: id.toUpperCase() });
db.raw.exec(`UPDATE devices SET version = '1.0.0', last_heartbeat = ${NOW - 9}`);
put(db, 'groups', { id: 'doors', workspace_id: 'w' });
put(db, 'group_members', { group_id: 'doors', device_id: 'door' });
for (const [id, version, signature] of [
  ['signed', '2.0.0', 'ab'],
  ['unsigned', '2.1.0', null],
] as const) {
  put(db, 'releases', { id, version });
  const name = `Vitrine-${version}-linux-x64.tar.gz`;
  put(db, 'release_files', { release_id: id, name, platform: 'linux', arch: 'x64', kind: 'tar.gz', signature });
}

interface Result {
  readonly device_id: string;
  readonly status: string;
  readonly error?: string;
}

const open = (t: TestContext) => {
  db.raw.exec('DELETE FROM rollouts');
  const clock = { at: NOW, doubtful: false, now: () => clock.at * 1_000 + 900 };
  const bus = new Bus((_, error) => assert.fail(String(error)));
  const store = new UpdatesStore(db);
  const live = new Map<string, object>();
  const said: string[] = [];
  const heard = () => said.splice(0);
  let results: Result[] = [];
  const deps = {
    ...{ db, bus, clock, store, live },
    commands: {
      send: async (workspaceId: string, ids: readonly string[], command: string, { version }: { version: string }) => {
        said.push(`${workspaceId}: ${command} ${ids.join()} ${version}`);
        return { id: 'c', results: results.splice(0) };
      },
    },
    activity: {
      add: (entry: { workspaceId: string; actor: unknown; action: string; details: string; deviceId?: string }) => {
        const { workspaceId, actor, action, details, deviceId } = entry;
        said.push([workspaceId, actor === null ? 'itself' : 'people', action, details, deviceId].join(' ').trim());
      },
    },
    notices: { updateStopped: (reason: string) => void said.push(`notice: ${reason}`) },
    log: { debug() {}, info() {}, error() {}, warn: (text: string) => void said.push(`log: ${text}`) },
  };
  const rollouts = new RolloutsService(deps as unknown as ConstructorParameters<typeof RolloutsService>[0]);
  t.after(() => rollouts.stop());
  /** Sets the current state of a screen. */
  const is = (id: string, version: string, lastHeartbeat = clock.at, more: object = {}) =>
    live.set(id, { status: 'online', info: { version }, lastHeartbeat, program: null, ...more });
  for (const id of ['till', 'door', 'yard']) is(id, '1.0.0');
  /** Runs a check, and waits for the answers of the screens. */
  const look = async () => {
    rollouts.runDue();
    for (let n = 0; n < 3; n++) await new Promise(setImmediate);
    await db.durable();
  };
  const begin = async (more: object = {}) => {
    const body = { release_id: 'signed', first_device_id: 'till', group_ids: ['doors', 'doors'], ...more };
    const { id } = rollouts.begin(WHO, body);
    await look();
    return id;
  };
  /** The screen comes back with the new version, and stays online. */
  const comeUp = async (id: string) => {
    is(id, '2.0.0');
    await look();
    clock.at += 20;
    is(id, '2.0.0');
    await look();
  };
  const statuses = (id: string) => rollouts.get(id).devices.map((one) => `${one.device_id} ${one.status}`);
  const answer = (...all: Result[]) => void (results = all);
  return { rollouts, clock, bus, store, live, heard, is, look, begin, comeUp, statuses, answer };
};

test('a rollout needs a signed release and an existing first screen, and only one rollout runs at a time', async (t) => {
  const { rollouts, heard, begin, statuses } = open(t);
  const refused = (body: object, status: number, message: RegExp) =>
    assert.throws(() => rollouts.begin(WHO, { release_id: 'signed', first_device_id: 'till', ...body }), {
      ...{ status, message },
    });
  refused({ release_id: 'none' }, 404, /^Release not found$/);
  refused({ first_device_id: 'none' }, 404, /^Device not found$/);
  refused({ group_ids: ['doors', 'none'] }, 404, /^Group not found$/);
  refused({ release_id: 'unsigned' }, 409, /^No file of 2\.1\.0 for screens has a signature/);
  assert.deepEqual([rollouts.list(), heard()], [[], []]);
  const id = await begin();
  assert.deepEqual(heard(), ['w people rollout.started 2.0.0', 'w: update till 2.0.0']);
  const whole = {
    ...{ id, release_id: 'signed', version: '2.0.0', status: 'running', stage: 'first', first_device_id: 'till' },
    ...{ group_ids: ['doors'], minutes: 15, reason: null, created_at: NOW, updated_at: NOW },
    ...{ healthy: 0, failed: 0, total: 3 },
  };
  assert.deepEqual(rollouts.list(), [whole]);
  const { devices, ...record } = rollouts.get(id);
  assert.deepEqual(record, whole);
  const screen = { version: '1.0.0', online: 1, error: null, workspace_id: 'w' };
  assert.deepEqual(devices, [
    { ...screen, device_id: 'till', name: 'TILL', stage: 'first', status: 'told', told_at: NOW },
    { ...screen, device_id: 'door', name: 'DOOR', stage: 'groups', status: 'waiting', told_at: null },
    {
      ...{ ...screen, device_id: 'yard', name: 'YARD', stage: 'everyone', status: 'waiting', told_at: null },
      workspace_id: 'v',
    },
  ]);
  refused({}, 409, /^Another rollout is running/);
  rollouts.abort({ ...WHO, workspaceId: null }, id);
  assert.deepEqual(heard(), [], 'who is in no workspace has no activity');
  const other = await begin({ minutes: 5, group_ids: undefined });
  assert.deepEqual([rollouts.get(other).minutes, rollouts.get(other).group_ids], [5, []]);
  assert.deepEqual(statuses(other), ['till told', 'door waiting', 'yard waiting']);
  assert.throws(() => rollouts.get('none'), { status: 404, message: 'Rollout not found' });
});

test('screens are updated in stages, and each result is logged in the workspace of the screen', async (t) => {
  const { rollouts, heard, begin, comeUp, statuses, is, look, store } = open(t);
  const id = await begin();
  heard();
  const turns = () => ['till', 'door', 'yard'].map((one) => rollouts.releaseFor(one));
  assert.deepEqual(turns(), ['signed', undefined, undefined]);
  is('till', '2.0.0');
  await look();
  assert.deepEqual([store.deviceOf(id, 'till')?.seen_at, statuses(id)[0]], [NOW, 'till told']);
  is('door', '2.0.0');
  await look();
  assert.equal(store.deviceOf(id, 'door'), undefined, 'nobody is noted before its turn');
  is('door', '1.0.0');
  await comeUp('till');
  assert.deepEqual(heard(), ['w itself device.version_installed TILL: 2.0.0 till', 'w: update door 2.0.0']);
  assert.deepEqual([statuses(id)[0], turns()], ['till healthy', ['signed', 'signed', undefined]]);
  await comeUp('door');
  assert.deepEqual(heard(), ['w itself device.version_installed DOOR: 2.0.0 door', 'v: update yard 2.0.0']);
  assert.deepEqual([rollouts.get(id).stage, rollouts.get(id).healthy], ['everyone', 2]);
  await comeUp('yard');
  assert.deepEqual(heard(), ['v itself device.version_installed YARD: 2.0.0 yard']);
  const { status, healthy, updated_at } = rollouts.get(id);
  assert.deepEqual([status, healthy, updated_at], ['done', 3, NOW + 60]);
  assert.deepEqual(turns(), [undefined, undefined, undefined]);
});

test('screens of several workspaces get the command per workspace, and an unsupported screen does not block the others', async (t) => {
  const { rollouts, heard, begin, comeUp, statuses, answer, live, is, look } = open(t);
  live.set('door', { status: 'offline', info: { version: '1.0.0' } });
  const id = await begin({ group_ids: [] });
  live.delete('door');
  heard();
  answer(
    { device_id: 'yard', status: 'unsupported', error: 'a browser' },
    { device_id: 'till', status: 'unsupported' },
    { device_id: 'none', status: 'failed' },
  );
  await comeUp('till');
  assert.equal(heard().at(-1), 'v: update yard 2.0.0');
  assert.deepEqual(statuses(id), ['till healthy', 'door waiting', 'yard unsupported']);
  const { devices, status } = rollouts.get(id);
  assert.deepEqual(
    [devices[1]!.online, devices[1]!.version, devices[2]!.error, status],
    [0, '1.0.0', 'a browser', 'running'],
  );
  assert.equal(rollouts.releaseFor('yard'), undefined);
  answer({ device_id: 'door', status: 'unsupported' });
  is('door', '1.0.0');
  await look();
  assert.equal(rollouts.get(id).status, 'done', 'nobody is left');
});

test('a screen whose command failed stays in its stage and keeps its error', async (t) => {
  const { rollouts, begin, answer, comeUp, look } = open(t);
  answer({ device_id: 'till', status: 'failed', error: 'no room' });
  const id = await begin();
  const [till] = rollouts.get(id).devices;
  assert.deepEqual([till!.status, till!.error, rollouts.releaseFor('till')], ['told', 'no room', 'signed']);
  // The second time, the screen reports its failure without an error message.
  rollouts.pause(WHO, id);
  db.raw.exec("UPDATE rollout_devices SET status = 'waiting'");
  answer({ device_id: 'till', status: 'failed' });
  rollouts.resume(WHO, id);
  await look();
  assert.equal(rollouts.get(id).devices[0]!.error, null);
  await comeUp('till');
  assert.equal(rollouts.get(id).devices[0]!.status, 'healthy');
});

test('a late screen stops the rollout with one notice, and resuming the rollout updates the screen again', async (t) => {
  const { rollouts, heard, begin, clock, look, statuses, is, store } = open(t);
  const id = await begin({ minutes: 5 });
  heard();
  clock.at += 299;
  is('till', '1.0.0');
  await look();
  assert.deepEqual([heard(), rollouts.get(id).status, rollouts.get(id).updated_at], [[], 'running', NOW]);
  clock.at += 1;
  clock.doubtful = true;
  await look();
  assert.deepEqual(heard(), [], 'no clock that is doubted blames anybody');
  clock.doubtful = false;
  await look();
  const reason = 'TILL did not come up with 2.0.0: it still runs 1.0.0 after 5 minutes.';
  const stopped = `The rollout of 2.0.0 stopped: ${reason}`;
  assert.deepEqual(heard(), [
    'w itself device.version_failed TILL still runs 1.0.0 after 5 minutes till',
    `log: ${stopped}`,
    `notice: ${stopped}`,
  ]);
  await look();
  assert.deepEqual(heard(), []);
  const found = rollouts.get(id);
  assert.deepEqual([found.status, found.reason, found.failed], ['stopped', reason, 1]);
  assert.deepEqual(
    [found.devices[0]!.error, rollouts.releaseFor('till')],
    ['still runs 1.0.0 after 5 minutes', undefined],
  );
  rollouts.resume(WHO, id);
  await look();
  assert.deepEqual(heard(), ['w people rollout.resumed 2.0.0', 'w: update till 2.0.0']);
  assert.deepEqual([rollouts.get(id).reason, statuses(id)[0]], [null, 'till told']);
  assert.equal(store.deviceOf(id, 'till')?.told_at, NOW + 300);
});

test('a rollout can be paused, resumed and aborted only from a suitable status, and serves no files while paused', async (t) => {
  const { rollouts, heard, begin, comeUp, clock } = open(t);
  const id = await begin();
  heard();
  const refused = (act: 'pause' | 'resume' | 'abort', status: string) =>
    assert.throws(() => rollouts[act](WHO, id), {
      status: 409,
      message: `This is not possible, because the rollout is ${status}`,
    });
  refused('resume', 'running');
  clock.at += 7;
  assert.equal(rollouts.pause(WHO, id).updated_at, NOW + 7);
  refused('pause', 'paused');
  await comeUp('till');
  assert.deepEqual([heard(), rollouts.releaseFor('till')], [['w people rollout.paused 2.0.0'], undefined]);
  rollouts.resume(WHO, id);
  assert.equal(rollouts.pause(WHO, id).status, 'paused');
  rollouts.abort(WHO, id);
  for (const act of ['pause', 'resume', 'abort'] as const) refused(act, 'aborted');
  assert.equal(heard().at(-1), 'w people rollout.aborted 2.0.0');
  assert.throws(() => rollouts.abort(WHO, 'none'), { status: 404 });
});

test('an open rollout is checked every few seconds and when a screen connects or disconnects', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { rollouts, heard, bus, store, begin } = open(t);
  let asked = 0;
  const openRollout = store.openRollout.bind(store);
  const count = (work: () => void) => {
    asked = 0;
    work();
    return asked;
  };
  store.openRollout = () => {
    asked++;
    return openRollout();
  };
  const presence = () => bus.emit('presence', { deviceId: 'till', workspaceId: 'w', status: 'online' });
  const each = () => [count(() => t.mock.timers.tick(5_000)), count(presence)];
  rollouts.start();
  assert.deepEqual(each(), [1, 0], 'none is open');
  const id = await begin();
  assert.deepEqual(each(), [1, 1]);
  assert.equal(
    count(() => t.mock.timers.tick(4_999)),
    0,
  );
  rollouts.stop();
  assert.deepEqual(each(), [0, 0]);
  store.openRollout = () => {
    throw new Error('broken');
  };
  heard();
  rollouts.runDue();
  store.openRollout = openRollout;
  assert.deepEqual([heard(), rollouts.get(id).status], [['log: The rollout could not be looked after'], 'running']);
});
