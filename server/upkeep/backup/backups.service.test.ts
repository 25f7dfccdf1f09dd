/**
 * Tests the requests to the upkeep process, and its messages, with a fake process. upkeep.test.ts tests real backups.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { tempFolder } from '../../../test/harness.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import { UPDATE_WAY_BACK_MS, VersionFolder } from '../../versions/version-folder.ts';
import { TaskFailed, TaskRefused, TaskUnavailable } from '../tasks/process.ts';
import { BackupsService, dueSince } from './backups.service.ts';

const DAY = 86_400_000;
const NOW = new Date(2026, 2, 10, 12).getTime();
const WHO = { workspaceId: 'w', email: 'owner@store.test' } as Actor;
const NAME = 'vitrine-2026-03-10-120000.vitrine';

const backup = (name: string, more: object = {}) => ({
  ...{ name, bytes: 5, madeAt: NOW - 900, complete: false, version: '1.0.0', mediaFiles: 3, mediaMissing: 1 },
  ...{ damage: null, keptUntil: undefined, server: { id: 'me', name: 'Here' }, ...more },
});
const tried = { madeAt: NOW - 900, version: '1.0.0', mediaFiles: 3, mediaMissing: 1, differences: [], plays: 4 };

type Task = { readonly do: string; readonly [more: string]: unknown };
type Watch = (progress: { step: string; done: number; total: number }) => void;

const open = (t: TestContext, more: object = {}) => {
  const data = tempFolder(t);
  const said: string[] = [];
  const asked: Task[] = [];
  const clock = { at: NOW, now: () => clock.at };
  const place = { folder: join(data, 'backups') };
  const values = { backup_daily: true, backup_hour: 3, backup_keep: 7 };
  const answers: Record<string, (task: Task, watch: Watch) => unknown> = {
    list: () => [],
    backup: ({ name }) => ({ made: backup(name as string, { madeAt: clock.at }), lost: { missing: [], damaged: [] } }),
    try: () => tried,
    delete: () => true,
    read: () => ({ close: () => void said.push('closed') }),
    'bring-in': () => ({ end: async () => backup('brought-in.vitrine'), abort: async () => {} }),
  };
  const run = async (task: Task, watch: Watch) => {
    asked.push(task);
    return answers[task.do]!(task, watch);
  };
  const say = (text: string) => void said.push(text);
  const deps = {
    ...{ data, clock, serverId: 'me', settings: { values, place, ownPlace: place }, mayPrune: () => true },
    process: { run, read: run, bringIn: run, stop: () => say('stopped') },
    onLost: ({ missing, damaged }: { missing: string[]; damaged: string[] }) => say(`lost ${[...missing, ...damaged]}`),
    proof: {
      proofOf: () => 'password',
      requireProof: async (_: Actor, password?: string) => {
        if (password !== 'secret') throw new Error('not proven');
      },
    },
    restart: () => say('restart'),
    db: { durable: async () => say('durable') },
    activity: { add: (entry: { action: string; details: string }) => say(`${entry.action} ${entry.details}`) },
    log: { debug() {}, info: say, warn: say, error: say },
    ...more,
  };
  const backups = new BackupsService(deps as unknown as ConstructorParameters<typeof BackupsService>[0]);
  /** Returns the tasks that were started since the last call, except tasks that list backups. */
  const did = () => asked.splice(0).filter((task) => task.do !== 'list');
  return { backups, data, clock, values, place, answers, did, heard: () => said.splice(0) };
};

test('daily backup is made when it is due, and again an hour after a failure', async (t) => {
  const { backups, clock, values, answers, did, heard } = open(t);
  const made = async () => {
    await backups.runDue();
    return did().length;
  };
  values.backup_daily = false;
  assert.equal(await made(), 0);
  values.backup_daily = true;
  answers['list'] = () => [backup('a.vitrine', { madeAt: dueSince(NOW, 3) }), backup('b.vitrine', { madeAt: null })];
  assert.deepEqual([backups.lastAt, await made(), backups.lastAt], [undefined, 0, dueSince(NOW, 3)], 'it is there');
  clock.at = dueSince(NOW, 3) + DAY - 1;
  assert.equal(await made(), 0);
  clock.at += 1;
  const failing = answers['backup']!;
  answers['backup'] = () => Promise.reject(new TaskFailed('The disk is full'));
  assert.deepEqual([await made(), backups.lastError], [1, 'The disk is full']);
  assert.deepEqual(heard(), ['The daily backup failed: The disk is full']);
  answers['backup'] = failing;
  clock.at += 3_599_999;
  assert.equal(await made(), 0);
  clock.at += 1;
  assert.deepEqual([await made(), backups.lastError, backups.lastAt], [1, null, clock.at]);
  assert.equal(await made(), 0);
  // The newest backup has a time in the future, because the clock was wrong by more than a day when it was made.
  clock.at -= DAY + 1;
  answers['list'] = () => [backup('a.vitrine', { madeAt: clock.at + DAY + 1 })];
  assert.equal(await made(), 1);
});

