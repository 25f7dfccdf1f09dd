import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase } from '../../db/open.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import { addDevice, addWorkspace } from '../reports/testing/plays.ts';
import { ActivityService } from './activity.service.ts';
import { ActivityStore } from './activity.store.ts';

const db = openDatabase(':memory:');
after(() => db.close());
for (const id of ['w', 'v']) {
  addWorkspace(db, id);
  for (const device of ['quiet', 'busy']) addDevice(db, id, `${device}-${id}`);
}
const clock = { now: () => 1_700_000_000_999, doubtful: false };
const service = new ActivityService({ store: new ActivityStore(db), clock, bus: { emit: () => {} }, db });
const actorIn = (workspaceId: string) => ({ workspaceId }) as WorkspaceActor;

test('an entry has user, action, time and address, no user for actions of the system, and shortened details', () => {
  const add = (entry: Partial<Parameters<typeof service.add>[0]>) =>
    service.add({ workspaceId: 'w', actor: null, action: 'folder.created', details: '', ...entry });
  const last = () => service.list(actorIn('w'), { limit: 1, offset: 0 }).entries[0]!;
  add({ actor: { userId: 'u', userName: 'Ann', ip: '192.0.2.1' }, details: 'F', deviceId: 'busy-w' });
  const { id, ...entry } = last();
  assert.ok(id);
  assert.deepEqual(entry, {
    workspace_id: 'w',
    user_id: 'u',
    user_name: 'Ann',
    device_id: 'busy-w',
    action: 'folder.created',
    details: 'F',
    ip_address: '192.0.2.1',
    created_at: 1_700_000_000,
  });
  add({});
  const { user_id, user_name, device_id, ip_address } = last();
  assert.deepEqual([user_id, user_name, device_id, ip_address], [null, '', null, null]);
  add({ actor: { userId: '', userName: 'Till', ip: '192.0.2.1' } });
  assert.equal(last().user_id, null);
  for (const length of [500, 501]) {
    add({ details: 'x'.repeat(length) });
    assert.equal(last().details.length, 500);
  }
  db.raw.exec('DELETE FROM activity');
});

test('entries of the workspace, or of one of its devices, are listed newest first in pages', () => {
  assert.deepEqual(service.list(actorIn('w'), { limit: 9, offset: 0 }), { entries: [], total: 0 });
  for (let n = 0; n < 12; n++)
    service.add({
      workspaceId: n % 2 ? 'w' : 'v',
      actor: null,
      action: 'device.updated',
      details: `${n}`,
      deviceId: n % 3 ? null : `busy-${n % 2 ? 'w' : 'v'}`,
    });
  const read = (workspace: string, device_id?: string, limit = 9, offset = 0) => {
    const { entries, total } = service.list(actorIn(workspace), { device_id, limit, offset });
    return { said: entries.map(({ details }) => Number(details)), total };
  };
  assert.deepEqual(read('w'), { said: [11, 9, 7, 5, 3, 1], total: 6 });
  assert.deepEqual(read('v'), { said: [10, 8, 6, 4, 2, 0], total: 6 });
  assert.deepEqual(read('w', undefined, 2, 1), { said: [9, 7], total: 6 });
  assert.deepEqual(read('w', 'busy-w'), { said: [9, 3], total: 2 });
  assert.deepEqual(read('w', 'busy-w', 1, 1), { said: [3], total: 2 });
  assert.deepEqual(read('w', 'quiet-w'), { said: [], total: 0 });
  for (const device of ['busy-v', 'quiet-v', 'none']) assert.throws(() => read('w', device), { status: 404 });
  db.raw.exec("DELETE FROM devices WHERE id = 'busy-w'");
  assert.deepEqual(read('w', 'busy-w').total, 2, 'what it was when it is gone');
});
