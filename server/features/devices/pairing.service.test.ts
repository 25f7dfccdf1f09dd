import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ApiError } from '../../../shared/contract/errors.ts';
import type { Device } from '../../../shared/contract/screens/devices.ts';
import { TestClock } from '../../../test/harness.ts';
import { DEVICE } from '../../../test/player-client.ts';
import { openDatabase } from '../../db/open.ts';
import type { ActivityLog } from '../../kernel/activity.ts';
import { Bus, type Change } from '../../kernel/bus.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import { addWorkspace } from '../reports/testing/plays.ts';
import { DevicesStore } from './devices.store.ts';
import { PairingService, type WaitingPlayer } from './pairing.service.ts';

const ACTOR = { workspaceId: 'w', userId: 'u', userName: 'U', ip: '192.0.2.1' } as Actor;

const waitingAs = (pendingId: string, more: Partial<WaitingPlayer> = {}): WaitingPlayer => ({
  pendingId,
  secretHash: `hash of ${pendingId}`,
  name: '',
  info: { ...DEVICE, capabilities: '[]' } as unknown as WaitingPlayer['info'],
  shownAs: '192.0.2.7',
  since: 1_999,
  codes: [{ text: 'EEE346' }, { text: 'FFF346' }, { text: 'ABC346' }],
  ownCode: false,
  taken: false,
  ...more,
});

const setUp = (t: TestContext, ...players: WaitingPlayer[]) => {
  const db = openDatabase(':memory:');
  t.after(() => db.close());
  addWorkspace(db, 'w');
  const heard: Change[] = [];
  const acts: Parameters<ActivityLog['add']>[0][] = [];
  const told: string[] = [];
  const asked: string[] = [];
  const bus = new Bus((_event, error) => {
    throw error;
  });
  bus.on('changed', (change) => heard.push(change));
  const lock = { check: t.mock.fn(), failed: t.mock.fn(), forget: t.mock.fn() };
  const service = new PairingService({
    db,
    bus,
    clock: new TestClock(),
    activity: { add: (entry) => void acts.push(entry) },
    store: new DevicesStore(db),
    waiting: {
      list: () => players,
      withOwnCode: () => players.filter(({ ownCode }) => ownCode),
      byCode: (typed) => players.find(({ codes }) => codes.some(({ text }) => text === typed)),
      byId: (id) => players.find(({ pendingId }) => pendingId === id),
    },
    claims: {
      prove: async ({ pendingId }, code) => {
        asked.push(pendingId);
        return code === pendingId;
      },
    },
    claimed: { claimed: ({ pendingId }, deviceId) => void told.push(`${pendingId} is ${deviceId}`) },
    lock,
    hosted: false,
    zone: () => 'Europe/Berlin',
  });
  return { db, service, heard, acts, told, asked, lock };
};
const refusedWith = (status: number) => (error: unknown) => (error as ApiError).status === status;

test('a waiting player is listed with its newest code, and with its address when known', (t) => {
  const { service } = setUp(t, waitingAs('a', { name: 'Till' }), waitingAs('b', { shownAs: '', codes: [] }));
  assert.deepEqual(
    service
      .pending()
      .map(({ pending_id, name, ip_address, code, waiting_since }) => [
        ...[pending_id, name, ip_address, code, waiting_since],
      ]),
    [
      ['a', 'Till', '192.0.2.7', 'ABC346', 1],
      ['b', '', null, '', 1],
    ],
  );
});

test('a claimed player becomes a device in the server’s zone, named as requested, as the player reports, or by number', async (t) => {
  const { db, service, heard, acts, told } = setUp(t, waitingAs('a'), waitingAs('b', { name: 'Till' }), waitingAs('c'));
  const made: Device[] = [];
  for (const body of [{ pending_id: 'a', name: 'Door' }, { pending_id: 'b' }, { pending_id: 'c' }])
    made.push((await service.pair(ACTOR, body)).record);
  await db.durable();
  assert.deepEqual(
    made.map(({ name, timezone, workspace_id }) => [name, timezone, workspace_id]),
    [
      ['Door', 'Europe/Berlin', 'w'],
      ['Till', 'Europe/Berlin', 'w'],
      ['Screen 3', 'Europe/Berlin', 'w'],
    ],
  );
  assert.deepEqual(
    acts.map(({ action, details, deviceId }) => [action, details, deviceId]),
    made.map(({ id, name }) => ['device.paired', name, id]),
  );
  assert.deepEqual(
    heard,
    made.map(({ id }) => ({ workspaceId: 'w', topic: 'devices', ids: [id], by: 'u' })),
  );
  assert.deepEqual(
    told,
    ['a', 'b', 'c'].map((one, at) => `${one} is ${made[at]!.id}`),
  );
});

test('a player is claimed only once, but can be claimed again when the write transaction fails', async (t) => {
  const player = waitingAs('a');
  const { db, service } = setUp(t, player);
  const claim = () => service.pair(ACTOR, { pending_id: 'a' });
  const write = t.mock.method(db, 'write', () => {
    throw new Error('the disk is full');
  });
  await assert.rejects(claim(), /disk is full/);
  write.mock.restore();
  assert.equal(player.taken, false);
  const saving = Promise.withResolvers<void>();
  const durable = t.mock.method(db, 'durable', () => saving.promise);
  await claim();
  assert.equal(player.taken, true, 'nobody else gets it while it is being saved');
  durable.mock.restore();
  saving.reject(new Error('the disk is gone'));
  await assert.rejects(saving.promise);
  assert.equal(player.taken, false);
  await assert.rejects(claim(), refusedWith(404), 'it was written after all');
  db.write(() => db.raw.prepare('DELETE FROM devices').run());
  player.taken = true;
  await assert.rejects(claim(), refusedWith(404), 'somebody else is claiming it');
});

test('a code typed for a player claims only that player, a wrong code counts, and a right code resets the count', async (t) => {
  const [a, b] = [waitingAs('a'), waitingAs('b', { codes: [{ text: 'DEF346' }] })];
  const { service, lock } = setUp(t, a, b);
  await assert.rejects(service.pair(ACTOR, { pending_id: 'a', code: 'DEF346' }), refusedWith(404));
  assert.deepEqual([lock.failed.mock.callCount(), lock.forget.mock.callCount()], [1, 0]);
  await service.pair(ACTOR, { pending_id: 'a', code: 'abc-346' });
  assert.deepEqual([lock.failed.mock.callCount(), lock.forget.mock.callCount()], [1, 1]);
});

test('a code that is not in the list is sent to the twenty longest waiting players that made their own code', async (t) => {
  const players = Array.from({ length: 22 }, (_, n) => waitingAs(`AAA${n}`, { ownCode: n > 0, codes: [] }));
  const { service, asked } = setUp(t, ...players);
  await assert.rejects(service.pair(ACTOR, { code: 'CCC346' }), refusedWith(404));
  assert.deepEqual(
    asked,
    players.slice(1, 21).map(({ pendingId }) => pendingId),
  );
});
