/** Rollouts to stores: order of waves, automatic stops, and decisions of people. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { AskOf, Presence, UpdateOrder } from '../../../shared/chain/wire.ts';
import type { BodyOf } from '../../../shared/contract/endpoint.ts';
import type {
  createStoreRollout,
  RolloutStore,
  StoreRollout,
  Wave,
} from '../../../shared/contract/headquarters/rollouts.ts';
import type { Release } from '../../../shared/contract/server/updates.ts';
import { addWorkspace } from '../../features/reports/testing/plays.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import type { KnownStore } from '../plays/segment-writer.ts';
import { HqIncidents } from '../stores/hq-incidents.ts';
import { openHq } from '../testing/rig.ts';
import { Downlink } from '../transport/downlink.ts';
import { StoreRolloutsService } from './rollouts.service.ts';
import { StoreRolloutsStore } from './rollouts.store.ts';

const MINUTE = 60_000;
const actorOf = (workspaceId: string): Actor => ({
  via: 'session',
  userId: 'anna',
  userName: 'Anna',
  email: 'anna@hq.test',
  platformRole: 'user',
  mustChangePassword: false,
  confinedTo: null,
  workspaceId,
  organizationId: workspaceId,
  workspaceRole: 'workspace_admin',
  organizationRole: null,
  limits: null,
  regions: null,
  approves: false,
  needsApproval: false,
  scope: 'full',
  credentialHash: '',
  ip: '',
});
const ANNA = actorOf('hq');
const SHA = 'a'.repeat(64);
const SIGNATURE = 'b'.repeat(128);
const NAME = 'Vitrine-2.0.0-linux-x64.tar.gz';
const RELEASE: Release = {
  id: 'r',
  version: '2.0.0',
  files: [
    {
      name: NAME,
      platform: 'linux',
      arch: 'x64',
      kind: 'tar.gz',
      size: 9,
      sha256: SHA,
      sha512: '',
      signature: SIGNATURE,
    },
    {
      name: 'x',
      platform: 'win',
      arch: 'x64',
      kind: 'zip',
      size: 9,
      sha256: 'c'.repeat(64),
      sha512: '',
      signature: null,
    },
  ],
  notes: null,
  signatures_checked: true,
  screens: 0,
  created_at: 1,
};
const FIRST: Wave = { name: 'First', stores: { which: 'named', ids: ['mill'] } };
const REST: Wave = { name: 'All', stores: { which: 'rest' } };

type Answer = Omit<AskOf<'answer'>, 'id'>;
const OK: Answer = { answer: {} };
const refused = (code: 'not_allowed' | 'busy', error: string): Answer => ({ refused: { code, error } });

const setUp = (t: TestContext) => {
  const hq = openHq(t);
  const notes: string[] = [];
  const downlink = new Downlink({ ...hq.parts, registry: hq.registry });
  t.after(() => downlink.stop());
  let holds: (version: string) => boolean = () => false;
  const open = (over = downlink): StoreRolloutsService => {
    const service = new StoreRolloutsService({
      ...hq.parts,
      store: new StoreRolloutsStore(hq.db),
      registry: hq.registry,
      downlink: over,
      releases: { list: () => [RELEASE], signedNotes: () => null, protectFor: (needs) => (holds = needs) },
      version: '2.0.0',
      activity: { add: ({ action, actor, details }) => notes.push(`${actor?.userName ?? ''} ${action} ${details}`) },
    });
    t.after(() => service.stop());
    return service;
  };
  const waves = open();
  const incidents = new HqIncidents({ ...hq.parts, store: hq.stores, registry: hq.registry });
  const say = (store: KnownStore, more: Partial<Presence> = {}) =>
    hq.registry.record(
      store.id,
      {
        version: '1.0.0',
        clock_ms: 0,
        screens: { total: 4, online: 4, dark: 0, behind: 0 },
        dark_names: [],
        disk: null,
        waiting: 0,
        incidents: [],
        ...more,
      },
      0,
    );
  /** Attaches a listening store that reports version 1.0.0. */
  const listen = (
    store: KnownStore,
    answer: (order: UpdateOrder) => Answer | undefined = () => OK,
    over = downlink,
  ) => {
    const heard: UpdateOrder[] = [];
    say(store);
    const leave = over.attach(store, {
      send: (text) => {
        for (const line of text.split('\n').filter(Boolean)) {
          const { id, verb, said } = JSON.parse(line);
          assert.equal(verb, 'update');
          heard.push(said);
          const answered = answer(said);
          if (answered) setImmediate(() => over.answered(store, { id, ...answered }));
        }
        return true;
      },
      end: () => {},
    });
    return { heard, leave };
  };
  const begin = (more: Partial<BodyOf<typeof createStoreRollout>> = {}) =>
    waves.create(ANNA, { version: '2.0.0', waves: [FIRST, REST], healthy_minutes: 30, ...more });
  const statesOf = (id: string, service = waves) =>
    Object.fromEntries(
      service
        .stores(ANNA, id, { state: undefined, limit: 100, offset: 0 })
        .rows.map(({ store_id, state, why }) => [store_id, why ? `${state}: ${why}` : state]),
    );
  const look = async (service = waves) => {
    service.runDue();
    await service.idle();
    service.runDue();
    await service.idle();
  };
  return { ...hq, downlink, open, waves, incidents, say, listen, begin, statesOf, look, notes, holds: () => holds };
};

