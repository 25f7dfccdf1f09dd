/** Tests the SQL of reports besides the sums: results contain only the requested workspace, screen and period. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase } from '../../db/open.ts';
import { put } from '../../db/testing/put.ts';
import { OldPlaysStore } from './ingest/plays-conversion.store.ts';
import { PlaysIngestStore } from './ingest/plays-ingest.store.ts';
import { KnownSubjectsStore } from './known-subjects.store.ts';
import { PlannedStore } from './planned/planned.store.ts';
import { PlannedCacheStore } from './planned/planned-cache.store.ts';
import { ShortfallsStore } from './planned/shortfalls.store.ts';
import { UptimeStore } from './planned/uptime.store.ts';
import { type Cursor, PlaysStore } from './plays.store.ts';
import { ProofStore } from './proof/proof.store.ts';
import { SealCountStore } from './proof/seal-count.store.ts';
import { SegmentStore } from './proof/segment.store.ts';
import { ReportNamesStore } from './report-names.store.ts';
import { SavedReportsStore } from './saved/saved-reports.store.ts';
import { addDevice, addWorkspace } from './testing/plays.ts';

const db = openDatabase(':memory:');
after(() => db.close());
let opened = 0;
/** Adds two new workspaces. */
const setUp = () => {
  const [our, their] = [`our${++opened}`, `their${opened}`];
  for (const workspace of [our, their]) addWorkspace(db, workspace);
  return { our, their };
};
/** Inserts a play in the format of older versions, with this id. */
const addPlay = (
  id: number,
  workspace_id: string,
  device_id: string,
  more: Record<string, string | number | null> = {},
) =>
  put(db, 'old_plays', {
    ...{ id, play_id: `p${id}`, workspace_id, device_id, content_name: `c${id}`, seq: id, started_ms: id * 1_000 },
    ...{ ended_ms: id * 1_000 + 500, completed: 1, ...more },
  });

test('saved report belongs to its workspace, and is due once per month while it has recipients', () => {
  const { our, their } = setUp();
  const saved = new SavedReportsStore(db);
  const row = (id: string, name: string, recipients: string[], workspace_id = our) => ({
    ...{ id, workspace_id, name, recipients, filters: { tag: 'mall' }, language: 'de' as const },
    ...{ sent_month: null, created_at: 1 },
  });
  const rows = [
    row('b', 'zeta', ['a@b.c']),
    row('a', 'Äther', ['a@b.c']),
    row('c', 'Mall', []),
    row('d', 'x', [], their),
  ];
  for (const one of rows) saved.insert(one as Parameters<SavedReportsStore['insert']>[0], null);
  const names = (workspace: string) => saved.list(workspace).map(({ name }) => name);
  assert.deepEqual([names(our), names(their)], [['Äther', 'Mall', 'zeta'], ['x']]);
  assert.deepEqual([saved.count(our), saved.count(their)], [3, 1]);
  assert.deepEqual([saved.find(our, 'b'), saved.find(their, 'b')], [rows[0], undefined]);
  assert.deepEqual(saved.due('2026-10'), rows[1]);
  saved.markSent('a', '2026-10');
  assert.equal(saved.due('2026-10')?.id, 'b');
  saved.markSent('b', '2026-10');
  assert.deepEqual([saved.due('2026-10'), saved.due('2026-09'), saved.due('2026-11')?.id], [undefined, undefined, 'a']);
  saved.update({ ...saved.find(our, 'b')!, name: 'Beta', recipients: ['x@y.z'] });
  assert.deepEqual(
    [saved.find(our, 'b')!.name, saved.find(our, 'a')!.name, saved.find(our, 'b')!.language],
    ['Beta', 'Äther', 'de'],
  );
  saved.delete('b');
  assert.deepEqual(names(our), ['Äther', 'Mall']);
});

