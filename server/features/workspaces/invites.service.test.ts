import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ApiError } from '../../../shared/contract/errors.ts';
import { TestClock } from '../../../test/harness.ts';
import { openDatabase } from '../../db/open.ts';
import { Bus } from '../../kernel/bus.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import { addWorkspace } from '../reports/testing/plays.ts';
import { InvitesService } from './invites.service.ts';
import { InvitesStore } from './invites.store.ts';
import { MembersStore } from './members.store.ts';
import type { WorkspaceAccess } from './workspace-access.ts';
import { WorkspacesStore } from './workspaces.store.ts';

const ACTOR = { userId: 'host', userName: 'Host', ip: '192.0.2.1' } as Actor;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const refusedWith = (status: number) => (error: unknown) => (error as ApiError).status === status;

const setUp = (t: TestContext, { configured = true } = {}) => {
  const db = openDatabase(':memory:');
  t.after(() => db.close());
  for (const id of ['w', 'v']) addWorkspace(db, id);
  const clock = Object.assign(new TestClock(), { doubtful: false });
  const workspaces = new WorkspacesStore(db);
  const store = new InvitesStore(db);
  const members = new MembersStore(db);
  db.raw.exec(
    "INSERT INTO users (id, email, name, plan_id, created_at) VALUES ('guest', 'guest@store.test', 'Guest', '', 0)",
  );
  const bus = new Bus((_event, error) => {
    throw error;
  });
  const acts: string[] = [];
  const heard: string[] = [];
  bus.on('accountsChanged', () => heard.push('accounts'));
  bus.on('changed', ({ topic, workspaceId }) => heard.push(`${topic} of ${workspaceId}`));
  let wait = 0;
  const mailed: string[] = [];
  const service = new InvitesService({
    db,
    bus,
    clock,
    activity: { add: ({ workspaceId, action, details }) => void acts.push(`${workspaceId} ${action}: ${details}`) },
    store,
    members,
    workspaces,
    access: { manage: (_actor: Actor, id: string) => workspaces.find(id)! } as WorkspaceAccess,
    mails: {
      configured,
      invited: (to, { inviteId }) => {
        mailed.push(`${to} ${inviteId}`);
        return wait;
      },
    },
  });
  const invite = (email = 'guest@store.test', workspace = 'w') =>
    service.create(ACTOR, workspace, { email, role: 'workspace_viewer' }, 'http://store.test');
  const fill = (count: number, expiresAt: number, workspace = 'w') =>
    db.write(() =>
      db.raw
        .prepare(
          `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < @count)
           INSERT INTO invites (id, workspace_id, email, role, invited_by, expires_at, created_at)
           SELECT 'full' || i, @workspace, 'n' || i || '@x', 'workspace_viewer', 'host', @expiresAt, 0 FROM n`,
        )
        .run({ count, expiresAt, workspace }),
    );
  const count = () => db.raw.prepare('SELECT count(*) FROM invites').pluck().get();
  return {
    db,
    acts,
    heard,
    members,
    clock,
    service,
    store,
    invite,
    mailed,
    fill,
    count,
    refuseMails: (seconds: number) => void (wait = seconds),
  };
};
const now = (clock: TestClock) => Math.floor(clock.now() / 1_000);

test('an invite repeated within ten minutes keeps its link and sends no mail, and a later one gets a new link', (t) => {
  const { clock, invite, mailed } = setUp(t);
  const first = invite();
  clock.advance(10 * MINUTE_MS - 1_000);
  const again = invite();
  assert.deepEqual([again.id, again.created_at, again.expires_at], [first.id, first.created_at, first.expires_at]);
  assert.notEqual(invite('guest@store.test', 'v').id, first.id, 'another workspace is another link');
  clock.advance(1_000);
  const later = invite();
  assert.notEqual(later.id, first.id);
  assert.deepEqual([later.created_at, later.expires_at], [now(clock), now(clock) + 7 * 24 * 3_600]);
  assert.equal(mailed.length, 3);
});

test('without a mail server each invite gets a new link', (t) => {
  const { invite } = setUp(t, { configured: false });
  assert.notEqual(invite().id, invite().id);
});

test('an invite is not stored if the limit of mails to its address is reached', (t) => {
  const { invite, refuseMails, count } = setUp(t);
  refuseMails(30);
  assert.throws(() => invite(), refusedWith(429));
  assert.equal(count(), 0);
});

test('a workspace has at most a thousand pending invites, and expired invites do not count', (t) => {
  const { clock, invite, fill } = setUp(t);
  fill(1_000, now(clock));
  invite();
  const other = setUp(t);
  other.fill(999, now(other.clock) + 1);
  other.invite();
  assert.throws(() => other.invite('more@store.test'), refusedWith(400));
  other.invite();
});

test('an expired invite is kept for thirty days, and expired invites are deleted once per hour', (t) => {
  const { clock, invite, fill, count } = setUp(t);
  fill(3, now(clock) - 30 * 24 * 3_600 + 1);
  invite();
  assert.equal(count(), 4);
  clock.advance(60 * MINUTE_MS - 1_000);
  invite();
  assert.equal(count(), 4);
  clock.advance(1_000);
  invite();
  assert.equal(count(), 1);
  clock.doubtful = true;
  clock.advance(60 * DAY_MS);
  invite('second@store.test');
  assert.equal(count(), 2, 'not while the clock is doubted');
});