test('backup on request is made, recorded and listed, and a second request during the backup is refused', async (t) => {
  const { backups, data, clock, answers, place, did, heard } = open(t);
  const end = Promise.withResolvers<void>();
  answers['backup'] = async ({ name }, watch) => {
    watch({ step: 'reading', done: 1, total: 2 });
    await end.promise;
    return {
      made: backup(name as string, { server: { id: 'else', name: null } }),
      lost: { missing: ['m'], damaged: [] },
    };
  };
  const making = backups.make(WHO, { complete: true });
  const during = await backups.state(WHO);
  assert.deepEqual(
    [during.running, during.work],
    [true, { what: 'backup', step: 'reading', done_bytes: 1, total_bytes: 2 }],
  );
  await assert.rejects(backups.make(WHO, { complete: false }), { status: 409, message: /already running/ });
  const name = NAME.replace('.vitrine', '-complete.vitrine');
  end.resolve();
  assert.deepEqual(await making, {
    ...{ name, bytes: 5, made_at: Math.floor((NOW - 900) / 1_000), complete: false, version: '1.0.0', damage: null },
    ...{ media_files: 3, media_missing: 1, brought_in: 0, kept_until: null, foreign: 1, server_name: null },
  });
  const rotation = { keep: 7, mayPrune: true, spare: [] };
  assert.deepEqual(did(), [{ do: 'backup', place, order: { data, media: 'inside', now: NOW, rotation }, name }]);
  assert.deepEqual(heard(), ['backup made', 'lost m', `backup.made ${name}`]);
  const after = await backups.state(WHO);
  assert.deepEqual([after.running, after.work, backups.lastAt], [false, null, NOW]);
  answers['backup'] = (task) => ({ made: backup(task['name'] as string), lost: { missing: [], damaged: ['d'] } });
  assert.equal((await backups.make({ ...WHO, workspaceId: null }, { complete: false })).name, NAME);
  assert.deepEqual([(did()[0]!['order'] as { media: string }).media, heard()], ['beside', ['backup made', 'lost d']]);
  for (const [error, status, retryAfter] of [
    [new TaskUnavailable('busy'), 503, 60],
    [new TaskFailed('there is too little space'), 507, undefined],
    [new TaskFailed('broken'), 500, undefined],
  ] as const) {
    answers['backup'] = () => Promise.reject(error);
    await assert.rejects(backups.make(WHO, { complete: false }), { status, retryAfter, message: error.message });
    assert.equal(backups.lastError, error.message);
  }
  clock.at += 1;
  assert.equal((await backups.state(WHO)).last_error, 'broken');
});

test('backup from before a restore or update is kept while the restore or update can be undone', async (t) => {
  const { backups, data, clock, did } = open(t, { mayPrune: () => false });
  const restored = { at: NOW / 1_000, by: 'a', backup: 'b.vitrine', made_at: null, error: null, set_aside: null };
  const outcome = { ...restored, safety: 'safe.vitrine', media_missing: 0, watch: 'w', differences: [], plays: 0 };
  writeFileSync(join(data, 'last-restore.json'), JSON.stringify(outcome));
  new VersionFolder(data).writeRecord({
    ...{ version: '2.0.0', from: '1.0.0', at: NOW, by: 'a', backup: '/x/update.vitrine', status: 'done', reason: null },
    restored: false,
  });
  for (const [ms, spare] of [
    [0, ['safe.vitrine', 'update.vitrine']],
    [7 * DAY - 1, ['safe.vitrine', 'update.vitrine']],
    [7 * DAY, ['update.vitrine']],
    [UPDATE_WAY_BACK_MS - 1, ['update.vitrine']],
    [UPDATE_WAY_BACK_MS, []],
  ] as const) {
    clock.at = NOW + ms;
    await backups.make(WHO, { complete: false });
    const [{ order }] = did() as unknown as [{ order: { rotation: object } }];
    assert.deepEqual(order.rotation, { keep: 7, mayPrune: false, spare });
  }
  const { watch: _, ...told } = outcome;
  assert.deepEqual(backups.watched('w'), { work: null, outcome: told });
  for (const watch of ['', 'x']) assert.throws(() => backups.watched(watch), { status: 404 });
});