test('a report accepts records that exist in the workspace and deleted records that played, by current or last name', () => {
  const { our, their } = setUp();
  const known = new KnownSubjectsStore(db);
  const id = (name: string) => `${our}-${name}`;
  // Adds decoys: records that a query without a condition on the id would return first.
  put(db, 'blobs', { sha256: 'decoy' });
  for (const [table, more] of Object.entries({
    ...{ folders: {}, playlists: {}, groups: {}, plans: { title: 'Decoy' } },
    content: { filename: 'Decoy', thumbnail: 'decoy' },
  }))
    put(db, table, {
      id: id('decoy'),
      workspace_id: our,
      ...(table === 'content' || table === 'plans' ? {} : { name: 'Decoy' }),
      ...more,
    });
  for (const kind of ['device', 'content'])
    put(db, 'play_subjects', { workspace_id: our, kind, ref: id('decoy'), name: 'Decoy' });
  addDevice(db, our, id('till'), { name: 'Till' });
  put(db, 'folders', { id: id('folder'), workspace_id: our, name: 'Folder' });
  put(db, 'playlists', { id: id('playlist'), workspace_id: our, name: 'Playlist' });
  put(db, 'groups', { id: id('group'), workspace_id: our, name: 'Group' });
  put(db, 'content', { id: id('photo'), workspace_id: our, filename: 'Photo', thumbnail: null });
  put(db, 'plans', { id: id('plan'), workspace_id: our, title: 'Plan' });
  put(db, 'plans', { id: id('untitled'), workspace_id: our, title: '', content_id: id('photo') });
  put(db, 'plans', { id: id('nothing'), workspace_id: our, title: '' });
  for (const [kind, ref, name] of [
    ['device', 'gone', 'Old till'],
    ['content', 'lost', 'Old photo'],
    ['device', 'till', 'Before'],
    ['content', 'photo', 'Before'],
  ] as const)
    put(db, 'play_subjects', { workspace_id: our, kind, ref: id(ref), name });
  const is = (workspace: string) => [
    ...['till', 'gone', 'lost'].map((name) => known.isDevice(workspace, id(name))),
    ...['till', 'gone'].map((name) => known.isPresentDevice(workspace, id(name))),
    ...['photo', 'lost', 'gone'].map((name) => known.isContent(workspace, id(name))),
    ...(['group', 'folder', 'playlist', 'plan'] as const).map((kind) => known.has(kind, workspace, id(kind))),
  ];
  assert.deepEqual(is(our), [true, true, false, true, false, true, true, false, true, true, true, true]);
  assert.deepEqual(is(their), Array(12).fill(false));
  assert.equal(known.has('group', our, id('folder')), false);

  const names = new ReportNamesStore(db);
  const called = (which: Parameters<ReportNamesStore['filters']>[1], workspace = our) =>
    names.filters(workspace, which).map((one) => `${one.kind} ${one.names.join(', ')}`);
  assert.deepEqual(called({}), []);
  assert.deepEqual(
    called({
      ...{
        planId: id('plan'),
        contentId: id('lost'),
        contentIds: JSON.stringify([id('photo'), id('none')]),
        label: 'L',
      },
      ...{ folderId: id('folder'), playlistId: id('playlist'), deviceId: id('gone'), groupId: id('group'), tag: 'T' },
    }),
    [
      ...['plan Plan', 'content Old photo', 'content Photo, ', 'label L', 'folder Folder', 'playlist Playlist'],
      ...['device Old till', 'group Group', 'tag T'],
    ],
  );
  assert.deepEqual(called({ deviceId: id('till'), planId: id('untitled') }), ['plan Photo', 'device Till']);
  assert.deepEqual(called({ planId: id('nothing'), contentIds: '[]' }), ['plan ']);
  assert.deepEqual(called({ folderId: id('folder'), planId: id('plan') }, their), ['plan ', 'folder ']);
  assert.deepEqual(names.filters(their, { groupId: id('group') }), [{ kind: 'group', names: [''] }]);
  assert.deepEqual(names.store(our), { name: our, logo: null, color: null });
});

