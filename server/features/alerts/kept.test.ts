/** Tests of the SQL for alerts: visibility, open and ended alerts, announcements, and the queries for findings. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase } from '../../db/open.ts';
import { put } from '../../db/testing/put.ts';
import { addDevice, addWorkspace } from '../reports/testing/plays.ts';
import { AlertsStore, type OpenAlert, type Viewer } from './alerts.store.ts';

const db = openDatabase(':memory:');
after(() => db.close());
const store = new AlertsStore(db);
const ANN: Viewer = { workspaceId: 'w', userId: 'ann', seesServer: false };
const PAT: Viewer = { workspaceId: 'w', userId: 'pat', seesServer: true };
const PAGE = { limit: 100, offset: 0 };

/** Ann is in the workspace, Olga in its organization, Eve in another, Pat administers the server. */
const setUp = (): void => {
  db.write(() => db.raw.exec('DELETE FROM alerts; DELETE FROM organizations; DELETE FROM users; DELETE FROM settings'));
  for (const id of ['w', 'v']) addWorkspace(db, id);
  for (const [id, role, email_alerts] of [
    ['ann', 'user', 1],
    ['eve', 'user', 1],
    ['olga', 'user', 0],
    ['pat', 'platform_admin', 1],
  ] as const)
    put(db, 'users', { id, email: `${id}@x`, name: id.toUpperCase(), role, email_alerts });
  put(db, 'workspace_members', { workspace_id: 'w', user_id: 'ann', role: 'workspace_editor' });
  put(db, 'workspace_members', { workspace_id: 'v', user_id: 'eve', role: 'workspace_editor' });
  put(db, 'organization_members', { organization_id: 'w', user_id: 'olga', role: 'organization_admin' });
};

const raise = (id: string, more: Partial<OpenAlert> = {}) =>
  store.insert({
    id,
    workspace_id: 'w',
    kind: 'screen_cpu',
    ref: id,
    name: id,
    since: 1,
    told_at: null,
    facts: {},
    ...more,
  });
const assign = (
  id: string,
  assigned_to: string | null,
  more: { acknowledged_at?: number; muted_until?: number } = {},
) => store.mark({ id, acknowledged_at: null, acknowledged_by: null, muted_until: null, ...more, assigned_to });
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

test('open alerts are listed newest first by workspace, and server alerts only for server administrators', () => {
  setUp();
  raise('a', { since: 5 });
  raise('c', { since: 5 });
  raise('b', { since: 6, kind: 'screen_dark', ref: 'till' });
  raise('theirs', { workspace_id: 'v' });
  raise('server', { workspace_id: null, kind: 'server', ref: 'disk_low', since: 1 });
  raise('over', { since: 9 });
  store.end('over', 10);
  assign('a', 'ann');
  assert.deepEqual(
    [ids(store.lasting(ANN)), ids(store.lasting(PAT))],
    [
      ['b', 'c', 'a'],
      ['b', 'c', 'a', 'server'],
    ],
  );
  assert.deepEqual(ids(store.lasting(ANN, { kind: 'screen_cpu' })), ['c', 'a']);
  assert.deepEqual(ids(store.lasting(ANN, { ref: 'till' })), ['b']);
  assert.deepEqual(
    [ids(store.lasting(ANN, { assigned: 'me' })), ids(store.lasting(ANN, { assigned: 'nobody' }))],
    [['a'], ['b', 'c']],
  );
  assert.deepEqual(ids(store.lasting(PAT, { assigned: 'me' })), []);
  assert.deepEqual([store.find(ANN, 'a')?.assigned_name, store.find(ANN, 'c')?.assigned_name], ['ANN', null]);
  assert.deepEqual(
    [store.find(ANN, 'server'), store.find(ANN, 'theirs'), store.find(ANN, 'over')],
    [undefined, undefined, undefined],
  );
  assert.equal(store.find(PAT, 'server')?.id, 'server');
  assert.equal(store.open().length, 5);
});

test('ended alerts are listed by their end, newest first and in pages, and are deleted by age', () => {
  setUp();
  for (const [id, end, more] of [
    ['a', 5, {}],
    ['c', 5, {}],
    ['b', 6, { kind: 'screen_dark' }],
    ['theirs', 7, { workspace_id: 'v' }],
    ['server', 8, { workspace_id: null, kind: 'server' }],
  ] as const) {
    raise(id, more);
    store.end(id, end);
  }
  raise('lasts');
  assign('a', 'ann');
  assert.deepEqual(ids(store.ended(ANN, {}, PAGE)), ['b', 'c', 'a']);
  assert.deepEqual(ids(store.ended(PAT, {}, { limit: 2, offset: 1 })), ['b', 'c']);
  assert.deepEqual([store.countEnded(ANN, {}), store.countEnded(PAT, {})], [3, 4]);
  assert.deepEqual([store.countEnded(ANN, { kind: 'screen_cpu' }), store.countEnded(ANN, { assigned: 'me' })], [2, 1]);
  assert.deepEqual(ids(store.ended(ANN, { assigned: 'nobody' }, PAGE)), ['b', 'c']);
  store.forget(6);
  assert.deepEqual([ids(store.ended(PAT, {}, PAGE)), ids(store.open())], [['server', 'b'], ['lasts']]);
});

