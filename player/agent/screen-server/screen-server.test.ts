import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { FakeTime, MemoryLog } from '../../core/testing/fakes.ts';
import { digest } from '../testing/fake-server.ts';
import { folderFor } from '../testing/folder.ts';
import { rawStatus } from '../testing/screen-side.ts';
import { EventStream } from './event-stream.ts';
import { ScreenServer } from './screen-server.ts';
import { mostAtOnce, rangeOf } from './send-file.ts';

async function rig(t: TestContext) {
  const folder = folderFor(t);
  const files = new Map<string, string>();
  const log = new MemoryLog();
  const server = new ScreenServer({
    token: 'token',
    pages: folder,
    events: new EventStream({ time: new FakeTime(), attached: () => {}, run: 'run' }),
    log,
    now: () => 0,
    wallRefresh: () => null,
    report: async () => {},
    pageLoaded: async () => {},
    asset: (sha256) => {
      const mime = files.get(sha256);
      return mime === undefined ? undefined : { asset: { sha256, size: 0, mime }, path: join(folder, sha256) };
    },
    widgetData: async () => undefined,
  });
  const url = await server.start();
  t.after(() => server.stop());
  const add = (bytes: Buffer, mime: string): string => {
    const sha256 = digest(Buffer.concat([bytes, Buffer.from(mime)]));
    writeFileSync(join(folder, sha256), bytes);
    files.set(sha256, mime);
    return `${url}assets/${sha256}`;
  };
  return { url, add, log };
}

test('clip is sent in parts with correct ranges, which together are the whole file', async (t) => {
  const { add } = await rig(t);
  const bytes = randomBytes(4_000_000);
  const clip = add(bytes, 'video/mp4');
  const parts: Buffer[] = [];
  for (let from = 0; from < bytes.length; from = Buffer.concat(parts).length) {
    const answer = await fetch(clip, { headers: { Range: `bytes=${from}-` } });
    const part = Buffer.from(await answer.arrayBuffer());
    assert.equal(answer.status, 206);
    assert.equal(answer.headers.get('content-range'), `bytes ${from}-${from + part.length - 1}/${bytes.length}`);
    assert.equal(answer.headers.get('content-length'), String(part.length));
    assert.ok(part.length <= mostAtOnce('video/mp4'));
    parts.push(part);
  }
  assert.ok(parts.length > 2);
  assert.ok(Buffer.concat(parts).equals(bytes));
  assert.equal(
    (await (await fetch(clip)).arrayBuffer()).byteLength,
    bytes.length,
    'who asks for no range gets all of it',
  );
});

test('file that is no clip is sent in the requested range, without a limit', async (t) => {
  const { add } = await rig(t);
  const bytes = randomBytes(4_000_000);
  for (const mime of ['application/pdf', 'image/png']) {
    const answer = await fetch(add(bytes, mime), { headers: { Range: 'bytes=1-' } });
    assert.equal((await answer.arrayBuffer()).byteLength, bytes.length - 1, mime);
  }
});

test('rangeOf parses a range as RFC 9110 defines it, and ends the range at the maximum length', () => {
  assert.deepEqual(rangeOf('bytes=0-', 100), { start: 0, end: 99 });
  assert.deepEqual(rangeOf('bytes=0-', 100, 30), { start: 0, end: 29 });
  for (const end of ['', '199']) assert.deepEqual(rangeOf(`bytes=90-${end}`, 100, 30), { start: 90, end: 99 });
  assert.deepEqual(rangeOf('bytes=10-19', 100, 30), { start: 10, end: 19 });
  assert.deepEqual(rangeOf('bytes=-50', 100, 30), { start: 50, end: 79 });
  for (const beyond of ['bytes=100-', 'bytes=20-10', 'bytes=-0'])
    assert.equal(rangeOf(beyond, 100, 30), 'beyond', beyond);
  for (const whole of [undefined, '', 'bytes=-', 'bytes=0-1,5-6', 'lines=0-1'])
    assert.equal(rangeOf(whole, 100, 30), undefined, whole);
});

test('screen server answers only requests for its own host name and port', async (t) => {
  const { url } = await rig(t);
  const { port, host, pathname } = new URL(url);
  assert.equal(await rawStatus(url, { path: `${pathname}clock?t0=1`, host }), 200);
  for (const name of [
    'evil.example',
    `evil.example:${port}`,
    `localhost:${port}`,
    `clip.localhost:${port}`,
    '127.0.0.1',
    `127.0.0.1:${port}.evil.example`,
    `[::1]:${port}`,
  ])
    assert.equal(await rawStatus(url, { path: `${pathname}clock?t0=1`, host: name }), 421, name);
});

test('request with a malformed path is refused without an error in the log', async (t) => {
  const { url, log } = await rig(t);
  for (const path of ['//', '//:0/', 'http://[/']) assert.equal(await rawStatus(url, { path }), 400, path);
  assert.equal(await rawStatus(url, { path: '//token/' }), 404);
  assert.deepEqual(log.lines, []);
});