test('off times, times without a program, and faults are found only for the requested screen and period', () => {
  const { our, their } = setUp();
  const [till, door] = [`${our}-till`, `${our}-door`];
  addDevice(db, our, till, { name: 'Till', createdAt: 3 });
  addDevice(db, our, door);
  const facts = new ShortfallsStore(db.raw);
  assert.deepEqual([facts.device(till), facts.device('gone')], [{ name: 'Till', created_at: 3 }, undefined]);
  for (const [status, since, until] of [
    ['offline', 50, null],
    ['offline', 10, 20],
    ['online', 20, 30],
    ['offline', 30, 40],
  ] as const) {
    put(db, 'status_intervals', { device_id: till, status, since, until });
    const alert = { id: `${our} ${status}${since}`, workspace_id: our, ref: till, since, ended_at: until };
    put(db, 'alerts', { ...alert, kind: status === 'offline' ? 'screen_program' : 'screen_offline' });
  }
  const off = [
    { since: 10, until: 20 },
    { since: 30, until: 40 },
    { since: 50, until: null },
  ];
  for (const [start, end, which] of [
    [0, 100, off],
    [20, 30, []],
    [19, 31, off.slice(0, 2)],
    [40, 50, []],
    [60, 61, off.slice(2)],
  ] as const) {
    assert.deepEqual(facts.off({ deviceId: till, start, end }), which);
    assert.deepEqual(facts.withoutProgram(our, { deviceId: till, start, end }), which);
  }
  assert.deepEqual(
    [
      facts.off({ deviceId: door, start: 0, end: 99 }),
      facts.withoutProgram(our, { deviceId: door, start: 0, end: 99 }),
    ],
    [[], []],
  );
  assert.deepEqual(facts.withoutProgram(their, { deviceId: till, start: 0, end: 99 }), []);
  const noted = (id: string, details: string, more: Record<string, string> = {}) =>
    put(db, 'activity', { id: our + id, workspace_id: our, device_id: till, action: 'device.error', details, ...more });
  for (const n of ['1', '2', '3']) noted(n, `fault ${n}`);
  noted('2b', 'of another', { device_id: door });
  noted('2c', 'no fault', { action: 'device.offline' });
  const faults = (from: string, to: string, workspace = our) => facts.faults(workspace, till, our + from, our + to);
  assert.deepEqual(faults('1', '3'), { details: 'fault 2', count: 2 });
  assert.deepEqual([faults('1', '9')?.count, faults('4', '9'), faults('1', '9', their)], [3, undefined, undefined]);
});

test('uptime counts the part of the period in which the screen existed, and its outages', () => {
  const { our } = setUp();
  const ids = ['b', 'A', 'later', 'never'].map((name) => `${our}-${name}`) as [string, string, string, string];
  const [b, a, later, never] = ids;
  addDevice(db, our, b, { name: 'b', createdAt: 0 });
  addDevice(db, our, a, { name: 'A', createdAt: 50 });
  addDevice(db, our, later, { name: 'later', createdAt: 101 });
  addDevice(db, our, never, { name: 'b', createdAt: 100 });
  for (const [device_id, status, since, until] of [
    [b, 'online', 0, 20],
    [b, 'offline', 20, 30],
    [b, 'online', 30, null],
    [a, 'offline', 50, 60],
    [a, 'online', 60, 70],
    [a, 'offline', 70, null],
  ] as const)
    put(db, 'status_intervals', { device_id, status, since, until });
  const uptime = new UptimeStore(db.raw);
  const rows = (more: object = {}) =>
    uptime
      .sums({ workspaceId: our, start: 10, end: 100, now: 90, ...more })
      .map(({ device_name, since, online_seconds, first_seen, last_seen, outages }) => [
        ...[device_name, since, online_seconds, first_seen, last_seen, outages],
      ]);
  assert.deepEqual(rows(), [
    ['A', 50, 10, 60, 70, 1],
    ['b', 10, 70, 10, 90, 1],
    ['b', 100, 0, null, null, 0],
  ]);
  assert.deepEqual(rows({ deviceId: b, start: 20, end: 30 }), [['b', 20, 0, 20, 20, 1]]);
  assert.deepEqual(rows({ deviceId: b, start: 40, end: 60 }), [['b', 40, 20, 40, 60, 0]]);
  put(db, 'device_tags', { device_id: a, tag: our });
  assert.deepEqual(rows({ tag: our }).length, 1);
  assert.deepEqual(rows({ workspaceId: 'none' }), []);
});

