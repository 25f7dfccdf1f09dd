import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Program } from '../../../shared/program/program.ts';
import { FakeTime, item, MemoryDocuments, MemoryLog, programOf, settle, sha256 } from '../testing/fakes.ts';
import { WidgetData } from './widget-data.ts';

const MINUTE = 60_000;
const widget = (data_url: string) => item(null, { data_url });
const following = (...urls: string[]): Program => programOf([], urls.map(widget)).program;

function start() {
  const [time, log, documents] = [new FakeTime(), new MemoryLog(), new MemoryDocuments()];
  const asked: string[] = [];
  const server = {
    body: '{"n":1}',
    status: 200,
    etag: '"1"' as string | null,
    signal: undefined as AbortSignal | undefined,
  };
  const widgets = new WidgetData({
    documents,
    crypto: { sha256 },
    time,
    log,
    get: async (path, headers, signal) => {
      server.signal = signal;
      asked.push([path, ...Object.entries(headers).flat()].join(' '));
      if (server.status === 0) throw new Error('unreachable');
      const { status, etag, body } = server;
      const bytes = Buffer.from(body);
      return {
        status,
        header: (name) => (name === 'etag' ? etag : null),
        body: (async function* () {
          for (let at = 0; at < bytes.length; at += 500_001) yield bytes.subarray(at, at + 500_001);
        })(),
      };
    },
  });
  return { time, log, documents, asked, server, widgets };
}

test("data of the program's widgets is fetched at once, and only this data is returned", async () => {
  const { widgets, asked } = start();
  const program: Program = {
    ...following('/a', '/a', 'http://elsewhere/x'),
    base: { layout_id: null, playlist_id: null, item: widget('/base'), source: 'device' },
    fallback: widget('/fallback'),
    schedules: [{ item: widget('/schedule') } as Program['schedules'][number]],
  };
  await widgets.follow(program);
  assert.deepEqual(asked.toSorted(), ['/a', '/base', '/fallback', '/schedule']);
  assert.equal(await widgets.find('/a'), '{"n":1}');
  assert.equal(await widgets.find('/other'), undefined);
  await widgets.follow(program);
  await widgets.follow(following('/a', '/base'));
  assert.equal(asked.length, 4, 'there is nothing new in it');
  await widgets.follow(following('/a', '/b'));
  assert.deepEqual(asked.slice(4), ['/a If-None-Match "1"', '/b']);
});

test('changed data is requested every minute, and an empty or invalid answer keeps the last data', async () => {
  const { widgets, asked, server, time, documents, log } = start();
  await widgets.follow(following('/a'));
  widgets.start();
  await time.advance(MINUTE - 1);
  assert.equal(asked.length, 1);
  for (const [status, body] of [
    [304, ''],
    [500, '{"error":1}'],
    [200, '{'],
    [200, `"${'x'.repeat(2 * 1024 * 1024 - 1)}"`],
    [0, ''],
  ] as const) {
    Object.assign(server, { status, body });
    await time.advance(MINUTE);
    assert.equal(await widgets.find('/a'), '{"n":1}');
  }
  assert.deepEqual(asked.slice(1), Array(5).fill('/a If-None-Match "1"'));
  const most = `"${'ä'.repeat(1024 * 1024 - 1)}"`;
  Object.assign(server, { status: 200, body: most, etag: null });
  await time.advance(MINUTE);
  assert.equal(await widgets.find('/a'), most);
  await time.advance(MINUTE);
  assert.equal(asked.at(-1), '/a', 'without a name of what it has it is asked for all');
  documents.all.set(sha256('/a'), 'cut');
  assert.equal(await widgets.find('/a'), undefined);
  assert.match(log.lines.join(), /kept widget data were damaged/);
  widgets.stop();
  assert.deepEqual([time.waits, server.signal?.aborted], [0, true]);
});

test('data of at most 200 widgets is fetched, and a failed request does not delay the others', async () => {
  const { widgets, asked, documents } = start();
  const { write } = documents;
  documents.write = (name, text) =>
    name === sha256('/1') ? Promise.reject(new Error('disk full')) : write.call(documents, name, text);
  await widgets.follow(following(...Array.from({ length: 201 }, (_, i) => `/${i}`)));
  assert.deepEqual([asked.length, documents.all.size], [200, 199]);
});

test('unpairing removes the data of all widgets', async () => {
  const { widgets, documents, asked } = start();
  await widgets.follow(following('/a', '/b'));
  await widgets.follow(null);
  await settle();
  assert.deepEqual([documents.all.size, await widgets.find('/a'), asked.length], [0, undefined, 2]);
  await widgets.follow(following('/a'));
  assert.equal(asked.length, 3);
});
