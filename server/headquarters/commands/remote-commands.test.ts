/** Tests commands to stores: delivery, answers, and stores that are offline, do not answer, or answer too late. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { AskOf, Order } from '../../../shared/chain/wire.ts';
import type { BodyOf } from '../../../shared/contract/endpoint.ts';
import type { createRemoteCommand, RemoteCommandState } from '../../../shared/contract/headquarters/remote-commands.ts';
import { addWorkspace } from '../../features/reports/testing/plays.ts';
import { announce } from '../../kernel/bus.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import type { KnownStore } from '../plays/segment-writer.ts';
import { openHq } from '../testing/rig.ts';
import { Downlink } from '../transport/downlink.ts';
import { RemoteCommandsService } from './remote-commands.service.ts';
import { RemoteCommandsStore } from './remote-commands.store.ts';

const NOWHERE = { latitude: null, longitude: null };
const MINUTE = 60_000;
const PAGE = { limit: 100, offset: 0 };
const EVERY: { state: RemoteCommandState | undefined; limit: number; offset: number } = { state: undefined, ...PAGE };
const actorOf = (workspaceId: string, more: Partial<Actor> = {}): Actor => ({
  via: 'session',
  userId: 'anna',
  userName: 'Anna',
  email: 'anna@hq.test',
  platformRole: 'user',
  mustChangePassword: false,
  confinedTo: null,
  workspaceId,
  organizationId: workspaceId,
  workspaceRole: 'workspace_editor',
  organizationRole: null,
  limits: null,
  regions: null,
  approves: false,
  needsApproval: false,
  scope: 'full',
  credentialHash: '',
  ip: '',
  ...more,
});
const ANNA = actorOf('hq');
const OFF = { type: 'screen_off', payload: {} } as const;
const REBOOT = { type: 'reboot', payload: {} } as const;
const ALL = { which: 'all' } as const;
const named = (...stores: KnownStore[]) => ({ which: 'named', ids: stores.map(({ ref }) => ref) }) as const;

const until = async (what: string, isSo: () => boolean): Promise<void> => {
  for (let i = 0; i < 20_000; i++) {
    if (isSo()) return;
    await new Promise(setImmediate);
  }
  assert.fail(`never: ${what}`);
};

type Answer = Omit<AskOf<'answer'>, 'id'>;
const DONE: Answer = { answer: { screens: 3, acked: 2, failed: 1 } };
const refused = (code: 'busy' | 'not_allowed', error: string): Answer => ({ refused: { code, error } });

const setUp = (t: TestContext) => {
  const hq = openHq(t);
  const notes: string[] = [];
  const told: string[] = [];
  hq.parts.bus.on('changed', ({ workspaceId, topic }) => told.push(`${workspaceId} ${topic}`));
  const downlink = new Downlink({ ...hq.parts, registry: hq.registry });
  t.after(() => downlink.stop());
  const open = (over: Downlink): RemoteCommandsService => {
    const service = new RemoteCommandsService({
      ...hq.parts,
      store: new RemoteCommandsStore(hq.db),
      registry: hq.registry,
      downlink: over,
      activity: { add: ({ action, actor, details }) => notes.push(`${actor?.userName} ${action} ${details}`) },
    });
    t.after(() => service.stop());
    return service;
  };
  /**
   * Attaches a listening store.
   * @param answer returns the answer to a command; undefined: the store does not answer
   */
  const listen = (store: KnownStore, answer: (order: Order) => Answer | undefined, over = downlink) => {
    const heard: (Order & { asked: string })[] = [];
    const leave = over.attach(store, {
      send: (text) => {
        for (const line of text.split('\n').filter(Boolean)) {
          const { id, said } = JSON.parse(line);
          heard.push({ ...said, asked: id });
          const answered = answer(said);
          if (answered) setImmediate(() => over.answered(store, { id, ...answered }));
        }
        return true;
      },
      end: () => {},
    });
    return { heard, leave };
  };
  const orders = open(downlink);
  const give = (more: Partial<BodyOf<typeof createRemoteCommand>> = {}, actor = ANNA) =>
    orders.create(actor, { command: OFF, tag: null, stores: ALL, lasts_minutes: 60, ...more });
  const statesOf = (id: string, actor = ANNA, service = orders) =>
    Object.fromEntries(Object.entries(service.get(actor, id).states).filter(([, count]) => count > 0));
  const rowsOf = (id: string) =>
    orders.stores(ANNA, id, EVERY).rows.map(({ store_id, state, error }) => [store_id, state, error]);
  return { ...hq, downlink, orders, open, listen, give, statesOf, rowsOf, notes, told };
};

