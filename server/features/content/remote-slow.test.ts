/** Tests hosts that send very slowly, and the copies behind them in the queue. */
import assert from 'node:assert/strict';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createRawServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { ownedSite, TestClock } from '../../../test/harness.ts';
import { must } from '../../../test/people.ts';
import { jpeg } from '../../../test/sample-media.ts';
import { until } from '../../../test/uploads.ts';
import { GuardedFetch } from '../../net/guarded-fetch.ts';
import { SsrfGuard } from '../../net/ssrf-guard.ts';

const DRIP_MS = 10;

const serve = async (t: TestContext, listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((up) => server.once('listening', up));
  t.after(() => server.close().closeAllConnections());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};
/** Announces a picture, and sends its bytes endlessly slowly. */
const drip = (t: TestContext, seen: { open: number; most: number }) => (_req: unknown, res: ServerResponse) => {
  seen.most = Math.max(seen.most, ++seen.open);
  res.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': 5_000_000 });
  const timer = setInterval(() => res.write('x'), DRIP_MS);
  t.after(() => clearInterval(timer));
  res.on('close', () => {
    clearInterval(timer);
    seen.open--;
  });
};

test('slow hosts occupy at most two workers each, lose them soon, and come after hosts that deliver', {
  timeout: 60_000,
}, async (t) => {
  const photo = await jpeg();
  const seen = Array.from({ length: 4 }, () => ({ open: 0, most: 0 }));
  const slow = await Promise.all(seen.map((one) => serve(t, drip(t, one))));
  const good = await serve(t, (_req, res) =>
    res.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': photo.length }).end(photo),
  );
  const clock = new TestClock();
  const { site, token } = await ownedSite(t, { clock, env: { VITRINE_ALLOWED_HOSTS: [...slow, good].join(',') } });
  const add = async (host: string, path: string) =>
    must(await site.call('POST', '/api/content/remote', { token, body: { url: `http://${host}${path}` } }), 201)
      .id as string;
  const contentOf = async (id: string) => must(await site.call('GET', `/api/content/${id}`, { token }));
  const copied = (id: string) =>
    until(
      () => contentOf(id),
      (c) => c.fetched_at !== null,
    );

  // Two slow hosts with many contents leave one worker free.
  const dripping: string[] = [];
  for (const host of slow.slice(0, 2)) for (let i = 0; i < 5; i++) dripping.push(await add(host, `/${i}.jpg`));
  assert.equal((await copied(await add(good, '/first.jpg'))).fetch_error, null);
  assert.deepEqual(
    seen.map(({ most }) => most),
    [2, 2, 0, 0],
  );

  // With more slow hosts than workers, the other hosts wait until the slow downloads time out.
  for (const host of slow.slice(2)) dripping.push(await add(host, '/0.jpg'));
  const behind = [await add(good, '/second.jpg'), await add(good, '/third.jpg')];
  await until(
    async () => seen[2]!.open,
    (open) => open === 1,
  );
  assert.equal((await contentOf(behind[0]!)).fetched_at, null);
  clock.advance(31_000);
  for (const id of behind) assert.equal((await copied(id)).fetch_error, null);
  assert.match((await copied(dripping[0]!)).fetch_error, /sends too slowly/);
  assert.ok(
    seen.every(({ most }) => most <= 2),
    'never more of one host',
  );
});

test('a host that sends its response headers byte by byte is abandoned after the answer timeout', {
  timeout: 30_000,
}, async (t) => {
  const server = createRawServer((socket) => {
    const timer = setInterval(() => socket.write('H'), DRIP_MS);
    socket.on('error', () => {}).on('close', () => clearInterval(timer));
    socket.write('HTTP/1.1 200 OK\r\nX-Long: ');
  }).listen(0, '127.0.0.1');
  await new Promise((up) => server.once('listening', up));
  t.after(() => server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fetcher = new GuardedFetch(new SsrfGuard({ allowedHosts: () => [host] }));
  await assert.rejects(fetcher.get(`http://${host}/`, { answerMs: 200, silenceMs: 5_000 }), /did not answer in 0\.2 s/);
});
