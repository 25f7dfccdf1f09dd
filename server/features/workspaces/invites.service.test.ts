import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ApiError } from '../../../shared/contract/errors.ts';
import { TestClock } from '../../../test/harness.ts';
import { openDatabase } from '../../db/open.ts';
import type { Actor } from '../../kernel/actor.ts';
import { Bus } from '../../kernel/bus.ts';
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
  let wait = 0;
  const mailed: string[] = [];
  const service = new InvitesService({
    db,
    bus: new Bus(() => {}),
    clock,
    activity: { add: () => {} },
    store,
    members: new MembersStore(db),
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

test('who was mailed an invite within ten minutes keeps that link, and gets no second mail; later it is another', (t) => {
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

test('where no mail is sent each invite is a new link', (t) => {
  const { invite } = setUp(t, { configured: false });
  assert.notEqual(invite().id, invite().id);
});

test('an invite whose mail may not be sent now is none', (t) => {
  const { invite, refuseMails, count } = setUp(t);
  refuseMails(30);
  assert.throws(() => invite(), refusedWith(429));
  assert.equal(count(), 0);
});

test('a workspace has a thousand invites that are good, however many are over', (t) => {
  const { clock, invite, fill } = setUp(t);
  fill(1_000, now(clock));
  invite();
  const other = setUp(t);
  other.fill(999, now(other.clock) + 1);
  other.invite();
  assert.throws(() => other.invite('more@store.test'), refusedWith(400));
  other.invite();
});

test('an invite that is over is kept for thirty days, so that its link says so; the rest is swept once an hour', (t) => {
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

test('an address is the one that was invited, whatever its case; no other takes the invite', (t) => {
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
