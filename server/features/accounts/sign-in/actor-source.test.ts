import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { read, session } from '../../../../shared/contract/endpoint.ts';
import { TestClock } from '../../../../test/harness.ts';
import { openDatabase } from '../../../db/open.ts';
import { Bus } from '../../../kernel/bus.ts';
import type { Actor } from '../../../kernel/trust/actor.ts';
import { newSecret, sha256 } from '../secrets.ts';
import { ActorStore } from './actor.store.ts';
import { ActorSource, SESSION_SECONDS } from './actor-source.ts';

const IP = '192.0.2.1';

const setUp = (t: TestContext) => {
  const db = openDatabase(':memory:');
  const clock = new TestClock();
  const bus = new Bus((_event, error) => {
    throw error;
  });
  const now = () => Math.floor(clock.now() / 1000);
  db.raw.exec(`
    INSERT INTO users (id, email, name, plan_id, created_at) VALUES ('u', 'u@store.test', 'U', 'pro', 1);
    INSERT INTO organizations (id, name, created_at) VALUES ('o', 'O', 1);
    INSERT INTO workspaces (id, organization_id, name, created_at) VALUES ('w', 'o', 'W', 1), ('w2', 'o', 'W2', 1);
    INSERT INTO workspace_members (workspace_id, user_id, role, created_at) VALUES ('w', 'u', 'workspace_editor', 1), ('w2', 'u', 'workspace_viewer', 1);`);
  const source = new ActorSource({
    db,
    store: new ActorStore(db),
    bus,
    clock,
    device: (authorization, ip) =>
      authorization === 'Bearer d.1' ? { deviceId: 'd', workspaceId: 'w', ip } : undefined,
  });
  source.start();
  t.after(() => {
    source.stop();
    db.close();
  });
  const token = newSecret('session');
  db.raw
    .prepare(
      "INSERT INTO sessions (hash, kind, user_id, workspace_id, expires_at, created_at) VALUES (?, 'session', 'u', 'w', ?, ?)",
    )
    .run(sha256(token), now() + SESSION_SECONDS, now());
  const actor = () => source.authenticate(`Bearer ${token}`, IP, session('user')) as Actor;
  return { db, clock, bus, source, token, actor, now };
};

test('a session becomes an actor with the effective roles', (t) => {
  const { actor, token } = setUp(t);
  assert.deepEqual(actor(), {
    via: 'session',
    userId: 'u',
    userName: 'U',
    email: 'u@store.test',
    platformRole: 'user',
    mustChangePassword: false,
    confinedTo: null,
    workspaceId: 'w',
    organizationId: 'o',
    workspaceRole: 'workspace_editor',
    organizationRole: null,
    limits: null,
    regions: null,
    approves: false,
    needsApproval: false,
    scope: 'full',
    credentialHash: sha256(token),
    ip: IP,
  });
});

test('the cache is cleared when accounts change, and when a commit fails', (t) => {
  const { db, bus, actor } = setUp(t);
  actor();
  db.raw.exec("UPDATE workspace_members SET role = 'workspace_admin' WHERE workspace_id = 'w'");
  assert.equal(actor().workspaceRole, 'workspace_editor', 'remembered');
  bus.emit('accountsChanged');
  assert.equal(actor().workspaceRole, 'workspace_admin');
  db.raw.exec('DELETE FROM sessions');
  bus.emit('accountsChanged');
  assert.throws(actor, { status: 401 });
});

test('a session continues in the user’s first available workspace when its own workspace is closed to the user', (t) => {
  const { db, bus, actor } = setUp(t);
  db.raw.exec("DELETE FROM workspace_members WHERE workspace_id = 'w'");
  assert.deepEqual([actor().workspaceId, actor().workspaceRole], ['w2', 'workspace_viewer']);
  db.raw.exec('DELETE FROM workspace_members');
  bus.emit('accountsChanged');
  assert.deepEqual([actor().workspaceId, actor().workspaceRole], [null, null]);
});

test('a session is extended while it is used, but the extension is saved at most once per minute', (t) => {
  const { db, clock, source, actor, now, token } = setUp(t);
  const stored = () => (db.raw.prepare('SELECT expires_at FROM sessions').get() as { expires_at: number }).expires_at;
  const start = now();
  for (let second = 0; second < 59; second++) {
    actor();
    clock.advance(1000);
  }
  source.writeUses();
  assert.equal(stored(), start + SESSION_SECONDS);
  clock.advance(1000);
  actor();
  source.writeUses();
  assert.equal(stored(), start + 60 + SESSION_SECONDS);
  clock.advance(SESSION_SECONDS * 1000 - 1);
  actor();
  clock.advance(SESSION_SECONDS * 1000 + 1000);
  assert.throws(actor, { status: 401 });
  assert.throws(() => source.actor(token, IP), { status: 401 });
});

test('a session that was used in time stays valid, even while this use is not saved in its row yet', (t) => {
  const { clock, bus, actor } = setUp(t);
  clock.advance((SESSION_SECONDS - 1) * 1000);
  actor();
  bus.emit('accountsChanged');
  clock.advance(5000);
  assert.equal(actor().userId, 'u');
});

test('player credentials are passed to the devices feature, and only on endpoints for players', (t) => {
  const { source } = setUp(t);
  assert.deepEqual(source.authenticate('Bearer d.1', IP, { kind: 'device' }), {
    deviceId: 'd',
    workspaceId: 'w',
    ip: IP,
  });
  assert.throws(() => source.authenticate('Bearer d.2', IP, { kind: 'device' }), { status: 401 });
  assert.throws(() => source.authenticate('Bearer d.1', IP, read), { status: 401 });
  assert.equal(source.authenticate(undefined, IP, { kind: 'device' }), null);
});

test('public endpoints ignore credentials', (t) => {
  const { source } = setUp(t);
  assert.equal(source.authenticate('Bearer nonsense', IP, { kind: 'public' }), null);
});

test('a request with a cached credential is authenticated within microseconds', (t) => {
  const { source, token } = setUp(t);
  const header = `Bearer ${token}`;
  for (let i = 0; i < 20_000; i++) source.authenticate(header, IP, read);
  const runs = 50_000;
  const start = process.hrtime.bigint();
  for (let i = 0; i < runs; i++) source.authenticate(header, IP, read);
  const micros = Number(process.hrtime.bigint() - start) / 1000 / runs;
  t.diagnostic(`${micros.toFixed(2)} µs each`);
  assert.ok(micros < 50, `${micros} µs`);
});