test('connected store receives a command at once, with the name of the sender and the tag of the target screens', async (t) => {
  const { addStore, listen, give, orders, statesOf, notes, told, db } = setUp(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  const [atMill, atDock] = [listen(mill, () => DONE), listen(dock, () => DONE)];
  const made = give({ tag: 'window' });
  assert.deepEqual(made.states, { refused: 0, expired: 0, taken_back: 0, waiting: 2, told: 0, done: 0 });
  await until('both have done it', () => statesOf(made.id)['done'] === 2);
  const visitor = { id: 'anna', name: 'Anna', role: 'workspace_editor' };
  for (const { heard } of [atMill, atDock])
    assert.deepEqual(
      heard.map(({ asked: _, ...order }) => order),
      [{ id: made.id, visitor, command: OFF, tag: 'window' }],
    );
  const { screens, acked, failed, by, command, tag } = orders.get(ANNA, made.id);
  assert.deepEqual([screens, acked, failed, by, command, tag], [6, 4, 2, 'Anna', OFF, 'window']);
  assert.deepEqual(await orders.list(ANNA, PAGE), { rows: [orders.get(ANNA, made.id)], total: 1 });
  assert.deepEqual(notes, ['Anna store.commanded screen_off: 2 stores']);
  assert.deepEqual(told, ['hq stores']);
  orders.announceChanges();
  await db.durable();
  assert.deepEqual(told, ['hq stores', 'hq stores']);
  orders.announceChanges();
  await db.durable();
  assert.equal(told.length, 2, 'nothing has changed since');
});

test('command has its creation and expiry time in whole seconds, although headquarters stores milliseconds', (t) => {
  const { addStore, give, clock } = setUp(t);
  addStore('mill');
  clock.advance(900);
  const { created_at, expires_at } = give({ lasts_minutes: 5 });
  assert.deepEqual([created_at, expires_at], [Math.floor(clock.now() / 1000), Math.floor(clock.now() / 1000) + 300]);
});

test('results of a completed command are read from the database only once', async (t) => {
  const { addStore, listen, give, orders, statesOf } = setUp(t);
  const [mill] = [addStore('mill'), addStore('dock')];
  const { id } = give({ stores: named(mill) });
  const open = give();
  listen(mill, () => DONE);
  await until('it is done', () => statesOf(id)['done'] === 1);
  await orders.idle();
  const counts = t.mock.method(RemoteCommandsStore.prototype, 'counts');
  const asked = (which: string) => {
    counts.mock.resetCalls();
    for (let i = 0; i < 3; i++) orders.get(ANNA, which);
    return counts.mock.callCount();
  };
  asked(id);
  assert.deepEqual([asked(id), asked(open.id)], [0, 3]);
});

test('store receives the role that the sender has in the region of the store', async (t) => {
  const { addStore, listen, give, statesOf } = setUp(t);
  const { heard } = listen(addStore('mill'), () => DONE);
  const roles = { workspaceRole: 'workspace_admin' } as const;
  const regional = actorOf('hq', { ...roles, userId: 'cara', regions: [{ region: '', role: 'workspace_editor' }] });
  for (const actor of [actorOf('hq', roles), regional]) {
    const { id } = give({}, actor);
    await until('it is done', () => statesOf(id, actor)['done'] === 1);
  }
  assert.deepEqual(
    heard.map(({ visitor }) => [visitor.id, visitor.role]),
    [
      ['anna', 'workspace_admin'],
      ['cara', 'workspace_editor'],
    ],
  );
});

test('command that was sent and not answered stays open until it expires', async (t) => {
  const { addStore, listen, give, orders, statesOf, clock } = setUp(t);
  const atMill = listen(addStore('mill'), () => undefined);
  const { id } = give({ lasts_minutes: 5 });
  await until('it is told', () => atMill.heard.length === 1);
  atMill.leave();
  await orders.idle();
  assert.deepEqual([statesOf(id), statesOf(id)], [{ told: 1 }, { told: 1 }]);
  clock.advance(5 * MINUTE);
  assert.deepEqual(statesOf(id), { expired: 1 });
});

test('headquarters sends no command after it was stopped', async (t) => {
  const { addStore, listen, give, orders, statesOf, db } = setUp(t);
  const { heard } = listen(addStore('mill'), () => DONE);
  await orders.stop();
  const { id } = give();
  await db.durable();
  await orders.idle();
  assert.deepEqual([heard, statesOf(id)], [[], { waiting: 1 }]);
});

test('store that refuses a command sends the reason, and still receives the next command', async (t) => {
  const { addStore, listen, give, statesOf, rowsOf, orders } = setUp(t);
  const mill = addStore('mill');
  listen(mill, ({ command }) =>
    command.type === 'reboot' ? refused('not_allowed', 'Only looking is allowed.') : DONE,
  );
  const [first, second] = [give({ command: REBOOT }), give()];
  await until('both are answered', () => statesOf(second.id)['done'] === 1);
  assert.deepEqual(rowsOf(first.id), [['mill', 'refused', 'Only looking is allowed.']]);
  assert.deepEqual(orders.stores(ANNA, first.id, { ...EVERY, state: 'done' }), { rows: [], total: 0 });
  assert.equal(orders.stores(ANNA, first.id, { ...EVERY, state: 'refused' }).total, 1);
});

test('store that was offline receives its commands in the order of their creation', async (t) => {
  const { addStore, listen, give, statesOf, clock } = setUp(t);
  const mill = addStore('mill');
  const made: string[] = [];
  for (let i = 0; i < 4; i++) {
    made.push(give().id);
    if (i % 2 === 0) clock.advance(1_000);
  }
  assert.deepEqual(statesOf(made[0]!), { waiting: 1 });
  const { heard } = listen(mill, () => DONE);
  await until('all are done', () => statesOf(made[3]!)['done'] === 1);
  assert.deepEqual(
    heard.map(({ id }) => id),
    made,
  );
});

test('store receives one command at a time', async (t) => {
  const { addStore, listen, give, downlink, statesOf } = setUp(t);
  const mill = addStore('mill');
  const { heard } = listen(mill, () => undefined);
  const [first, second] = [give(), give()];
  await until('it is told', () => heard.length === 1);
  for (let i = 0; i < 50; i++) await new Promise(setImmediate);
  assert.equal(heard.length, 1);
  assert.deepEqual([statesOf(first.id), statesOf(second.id)], [{ told: 1 }, { waiting: 1 }]);
  downlink.answered(mill, { id: heard[0]!.asked, ...DONE });
  await until('it is told the second', () => heard.length === 2);
});

test('store that does not answer receives the command again after a minute, with the same id', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { addStore, listen, give, statesOf, orders, clock } = setUp(t);
  const mill = addStore('mill');
  let isSilent = true;
  const { heard } = listen(mill, () => (isSilent ? undefined : DONE));
  const { id } = give({ command: REBOOT });
  await until('it is told', () => heard.length === 1);
  t.mock.timers.tick(20_000);
  await orders.idle();
  assert.deepEqual(statesOf(id), { told: 1 });
  isSilent = false;
  clock.advance(50_000);
  orders.runDue();
  await orders.idle();
  assert.equal(heard.length, 1, 'not yet');
  clock.advance(20_000);
  orders.runDue();
  await until('it is done', () => statesOf(id)['done'] === 1);
  assert.deepEqual(
    heard.map((order) => order.id),
    [id, id],
  );
});