test('list of backups has the time of the next backup, and shows its last known state when the folder is unavailable', async (t) => {
  const { backups, clock, values, answers, place } = open(t);
  let listed = [backup(NAME), backup('b.vitrine', { madeAt: null, keptUntil: NOW + 900, server: null })];
  answers['list'] = () => listed;
  const state = await backups.state(WHO);
  assert.deepEqual(
    state.backups.map(({ name, made_at, brought_in, kept_until, foreign, server_name }) => [
      ...[name, made_at, brought_in, kept_until, foreign, server_name],
    ]),
    [
      [NAME, Math.floor((NOW - 900) / 1_000), 0, null, 0, 'Here'],
      ['b.vitrine', null, 1, Math.floor((NOW + 900) / 1_000), 0, null],
    ],
  );
  const next = (dueSince(NOW, 3) + DAY) / 1_000;
  assert.deepEqual(
    [state.folder, state.folder_error, state.next_at, state.proof, state.last_restore, state.last_error],
    [place.folder, null, next, 'password', null, null],
  );
  listed = [];
  assert.equal((await backups.state(WHO)).backups.length, 2, 'it is not read again at once');
  // The folder for backups was changed to another folder, which is unavailable.
  place.folder += '-elsewhere';
  answers['list'] = () => Promise.reject(new Error('It is unplugged'));
  const away = await backups.state(WHO);
  assert.deepEqual(
    [away.backups.length, away.folder_error, away.last_error, backups.lastError],
    [2, 'It is unplugged', 'It is unplugged', 'It is unplugged'],
  );
  answers['list'] = () => [];
  const back = await backups.state(WHO);
  assert.deepEqual([back.backups, back.folder_error, backups.lastError], [[], null, null]);
  await backups.runDue();
  clock.at += DAY;
  assert.equal((await backups.state(WHO)).next_at, clock.at / 1_000, 'it is due');
  values.backup_daily = false;
  assert.equal((await backups.state(WHO)).next_at, null);
});

test('only existing files whose names are valid backup names can be read, tested, downloaded or deleted', async (t) => {
  const { backups, answers, did, heard, place } = open(t);
  const acts = [
    (name: string) => backups.open(name),
    (name: string) => backups.markDownloaded(WHO, name),
    (name: string) => backups.test(name),
    (name: string) => backups.delete(WHO, name),
  ];
  for (const act of acts) await assert.rejects(act('../vitrine.db'), { status: 404, message: 'Backup not found' });
  assert.deepEqual(did(), []);
  await backups.markDownloaded(WHO, NAME);
  assert.deepEqual(heard(), ['closed', `backup.downloaded ${NAME}`]);
  const { madeAt, mediaFiles: media_files, mediaMissing: media_missing, ...rest } = tried;
  const found = { ...rest, made_at: Math.floor(madeAt / 1_000), media_files, media_missing };
  assert.deepEqual(await backups.test(NAME), found);
  await backups.make(WHO, { complete: false });
  heard();
  did();
  await backups.delete(WHO, NAME);
  assert.deepEqual(
    [heard(), did(), backups.lastAt],
    [[`backup.deleted ${NAME}`], [{ do: 'delete', place, name: NAME }], undefined],
  );
  for (const kind of ['read', 'try', 'delete']) answers[kind] = () => undefined;
  for (const act of acts) await assert.rejects(act(NAME), { status: 404, message: 'Backup not found' });
  for (const kind of ['read', 'try', 'delete']) answers[kind] = () => Promise.reject(new TaskUnavailable('away'));
  for (const act of acts) await assert.rejects(act(NAME), { status: 503, message: 'away' });
  answers['try'] = () => Promise.reject(new TaskFailed('It is damaged'));
  await assert.rejects(backups.test(NAME), { status: 409, message: 'It is damaged' });
  assert.deepEqual([heard(), (await backups.state(WHO)).work], [[], null]);
});