test('signatures and plays for a verifiable report belong to one screen, in the order of its journal', () => {
  const { our, their } = setUp();
  const till = `${our}-till`;
  const base = opened * 1_000;
  const proof = new ProofStore(db.raw);
  const segment = new SegmentStore(db.raw);
  const seal = (workspace_id: string, device_id: string, first: number, through: number, signing_key = 'key') =>
    put(db, 'play_seals', {
      ...{ workspace_id, device_id, first, through, signing_key, first_play: base + first, last_play: base + through },
    });
  for (let n = 1; n <= 9; n++) addPlay(base + n, our, till, { seq: n });
  addPlay(base + 10, their, till, { seq: 10 });
  addPlay(base + 11, our, `${our}-door`, { seq: 3 });
  assert.equal(proof.signingKey({ workspaceId: our, deviceId: till }), null);
  seal(our, till, 1, 3, 'old');
  seal(our, till, 4, 6);
  seal(our, till, 7, 9);
  seal(their, 'their-till', 1, 3, 'theirs');
  const whose = { workspaceId: our, deviceId: till };
  assert.deepEqual([proof.signingKey(whose), proof.signingKey({ ...whose, workspaceId: their })], ['key', null]);
  const seals = proof.seals(whose);
  assert.deepEqual(
    seals.map(({ first }) => first),
    [1, 4, 7],
  );
  assert.deepEqual(
    proof.seals({ ...whose, from: seals[1]!.id, limit: 1 }).map(({ first }) => first),
    [4],
  );
  assert.deepEqual(proof.seals({ ...whose, workspaceId: their }), []);
  put(db, 'play_subjects', { workspace_id: our, kind: 'device', ref: `${our}-z`, name: 'Z' });
  put(db, 'play_subjects', { workspace_id: our, kind: 'device', ref: `${our}-a`, name: 'A' });
  put(db, 'play_subjects', { workspace_id: our, kind: 'content', ref: `${our}-c`, name: 'C' });
  assert.deepEqual(
    proof.devices(our).map(({ device_name }) => device_name),
    ['A', 'Z'],
  );
  const [start, end] = [(base + 2) * 1_000, (base + 6) * 1_000];
  const scope = { ...whose, start, end };
  const ids = (limit: number, after?: { started_ms: number; id: number }) =>
    proof.ids(scope, after, limit).map(({ id }) => id - base);
  assert.deepEqual(
    [ids(9), ids(2), ids(9, { started_ms: (base + 3) * 1_000, id: base + 3 })],
    [
      [2, 3, 4, 5],
      [2, 3],
      [4, 5],
    ],
  );
  const stretch = proof.stretch(scope, seals[1]!);
  assert.deepEqual(
    stretch.map(({ seq }) => seq),
    [4, 5, 6],
  );
  assert.deepEqual([...proof.meant(scope, stretch)].map((id) => id - base).sort(), [4, 5]);
  assert.equal(proof.meant(scope, []).size, 0);
  assert.deepEqual([proof.play(base + 4)?.play_id, proof.play(base + 99)], [`p${base + 4}`, undefined]);
  // A play from a wrong clock is found as well.
  db.raw.prepare('UPDATE old_plays SET started_ms = 9000000000000 WHERE id = ?').run(base + 5);
  assert.deepEqual(
    proof.stretch(scope, seals[1]!).map(({ seq }) => seq),
    [4, 5, 6],
  );

  const plays = (first: number, last: number, limit = 99) =>
    segment.plays(our, { first: base + first, last: base + last }, limit).map(({ id }) => id - base);
  assert.deepEqual([plays(8, 99), plays(2, 9, 2), plays(10, 10)], [[8, 9, 11], [2, 3], []]);
  const vouching = (first: number, last: number, workspace = our) =>
    segment.seals(workspace, till, { first: base + first, last: base + last }).map((one) => [one.first, one.closed]);
  assert.deepEqual(
    [vouching(4, 6), vouching(3, 7), vouching(9, 50)],
    [
      [[4, 1]],
      [
        [1, 1],
        [4, 1],
        [7, 0],
      ],
      [[7, 0]],
    ],
  );
  assert.deepEqual([vouching(50, 60), vouching(1, 9, their)], [[], []]);
});

