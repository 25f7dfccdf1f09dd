/** Tests which tasks reports give to their threads, and how they use the answers. reports.test.ts tests the answers. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DEFAULT_WORKSPACE } from '../../../shared/contract/people/workspaces.ts';
import { openDatabase } from '../../db/open.ts';
import { put } from '../../db/testing/put.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import { KnownSubjectsStore } from './known-subjects.store.ts';
import { CSV_HEADER } from './proof/csv.ts';
import { ReportNamesStore } from './report-names.store.ts';
import type { Answer, Task } from './report-tasks.ts';
import { type PlaysExport, ReportsService } from './reports.service.ts';
import { openReader } from './testing/open-reader.ts';
import { addDevice, addWorkspace } from './testing/plays.ts';

/** An instant on the 10th in UTC, which is the 11th already in the store's time zone. */
const NOW = Date.UTC(2026, 2, 10, 23, 30, 0, 900);
const [OUR, THEIR] = ['our', 'their'].map((workspaceId) => ({ workspaceId }) as WorkspaceActor) as [
  WorkspaceActor,
  WorkspaceActor,
];
const DAY = { start: '2026-03-09', end: '2026-03-09' };

const answer = (said: unknown, more: Partial<Answer> = {}): Answer => {
  const bytes = new TextEncoder().encode(typeof said === 'string' ? said : JSON.stringify(said));
  return { block: bytes.buffer, length: bytes.length, ...more };
};

const db = openDatabase(':memory:');
after(() => db.close());
for (const { workspaceId } of [OUR, THEIR]) addWorkspace(db, workspaceId);
addDevice(db, 'our', 'till');
for (const [table, id] of Object.entries({ groups: 'group', folders: 'folder', playlists: 'playlist', plans: 'plan' }))
  put(db, table, { id, workspace_id: 'our' });
for (const id of ['photo', 'film']) put(db, 'content', { id, workspace_id: 'our', filename: id });

const open = () => {
  const asked: Task[] = [];
  const answers: { [K in Task['do']]?: (task: Extract<Task, { do: K }>) => Answer | Promise<Answer> } = {};
  const kept: unknown[] = [];
  const deps = {
    ...{ known: new KnownSubjectsStore(db), names: new ReportNamesStore(db), reader: openReader(db.raw) },
    fileOf: (sha256: string) => `/media/${sha256}`,
    threads: {
      runTask: async (task: Task) => {
        asked.push(task);
        return (answers[task.do] as undefined | ((task: Task) => Answer | Promise<Answer>))?.(task) ?? answer('');
      },
    },
    keep: async (windows: unknown) => void kept.push(windows),
    signer: { publicKey: 'key', sign: () => 'signed' },
    ...{ clock: { now: () => NOW }, zone: () => 'Europe/Berlin', server: () => 'The store' },
  };
  const reports = new ReportsService(deps as unknown as ConstructorParameters<typeof ReportsService>[0]);
  /** Returns the last task of a kind. */
  const question = (kind: Task['do']) =>
    asked.findLast((task) => task.do === kind)!.question as unknown as Record<string, unknown>;
  return { reports, asked, answers, kept, deps, question };
};

const read = async ({ chunks }: PlaysExport): Promise<string> => {
  let text = '';
  for await (const chunk of chunks) text += chunk.toString();
  return text;
};

test('the server’s thread reads first pages of plays, and worker threads read later pages and pages without an index', async () => {
  const { reports, asked } = open();
  const isAsked = async (query: object) => {
    await reports.plays(OUR, { limit: 100, offset: 0, ...query });
    return asked.splice(0).length === 1;
  };
  for (const query of [{ limit: 500 }, { limit: 100, offset: 400 }, { device_id: 'till' }, { content_id: ['photo'] }])
    assert.equal(await isAsked(query), false, JSON.stringify(query));
  for (const query of [
    { limit: 501 },
    { limit: 100, offset: 401 },
    { device_id: 'till', content_id: ['photo'] },
    { tag: 'mall' },
    { content_id: ['photo', 'film'] },
  ])
    assert.equal(await isAsked(query), true, JSON.stringify(query));
  await reports.plays(OUR, { limit: 501, offset: 7, start: '2026-03-09T10:00Z', end: '2026-03-09T11:00Z' });
  assert.deepEqual(asked.at(-1), {
    do: 'plays',
    question: {
      ...{ workspaceId: 'our', limit: 501, offset: 7 },
      ...{ start: Date.UTC(2026, 2, 9, 10), end: Date.UTC(2026, 2, 9, 11) },
    },
  });
});

