import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ApiError } from '../../../shared/contract/errors.ts';
import type { MemberChange } from '../../../shared/contract/people/workspaces.ts';
import { TestClock } from '../../../test/harness.ts';
import { openDatabase } from '../../db/open.ts';
import { Bus } from '../../kernel/bus.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import { addWorkspace } from '../reports/testing/plays.ts';
import { MembersService } from './members.service.ts';
import { MembersStore } from './members.store.ts';
import { OrganizationMembersStore } from './organization-members.store.ts';
import type { WorkspaceAccess } from './workspace-access.ts';

const ACTOR = { workspaceId: 'w', userId: 'boss', userName: 'Boss', ip: '192.0.2.1' } as WorkspaceActor;
const refusedWith = (status: number, sentence: RegExp) => (error: unknown) =>
  (error as ApiError).status === status && sentence.test((error as ApiError).message);

/** Ann is a member, Bob belongs to the organization, Eve to another organization. */
const setUp = (t: TestContext) => {
  const db = openDatabase(':memory:');
  t.after(() => db.close());
  for (const id of ['w', 'v']) addWorkspace(db, id);
  db.raw.exec(`
    INSERT INTO users (id, email, name, plan_id, created_at) VALUES ('ann', 'ann@x', 'Ann', '', 0), ('bob', 'bob@x', 'Bob', '', 0), ('eve', 'eve@x', 'Eve', '', 0);
    INSERT INTO organization_members VALUES ('w', 'bob', 'org_admin', 0), ('v', 'eve', 'org_admin', 0);
    INSERT INTO workspace_members (workspace_id, user_id, role, created_at) VALUES ('w', 'ann', 'workspace_editor', 0);
    INSERT INTO folders (id, workspace_id, name, created_at) VALUES ('own', 'w', 'F', 0), ('foreign', 'v', 'F', 0);
    INSERT INTO "groups" (id, workspace_id, name, created_at) VALUES ('own', 'w', 'G', 0), ('foreign', 'v', 'G', 0);`);
  const bus = new Bus((_event, error) => {
    throw error;
  });
  const acts: string[] = [];
  const told: unknown[] = [];
  bus.on('changed', ({ topic, ids }) => told.push([topic, ids]));
  bus.on('accountsChanged', () => told.push('accounts'));
  const service = new MembersService({
    db,
    bus,
    clock: new TestClock(),
    activity: { add: ({ action, details }) => void acts.push(`${action}: ${details}`) },
    store: new MembersStore(db),
    people: new OrganizationMembersStore(db),
    access: {
      manage: () => ({ organization_id: 'w' }),
      enter: () => {},
      belongs: () => false,
    } as never as WorkspaceAccess,
  });
  const update = (userId: string, change: Partial<MemberChange>) =>
    service.update(ACTOR, 'w', userId, { role: 'workspace_editor', ...change });
  return { db, service, update, acts, told };
};

test('the activity log distinguishes a new member, a changed role and changed rights', async (t) => {
  const { db, update, acts, told } = setUp(t);
  update('bob', { role: 'workspace_viewer' });
  update('ann', { role: 'workspace_viewer' });
  update('ann', { role: 'workspace_editor', approves: true });
  update('ann', { approves: false });
  update('ann', {});
  assert.deepEqual(acts, [
    'member.added: bob@x (workspace_viewer)',
    'member.role_changed: ann@x (workspace_viewer)',
    'member.role_changed: ann@x (workspace_editor)',
    'member.rights_changed: ann@x (workspace_editor)',
    'member.role_changed: ann@x (workspace_editor)',
  ]);
  await db.durable();
  assert.deepEqual(
    told,
    ['bob', 'ann', 'ann', 'ann', 'ann'].flatMap((id) => ['accounts', ['members', [id]]]),
  );
});

test('a right that the request does not name stays unchanged', (t) => {
  const { update } = setUp(t);
  const { approves, folder_ids, group_ids } = update('ann', {
    approves: true,
    folder_ids: ['own'],
    group_ids: ['own'],
  });
  assert.deepEqual([approves, folder_ids, group_ids], [true, ['own'], ['own']]);
  const kept = update('ann', { folder_ids: null });
  assert.deepEqual([kept.approves, kept.folder_ids, kept.group_ids], [true, null, ['own']]);
  assert.equal(update('ann', { approves: false }).approves, false);
});

test('only people of the organization can become members, and rights can name only own folders and groups', (t) => {
  const { update, acts } = setUp(t);
  assert.throws(() => update('eve', {}), refusedWith(404, /^Member/));
  for (const id of ['foreign', 'none']) {
    assert.throws(() => update('ann', { folder_ids: ['own', id] }), refusedWith(404, /^Folder/));
    assert.throws(() => update('ann', { group_ids: ['own', id] }), refusedWith(404, /^Group/));
  }
  assert.deepEqual(acts, []);
});

test('deleting a folder or group announces members only if their rights contained it', async (t) => {
  const { db, service, update, told } = setUp(t);
  update('ann', { folder_ids: ['own'], group_ids: ['own'] });
  await db.durable();
  told.length = 0;
  const forget = async (what: 'folder_ids' | 'group_ids', id: string) => {
    db.write(() => service.forget(what, ACTOR, [id]));
    await db.durable();
    return told.splice(0);
  };
  assert.deepEqual(await forget('folder_ids', 'other'), []);
  assert.deepEqual(await forget('folder_ids', 'own'), ['accounts', ['members', undefined]]);
  assert.deepEqual(await forget('group_ids', 'own'), ['accounts', ['members', undefined]]);
  const [ann] = service.list(ACTOR, 'w');
  assert.deepEqual([ann?.folder_ids, ann?.group_ids], [[], []], 'none left is nothing');
});
