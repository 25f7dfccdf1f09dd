import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { ApiError } from '../../../shared/contract/errors.ts';
import { ALERTS, type AlertRule } from '../../../shared/contract/server/alerts.ts';
import { TestClock } from '../../../test/harness.ts';
import { openDatabase } from '../../db/open.ts';
import { Bus, type Change } from '../../kernel/bus.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import { addWorkspace } from '../reports/testing/plays.ts';
import { AlertsService } from './alerts.service.ts';
import { type AlertRow, AlertsStore, type OpenAlert } from './alerts.store.ts';

const ACTOR = {
  workspaceId: 'w',
  workspaceRole: 'workspace_admin',
  platformRole: 'user',
  userId: 'ann',
  userName: 'Ann',
} as WorkspaceActor;
const ADMIN = { ...ACTOR, platformRole: 'platform_admin' } as WorkspaceActor;
const refusedWith = (sentence: RegExp) => (error: unknown) => sentence.test((error as ApiError).message);

/** Ann and Bob are in the workspace, Eve is not, Pat administers the server. */
const setUp = (t: TestContext) => {
  const db = openDatabase(':memory:');
  t.after(() => db.close());
  for (const id of ['w', 'v']) addWorkspace(db, id);
  db.raw.exec(`
    INSERT INTO users (id, email, name, plan_id, role, email_alerts, created_at) VALUES
      ('ann', 'ann@x', 'Ann', '', 'user', 1, 0), ('bob', 'bob@x', 'Bob', '', 'user', 1, 0),
      ('eve', 'eve@x', 'Eve', '', 'user', 1, 0), ('pat', 'pat@x', 'Pat', '', 'platform_admin', 0, 0);
    INSERT INTO workspace_members (workspace_id, user_id, role, created_at) VALUES
      ('w', 'ann', 'workspace_admin', 0), ('w', 'bob', 'workspace_editor', 0), ('v', 'eve', 'workspace_admin', 0);`);
  const clock = new TestClock();
  const store = new AlertsStore(db);
  const bus = new Bus((_event, error) => {
    throw error;
  });
  const heard: Change[] = [];
  bus.on('changed', (change) => heard.push(change));
  const told: string[] = [];
  const acts: string[] = [];
  const service = new AlertsService({
    db,
    bus,
    clock,
    store,
    activity: { add: ({ action, details }) => void acts.push(`${action} ${details}`) },
    tell: {
      assigned: ({ email }, by, alerts) => void told.push(`${email} by ${by}: ${alerts.map(({ id }) => id).join()}`),
    },
    approvals: { waiting: () => 3 },
    campaigns: () => ({ approvals: 1, late: 2 }),
  });
  let since = 0;
  const raise = (id: string, of: Partial<OpenAlert> = {}) =>
    db.write(() =>
      store.insert({
        ...{ id, workspace_id: 'w', kind: 'screen_cpu', ref: id, name: id, since: ++since, told_at: null, facts: {} },
        ...of,
      } as OpenAlert & Pick<AlertRow, 'facts'>),
    );
  const listed = (actor = ACTOR) => service.list(actor, { state: 'open', limit: 100, offset: 0 } as never).records;
  const one = (id: string) => listed(ADMIN).find((alert) => alert.id === id)!;
  return { db, clock, service, heard, told, acts, raise, listed, one };
};