test('a task contains only the conditions of the query, and an unknown record is refused by name', async () => {
  const { reports, question } = open();
  const asked = async (query: object) => {
    await reports.summary(OUR, { ...DAY, ...query });
    const { workspaceId, start, end, zone, groupBy, ...which } = question('summary');
    assert.deepEqual(
      [workspaceId, start, end, zone],
      ['our', Date.UTC(2026, 2, 8, 23), Date.UTC(2026, 2, 9, 23), 'Europe/Berlin'],
    );
    return { groupBy, which };
  };
  assert.deepEqual(await asked({}), { groupBy: undefined, which: {} });
  assert.deepEqual(await asked({ group_by: '' }), { groupBy: undefined, which: {} });
  assert.deepEqual(await asked({ group_by: 'hour', content_id: [] }), { groupBy: 'hour', which: {} });
  const all = { device_id: 'till', folder_id: 'folder', playlist_id: 'playlist', group_id: 'group', plan_id: 'plan' };
  const which = { deviceId: 'till', folderId: 'folder', playlistId: 'playlist', groupId: 'group', planId: 'plan' };
  assert.deepEqual((await asked({ ...all, label: 'L', tag: 'T', content_id: ['photo'] })).which, {
    ...{ ...which, label: 'L', tag: 'T', contentId: 'photo' },
  });
  assert.deepEqual((await asked({ content_id: ['photo', 'film'] })).which, { contentIds: '["photo","film"]' });
  for (const [query, noun] of [
    ...Object.entries(all).map(([key, id]) => [{ [key]: id }, key.replace('_id', '')] as const),
    [{ content_id: ['photo'] }, 'content'] as const,
  ]) {
    const message = `${noun[0]!.toUpperCase()}${noun.slice(1)} not found`;
    assert.throws(() => reports.summary(THEIR, query), { status: 404, message });
    assert.throws(() => reports.requireKnown(THEIR, query), { status: 404, message });
    reports.requireKnown(OUR, query);
  }
  assert.throws(() => reports.requireKnown(OUR, { content_id: ['photo', 'none'] }), { message: 'Content not found' });
  reports.requireKnown(OUR, {});
});

test('uptime is computed only for existing screens and not for the future, in whole seconds', async () => {
  const { reports, question } = open();
  put(db, 'play_subjects', { workspace_id: 'our', kind: 'device', ref: 'gone', name: 'Gone' });
  await reports.uptime(OUR, { device_id: 'till', start: '2026-03-09T10:00:00.900Z', end: '2026-03-09T10:00:09.900Z' });
  const [now, ten] = [Math.floor(NOW / 1_000), Date.UTC(2026, 2, 9, 10) / 1_000];
  const asked = { workspaceId: 'our', deviceId: 'till', start: ten, end: ten + 9, now };
  assert.deepEqual(question('uptime'), asked);
  await reports.uptime(OUR, { start: '2026-03-09T10:00Z' });
  assert.deepEqual(question('uptime'), { workspaceId: 'our', start: ten, end: now, now });
  for (const device_id of ['gone', 'nobody'])
    assert.throws(() => reports.uptime(OUR, { device_id }), { status: 404, message: 'Device not found' });
});

test('the figures of a day are its plays and its online share, rounded down so that 100 means no outage', async () => {
  const { reports, answers, question } = open();
  answers.summary = () => answer({ overall: { total_plays: 7 } });
  const figures = async (...rows: [online: number, period: number][]) => {
    answers.uptime = () => answer(rows.map(([online_seconds, period_seconds]) => ({ online_seconds, period_seconds })));
    return reports.figures(OUR, '2026-03-09');
  };
  assert.deepEqual(await figures(), { uptime: undefined, plays: 7 });
  assert.deepEqual(await figures([0, 0]), { uptime: undefined, plays: 7 });
  assert.deepEqual(await figures([86_400, 86_400], [43_200, 86_400]), { uptime: 75, plays: 7 });
  assert.deepEqual(await figures([86_399, 86_400]), { uptime: 99.9, plays: 7 });
  assert.deepEqual(await figures([86_400, 86_400]), { uptime: 100, plays: 7 });
  assert.equal(question('summary')['groupBy'], 'day');
  for (const [kind, unit] of [
    ['summary', 1_000],
    ['uptime', 1],
  ] as const)
    assert.deepEqual(
      ['start', 'end'].map((of) => (question(kind)[of] as number) * (1_000 / unit)),
      [Date.UTC(2026, 2, 8, 23), Date.UTC(2026, 2, 9, 23)].map((instant) => instant * (1_000 / unit) * (unit / 1_000)),
    );
});