const summary = ({ status, wave, stopped_at }: StoreRollout) => [status, wave, stopped_at?.store_id, stopped_at?.why];

test('rollout starts its next wave when all stores of the first wave are healthy, and logs its end', async (t) => {
  const { addStore, listen, begin, look, say, statesOf, clock, waves, notes, holds } = setUp(t);
  const [mill, dock, pier] = [addStore('mill'), addStore('dock'), addStore('pier')];
  const [atMill, atDock] = [listen(mill), listen(dock)];
  listen(pier);
  const { id } = begin();
  await look();
  assert.deepEqual(atMill.heard, [
    {
      id: `${id}.1`,
      visitor: { id: 'anna', name: 'Anna', role: 'workspace_admin' },
      version: '2.0.0',
      files: [{ name: NAME, size: 9, sha256: SHA, signature: SIGNATURE }],
      notes: null,
    },
  ]);
  assert.deepEqual([atDock.heard, statesOf(id)], [[], { mill: 'told', dock: 'waiting', pier: 'waiting' }]);
  assert.ok(holds()('2.0.0') && !holds()('1.0.0'), 'the release is held');
  say(mill, { update: { id: `${id}.1`, version: '2.0.0', phase: 'fetching', why: '' } });
  await look();
  assert.equal(statesOf(id)['mill'], 'fetching');
  say(mill, { version: '2.0.0' });
  await look();
  for (let i = 0; i < 31; i++) {
    clock.advance(MINUTE);
    for (const store of [mill, dock, pier]) say(store, store === mill ? { version: '2.0.0' } : {});
    await look();
    if (i === 28) assert.deepEqual(atDock.heard, [], 'not before its time');
  }
  assert.equal(atDock.heard.length, 1);
  for (let i = 0; i < 31; i++) {
    for (const store of [mill, dock, pier]) say(store, { version: '2.0.0' });
    await look();
    clock.advance(MINUTE);
  }
  assert.deepEqual(summary(waves.get(ANNA, id)), ['done', 1, undefined, undefined]);
  assert.deepEqual(notes, ['Anna store.rollout_started 2.0.0: 3 stores', ' store.rollout_done 2.0.0']);
  assert.equal(atMill.heard.length, 1, 'told once');
  assert.equal(holds()('2.0.0'), false);
});