test('open alerts are counted by kind and server problem: all, unacknowledged, mine and unassigned', () => {
  setUp();
  for (const id of ['a', 'b', 'c', 'd']) raise(id);
  raise('over');
  store.end('over', 1);
  raise('disk', { workspace_id: null, kind: 'server', ref: 'disk_low' });
  raise('mail', { workspace_id: null, kind: 'server', ref: 'mail_failing' });
  assign('a', 'ann');
  assign('b', 'pat', { acknowledged_at: 5 });
  assign('c', null, { muted_until: 100 });
  assign('d', null, { muted_until: 99 });
  const counts = (viewer: Viewer) =>
    store
      .counts(viewer, 99)
      .map(({ kind, problem, open, loud, mine, nobodys }) => [kind, problem, open, loud, mine, nobodys]);
  const screens = ['screen_cpu', '', 4, 2, 1, 2];
  assert.deepEqual(counts(ANN), [screens]);
  assert.deepEqual(counts(PAT).sort(), [
    screens,
    ['server', 'disk_low', 1, 1, 0, 1],
    ['server', 'mail_failing', 1, 1, 0, 1],
  ]);
});

test('refresh returns whether an alert’s facts have changed, and a more serious fault removes the acknowledgement', () => {
  setUp();
  raise('a');
  assert.deepEqual(
    [store.refresh('a', 'a', { n: 1 } as never), store.refresh('a', 'a', { n: 1 } as never)],
    [true, false],
  );
  assert.deepEqual([store.refresh('a', 'A', { n: 1 } as never), store.find(ANN, 'a')?.name], [true, 'A']);
  const faults = (level: string, count: number) => {
    store.refresh('a', 'A', { level, count });
    return store.find(ANN, 'a')?.acknowledged_by;
  };
  const see = () => store.mark({ ...store.find(ANN, 'a')!, acknowledged_at: 5, acknowledged_by: 'ANN' });
  see();
  assert.deepEqual([faults('warn', 1), faults('warn', 2), faults('error', 3)], ['ANN', 'ANN', null]);
  see();
  assert.deepEqual([faults('error', 4), faults('warn', 3)], ['ANN', 'ANN'], 'a higher number is not more serious');
  for (const [id, told, end, workspace_id] of [
    ['told', 6, 9, 'w'],
    ['early', 5, 9, 'w'],
    ['over', 6, 5, 'w'],
    ['lasts', 6, null, 'w'],
    ['theirs', 6, 9, 'v'],
    ['server', 6, 9, null],
  ] as const) {
    raise(id, { workspace_id });
    store.markAnnounced(id, told);
    if (end !== null) store.end(id, end);
  }
  const refs = (workspace: string | null) => store.listAnnouncedSince(workspace, 5).map(({ ref }) => ref);
  assert.deepEqual([refs('w'), refs('v'), refs(null)], [['told'], ['theirs'], ['server']]);
  assert.deepEqual(
    [store.countBegunSince(ANN, 6), store.countEndedSince(ANN, 6)],
    [{ screen_cpu: 2 }, { screen_cpu: 2 }],
  );
  assert.deepEqual([store.countBegunSince(ANN, 5), store.countEndedSince(ANN, 10)], [{ screen_cpu: 4 }, {}]);
  assert.deepEqual(store.countBegunSince(PAT, 6), { screen_cpu: 3 });
});

test('release removes assignments of alerts to people who left, but not to members or administrators', () => {
  setUp();
  for (const [id, to] of [
    ['a', 'ann'],
    ['b', 'olga'],
    ['c', 'pat'],
  ] as const) {
    raise(id);
    assign(id, to);
  }
  raise('nobodys');
  assert.equal(store.hasLeft('w'), false);
  raise('left');
  assign('left', 'eve');
  raise('over');
  assign('over', 'eve');
  store.end('over', 1);
  assert.deepEqual([store.hasLeft('w'), store.hasLeft('v'), store.hasLeft(null)], [true, false, false]);
  store.release('v');
  assert.equal(store.hasLeft('w'), true);
  store.release('w');
  assert.equal(store.hasLeft('w'), false);
  const whose = store
    .lasting(ANN)
    .map(({ id, assigned_to }) => [id, assigned_to])
    .sort();
  assert.deepEqual(whose, [
    ['a', 'ann'],
    ['b', 'olga'],
    ['c', 'pat'],
    ['left', null],
    ['nobodys', null],
  ]);
  assert.equal(store.ended(ANN, {}, PAGE)[0]!.assigned_to, 'eve', 'what is over stays as it was');
  const is = (user: string) => {
    const { isMember, isPlatformAdmin, wantsMail } = store.assignee('w', user)!;
    return [isMember, isPlatformAdmin, wantsMail];
  };
  assert.deepEqual(
    [is('ann'), is('olga'), is('pat'), is('eve')],
    [
      [true, false, true],
      [true, false, false],
      [false, true, true],
      [false, false, true],
    ],
  );
  assert.equal(store.assignee('w', 'gone'), undefined);
});