test('store receives an unanswered command again after a reconnect, unless the command may have stopped its PC', async (t) => {
  const { addStore, listen, give, statesOf, rowsOf, orders } = setUp(t);
  const mill = addStore('mill');
  for (const command of [OFF, REBOOT]) {
    const { heard, leave } = listen(mill, () => undefined);
    const { id } = give({ command });
    await until('it is told', () => heard.length === 1);
    leave();
    await orders.idle();
    assert.deepEqual(statesOf(id), { told: 1 });
    const back = listen(mill, () => DONE);
    await until('it is settled', () => !statesOf(id)['told']);
    if (command === OFF) assert.deepEqual([statesOf(id), back.heard.map((order) => order.id)], [{ done: 1 }, [id]]);
    else {
      assert.deepEqual(back.heard, []);
      assert.match(String(rowsOf(id)[0]), /^mill,expired,.* may have run the command/);
    }
    back.leave();
  }
});

test('headquarters repeats an unanswered command at once when the store reconnects during delivery', async (t) => {
  const { addStore, listen, give, statesOf } = setUp(t);
  const mill = addStore('mill');
  const { heard } = listen(mill, () => undefined);
  const { id } = give();
  await until('it is told', () => heard.length === 1);
  const again = listen(mill, () => DONE);
  await until('it is done', () => statesOf(id)['done'] === 1);
  assert.equal(again.heard.length, 1);
});