test('store that returns to its old version stops the rollout until a person retries it, skips it or ends the rollout', async (t) => {
  const { addStore, listen, begin, look, say, statesOf, clock, waves, notes } = setUp(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  const [atMill, atDock] = [listen(mill), listen(dock)];
  const { id } = begin({ healthy_minutes: 0 });
  await look();
  const bad = (attempt: number) =>
    say(mill, {
      update: { id: `${id}.${attempt}`, version: '2.0.0', phase: 'went_back', why: 'the program ended with 3' },
    });
  bad(1);
  await look();
  const why = 'The new version did not work in the store, and the earlier version runs again: the program ended with 3';
  assert.deepEqual(summary(waves.get(ANNA, id)), ['stopped', 0, 'mill', why]);
  assert.equal(notes.at(-1), ` store.rollout_stopped 2.0.0, mill: ${why}`);
  await look();
  assert.equal(notes.length, 2, 'told of once');
  assert.throws(() => waves.pause(ANNA, id), { status: 409 });

  assert.equal(waves.resume(ANNA, id).status, 'running');
  await look();
  assert.deepEqual(
    atMill.heard.map((order) => order.id),
    [`${id}.1`, `${id}.2`],
    'what it said of the first attempt is of that',
  );
  assert.equal(statesOf(id)['mill'], 'told');
  bad(2);
  await look();
  assert.equal(waves.get(ANNA, id).status, 'stopped');
  assert.equal(atDock.heard.length, 0);
  assert.equal(waves.leaveOut(ANNA, id, 'mill').status, 'running');
  await look();
  assert.deepEqual([statesOf(id), atDock.heard.length], [{ dock: 'told', mill: 'left_out' }, 1]);
  assert.throws(() => waves.leaveOut(ANNA, id, 'pier'), { status: 404 });

  clock.advance(MINUTE);
  assert.equal(waves.end(ANNA, id).status, 'ended');
  assert.throws(() => waves.resume(ANNA, id), { status: 409 });
  assert.throws(() => waves.leaveOut(ANNA, id, 'dock'), { status: 409 });
  assert.deepEqual(notes.slice(-2), ['Anna store.left_out mill, 2.0.0', 'Anna store.rollout_ended 2.0.0']);
});

test('store that refuses an order sends its reason, and the rollout stops when no store accepts', async (t) => {
  const { addStore, listen, begin, look, statesOf, waves } = setUp(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  listen(mill, () => refused('not_allowed', 'It may not.'));
  const atDock = listen(dock);
  const { id } = begin();
  await look();
  assert.deepEqual(summary(waves.get(ANNA, id)), ['stopped', 0, 'mill', 'It may not.']);
  assert.deepEqual([statesOf(id)['mill'], atDock.heard.length], ['refused: It may not.', 0]);
});

test('paused rollout sends no orders, and stores that already have an order continue their update', async (t) => {
  const { addStore, listen, begin, look, say, statesOf, waves } = setUp(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  addStore('pier');
  listen(mill);
  const atDock = listen(dock);
  const { id } = begin({ healthy_minutes: 0 });
  await look();
  waves.pause(ANNA, id);
  assert.equal(waves.leaveOut(ANNA, id, 'pier').status, 'paused', 'it is not what it waits for');
  say(mill, { version: '2.0.0' });
  await look();
  assert.deepEqual([statesOf(id), atDock.heard.length], [{ dock: 'waiting', mill: 'healthy', pier: 'left_out' }, 0]);
  waves.resume(ANNA, id);
  await look();
  assert.equal(atDock.heard.length, 1);
});

test('busy store gets the order later, and a store that does not answer gets the order again with the same id', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { addStore, listen, begin, look, statesOf, clock, say } = setUp(t);
  const mill = addStore('mill');
  let answer: Answer | undefined = refused('busy', 'Later.');
  const { heard } = listen(mill, () => answer);
  const { id } = begin();
  await look();
  assert.deepEqual([statesOf(id)['mill'], heard.length], ['waiting', 1]);
  answer = undefined;
  clock.advance(10_000);
  const silent = look();
  while (heard.length < 2) await new Promise(setImmediate);
  t.mock.timers.tick(20_000);
  await silent;
  assert.equal(statesOf(id)['mill'], 'told', 'it may have heard');
  answer = OK;
  clock.advance(50_000);
  say(mill);
  await look();
  assert.equal(heard.length, 2, 'not yet');
  clock.advance(20_000);
  await look();
  assert.deepEqual(
    heard.map((order) => order.id),
    Array(3).fill(`${id}.1`),
    'known again by its id',
  );
  await look();
  assert.equal(heard.length, 3);
});

test('restarted headquarters repeats only orders without an answer', async (t) => {
  const { addStore, listen, begin, look, waves, open, parts, registry, downlink } = setUp(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  const before = [listen(mill, () => OK), listen(dock, () => undefined)];
  const { id } = begin({ waves: [REST] });
  const looking = look();
  while (before[1]!.heard.length === 0) await new Promise(setImmediate);
  // The connection breaks, so headquarters does not know whether the store has received the order.
  before[1]!.leave();
  await looking;
  await waves.stop();
  downlink.stop();
  const second = new Downlink({ ...parts, registry });
  t.after(() => second.stop());
  const again = open(second);
  const after = [listen(mill, () => OK, second), listen(dock, () => OK, second)];
  await look(again);
  assert.deepEqual(
    after.map(({ heard }) => heard.map((order) => order.id)),
    [[], [`${id}.1`]],
  );
});

test('incident that happens after the order stops the rollout, and an incident before the order does not', async (t) => {
  const { addStore, listen, begin, look, waves, incidents } = setUp(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  const atMill = listen(mill);
  incidents.add(mill, 'forked', 'Long ago.');
  const { id } = begin({ waves: [REST] });
  await look();
  assert.equal(waves.get(ANNA, id).status, 'running');
  listen(dock);
  await look();
  assert.equal(atMill.heard.length, 1, 'another one that is told is nothing to it');
  incidents.add(mill, 'segment_refused', 'Its plays are wrong.');
  await look();
  assert.match(waves.get(ANNA, id).stopped_at!.why, /since: Its plays are wrong/);
});

test('stores that received an order can fetch the release’s files while the rollout runs', async (t) => {
  const { addStore, listen, begin, look, waves } = setUp(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  listen(mill);
  listen(dock);
  const { id } = begin();
  await look();
  assert.deepEqual([...waves.releaseFilesOf(mill)], [SHA]);
  assert.deepEqual([...waves.releaseFilesOf(dock)], []);
  assert.equal(waves.fileOf(SHA)?.size, 9);
  waves.end(ANNA, id);
  assert.deepEqual([[...waves.releaseFilesOf(mill)], waves.fileOf(SHA)], [[], undefined]);
});

test('preview counts the stores of each wave, and leaves out stores that already have the version', (t) => {
  const { addStore, say, waves, begin } = setUp(t);
  const [mill, dock, pier] = [addStore('mill'), addStore('dock'), addStore('pier')];
  addStore('quay');
  say(mill);
  say(dock);
  say(pier, { version: '2.1.0' });
  assert.deepEqual(
    waves.preview(ANNA, { version: '2.0.0', waves: [FIRST, { name: 'One', stores: { which: 'count', count: 1 } }] }),
    {
      waves: [
        { name: 'First', stores: 1, up: 1, screens: 4 },
        { name: 'One', stores: 1, up: 1, screens: 4 },
      ],
      have: 1,
      left: 1,
    },
  );
  const { versions, releases, own } = waves.software(ANNA);
  assert.deepEqual(versions, [
    { version: '2.1.0', stores: 1 },
    { version: '1.0.0', stores: 2 },
    { version: null, stores: 1 },
  ]);
  assert.deepEqual(releases, [{ version: '2.0.0', notes: null, files: 1, bytes: 9, behind: 3 }]);
  assert.equal(own, '2.0.0');
  const named = { name: 'P', stores: { which: 'named' as const, ids: ['pier'] } };
  assert.throws(() => begin({ waves: [named] }), { status: 400 });
  assert.throws(() => begin({ version: '3.0.0' }), { status: 404 });
  begin();
  assert.throws(() => begin(), { status: 409 });
});

test('other workspaces cannot see a rollout', async (t) => {
  const { addStore, listen, begin, waves, db, look } = setUp(t);
  addWorkspace(db, 'other');
  const BOB = actorOf('other');
  listen(addStore('mill'));
  const foreign = listen(addStore('foreign', undefined, 'other'));
  const { id } = begin({ waves: [REST] });
  await look();
  assert.deepEqual(foreign.heard, []);
  const notFound = { status: 404 };
  for (const act of [
    () => waves.get(BOB, id),
    () => waves.stores(BOB, id, { state: undefined, limit: 1, offset: 0 }),
    () => waves.pause(BOB, id),
    () => waves.end(BOB, id),
    () => waves.leaveOut(BOB, id, 'mill'),
    () => waves.leaveOut(ANNA, id, 'foreign'),
    () => waves.preview(BOB, { version: '2.0.0', waves: [FIRST] }),
  ])
    assert.throws(act, notFound);
  assert.equal(waves.list(BOB, { limit: 9, offset: 0 }).total, 0);
});

test('workspace keeps its newest 100 rollouts, and rollouts of other workspaces do not count', (t) => {
  const { addStore, begin, waves, db, clock } = setUp(t);
  addWorkspace(db, 'other');
  const BOB = actorOf('other');
  for (const ref of ['mill', 'dock']) addStore(ref);
  addStore('foreign', undefined, 'other');
  const theirs = waves.create(BOB, { version: '2.0.0', waves: [REST], healthy_minutes: 0 }).id;
  const made = Array.from({ length: 102 }, (_, i) => {
    if (i % 3 === 0) clock.advance(1);
    return waves.end(ANNA, begin().id).id;
  });
  const newest = made.toReversed().slice(0, 100);
  const listed = (limit: number, offset: number, actor = ANNA) => {
    const { rows, total } = waves.list(actor, { limit, offset });
    return [rows.map(({ id }) => id), total];
  };
  assert.deepEqual(listed(200, 0), [newest, 100]);
  assert.deepEqual(listed(2, 1), [newest.slice(1, 3), 100]);
  assert.deepEqual(listed(200, 0, BOB), [[theirs], 1]);
  assert.equal(waves.get(BOB, theirs).status, 'running');
  assert.deepEqual(waves.get(ANNA, newest[0]!).waves[1]!.states.waiting, 1);
});

test('stores of a rollout are sorted by state (worst first), then by wave and name, in pages and filtered by state', async (t) => {
  const { addStore, listen, begin, look, say, waves } = setUp(t);
  const first = ['zeta', 'Alpha', 'out'].map((ref) => addStore(ref));
  for (const store of first) listen(store, () => refused('not_allowed', 'It may not.'));
  for (const ref of ['Beta', 'apple', 'gone']) addStore(ref);
  const { id } = begin({ waves: [{ name: 'First', stores: { which: 'named', ids: ['zeta', 'Alpha', 'out'] } }, REST] });
  await look();
  for (const ref of ['gone', 'out']) waves.leaveOut(ANNA, id, ref);
  say(first[0]!, { version: '1.0.1' });
  const listed = (more: { state?: RolloutStore['state']; limit?: number; offset?: number } = {}) => {
    const { rows, total } = waves.stores(ANNA, id, { state: undefined, limit: 100, offset: 0, ...more });
    return [rows.map(({ store_name }) => store_name), total];
  };
  assert.deepEqual(listed(), [['Alpha', 'zeta', 'apple', 'Beta', 'out', 'gone'], 6]);
  assert.deepEqual(listed({ limit: 2, offset: 1 }), [['zeta', 'apple'], 6]);
  assert.deepEqual(listed({ state: 'waiting' }), [['apple', 'Beta'], 2]);
  assert.deepEqual(listed({ state: 'left_out', limit: 1, offset: 1 }), [['gone'], 2]);
  const { rows } = waves.stores(ANNA, id, { state: 'refused', limit: 100, offset: 0 });
  assert.deepEqual(
    rows.map(({ version, wave, why }) => [version, wave, why]),
    [
      ['1.0.0', 0, 'It may not.'],
      ['1.0.1', 0, 'It may not.'],
    ],
  );
  assert.equal('store' in rows[0]!, false, 'its number is headquarters’ own');
});

test('rollout checks a store one second after its report, and notifies admin windows every two seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  const { addStore, listen, begin, say, statesOf, waves, parts, clock, db } = setUp(t);
  const told: string[] = [];
  parts.bus.on('changed', ({ workspaceId, topic }) => told.push(`${workspaceId} ${topic}`));
  const mill = addStore('mill');
  waves.start();
  const { id } = begin({ waves: [REST], healthy_minutes: 0 });
  await db.durable();
  told.length = 0;
  listen(mill);
  t.mock.timers.tick(999);
  assert.equal(statesOf(id)['mill'], 'waiting');
  t.mock.timers.tick(1);
  await waves.idle();
  assert.equal(statesOf(id)['mill'], 'told');
  await db.durable();
  t.mock.timers.tick(999);
  assert.deepEqual(told, []);
  t.mock.timers.tick(1);
  await db.durable();
  assert.deepEqual(told, ['hq stores']);
  // The report changes nothing, so admin windows are not notified.
  t.mock.timers.tick(2_000);
  assert.equal(told.length, 1);
  // The periodic check also detects stores that stop sending reports.
  clock.advance(60 * MINUTE);
  t.mock.timers.tick(5_000);
  assert.equal(waves.get(ANNA, id).status, 'stopped');
  await waves.stop();
  waves.resume(ANNA, id);
  const seen = statesOf(id);
  say(mill, { version: '2.0.0' });
  t.mock.timers.tick(60_000);
  assert.deepEqual(statesOf(id), seen, 'it has stopped');
});

test('member with a role in one region sees the stores of this region in a rollout, and cannot change the rollout', async (t) => {
  const { addStore, listen, begin, waves, look, stores, registry, db } = setUp(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  for (const [store, region] of [
    [mill, 'North'],
    [dock, 'South'],
  ] as const)
    db.write(() => {
      const facts = { name: store.ref, region, tags: [], note: '', latitude: null, longitude: null };
      stores.update(store.id, facts);
      registry.refresh(store.id);
    });
  listen(mill, () => refused('not_allowed', 'It may not.'));
  listen(dock);
  const { id } = begin();
  await look();
  const CARA: Actor = { ...ANNA, regions: [{ region: 'South', role: 'workspace_admin' }] };
  const seen = waves.stores(CARA, id, { state: undefined, limit: 9, offset: 0 });
  assert.deepEqual([seen.rows.map(({ store_id }) => store_id), seen.total], [['dock'], 1]);
  assert.deepEqual(
    [waves.get(CARA, id).stopped_at, waves.software(CARA).versions],
    [null, [{ version: '1.0.0', stores: 1 }]],
  );
  for (const act of [
    () => waves.resume(CARA, id),
    () => waves.leaveOut(CARA, id, 'dock'),
    () => waves.create(CARA, { version: '2.0.0', waves: [REST], healthy_minutes: 0 }),
  ])
    assert.throws(act, { status: 403 });
});

test('rollout reaches 2,000 stores, at most 64 at once', async (t) => {
  const { addStore, listen, begin, look, say, db, waves } = setUp(t);
  const stores = db.write(() => Array.from({ length: 2_000 }, (_, i) => addStore(`store ${i}`)));
  const told: KnownStore[] = [];
  let most = 0;
  for (const store of stores)
    listen(store, () => {
      told.push(store);
      most = Math.max(most, told.length);
      return OK;
    });
  const { id } = begin({ waves: [REST], healthy_minutes: 0 });
  for (let i = 0; i < 100 && waves.get(ANNA, id).status === 'running'; i++) {
    await look();
    for (const store of told.splice(0)) say(store, { version: '2.0.0' });
  }
  assert.deepEqual([waves.get(ANNA, id).status, most], ['done', 64]);
});
