import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import { programOf } from '../core/testing/fakes.ts';
import { agentRig } from './testing/agents.ts';
import { ended, report, shown } from './testing/plays.ts';
import { playing, rawStatus, stateAt } from './testing/screen-side.ts';

test('new player is claimed, downloads the program, serves it to the screen and delivers plays once', async (t) => {
  const { site, boot, publish } = await agentRig(t);
  const { id, program } = publish('one', 'two');
  const { url } = await boot();
  await stateAt(url, playing(id));
  const [asset] = program.assets;
  const picture = await fetch(`${url}assets/${asset?.sha256}`);
  assert.equal(await picture.text(), 'one');
  assert.equal(picture.headers.get('content-type'), 'image/png');
  const part = await fetch(`${url}assets/${asset?.sha256}`, { headers: { Range: 'bytes=1-1' } });
  assert.deepEqual([part.status, await part.text(), part.headers.get('content-range')], [206, 'n', 'bytes 1-1/3']);

  const { t1 } = (await (await fetch(`${url}clock?t0=1`)).json()) as { t1: number };
  assert.ok(Math.abs(t1 - Date.now()) < 1_000);
  const turn = [shown('x', t1, 100), ended('x', t1 + 100)];
  for (let repeat = 0; repeat < 2; repeat++) assert.equal((await report(url, turn)).status, 204);
  const plays = await site.heard('plays', (message) => message.type === 'plays');
  assert.ok(plays.type === 'plays' && plays.first === 1 && plays.plays.length === 1);
  const { started_at = 0, ended_at = 0 } = plays.plays[0] ?? {};
  // A busy machine may have improved its estimate of the server's clock. Then the open play was shifted with the clock
  // and kept its duration.
  assert.ok(
    Math.abs(ended_at - started_at - 100) <= 1 && Math.abs(ended_at - t1 - 100) < 1_000,
    `${started_at} to ${ended_at}, said at ${t1}`,
  );
  await site.heard(
    'telemetry',
    (message) => message.type === 'heartbeat' && typeof message.telemetry?.ram_total_mb === 'number',
  );
});

test('restarted player without a server has its program and keeps its plays on disk', async (t) => {
  const { site, boot, publish } = await agentRig(t);
  const { id, program } = publish('one');
  const first = await boot();
  await stateAt(first.url, playing(id));
  await first.agent.stop();
  await site.stop();
  const second = await boot();
  assert.ok(playing(id)(await stateAt(second.url, () => true)));
  assert.equal(await (await fetch(`${second.url}assets/${program.assets[0]?.sha256}`)).text(), 'one');
  assert.notEqual(second.url, first.url);
});

test('player refuses to start if another player uses its data folder', async (t) => {
  const { boot } = await agentRig(t);
  await boot();
  await assert.rejects(boot(), /another player is already running/);
});

test('screen server answers only its own page below the secret path', async (t) => {
  const { boot, publish, data } = await agentRig(t);
  const { id } = publish('one');
  const { url } = await boot();
  await stateAt(url, playing(id));
  const { origin, pathname } = new URL(url);
  const statusOf = async (target: string, init: RequestInit = {}) => (await fetch(target, init)).status;

  const page = await fetch(url);
  assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self';.*frame-ancestors 'none'/);
  assert.equal(await statusOf(`${url}assets/index-abc.js`), 200);
  for (const path of [
    '/',
    '/index.html',
    `${pathname.slice(0, -2)}/`,
    `${pathname}nothing.js`,
    `${pathname}.hidden`,
    `${pathname}assets/${'0'.repeat(64)}`,
    `${pathname}state/identity.json`,
  ])
    assert.equal(await statusOf(`${origin}${path}`), 404, path);
  for (const climb of [
    '../../data/state/identity.json',
    '%2e%2e/%2e%2e/data/state/identity.json',
    'assets/../../data/lock.db',
    '..%5c..%5cdata',
    'a/%00',
  ])
    assert.equal(await rawStatus(url, { path: `${pathname}${climb}` }), 404, climb);
  assert.equal(await rawStatus(url, { path: pathname, host: 'evil.example' }), 421, 'DNS rebinding');
  assert.equal(await statusOf(url, { method: 'DELETE' }), 405);

  // Simulates a web page in a zone that knows the secret path.
  for (const path of ['events', 'clock', 'widget-data?path=/', 'page-problem?address=http://127.0.0.1/'])
    assert.equal(await statusOf(`${url}${path}`, { headers: { 'Sec-Fetch-Site': 'cross-site' } }), 403, path);
  assert.equal((await report(url, [], { Origin: 'null' })).status, 403);
  assert.equal(
    await statusOf(`${url}report`, { method: 'POST', body: '[]', headers: { 'content-type': 'text/plain' } }),
    415,
  );
  assert.equal((await report(url, [{ type: 'alive' }])).status, 400);
  assert.equal(
    await statusOf(`${url}report`, {
      method: 'POST',
      body: ' '.repeat(600_000),
      headers: { 'content-type': 'application/json' },
    }),
    413,
  );
  assert.equal(await statusOf(`${url}widget-data?path=${encodeURIComponent('/api/devices')}`), 404);
  assert.ok(readdirSync(data).includes('journal.db'));
});

test('pages that are assets run in an opaque origin', async (t) => {
  const { site, boot } = await agentRig(t);
  const asset = site.addAsset(Buffer.from('<script>1</script>'), 'text/html');
  const id = site.publish(programOf([asset]).program);
  const { url } = await boot();
  await stateAt(url, playing(id));
  const answer = await fetch(`${url}assets/${asset.sha256}`);
  assert.match(answer.headers.get('content-security-policy') ?? '', /^sandbox allow-scripts(?!.*allow-same-origin)/);
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
});

test('widget data is fetched for the program and kept while the server is down', async (t) => {
  const { site, boot } = await agentRig(t);
  const { program } = programOf([]);
  const [playlist] = programOf([site.addAsset(Buffer.from('<p>'), 'text/html')]).program.playlists;
  const item = playlist?.items[0];
  assert.ok(playlist && item);
  site.files.set('/api/widgets/w/data', { bytes: Buffer.from('{"items":[1]}'), mime: 'application/json' });
  const id = site.publish({
    ...program,
    playlists: [{ ...playlist, items: [{ ...item, asset: null, data_url: '/api/widgets/w/data' }] }],
  });
  const { url, agent } = await boot();
  await stateAt(url, playing(id));
  const data = `widget-data?path=${encodeURIComponent('/api/widgets/w/data')}`;
  const answered = await until('the data are there', 10_000, async () => {
    const answer = await fetch(`${url}${data}`);
    return answer.ok && answer.json();
  });
  assert.deepEqual(answered, { items: [1] });
  await agent.stop();
  await site.stop();
  const again = await boot();
  assert.deepEqual(await (await fetch(`${again.url}${data}`)).json(), { items: [1] });
});