test('exported files are named after the days of the period in the store’s zone, up to today', async () => {
  const { reports } = open();
  const named = (query: object) => {
    const { filename, type, head } = reports.export(OUR, query);
    return [filename, type, head];
  };
  assert.deepEqual(named(DAY), ['plays-2026-03-09-to-2026-03-09.csv', 'text/csv; charset=utf-8', CSV_HEADER]);
  assert.deepEqual(named({ ...DAY, format: 'csv' }), named(DAY));
  const [planned] = named({ start: '2026-03-01', format: 'planned' });
  assert.equal(planned, 'planned-2026-03-01-to-2026-03-11.csv');
  assert.deepEqual(named({ ...DAY, format: 'planned' }).slice(1), ['text/csv; charset=utf-8', '']);
  assert.deepEqual(named({ start: '2026-03-01', end: '2026-03-31', format: 'jsonl' }), [
    ...['plays-2026-03-01-to-2026-03-11.jsonl', 'application/jsonl; charset=utf-8', ''],
  ]);
  assert.equal(named({ start: '2026-04-01' })[0], 'plays-2026-04-01-to-2026-04-01.csv');
  assert.equal(named({ start: '2026-03-01', end: '2026-03-08T23:00Z' })[0], 'plays-2026-03-01-to-2026-03-08.csv');
});

test('a CSV export continues after the previous chunk, reads two chunks ahead, and uses three memory blocks', async () => {
  const { reports, asked, answers } = open();
  const next = (id: number) => ({ started_ms: id, id });
  const blocks: ArrayBuffer[] = [];
  const ends = [next(1), next(2), next(3), next(4), null];
  answers.csv = () => {
    const made = answer(`chunk ${blocks.length}\n`, { next: ends[blocks.length]! });
    blocks.push(made.block);
    return made;
  };
  const questions = asked as Extract<Task, { do: 'csv' }>[];
  const { chunks } = reports.export(OUR, DAY);
  let text = '';
  const made: number[] = [];
  for await (const chunk of chunks) {
    text += chunk.toString();
    // Lets pending requests for chunks run.
    for (let turn = 0; turn < 20; turn++) await undefined;
    made.push(questions.length);
  }
  assert.equal(text, 'chunk 0\nchunk 1\nchunk 2\nchunk 3\nchunk 4\n');
  assert.deepEqual(made, [3, 4, 5, 5, 5]);
  assert.deepEqual(
    questions.map(({ question: { cursor, limit, workspaceId } }) => [cursor, limit, workspaceId]),
    [undefined, next(1), next(2), next(3), next(4)].map((cursor) => [cursor, 2_000, 'our']),
  );
  assert.deepEqual(
    questions.map(({ block }) => block && blocks.indexOf(block)),
    [undefined, undefined, undefined, 0, 1],
  );
});

test('an export without a client requests no further chunk, and a failing export passes its error to the reader', async () => {
  const { reports, asked, answers } = open();
  let made = 0;
  answers.csv = () => answer(`chunk ${made++}\n`, { next: { started_ms: made, id: made } });
  const { chunks } = reports.export(OUR, DAY);
  await chunks.next();
  answers.csv = () => Promise.reject(new Error('stopped'));
  await chunks.next();
  await chunks.return(undefined);
  const before = asked.length;
  for (let turn = 0; turn < 50; turn++) await undefined;
  assert.ok(before <= 4 && asked.length === before, `${before}, ${asked.length}`);
  await assert.rejects(read(reports.export(OUR, DAY)), /stopped/);
});

test('exports are accepted up to the memory limit, and an export that ends or is abandoned makes room', async () => {
  const { reports, answers } = open();
  answers.csv = () => answer('x', { next: { started_ms: 1, id: 1 } });
  const running = Array.from({ length: 64 }, () => reports.export(OUR, DAY).chunks);
  for (const chunks of running) await chunks.next();
  const another = () => reports.export(OUR, DAY).chunks.next();
  const busy = { status: 503, retryAfter: 10, message: 'Too many exports are running' };
  for (const format of ['csv', 'jsonl', 'planned'] as const)
    await assert.rejects(reports.export(OUR, { ...DAY, format }).chunks.next(), busy);
  await running[0]!.return(undefined);
  assert.equal((await another()).done, false);
  await assert.rejects(another(), busy);
  answers.csv = () => Promise.reject(new Error('stopped'));
  // The two chunks before the failure are valid.
  await running[1]!.next();
  await running[1]!.next();
  await assert.rejects(running[1]!.next(), /stopped/);
  answers.csv = () => answer('x', { next: null });
  assert.equal(await read(reports.export(OUR, DAY)), 'x');
  assert.equal((await another()).done, false);
});