test('service accepts one upload at a time, and the answer reports an unsuitable file or missing space', async (t) => {
  const { backups, answers, did, heard, place } = open(t);
  const incoming = await backups.receive(9);
  const name = NAME.replace('vitrine-', 'brought-in-');
  assert.deepEqual(did(), [{ do: 'bring-in', place, name, expected: 9 }]);
  await assert.rejects(backups.receive(0), { status: 409, message: /Another backup is being uploaded/ });
  assert.equal((await backups.bringIn(WHO, incoming)).name, 'brought-in.vitrine');
  assert.deepEqual(heard(), ['backup.brought_in brought-in.vitrine']);
  for (const [error, status] of [
    [new TaskRefused('this is no backup'), 400],
    [new TaskRefused('This backup is already on the server: x.'), 409],
    [new TaskUnavailable('away'), 503],
  ] as const) {
    answers['bring-in'] = () => ({ end: () => Promise.reject(error), abort: async () => {} });
    await assert.rejects(backups.bringIn(WHO, await backups.receive(0)), { status });
  }
  answers['bring-in'] = () => Promise.reject(new TaskUnavailable('away'));
  for (let n = 0; n < 2; n++) await assert.rejects(backups.receive(0), { status: 503 });
});

test('restore needs proof of identity, a test and a new backup, and the server restarts after the answer', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { backups, data, clock, answers, did, heard, place } = open(t);
  await assert.rejects(backups.restore(WHO, '../x', 'secret'), { status: 404 });
  await assert.rejects(backups.restore(WHO, NAME, 'secret'), { status: 404, message: 'Backup not found' });
  answers['list'] = () => [backup('another.vitrine'), backup(NAME)];
  await assert.rejects(backups.restore(WHO, NAME, 'wrong'), /not proven/);
  answers['try'] = () => Promise.reject(new TaskFailed('It is damaged'));
  await assert.rejects(backups.restore(WHO, NAME, 'secret'), { status: 409, message: 'It is damaged' });
  assert.deepEqual([heard(), did().map((task) => task.do)], [[], ['try']]);
  answers['try'] = (_, watch) => {
    watch({ step: 'checking', done: 1, total: 9 });
    return tried;
  };
  const restoring = backups.restore(WHO, NAME, 'secret');
  for (let n = 0; n < 20 && did().length === 0; n++) await Promise.resolve();
  const now = { status: 409, message: /is being restored\. The server restarts/ };
  await assert.rejects(backups.make(WHO, { complete: false }), now);
  await assert.rejects(backups.receive(0), now);
  const { safety, watch } = await restoring;
  assert.match(watch, /^[0-9a-f]{32}$/);
  assert.equal(safety, NAME);
  assert.deepEqual(backups.watched(watch), { work: null, outcome: null });
  assert.deepEqual(
    did().map((task) => [task.do, (task as any).order?.rotation.mayPrune]),
    [['backup', false]],
  );
  assert.deepEqual(heard(), [
    ...['backup made', `backup.restored ${NAME}`, 'durable', 'a backup is restored, and the server restarts'],
  ]);
  assert.deepEqual(JSON.parse(readFileSync(join(data, 'restore-wanted.json'), 'utf8')), {
    ...{ file: join(place.folder, NAME), at: NOW, by: 'owner@store.test', safety, watch, differences: [], plays: 4 },
  });
  clock.at += DAY;
  await backups.runDue();
  assert.deepEqual(did(), [], 'no daily one comes between');
  t.mock.timers.tick(299);
  assert.deepEqual(heard(), []);
  t.mock.timers.tick(1);
  assert.deepEqual(heard(), ['restart']);
  const held = open(t, { restart: undefined });
  held.answers['list'] = () => [backup(NAME)];
  await assert.rejects(held.backups.restore(WHO, NAME, 'secret'), { status: 409, message: /cannot restart itself/ });
});

test('service checks for a due backup soon after the start, then every few minutes until it stops', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const { backups, heard, values } = open(t);
  let looks = 0;
  Object.defineProperty(values, 'backup_daily', { get: () => void looks++ });
  const after = (ms: number) => {
    t.mock.timers.tick(ms);
    return looks;
  };
  backups.start();
  assert.deepEqual([after(119_999), after(1), after(179_999), after(1), after(300_000)], [0, 1, 1, 2, 3]);
  backups.stop();
  assert.deepEqual([after(600_000), heard()], [3, ['stopped']]);
});