test('reading a signed group of plays does not read the years before and after this group', () => {
  const { our } = setUp();
  const proof = new ProofStore(db.raw);
  const MINUTES_10 = 600_000;
  /** Adds `count` plays of a screen, one every ten minutes. The 200 plays in the middle are one signed group. */
  const add = (device: string, firstId: number, count: number) => {
    db.raw
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < @last)
           INSERT INTO old_plays (id, play_id, workspace_id, device_id, device_name, content_name, seq, started_ms, ended_ms, completed)
             SELECT @firstId + i, device.id || i, @our, device.id, 'd', 'c', i + 1, i * @step, i * @step + 1, 1 FROM n, (SELECT @device AS id) AS device`,
      )
      .run({ last: count - 1, firstId, our, device, step: MINUTES_10 });
    const first = count / 2 - 99;
    const ends = { first, through: first + 199, first_play: firstId + first - 1, last_play: firstId + first + 198 };
    put(db, 'play_seals', { workspace_id: our, device_id: device, signing_key: 'key', ...ends });
    const scope = { workspaceId: our, deviceId: device, start: 0, end: count * MINUTES_10 };
    return { scope, seal: proof.seals({ workspaceId: our, deviceId: device })[0]! };
  };
  const [young, old] = [add('young', 10_000_000, 200), add('old', 20_000_000, 100_000)];
  /** Returns the shortest of five durations, in milliseconds. */
  const took = ({ scope, seal }: typeof young): number =>
    Math.min(
      ...Array.from({ length: 5 }, () => {
        const began = performance.now();
        assert.equal(proof.stretch(scope, seal).length, 200);
        return performance.now() - began;
      }),
    );
  took(young);
  const [short, long] = [took(young), took(old)];
  // Reading the whole journal would take forty times as long.
  assert.ok(long < 8 * short, `${long.toFixed(1)} ms among 100,000 plays, ${short.toFixed(1)} ms among 200`);
});

test('signatures are counted for the chosen screens whose signed groups may contain plays of the period', () => {
  const { our, their } = setUp();
  const base = 1_000_000 + opened * 1_000;
  const till = `${our}-till`;
  for (const n of [1, 2, 3, 4]) put(db, 'play_log', { id: base + n, started_ms: n * 10, play_id: `l${base + n}` });
  for (const first of [1, 3])
    put(db, 'play_seals', {
      workspace_id: our,
      device_id: till,
      first_play: base + first,
      last_play: base + first + 1,
    });
  const seals = new SealCountStore(db.raw);
  const count = (start: number, end: number, workspace = our, devices = [till]) =>
    seals.count(workspace, devices, { start, end });
  assert.deepEqual(
    [count(0, 99), count(20, 30), count(21, 30), count(20, 31), count(0, 10), count(41, 99)],
    [2, 1, 0, 2, 0, 0],
  );
  assert.deepEqual([count(0, 99, their), count(0, 99, our, ['other']), count(0, 99, our, [])], [0, 0, 0]);
});

test('planned plays are read for the chosen screens and period, and counted once per program', () => {
  const { our, their } = setUp();
  const [till, door] = [`${our}-till`, `${our}-door`];
  const archive = (sha256: string) =>
    Number(
      db.raw
        .prepare('INSERT INTO program_archive (sha256, body, created_at) VALUES (?, ?, 0) RETURNING id')
        .pluck()
        .get(sha256, Buffer.from(sha256)),
    );
  const program = archive(`${our}1`);
  const planned = new PlannedStore(db.raw);
  for (const [device_id, since, until] of [
    [till, 10, 20],
    [till, 20, 30],
    [till, 30, null],
    [door, 5, 15],
  ] as const)
    put(db, 'program_spans', { workspace_id: our, device_id, program, timezone: 'UTC', since, until });
  put(db, 'program_spans', { workspace_id: their, device_id: `${their}-x`, program, timezone: 'UTC', since: 1 });
  const spans = (start: number, end: number, more: object = {}) =>
    [...planned.spans({ workspaceId: our, ...more }, { start, end })].map(
      ({ device_id, since }) => `${device_id} ${since}`,
    );
  assert.deepEqual(spans(0, 99), [`${door} 5`, `${till} 10`, `${till} 20`, `${till} 30`]);
  assert.deepEqual(
    [spans(20, 30), spans(19, 20, { deviceId: till }), spans(99, 100)],
    [[`${till} 20`], [`${till} 10`], [`${till} 30`]],
  );
  assert.deepEqual([spans(15, 16, { deviceId: door }), spans(0, 5)], [[], []]);
  addDevice(db, our, 'nobody');
  put(db, 'device_tags', { device_id: 'nobody', tag: our });
  assert.deepEqual([spans(0, 99, { tag: our }), spans(0, 99, { tag: our, groupId: 'none' })], [[], []]);
  assert.deepEqual([planned.archived(program), planned.archived(program + 99)], [Buffer.from(`${our}1`), undefined]);

  const cache = new PlannedCacheStore(db);
  const sum = { kind: 'content', ref: 'photo', playlist_id: '', plan_id: '', plays: 2, ms: 20 } as const;
  const window = (since: number, sums: readonly (typeof sum)[], of = program) =>
    ({ program: of, timezone: 'UTC', since, until: since + 10, sums }) as unknown as Parameters<
      PlannedCacheStore['store']
    >[0][number];
  cache.store([
    window(10, [sum]),
    window(20, []),
    window(30, [sum]),
    window(10, [sum, sum]),
    window(10, [sum], program + 99),
  ]);
  const period = { start: 10, end: 30 };
  const whole = [
    { since: 10, until: 20 },
    { since: 20, until: 30 },
  ];
  assert.deepEqual(planned.counted(program, 'UTC', period), whole);
  assert.deepEqual(
    [planned.counted(program, 'Europe/Berlin', period), planned.counted(program + 99, 'UTC', period)],
    [[], []],
  );
  assert.deepEqual(
    [...planned.sums(program, 'UTC', period)].map(({ since, plays }) => [since, plays]),
    [
      [10, 2],
      [20, null],
    ],
  );
  assert.deepEqual([...planned.sums(program, 'Europe/Berlin', period)], []);
  put(db, 'plans', { id: `${our}-plan`, workspace_id: our, content_id: null });
  assert.deepEqual(planned.plan({ workspaceId: our, planId: `${our}-plan` }), {
    playlist_id: null,
    content_id: null,
    widget_id: null,
  });
  assert.equal(planned.plan({ workspaceId: our }), undefined);
  assert.equal(planned.contents({ workspaceId: our }), undefined);
  assert.deepEqual([...planned.contents({ workspaceId: our, contentIds: '["a","b"]', contentId: 'a' })!], ['a']);
  addDevice(db, our, till, { name: 'Till' });
  put(db, 'content', { id: `${our}-c`, workspace_id: our, filename: 'Photo' });
  put(db, 'play_subjects', { workspace_id: our, kind: 'device', ref: door, name: 'Door' });
  put(db, 'play_subjects', { workspace_id: their, kind: 'device', ref: 'abroad', name: 'Abroad' });
  const names = planned.names(our, [
    { kind: 'device', ref: till },
    { kind: 'device', ref: door },
    { kind: 'content', ref: `${our}-c` },
    { kind: 'content', ref: till },
    { kind: 'device', ref: 'abroad' },
  ]);
  assert.deepEqual(Object.fromEntries(names), {
    [`device ${till}`]: 'Till',
    [`device ${door}`]: 'Door',
    [`content ${our}-c`]: 'Photo',
  });
});

test('equal names and fields of plays are stored once under a number, with the last day of its use', () => {
  const { our, their } = setUp();
  const kept = new PlaysIngestStore(db);
  const turn = {
    ...{ device: opened, shown: 2, device_name: 'Till', content_name: 'Photo', content_id: 'c', widget_id: null },
    ...{ zone_id: null, playlist_id: null, item_id: null },
  };
  const first = kept.turnOf(turn, 5);
  const used = (table: string, id: number) =>
    db.raw.prepare(`SELECT used_day FROM ${table} WHERE id = ?`).pluck().get(id);
  assert.deepEqual([kept.turnOf(turn, 4), used('play_turns', first)], [first, 5]);
  assert.deepEqual([kept.turnOf(turn, 6), used('play_turns', first)], [first, 6]);
  for (const other of [
    { device: -1 },
    { shown: 3 },
    { device_name: 'Door' },
    { content_name: 'Video' },
    { content_id: null },
    { widget_id: 'w' },
    { zone_id: 'z' },
    { playlist_id: 'p' },
    { item_id: 1 },
  ])
    assert.notEqual(kept.turnOf({ ...turn, ...other }, 6), first, JSON.stringify(other));
  const boot = kept.bootOf(`${our} boot`, 5);
  assert.deepEqual([kept.bootOf(`${our} boot`, 4), used('play_boots', boot)], [boot, 5]);
  assert.deepEqual([kept.bootOf(`${our} boot`, 6), used('play_boots', boot)], [boot, 6]);
  const subject = { kind: 'content', ref: 'c' } as const;
  const id = kept.insertSubject(our, subject, 'Photo', 5);
  kept.renameSubject(id, 'Picture', 6);
  assert.deepEqual(kept.findSubject(our, subject), { id, name: 'Picture', named_ms: 6 });
  assert.deepEqual(
    [kept.findSubject(their, subject), kept.findSubject(our, { kind: 'widget', ref: 'c' })],
    [undefined, undefined],
  );
});

test('a repeated play is recognized by start time, by number near that time, or by id if its time was corrected', () => {
  const { our } = setUp();
  const [HOUR, T] = [3_600_000, 1_000_000_000_000 + opened * 100_000_000_000];
  const kept = new PlaysIngestStore(db);
  const base = 2_000_000 + opened * 1_000;
  const [till, door] = ['till', 'door'].map((name) => ({
    ...{ id: `${our}-${name}`, workspace_id: our, name, signing_key: null, plays_through: 5 },
    number: kept.insertSubject(our, { kind: 'device', ref: `${our}-${name}` }, name, 0),
  })) as [Till, Till];
  type Till = Parameters<PlaysIngestStore['known']>[0] & { readonly number: number };
  const uuid = (n: number) => `01234567-89ab-4cde-8f01-2345678${String(base + n).slice(-5)}`;
  const insert = (n: number, of: Till, started_ms: number, more: object = {}) =>
    kept.insert({
      ...{
        id: base + n,
        workspace: 1,
        device: of.number,
        shown: 1,
        turn: 0,
        boot: null,
        seq: n,
        started_ms,
        lasted_ms: 9,
      },
      ...{ completed: true, uncertainty_ms: null, play_id: uuid(n), claimed: null, ...more },
    });
  insert(1, till, T, { uncertainty_ms: 1.5 });
  insert(2, till, T + 10, { play_id: `${our} text`, uncertainty_ms: 1.25 });
  insert(3, till, T + 20 * HOUR, { claimed: [5, 6] });
  insert(4, door, T, { seq: 1 });
  addPlay(base + 5, our, till.id);
  const known = (first: number, ...plays: [id: string, started_at: number][]) =>
    Object.fromEntries(
      [
        ...kept.known(
          till,
          first,
          plays.map(([id, started_at]) => ({ id, started_at })),
        ),
      ].map(([id, n]) => [id, n - base]),
    );
  assert.deepEqual([known(9, ['x', T]), known(9, ['x', T + 1])], [{ [uuid(1)]: 1 }, {}]);
  for (const at of [T + HOUR, T - HOUR]) assert.deepEqual(known(1, ['x', at]), { [uuid(1)]: 1 }, String(at - T));
  for (const at of [T + HOUR + 1, T - HOUR - 1]) assert.deepEqual(known(1, ['x', at]), {}, String(at - T));
  assert.deepEqual(known(1, ['x', T + HOUR], ['y', T + HOUR]), { [uuid(1)]: 1, [`${our} text`]: 2 });
  assert.deepEqual(known(2, ['x', T + HOUR]), { [`${our} text`]: 2 });
  assert.deepEqual(known(1, ['x', T + 2 * HOUR], ['y', T + HOUR]), { [uuid(1)]: 1, [`${our} text`]: 2 });
  assert.deepEqual(known(1, ['x', 7], ['y', T + 26 * HOUR]), {}, 'a clock that says anything has no history read');
  assert.deepEqual([known(9, [uuid(3), T + 5]), known(9, [uuid(1), T + 5])], [{ [uuid(3)]: 3 }, {}]);
  assert.deepEqual(known(9, [`p${base + 5}`, T + 5]), { [`p${base + 5}`]: 5 });
  const read = (n: number) =>
    db.raw
      .prepare('SELECT play_id, uncertainty_ms, claimed FROM plays WHERE id = ?')
      .raw()
      .get(base + n);
  assert.deepEqual(
    [read(1), read(2), read(3)],
    [
      [uuid(1), 1.5, null],
      [`${our} text`, 1.25, null],
      [uuid(3), null, '[5,6]'],
    ],
  );
  const types = db.raw.prepare('SELECT typeof(uncertainty) FROM play_log WHERE id BETWEEN ? AND ? ORDER BY id').pluck();
  assert.deepEqual(types.all(base + 1, base + 3), ['integer', 'real', 'null']);
});

test('plays of a workspace are read newest first from both tables, in pages or chunks, each exactly once', () => {
  const { our, their } = setUp();
  db.raw.exec('DELETE FROM old_plays');
  const ingest = new PlaysIngestStore(db);
  const base = 3_000_000 + opened * 1_000;
  const T = 2_000_000_000_000;
  const [workspace, till, theirs] = [
    ingest.insertSubject(our, { kind: 'workspace', ref: '' }, '', 0),
    ingest.insertSubject(our, { kind: 'device', ref: `${our}-till` }, 'Till', 0),
    ingest.insertSubject(their, { kind: 'workspace', ref: '' }, '', 0),
  ];
  const turn = (content_name: string) =>
    ingest.turnOf(
      {
        ...{ device: till, shown: 1, device_name: 'Till, the', content_name, content_id: 'c', widget_id: null },
        ...{ zone_id: null, playlist_id: null, item_id: null },
      },
      0,
    );
  const [first, second] = [turn('a'), turn('b')];
  const add = (n: number, started_ms: number, more: object = {}) =>
    ingest.insert({
      ...{ id: base + n, workspace, device: till, shown: 1, turn: first, boot: null, seq: n, started_ms },
      ...{ lasted_ms: n, completed: n !== 1, uncertainty_ms: null, play_id: `l${base + n}`, claimed: null, ...more },
    });
  // Three plays start in the same millisecond, with a play on either side of it.
  add(1, T);
  add(3, T, { turn: second });
  add(2, T);
  add(4, T + 1);
  add(5, T - 1);
  add(6, T, { workspace: theirs });
  const store = new PlaysStore(db.raw);
  const filter = { workspaceId: our, start: T - 1, end: T + 2 };
  /**
   * Returns number, start, `completed` and names of each play. Each play has a different duration, which is its number.
   */
  const read = (limit: number, of: object = {}) => {
    const found: [n: number, started: number, completed: number, names: string][] = [];
    for (let cursor: Cursor | null | undefined; cursor !== null; ) {
      const before = found.length;
      cursor = store.following({ ...filter, ...of }, cursor, limit, (names, started, ended, completed) =>
        found.push([ended - started, started - T, completed, Buffer.from(names).toString()]),
      );
      assert.ok(found.length <= before + limit);
    }
    return found;
  };
  const numbers = (found: ReturnType<typeof read>) => found.map(([n]) => n);
  for (const limit of [1, 2, 3, 9]) assert.deepEqual(numbers(read(limit)), [4, 3, 2, 1, 5], String(limit));
  assert.deepEqual(read(9).slice(1, 4), [
    [3, 0, 1, '"Till, the",b'],
    [2, 0, 1, '"Till, the",a'],
    [1, 0, 0, '"Till, the",a'],
  ]);
  assert.deepEqual(numbers(read(2, { start: T, end: T + 1 })), [3, 2, 1]);
  assert.deepEqual([numbers(read(9, { workspaceId: their })), read(9, { deviceId: 'none' })], [[6], []]);
  const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id - base);
  const page = (limit: number, offset: number, of: object = {}) => store.list({ ...filter, ...of }, { limit, offset });
  assert.deepEqual(
    [ids(page(2, 0)), ids(page(2, 2)), ids(page(9, 4)), ids(page(9, 5)), ids(page(9, 0, { start: T, end: T + 1 }))],
    [[4, 3], [2, 1], [5], [], [3, 2, 1]],
  );
  // Adds a play in the format of older versions.
  addPlay(base + 7, our, `${our}-till`, {
    ...{ device_name: 'Old "till"', content_name: 'old', started_ms: T, ended_ms: T + 7, completed: 0 },
  });
  for (const limit of [1, 9]) assert.deepEqual(numbers(read(limit)), [4, 7, 3, 2, 1, 5], String(limit));
  assert.deepEqual(read(9)[1], [7, 0, 0, '"Old ""till""",old']);
  assert.deepEqual(ids(page(3, 0)), [4, 7, 3]);
  assert.equal(page(1, 1)[0]!.device_name, 'Old "till"');
});

test('plays in the format of older versions are read oldest first, and deleted after they were moved', () => {
  const { our } = setUp();
  db.raw.exec('DELETE FROM old_plays');
  for (const id of [3, 1, 2]) addPlay(id, our, 'till');
  const old = new OldPlaysStore(db);
  const ids = (limit: number) => old.oldest(limit).map(({ id }) => id);
  assert.deepEqual(
    [ids(2), ids(9)],
    [
      [1, 2],
      [1, 2, 3],
    ],
  );
  old.deleteThrough(2);
  assert.deepEqual(ids(9), [3]);
});