test('a change of an alert rule keeps other fields, null restores the default, and only deviations are stored', (t) => {
  const { service } = setUp(t);
  const usualOf = () => service.rules({ ...ACTOR, workspaceId: 'v' }).find(({ kind }) => kind === 'screen_cpu')!;
  const usual = usualOf();
  assert.deepEqual(usual, {
    ...{ kind: 'screen_cpu', enabled: true, threshold: 95, minutes: 10 },
    ...{ mail: false, webhook: true, mqtt: true },
  });
  const yes = fc.option(fc.option(fc.boolean()), { nil: undefined });
  const changes = fc.record({
    enabled: yes,
    threshold: fc.option(fc.option(fc.integer({ min: 50, max: 100 })), { nil: undefined }),
    minutes: fc.option(fc.option(fc.integer({ min: 0, max: 1_440 })), { nil: undefined }),
    ...{ mail: yes, webhook: yes, mqtt: yes },
  });
  const known = new Map<keyof AlertRule, AlertRule[keyof AlertRule]>();
  fc.assert(
    fc.property(changes, (change) => {
      for (const [member, value] of Object.entries(change) as [keyof AlertRule, AlertRule[keyof AlertRule] | null][])
        if (value === null) known.delete(member);
        else if (value !== undefined) known.set(member, value);
      const rule = service.setRule(ACTOR, { kind: 'screen_cpu', ...change });
      assert.deepEqual(rule, { ...usual, ...Object.fromEntries(known) });
      assert.deepEqual(
        service.rules(ACTOR).find(({ kind }) => kind === 'screen_cpu'),
        rule,
      );
    }),
    { numRuns: 60 },
  );
  assert.deepEqual(usualOf(), usual, 'of another workspace it is another');
});

test('a threshold is accepted within its bounds, for kinds that have one, and only from administrators', async (t) => {
  const { db, service, acts, heard } = setUp(t);
  const bounds = ALERTS.screen_cpu.threshold;
  for (const threshold of [bounds.min, bounds.max])
    assert.equal(service.setRule(ACTOR, { kind: 'screen_cpu', threshold }).threshold, threshold);
  await db.durable();
  assert.deepEqual(acts, ['alert.rule_changed screen_cpu', 'alert.rule_changed screen_cpu']);
  assert.deepEqual(
    heard.map(({ topic, workspaceId }) => [topic, workspaceId]),
    [
      ['alerts', 'w'],
      ['alerts', 'w'],
    ],
  );
  for (const threshold of [bounds.min - 1, bounds.max + 1])
    assert.throws(
      () => service.setRule(ACTOR, { kind: 'screen_cpu', threshold }),
      refusedWith(/^threshold: must be 50 to 100$/),
    );
  assert.throws(() => service.setRule(ACTOR, { kind: 'screen_dark', threshold: 5 }), refusedWith(/have no threshold$/));
  const editor = { ...ACTOR, workspaceRole: 'workspace_editor' } as WorkspaceActor;
  assert.throws(() => service.setRule(editor, { kind: 'screen_cpu' }), refusedWith(/^Only an administrator/));
});

test('alerts are acknowledged, assigned and muted independently of each other', (t) => {
  const { service, raise, one, clock } = setUp(t);
  for (const id of ['a', 'b']) raise(id);
  const now = Math.floor(clock.now() / 1_000);
  const marks = () => {
    const { acknowledged_at, acknowledged_by, assigned_to, muted_until } = one('a');
    return [acknowledged_at, acknowledged_by, assigned_to, muted_until];
  };
  const steps: [Parameters<typeof service.mark>[1], unknown[]][] = [
    [{ acknowledged: true }, [now, 'Ann', null, null]],
    [{ taken: true }, [now, 'Ann', 'ann', null]],
    [{ muted_until: now + 60 }, [now, 'Ann', 'ann', now + 60]],
    [{ acknowledged: false }, [null, null, 'ann', now + 60]],
    [{ assigned_to: 'bob' }, [null, null, 'bob', now + 60]],
    [{ taken: false }, [null, null, null, now + 60]],
    [{ muted_until: null }, [null, null, null, null]],
    [{ assigned_to: 'bob' }, [null, null, 'bob', null]],
    [{ assigned_to: null }, [null, null, null, null]],
  ];
  for (const [mark, expected] of steps) {
    assert.deepEqual(service.mark(ACTOR, { ids: ['a', 'a', 'none'], ...mark }), { marked: 1 });
    assert.deepEqual(marks(), expected, JSON.stringify(mark));
  }
  assert.deepEqual(service.mark(ACTOR, { kind: 'screen_cpu', acknowledged: true }), { marked: 2 });
  assert.deepEqual(service.mark(ACTOR, { kind: 'screen_dark', acknowledged: true }), { marked: 0 });
  for (const wrong of [
    {},
    { ids: ['a'], kind: 'screen_cpu' },
    { ids: ['a'], taken: true, assigned_to: 'bob' },
  ] as const)
    assert.throws(() => service.mark(ACTOR, wrong as never), refusedWith(/^Send either /));
});