test('an invite matches its address in any case, and no other address', (t) => {
  const { service, invite, clock } = setUp(t);
  const { id } = invite();
  assert.equal(service.get(id, 'Guest@Store.test').row.id, id);
  assert.throws(() => service.get(id, 'other@store.test'), refusedWith(403));
  assert.throws(() => service.get('none', 'guest@store.test'), /^ApiError: Invite not found$/);
  assert.equal(service.findFor('guest@store.test')?.row.id, id);
  clock.advance(7 * DAY_MS);
  assert.throws(() => service.get(id, 'guest@store.test'), refusedWith(410));
  assert.equal(service.findFor('guest@store.test'), undefined);
});

const GUEST = { ...ACTOR, userId: 'guest', userName: 'Guest', email: 'guest@store.test', confinedTo: null } as Actor;

test('an invite can be accepted once, by its address, and is logged and announced', async (t) => {
  const { db, service, invite, acts, heard, members } = setUp(t);
  const { id } = invite();
  const elsewhere = invite('guest@store.test', 'v');
  assert.throws(() => service.accept({ ...GUEST, email: 'other@store.test' }, id), refusedWith(403));
  await db.durable();
  heard.length = 0;
  acts.length = 0;
  assert.deepEqual(service.accept(GUEST, id), {
    workspace_id: 'w',
    workspace_name: 'w',
    organization_name: 'w',
    role: 'workspace_viewer',
    already_member: false,
  });
  assert.deepEqual(heard, []);
  await db.durable();
  assert.deepEqual(heard, ['accounts', 'members of w']);
  assert.deepEqual(acts, ['w invite.accepted: guest@store.test (workspace_viewer)']);
  assert.equal(members.find('w', 'guest')?.role, 'workspace_viewer');
  assert.throws(() => service.accept(GUEST, id), refusedWith(404));
  assert.throws(() => invite(), refusedWith(409), 'who is a member is not invited');
  members.insert({ workspace_id: 'v', user_id: 'guest', role: 'workspace_editor', created_at: 0 });
  const { role, already_member } = service.accept(GUEST, elsewhere.id);
  assert.deepEqual([role, already_member], ['workspace_editor', true], 'a role that is there stays');
  assert.throws(() => service.accept(GUEST, elsewhere.id), refusedWith(404));
});

test('an expired invite is refused and then deleted, but not while the clock is untrusted', (t) => {
  const { db, service, invite, clock, count } = setUp(t);
  const { id } = invite();
  clock.advance(7 * DAY_MS - 1_000);
  assert.equal(service.get(id, 'guest@store.test').row.id, id);
  clock.advance(1_000);
  clock.doubtful = true;
  for (let n = 0; n < 2; n++) assert.throws(() => service.accept(GUEST, id), refusedWith(410));
  clock.doubtful = false;
  assert.throws(() => service.accept(GUEST, id), refusedWith(410));
  assert.throws(() => service.accept(GUEST, id), refusedWith(404));
  const orphan = invite('guest@store.test', 'v');
  const first = invite('guest@store.test', 'w');
  assert.equal(service.findFor('guest@store.test')?.workspace.id, 'v', 'the oldest');
  db.raw.exec("DELETE FROM workspaces WHERE id = 'v'");
  assert.throws(() => service.accept(GUEST, orphan.id), refusedWith(410));
  assert.equal(service.findFor('guest@store.test')?.row.id, first.id, 'the oldest that leads somewhere');
  assert.equal(count(), 2);
});

test('an account whose password an organization’s owner has set accepts only invites of that organization', (t) => {
  const { service, invite, members } = setUp(t);
  const [own, other] = [invite('guest@store.test', 'w'), invite('guest@store.test', 'v')];
  const confined = { ...GUEST, confinedTo: 'w' };
  assert.throws(() => service.accept(confined, other.id), refusedWith(403));
  assert.equal(service.accept(confined, own.id).workspace_id, 'w');
  assert.equal(members.find('v', 'guest'), undefined);
});

test('a workspace lists and deletes only its own invites, and each change is logged', async (t) => {
  const { db, service, invite, acts, heard, clock } = setUp(t);
  const mine = invite('a@store.test');
  const theirs = invite('a@store.test', 'v');
  assert.deepEqual(
    acts,
    ['w', 'v'].map((id) => `${id} invite.created: a@store.test (workspace_viewer)`),
  );
  assert.deepEqual(service.list(ACTOR, 'w'), [mine]);
  for (const id of [theirs.id, 'none']) assert.throws(() => service.delete(ACTOR, 'w', id), refusedWith(404));
  await db.durable();
  heard.length = 0;
  service.delete(ACTOR, 'w', mine.id);
  await db.durable();
  assert.deepEqual(
    [acts.at(-1), heard],
    ['w invite.deleted: a@store.test (workspace_viewer)', ['accounts', 'members of w']],
  );
  assert.deepEqual([service.list(ACTOR, 'w'), service.list(ACTOR, 'v')], [[], [theirs]]);
  clock.advance(7 * DAY_MS);
  assert.deepEqual(service.list(ACTOR, 'v'), [], 'it is over');
});
