import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { tempFolder } from '../../../test/harness.ts';
import { openDatabase } from '../../db/open.ts';
import { KnownSubjectsStore } from './known-subjects.store.ts';
import { ReportNamesStore } from './report-names.store.ts';
import { type Answer, bytesOf, type Task } from './report-tasks.ts';
import { ReportThreads } from './report-threads.ts';
import { ReportsService } from './reports.service.ts';
import { openReader } from './testing/open-reader.ts';

const summary: Task = { do: 'summary', question: { workspaceId: 'w', start: 0, end: 1, zone: 'UTC' } };

const openThreads = (t: TestContext, more: { idleMs?: number; broken?: boolean } = {}) => {
  const file = join(tempFolder(t), 'vitrine.db');
  const db = openDatabase(file);
  const threads = new ReportThreads({
    file: more.broken ? `${file}.missing` : file,
    size: 1,
    ...(more.idleMs !== undefined && { idleMs: more.idleMs }),
  });
  t.after(async () => {
    await threads.stop();
    db.close();
  });
  threads.start();
  return { db, threads };
};

test('a single thread answers tasks one after the other', async (t) => {
  const { threads } = openThreads(t);
  const answers = await Promise.all(Array.from({ length: 10 }, () => threads.runTask(summary)));
  assert.equal(threads.running, 1);
  for (const answer of answers) assert.equal(JSON.parse(bytesOf(answer).toString()).overall.total_plays, 0);
});

test('a user’s task runs before waiting chunks of exports', async (t) => {
  const { threads } = openThreads(t);
  const order: string[] = [];
  const csv: Task = { do: 'csv', question: { workspaceId: 'w', start: 0, end: 1, limit: 10 } };
  await Promise.all([csv, csv, summary].map((task) => threads.runTask(task).then(() => order.push(task.do))));
  assert.deepEqual(order, ['csv', 'summary', 'csv']);
});

test('the next task is refused while 64 tasks are waiting', async (t) => {
  const { threads } = openThreads(t);
  const running = Array.from({ length: 65 }, () => threads.runTask(summary));
  await assert.rejects(threads.runTask(summary), { status: 503, retryAfter: 2 });
  await Promise.all(running);
});

test('an idle thread ends, and the next task starts a new thread', async (t) => {
  const { threads } = openThreads(t, { idleMs: 0 });
  await threads.runTask(summary);
  while (threads.running > 0) await new Promise((turn) => setTimeout(turn, 1));
  await threads.runTask(summary);
});

test('a failing thread fails its task, and the next task gets a new thread', async (t) => {
  const { threads } = openThreads(t, { broken: true });
  await assert.rejects(threads.runTask(summary), /unable to open/);
  await assert.rejects(threads.runTask(summary), /unable to open/);
  assert.equal(threads.running, 0);
});

test('waiting tasks are rejected when the server stops', async (t) => {
  const { threads } = openThreads(t);
  const waiting = [threads.runTask(summary), threads.runTask(summary)].map((question) =>
    assert.rejects(question, { status: 503 }),
  );
  await threads.stop();
  await Promise.all(waiting);
  await assert.rejects(threads.runTask(summary), { status: 503 });
});

test('64 exports run at once, and another is refused until one of them ends', async (t) => {
  const { db } = openThreads(t);
  const endless = {
    runTask: async (): Promise<Answer> => ({ block: new ArrayBuffer(8), length: 8, next: { started_ms: 1, id: 1 } }),
  };
  const reader = openReader(db.raw);
  const service = new ReportsService({
    known: new KnownSubjectsStore(db),
    names: new ReportNamesStore(db),
    fileOf: () => '',
    server: () => 'Store',
    reader,
    threads: endless,
    keep: async () => {},
    signer: { publicKey: '', sign: () => '' },
    clock: { now: () => 0 },
    zone: () => 'UTC',
  });
  const actor = { workspaceId: 'w' } as Parameters<ReportsService['export']>[0];
  const running = Array.from({ length: 64 }, () => service.export(actor, {}).chunks);
  for (const chunks of running) assert.equal((await chunks.next()).done, false);
  await assert.rejects(service.export(actor, {}).chunks.next(), { status: 503, retryAfter: 10 });
  await running[0]!.return(undefined);
  assert.equal((await service.export(actor, {}).chunks.next()).done, false);
});