test('an assignee is mailed about newly assigned alerts, unless they assigned themselves or want no mail', async (t) => {
  const { db, service, raise, told } = setUp(t);
  for (const id of ['a', 'b']) raise(id);
  raise('s', { workspace_id: null, kind: 'server' });
  const give = async (actor: WorkspaceActor, assigned_to: string, ...ids: string[]) => {
    service.mark(actor, { ids, assigned_to });
    await db.durable();
    return told.splice(0);
  };
  assert.deepEqual(await give(ACTOR, 'bob', 'a'), ['bob@x by Ann: a']);
  assert.deepEqual(await give(ACTOR, 'bob', 'a', 'b'), ['bob@x by Ann: b']);
  assert.deepEqual(await give(ACTOR, 'bob', 'a', 'b'), []);
  assert.deepEqual(await give(ACTOR, 'ann', 'a'), [], 'by themselves');
  assert.deepEqual(await give(ADMIN, 'pat', 'a', 's'), [], 'wants no mails');
  await assert.rejects(give(ACTOR, 'eve', 'a'), refusedWith(/must be a member of this workspace$/));
  await assert.rejects(give(ADMIN, 'bob', 'a', 's'), refusedWith(/must be an administrator of the server/));
});

test('a change of a server alert is announced to every workspace, and a change of any other alert only to its own', async (t) => {
  const { db, service, raise, heard } = setUp(t);
  raise('a');
  raise('s', { workspace_id: null, kind: 'server' });
  const rooms = async (...ids: string[]) => {
    service.mark(ADMIN, { ids, acknowledged: true });
    await db.durable();
    return heard.splice(0).map(({ workspaceId, topic, by }) => `${workspaceId} ${topic} ${by}`);
  };
  assert.deepEqual(await rooms('a'), ['w alerts ann']);
  assert.deepEqual((await rooms('a', 's')).sort(), ['v alerts ann', 'w alerts ann']);
  assert.deepEqual(await rooms('none'), []);
});

test('alerts are sorted by severity, then newest first, and unknown kinds are left out', (t) => {
  const { service, raise, listed, one } = setUp(t);
  raise('cpu1');
  raise('dark', { kind: 'screen_dark' });
  raise('cpu2');
  raise('new', { kind: 'screen_haunted' as never });
  raise('theirs', { workspace_id: 'v' });
  raise('s', { workspace_id: null, kind: 'server', ref: 'disk_full' });
  assert.deepEqual(
    listed().map(({ id, severity, of }) => [id, severity, of]),
    [
      ['dark', 'bad', 'device'],
      ['cpu2', 'warn', 'device'],
      ['cpu1', 'warn', 'device'],
    ],
  );
  const page = service.list(ACTOR, { state: 'open', limit: 1, offset: 1 } as never);
  assert.deepEqual([page.records.map(({ id }) => id), page.total], [['cpu2'], 3]);
  assert.equal(one('s').of, 'server');
  const { open, approvals, campaigns, kinds } = service.counts(ACTOR);
  assert.equal(campaigns, 2);
  assert.deepEqual(
    [open, approvals, kinds.map(({ kind, open: n }) => [kind, n]).sort()],
    [
      3,
      4,
      [
        ['screen_cpu', 2],
        ['screen_dark', 1],
      ],
    ],
  );
});