test('busy store receives the command again after some seconds, and a silent store only after a minute', async (t) => {
  const { addStore, listen, give, statesOf, rowsOf, orders, clock } = setUp(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  let isBusy = true;
  const silent = listen(dock, () => undefined);
  const { heard } = listen(mill, () => (isBusy ? refused('busy', 'Later.') : DONE));
  const { id } = give();
  await until('both are told', () => heard.length + silent.heard.length === 2 && statesOf(id)['told'] === 1);
  assert.deepEqual(rowsOf(id), [
    ['mill', 'waiting', ''],
    ['dock', 'told', ''],
  ]);
  isBusy = false;
  clock.advance(10_000);
  orders.runDue();
  await until('it is done', () => statesOf(id)['done'] === 1);
  assert.equal(silent.heard.length, 1);
  silent.leave();
});

test('expired command is not sent any more, and its result names stores that may have executed it', async (t) => {
  const { addStore, listen, give, statesOf, rowsOf, orders, clock, told, db } = setUp(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  const atMill = listen(mill, () => undefined);
  const { id } = give({ lasts_minutes: 5 });
  await until('it is told', () => atMill.heard.length === 1);
  atMill.leave();
  await orders.idle();
  clock.advance(5 * MINUTE - 1);
  orders.runDue();
  assert.deepEqual(statesOf(id), { told: 1, waiting: 1 });
  clock.advance(1);
  told.length = 0;
  orders.runDue();
  assert.deepEqual(statesOf(id), { expired: 2 });
  const [first, second] = rowsOf(id);
  assert.deepEqual(first, ['dock', 'expired', '']);
  assert.match(String(second), /^mill,expired,.* may have run the command/);
  orders.announceChanges();
  await db.durable();
  assert.deepEqual(told, ['hq stores']);
  const [later, dockLater] = [listen(mill, () => DONE), listen(dock, () => DONE)];
  await orders.idle();
  assert.deepEqual([later.heard, dockLater.heard], [[], []]);
});

test('late answer of a store counts, and a clock that is set back does not stop the expiry of new commands', async (t) => {
  const { addStore, listen, give, statesOf, downlink, clock } = setUp(t);
  const mill = addStore('mill');
  const { heard } = listen(mill, () => undefined);
  const { id } = give({ lasts_minutes: 1 });
  await until('it is told', () => heard.length === 1);
  clock.jump(MINUTE);
  assert.deepEqual(statesOf(id), { expired: 1 });
  downlink.answered(mill, { id: heard[0]!.asked, ...DONE });
  await until('it is done', () => statesOf(id)['done'] === 1);
  clock.jump(-24 * 60 * MINUTE);
  const next = give({ lasts_minutes: 1 });
  await until('it is told', () => heard.length === 2);
  clock.jump(MINUTE);
  assert.deepEqual(statesOf(next.id), { expired: 1 });
});

test('cancelled command is sent to no further store, and answers that stores sent before the cancellation stay', async (t) => {
  const { addStore, listen, give, statesOf, orders, notes, clock } = setUp(t);
  const [mill, dock, pier] = [addStore('mill'), addStore('dock'), addStore('pier')];
  listen(mill, () => DONE);
  const atDock = listen(dock, () => undefined);
  const { id } = give();
  const other = give({ stores: named(pier) }).id;
  notes.pop();
  await until('mill has done it, and dock is told', () => statesOf(id)['done'] === 1 && atDock.heard.length === 1);
  atDock.leave();
  await orders.idle();
  clock.advance(1_000);
  orders.cancel(ANNA, id);
  const over = clock.now() / 1_000;
  assert.deepEqual([statesOf(id), orders.get(ANNA, id).expires_at], [{ expired: 1, taken_back: 1, done: 1 }, over]);
  assert.equal(orders.get(ANNA, other).expires_at, over + 3_599, 'another command goes on');
  orders.cancel(ANNA, other);
  notes.pop();
  const later = [listen(dock, () => DONE), listen(pier, () => DONE)];
  await orders.idle();
  assert.deepEqual(
    later.flatMap(({ heard }) => heard),
    [],
  );
  assert.equal(notes.at(-1), 'Anna store.command_taken_back screen_off: 1 store');
  orders.cancel(ANNA, id);
  assert.equal(notes.length, 2, 'nothing is left to be taken back');
});

test('command that is cancelled after it was marked as sent, but before it was sent, is not sent', async (t) => {
  const { addStore, listen, give, statesOf, orders } = setUp(t);
  const mill = addStore('mill');
  const { id } = give();
  const { heard } = listen(mill, () => DONE);
  orders.cancel(ANNA, id);
  await orders.idle();
  assert.deepEqual(heard, []);
  assert.equal(statesOf(id)['done'], undefined);
});

test('command is invisible to other workspaces, and headquarters ignores answers from stores that did not receive it', async (t) => {
  const { addStore, listen, give, statesOf, orders, downlink, db } = setUp(t);
  addWorkspace(db, 'other');
  const BOB = actorOf('other', { userName: 'Bob' });
  const [mill, dock, foreign] = [addStore('mill'), addStore('dock'), addStore('foreign', undefined, 'other')];
  const [atMill, atDock] = [listen(mill, () => undefined), listen(dock, () => undefined)];
  const abroad = listen(foreign, () => DONE);
  const { id } = give();
  await until('both are told', () => atMill.heard.length + atDock.heard.length === 2);
  assert.deepEqual(abroad.heard, []);
  // This store answers a request that was sent to another store.
  downlink.answered(dock, { id: atMill.heard[0]!.asked, ...DONE });
  downlink.answered(foreign, { id: atMill.heard[0]!.asked, ...DONE });
  for (let i = 0; i < 50; i++) await new Promise(setImmediate);
  assert.deepEqual(statesOf(id), { told: 2 });
  const notFound = { status: 404 };
  assert.throws(() => orders.get(BOB, id), notFound);
  assert.throws(() => orders.stores(BOB, id, EVERY), notFound);
  assert.throws(() => orders.cancel(BOB, id), notFound);
  assert.throws(() => give({ stores: named(mill) }, BOB), notFound);
  assert.throws(() => give({ stores: named(mill, foreign) }), notFound);
  assert.equal((await orders.list(BOB, PAGE)).total, 0);
  assert.equal((await orders.list(ANNA, PAGE)).total, 1, 'nothing was sent where one is not found');
});

test('command list is sorted from newest to oldest, and members with roles in some regions see only their own commands', async (t) => {
  const { addStore, give, orders, clock, db } = setUp(t);
  addWorkspace(db, 'other');
  addStore('mill');
  addStore('foreign', undefined, 'other');
  const CARA = actorOf('hq', { userId: 'cara', regions: [{ region: '', role: 'workspace_editor' }] });
  const made = [ANNA, CARA, ANNA, CARA].map((actor, i) => {
    if (i === 3) clock.advance(1_000);
    return give({}, actor).id;
  });
  give({}, actorOf('other'));
  const listed = async (actor: Actor, page = PAGE) => {
    const { rows, total } = await orders.list(actor, page);
    return [rows.map(({ id }) => made.indexOf(id)), total];
  };
  assert.deepEqual(await listed(ANNA), [[3, 2, 1, 0], 4]);
  assert.deepEqual(await listed(ANNA, { limit: 2, offset: 1 }), [[2, 1], 4]);
  assert.deepEqual(await listed(CARA), [[3, 1], 2]);
  assert.equal(orders.get(CARA, made[1]!).id, made[1]);
  assert.throws(() => orders.get(CARA, made[0]!), { status: 404 });
  assert.throws(() => orders.cancel(CARA, made[2]!), { status: 404 });
  const LOOKS = { ...CARA, regions: [{ region: '', role: 'workspace_viewer' as const }] };
  assert.throws(() => give({}, LOOKS), { status: 400 });
  assert.throws(() => give({ stores: { which: 'named', ids: ['mill'] } }, LOOKS), { status: 403 });
  const ELSEWHERE = { ...CARA, regions: [{ region: 'North', role: 'workspace_editor' as const }] };
  assert.throws(() => give({ stores: { which: 'named', ids: ['mill'] } }, ELSEWHERE), { status: 404 });
});

test('stores of a command are sorted by state (worst first), then by name, in pages and filtered by state', async (t) => {
  const { addStore, listen, give, orders, statesOf, downlink, clock } = setUp(t);
  for (const ref of ['Beta', 'alpha']) listen(addStore(ref), () => refused('not_allowed', 'It may not.'));
  listen(addStore('done'), () => DONE);
  const told = addStore('told');
  const { heard } = listen(told, () => undefined);
  for (const ref of ['waits', 'Sleeps']) addStore(ref);
  const { id } = give();
  await until('all that listen were told', () => (statesOf(id)['refused'] ?? 0) + (statesOf(id)['done'] ?? 0) === 3);
  const listed = (more: Partial<typeof EVERY> = {}) => {
    const { rows, total } = orders.stores(ANNA, id, { ...EVERY, ...more });
    return [rows.map(({ store_name }) => store_name), total];
  };
  assert.deepEqual(listed(), [['alpha', 'Beta', 'Sleeps', 'waits', 'told', 'done'], 6]);
  assert.deepEqual(listed({ limit: 2, offset: 1 }), [['Beta', 'Sleeps'], 6]);
  assert.deepEqual(listed({ state: 'waiting', limit: 1, offset: 1 }), [['waits'], 2]);
  const at = Math.floor(clock.now() / 1000);
  assert.deepEqual(
    orders.stores(ANNA, id, EVERY).rows.map((row) => row.at),
    [at, at, null, null, at, at],
  );
  // The answer of this store arrives after the command has expired.
  downlink.answered(told, { id: heard[0]!.asked, ...DONE });
  await until('it is done', () => statesOf(id)['done'] === 2);
  assert.deepEqual([orders.get(ANNA, id).screens, orders.get(ANNA, id).acked], [6, 4]);
});

test('expired commands are marked every ten seconds and announced once', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { addStore, give, orders, statesOf, clock, told, db } = setUp(t);
  addStore('mill');
  orders.start();
  give({ lasts_minutes: 1 });
  const later = give({ lasts_minutes: 2 }).id;
  await db.durable();
  told.length = 0;
  clock.advance(MINUTE);
  t.mock.timers.tick(9_999);
  await db.durable();
  assert.deepEqual(told, []);
  t.mock.timers.tick(1_001);
  await db.durable();
  assert.deepEqual([told, statesOf(later)], [['hq stores'], { waiting: 1 }]);
  t.mock.timers.tick(13_000);
  await db.durable();
  assert.equal(told.length, 1, 'of what is over once');
  await orders.stop();
  clock.advance(MINUTE);
  t.mock.timers.tick(60_000);
  await db.durable();
  assert.equal(told.length, 1);
});

test('restarted headquarters sends unanswered commands again with the same id', async (t) => {
  const { addStore, listen, give, statesOf, orders, open, parts, registry } = setUp(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  const before = listen(mill, () => undefined);
  const { id } = give();
  await until('mill is told', () => before.heard.length === 1);
  before.leave();
  await orders.stop();
  const second = new Downlink({ ...parts, registry });
  t.after(() => second.stop());
  const restarted = open(second);
  restarted.start();
  const [atMill, atDock] = [listen(mill, () => DONE, second), listen(dock, () => DONE, second)];
  await until('both have done it', () => statesOf(id, ANNA, restarted)['done'] === 2);
  assert.deepEqual(
    [...atMill.heard, ...atDock.heard].map((order) => order.id),
    [id, id],
  );
});

test('command goes only to enrolled stores of its region and tag', (t) => {
  const { addStore, give, stores, registry, db, statesOf } = setUp(t);
  const facts = { mill: ['North', ['Mall']], dock: ['North', []], pier: ['South', ['mall']] } as const;
  for (const [ref, [region, tags]] of Object.entries(facts)) {
    const { id } = addStore(ref);
    db.write(() => {
      stores.update(id, { name: ref, region, tags, note: '', ...NOWHERE });
      registry.refresh(id);
    });
  }
  db.write(() =>
    registry.refresh(
      stores.insert({
        ...{ ref: 'new', workspace_id: 'hq', name: 'new', region: '', tags: [], note: '', created_at: 1 },
        ...NOWHERE,
      }),
    ),
  );
  assert.deepEqual(statesOf(give().id), { waiting: 3 });
  assert.deepEqual(statesOf(give({ stores: { which: 'all', region: 'North' } }).id), { waiting: 2 });
  assert.deepEqual(statesOf(give({ stores: { which: 'all', tag: 'MALL' } }).id), { waiting: 2 });
  assert.deepEqual(statesOf(give({ stores: { which: 'all', region: 'South', tag: 'mall' } }).id), { waiting: 1 });
  assert.throws(() => give({ stores: { which: 'all', region: 'East' } }), { status: 400 });
});

test('command counts as open until every store has executed it', async (t) => {
  const { addStore, listen, give, orders, statesOf, db } = setUp(t);
  listen(addStore('mill'), () => DONE);
  const made = Array.from({ length: 100 }, () => give().id);
  await db.durable();
  assert.throws(() => give(), { status: 409 });
  await until('all are done', () => statesOf(made.at(-1)!)['done'] === 1);
  await orders.idle();
  assert.equal(give().states.waiting, 1);
});

test('workspace has at most 100 open commands and keeps 500 commands', (t) => {
  const { addStore, give, orders, db, clock } = setUp(t);
  addStore('mill');
  const oldest = give({ lasts_minutes: 7 * 24 * 60 }).id;
  for (let i = 1; i < 100; i++) give();
  assert.throws(() => give(), { status: 409 });
  clock.advance(60 * MINUTE);
  const count = () => db.raw.prepare('SELECT count(*) FROM hq_orders').pluck().get();
  for (let i = 100; i < 520; i++) {
    give({ lasts_minutes: 1 });
    clock.advance(MINUTE);
  }
  assert.equal(count(), 500);
  assert.deepEqual(orders.get(ANNA, oldest).states.waiting, 1, 'it is the oldest, and still waits');
});

test('command reaches 5,000 stores, at most 64 at once', async (t) => {
  const { addStore, listen, give, statesOf, orders, db } = setUp(t);
  const stores = db.write(() => Array.from({ length: 5_000 }, (_, i) => addStore(`store ${i}`)));
  let [now, most] = [0, 0];
  for (const store of stores)
    listen(store, () => {
      now++;
      most = Math.max(most, now);
      setImmediate(() => now--);
      return DONE;
    });
  const { id } = give();
  await until('all have done it', () => statesOf(id)['done'] === 5_000);
  assert.ok(most <= 64 && most > 8, `${most} at once`);
  assert.equal(orders.get(ANNA, id).acked, 10_000);
  const ids = orders.stores(ANNA, id, { ...EVERY, limit: 1_000, offset: 4_500 }).rows.map(({ store_id }) => store_id);
  assert.equal(new Set(ids).size, 500);
});

test('store that is removed no longer counts in the results of a command', async (t) => {
  const { addStore, listen, give, statesOf, db, stores, registry, parts } = setUp(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  for (const store of [mill, dock]) listen(store, () => DONE);
  const { id } = give();
  await until('both have done it', () => statesOf(id)['done'] === 2);
  db.write(() => {
    stores.delete(dock.id);
    registry.refresh(dock.id);
    announce(parts, { workspaceId: 'hq', userId: null }, { topic: 'stores', ids: ['dock'], screens: false });
  });
  await db.durable();
  assert.deepEqual(statesOf(id), { done: 1 });
});
