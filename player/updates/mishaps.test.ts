import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { folderFor } from '../agent/testing/folder.ts';
import { RemoteLog } from '../core/journal/remote-log.ts';
import { FakeTime, MemoryDocuments, MemoryLog, settle } from '../core/testing/fakes.ts';
import { mishapCounter, readMishaps, reportIncidents } from './mishaps.ts';

const scene = (t: TestContext) => {
  const path = join(folderFor(t), 'mishaps.json');
  const log = new MemoryLog();
  const [count, documents, time] = [mishapCounter({ path, now: () => 7, log }), new MemoryDocuments(), new FakeTime()];
  const server = { isThere: true, heard: [] as string[] };
  const newRemote = () =>
    new RemoteLog({
      time,
      send: (message) => server.isThere && message.type === 'log' && server.heard.push(message.message) > 0,
    });
  let remote = newRemote();
  /** Reports the incidents to a fake server, as an agent does at each start. */
  const tell = async () => {
    remote = newRemote();
    await reportIncidents({
      path,
      documents,
      tell: (message, sent) => remote.send('error', message, undefined, sent),
      log,
    });
    await time.advance(10_000);
    await settle();
    return server.heard.splice(0);
  };
  return { path, log, count, tell, server, flush: () => remote.flush(), time };
};

test('server receives each incident once, and incidents of one kind together in one sentence', async (t) => {
  const { count, tell } = scene(t);
  assert.deepEqual(await tell(), []);
  for (let i = 0; i < 3; i++) await count({ kind: 'crash', version: '2.0.0', why: `it ended with ${i}` });
  await count({ kind: 'given-up', version: '2.0.0', why: 'it ended again and again' });
  assert.deepEqual(await tell(), [
    'the screen’s program, version 2.0.0, crashed 3 times: it ended with 2 (until now 3 crashes and 0 hangs)',
    'version 2.0.0 was given up for the one before it: it ended again and again',
  ]);
  assert.deepEqual(await tell(), []);
  await count({ kind: 'hang', version: '1.0.0', why: 'it gave no sign of life' });
  assert.deepEqual(await tell(), [
    'the screen’s program, version 1.0.0, hung: it gave no sign of life (until now 3 crashes and 1 hangs)',
  ]);
});

test('server that was unreachable receives the incident when it is reachable again', async (t) => {
  const { count, tell, server, flush, time } = scene(t);
  server.isThere = false;
  await count({ kind: 'crash', version: '1.0.0', why: 'it ended with 0' });
  assert.deepEqual(await tell(), []);
  server.isThere = true;
  flush();
  await time.advance(5_000);
  assert.equal(server.heard.length, 1);
});

test('incident whose message was not sent is sent again', async (t) => {
  const { count, tell, server } = scene(t);
  await count({ kind: 'crash', version: '1.0.0', why: 'it ended with 0' });
  server.isThere = false;
  await tell();
  server.isThere = true;
  assert.equal((await tell()).length, 1);
});

test('file of incidents has a maximum size, and a damaged file is replaced', async (t) => {
  const { path, log, count, tell } = scene(t);
  for (let i = 0; i < 50; i++) await count({ kind: 'crash', version: '1.0.0', why: 'x'.repeat(1_000) });
  const { count: all, crashes, last } = await readMishaps(path);
  assert.deepEqual([all, crashes, last.length], [50, 50, 20]);
  assert.equal((await tell()).length, 1);
  writeFileSync(path, '{"count":');
  await count({ kind: 'crash', version: '1.0.0', why: 'y' });
  assert.deepEqual([(await readMishaps(path)).count, (await tell()).length], [1, 1]);
  assert.deepEqual(log.lines, []);
});