test('planned plays are counted and saved before the answer, and counted for this report alone when saving fails', async () => {
  const { reports, asked, answers, kept, deps } = open();
  const windows = ['[1]', '[2,3]'];
  const parts = windows.map(({ length }) => length);
  let left = ['[0]', windows.join('')];
  answers.count = () => {
    const text = left.shift();
    if (text === undefined) return answer('');
    return answer(text, { parts: text.startsWith('[0') ? [3] : parts });
  };
  answers.delivery = ({ as }) => answer(`as ${as}`);
  assert.equal(Buffer.from((await reports.delivery(OUR, DAY)).block).toString(), 'as json');
  assert.deepEqual(kept.splice(0), [[0], [1], [2, 3]]);
  const kinds = () => asked.splice(0).map((task) => task.do);
  const [counted, told] = [asked[0]!, asked.at(-1)!];
  assert.deepEqual(counted.question, told.question);
  assert.deepEqual(told.question, {
    ...{ workspaceId: 'our', zone: 'Europe/Berlin', now: NOW },
    ...{ start: Date.UTC(2026, 2, 8, 23), end: Date.UTC(2026, 2, 9, 23) },
  });
  assert.deepEqual(kinds(), ['count', 'count', 'count', 'delivery']);
  // The same part is requested again, so it was not saved.
  left = ['[0]', '[0]', '[0]'];
  assert.equal(await read(reports.export(OUR, { ...DAY, format: 'planned' })), 'as csv');
  assert.deepEqual([kinds(), kept], [['count', 'count', 'delivery'], [[0]]]);
  left = ['[0]', '[1]'];
  deps.keep = () => Promise.reject(new Error('full'));
  const full = new ReportsService(deps as unknown as ConstructorParameters<typeof ReportsService>[0]);
  await full.delivery(OUR, DAY);
  assert.deepEqual(kinds(), ['count', 'delivery']);
});

test('the PDF has the name, logo and colour of its brand, or the name of the workspace or store, and names its filters', async () => {
  const { reports, asked, answers, question } = open();
  answers.pdf = () => answer('%PDF');
  const query = { ...DAY, tag: 'mall', device_id: 'till' };
  const { filename, bytes } = await reports.paper(OUR, query);
  assert.deepEqual([filename, bytes.toString()], ['report-2026-03-09-to-2026-03-09.pdf', '%PDF']);
  assert.deepEqual(
    asked.map((task) => task.do),
    ['count', 'pdf'],
  );
  const { facts, logo, ...which } = question('pdf');
  assert.deepEqual(which, {
    ...{ workspaceId: 'our', deviceId: 'till', tag: 'mall', zone: 'Europe/Berlin', now: NOW },
    ...{ start: Date.UTC(2026, 2, 8, 23), end: Date.UTC(2026, 2, 9, 23) },
  });
  assert.deepEqual(
    [logo, facts],
    [
      undefined,
      {
        ...{ language: 'en', title: undefined, store: 'our', from: '2026-03-09', to: '2026-03-09', now: NOW },
        ...{
          zone: 'Europe/Berlin',
          filters: [
            { kind: 'device', names: ['till'] },
            { kind: 'tag', names: ['mall'] },
          ],
        },
      },
    ],
  );
  put(db, 'blobs', { sha256: 'abc' });
  db.raw.exec("UPDATE content SET thumbnail = 'abc' WHERE id = 'photo'");
  db.raw.prepare("UPDATE workspaces SET name = ?, logo_content_id = 'photo' WHERE id = 'our'").run(DEFAULT_WORKSPACE);
  await reports.paper(OUR, { ...DAY, language: 'de', title: 'Spring' });
  const second = question('pdf') as { facts: Record<string, unknown>; logo: string };
  assert.deepEqual(
    [second.logo, second.facts['store'], second.facts['language'], second.facts['title']],
    ['/media/abc', 'The store', 'de', 'Spring'],
  );
  db.raw
    .prepare("UPDATE workspaces SET brand = ? WHERE id = 'our'")
    .run(JSON.stringify({ name: 'Öztürk', primary: '#7A1F3D' }));
  await reports.paper(OUR, DAY);
  const branded = question('pdf') as { facts: Record<string, unknown> };
  assert.deepEqual([branded.facts['store'], branded.facts['color']], ['Öztürk', '#7A1F3D']);
});