test('rules are stored once per workspace and kind', () => {
  setUp();
  const rule = { kind: 'screen_cpu', enabled: 1, threshold: 5, minutes: 6, tell: null } as const;
  store.putRule({ ...rule, workspace_id: 'w' });
  store.putRule({ ...rule, workspace_id: 'w', threshold: 7 });
  store.putRule({ ...rule, workspace_id: 'v', enabled: 0 });
  assert.deepEqual(store.rules('w'), [{ ...rule, workspace_id: 'w', threshold: 7 }]);
  assert.equal(store.rules().length, 2);
  assert.deepEqual(store.workspaceIds().sort(), ['v', 'w']);
});

test('faults, failing sources and ending contents are found, each with its workspace', () => {
  setUp();
  addDevice(db, 'w', 'till', { name: 'Till' });
  assert.deepEqual(ids(store.screens()), ['till']);
  for (const [id, action, created_at, device_id] of [
    ['b1', 'device.error', 5, 'till'],
    ['b2', 'device.warning', 6, 'till'],
    ['b3', 'device.offline', 9, 'till'],
    ['b4', 'device.error', 9, null],
    ['a9', 'device.error', 8, 'till'],
  ] as const)
    put(db, 'activity', { id, workspace_id: 'w', action, created_at, device_id, details: id });
  const faults = (id: string, since: number) => store.faults(id, since).map(({ details, at }) => [details, at]);
  assert.deepEqual(
    [faults('b', 4), faults('b', 5), faults('b2', 4), faults('b', 6)],
    [[['b2', 6]], [['b2', 6]], [], []],
  );
  raise('open', { kind: 'screen_fault', ref: 'till' });
  assert.deepEqual(faults('b', 4), [], 'an alert is open');
  store.end('open', 6);
  assert.deepEqual(faults('b', 4), [], 'an alert has ended since');
  store.end('open', 5);
  assert.deepEqual(faults('b', 4), [['b2', 6]]);
  put(db, 'feeds', { url: 'dead', error: 'E' });
  put(db, 'feeds', { url: 'well' });
  assert.deepEqual(store.deadSources(), [{ key: 'dead', error: 'E', fetched_at: 0 }]);
  put(db, 'widgets', { id: 'rss', workspace_id: 'w', name: 'News', config: '{"url":"HTTP://X"}' });
  put(db, 'widgets', { id: 'other', workspace_id: 'w', config: '{"city":"http://x"}' });
  assert.deepEqual(ids(store.widgetsWith('url', 'http://x')), ['rss']);
  put(db, 'playlists', { id: 'p', workspace_id: 'w' });
  for (const [id, valid_until, isPublished, workspace_id] of [
    ['c', '2026-01-03T00:00', true, 'w'],
    ['b', '2026-01-02T00:00', true, 'w'],
    ['a', '2026-01-02T00:00', true, 'w'],
    ['past', '2026-01-01T00:00', true, 'w'],
    ['later', '2026-01-03T00:01', true, 'w'],
    ['draft', '2026-01-02T00:00', false, 'w'],
    ['theirs', '2026-01-02T00:00', true, 'v'],
  ] as const) {
    put(db, 'content', { id, workspace_id, filename: id, valid_until, fetch_error: id === 'past' ? 'E' : null });
    if (isPublished)
      put(db, 'published_items', {
        id: id.charCodeAt(0) + id.length * 1_000,
        playlist_id: 'p',
        content_id: id,
        blocks: '[]',
      });
  }
  const [now, until] = ['2026-01-01T00:00', '2026-01-03T00:00'];
  const ending = (limit: number) => {
    const { count, first } = store.endingOf('w', now, until, limit);
    return [count, first.map(({ name }) => name)];
  };
  assert.deepEqual(
    [ending(9), ending(2)],
    [
      [3, ['a', 'b', 'c']],
      [3, ['a', 'b']],
    ],
  );
  assert.deepEqual(store.endingOf('none', now, until, 9).count, 0);
  assert.deepEqual(ids(store.ending(now, until)).sort(), ['a', 'b', 'c', 'theirs']);
  assert.deepEqual(ids(store.unfetched()), ['past']);
});

test('the daily mail is set per workspace, off by default, and deleted with the workspace', () => {
  setUp();
  const off = { workspace_id: 'w', enabled: false, hour: 7, when_nothing: false, sent: null };
  assert.deepEqual([store.digest('w'), store.digests()], [off, []]);
  store.putDigest({ ...off, enabled: true, hour: 9 });
  store.putDigest({ ...off, workspace_id: 'gone', enabled: true });
  assert.deepEqual(
    [store.digest('w'), store.digests(), store.digest('v').enabled],
    [{ ...off, enabled: true, hour: 9 }, [{ ...off, enabled: true, hour: 9 }], false],
  );
  store.forgetDigest('gone');
  store.forgetDigest('w');
  assert.deepEqual([store.digests(), store.digest('gone').enabled], [[], false]);
  assert.deepEqual([store.workspaceName('w'), store.workspaceName('none')], ['w', undefined]);
});
