/** Headquarters and stores, each a real server: enrolled by a code, visible, and every play proved exactly once. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ChainVerdict } from '../../server/cli/hq/verify-chain.ts';
import { verify } from '../../server/cli/verify.ts';
import { loadIdentity } from '../../server/identity.ts';
import { HttpsConnection, meet, requestOnce } from '../../server/store-link/connection/https-connection.ts';
import { enrolmentAsk } from '../../server/store-link/testing/store.ts';
import { idInCampaign } from '../../shared/chain/campaign-ids.ts';
import { PRESENCE_MS } from '../../shared/chain/wire.ts';
import type { CampaignBody } from '../../shared/contract/headquarters/campaigns.ts';
import type { ChainPlay } from '../../shared/contract/headquarters/stores.ts';
import { TestClock, tempFolder } from '../harness.ts';
import { must } from '../people.ts';
import { until } from '../until.ts';
import { enrol, openHq, openScreen, openStore, type Server } from './rig.ts';

const WAIT_MS = 20_000;

/** Makes a store send pending data now, and waits until headquarters has all of it. */
const told = async (store: Server): Promise<void> => {
  await until('headquarters has everything', WAIT_MS, async () => {
    store.site.app.chain.hurry();
    const { link } = await store.get('/api/chain');
    return link.line === 'up' && link.waiting === 0;
  });
};

const totals = async (hq: Server, query = '') => hq.get(`/api/stores/plays/totals?${query}`);
const sums = async (hq: Server, by: string, query = ''): Promise<[string, number][]> =>
  (await hq.get(`/api/stores/plays/sums?by=${by}&${query}`)).map(({ name, plays }: { name: string; plays: number }) => [
    name,
    plays,
  ]);

const exported = async (hq: Server, query: string): Promise<Buffer> => {
  const response = await fetch(`${hq.site.origin}/api/stores/plays/export?${query}`, {
    headers: { Authorization: `Bearer ${hq.owner.token}` },
  });
  assert.equal(response.status, 200);
  return Buffer.from(await response.arrayBuffer());
};

const campaignBody: CampaignBody = {
  ...{ name: '', note: '', rank: 'must', playlist_id: null, layout_id: null, whole_screen: true },
  ...{ start_time: '2026-01-01T00:00:00', end_time: '2036-01-01T00:00:00', recurrence: null, recurrence_end: null },
  ...{ begins: 'whole', where: { regions: [], tags: [], store_ids: [] }, screen_tags: [], slots: [] },
};

const verdictOn = async (t: TestContext, file: Buffer): Promise<ChainVerdict> => {
  const path = join(tempFolder(t), 'report.vitrine-chain');
  writeFileSync(path, file);
  const { result } = await verify.run(
    { names: [path], text: () => undefined, isSet: () => false, data: '' },
    { json: true, print: () => {} },
  );
  return result as ChainVerdict;
};

test('two stores enrol by code, and headquarters reports each play of their screens once and as proved', async (t) => {
  const hq = await openHq(t);
  const [mill, dock] = [await openStore(t), await openStore(t)];
  const till = await openScreen(t, mill, 'Till');
  const door = await openScreen(t, dock, 'Door');
  await till.show(3);
  const millId = await enrol(hq, mill, { name: 'Mill', region: 'North', tags: ['bakery'] });
  await enrol(hq, dock, { name: 'Dock', region: 'South' });
  await till.show(40);
  await door.show(35, 'Bread.jpg');
  await told(mill);
  await told(dock);
  await till.show(2, 'Bread.jpg');
  await told(mill);

  assert.deepEqual(await sums(hq, 'store'), [
    ['Mill', 45],
    ['Dock', 35],
  ]);
  assert.deepEqual(await sums(hq, 'content'), [
    ['Sale.jpg', 43],
    ['Bread.jpg', 37],
  ]);
  assert.deepEqual(await sums(hq, 'region'), [
    ['North', 45],
    ['South', 35],
  ]);
  assert.deepEqual(await sums(hq, 'screen'), [
    ['Till', 45],
    ['Door', 35],
  ]);
  assert.deepEqual(await sums(hq, 'content', 'tag=bakery'), [
    ['Sale.jpg', 43],
    ['Bread.jpg', 2],
  ]);
  assert.deepEqual(await sums(hq, 'store', 'content=bread.jpg'), [
    ['Dock', 35],
    ['Mill', 2],
  ]);
  assert.equal(
    (await sums(hq, 'day')).reduce((all, [, plays]) => all + plays, 0),
    80,
  );
  const { behind, ...rest } = await totals(hq);
  assert.deepEqual(rest, { plays: 80, seconds: 800, stores: 2, screens: 2, contents: 2 });
  assert.deepEqual(behind, []);

  const newest = await hq.get('/api/stores/plays?limit=50');
  assert.equal(newest.length, 50);
  const starts = newest.map((play: { started_ms: number }) => play.started_ms);
  assert.deepEqual(
    starts,
    starts.toSorted((a: number, b: number) => b - a),
  );
  const [first] = await hq.get('/api/stores/plays?limit=1&content=bread.jpg&region=North');
  assert.deepEqual([first.store_name, first.device_name, first.content_name], ['Mill', 'Till', 'Bread.jpg']);
  const csv = (await exported(hq, `store_id=${millId}`)).toString().trimEnd().split('\n');
  assert.equal(csv.length, 1 + 45);
  assert.match(csv[1]!, /^Mill,North,Till,Sale\.jpg,/);
  assert.match((await exported(hq, 'format=sums&by=store')).toString(), /Mill,Mill,45,450,1,1/);

  const verdict = await verdictOn(t, await exported(hq, 'format=proof'));
  assert.deepEqual(verdict.problems, []);
  assert.equal(verdict.plays, 80);
  assert.equal(verdict.server, hq.site.app.identity.fingerprint);
  assert.deepEqual(
    verdict.stores.map(({ name, fingerprints }) => [name, fingerprints]),
    [
      ['Dock', [dock.site.app.identity.fingerprint]],
      ['Mill', [mill.site.app.identity.fingerprint]],
    ],
  );
  for (const { screens } of verdict.stores) for (const { signed } of screens) assert.ok(signed >= 32, `${signed}`);
});

test('plays of campaigns are summed, listed and exported by campaign, under present and former campaign names', async (t) => {
  const hq = await openHq(t);
  const mill = await openStore(t);
  const till = await openScreen(t, mill, 'Till');
  await enrol(hq, mill, { name: 'Mill', region: 'North' });
  const campaign = async (name: string): Promise<string> =>
    must(await hq.call('POST', '/api/campaigns', { ...campaignBody, name }), 201).id;
  const [advent, spring] = [await campaign('Advent'), await campaign('Spring')];
  await till.show(4);
  await till.show(3, 'Star.jpg', idInCampaign(advent, 'playlist'));
  // The store has put this content into a slot of the campaign, a place that stores fill themselves.
  await till.show(2, 'Sale.jpg', idInCampaign(advent, 'playlist'));
  await till.show(1, 'Star.jpg', idInCampaign(spring, '0123456789abcdef'));
  await told(mill);
  must(await hq.call('PUT', `/api/campaigns/${advent}`, { name: '=Advent, late' }));
  must(await hq.call('DELETE', `/api/campaigns/${spring}`));

  assert.deepEqual(await sums(hq, 'campaign'), [
    ['=Advent, late', 5],
    ['', 4],
    ['Spring', 1],
  ]);
  assert.deepEqual(await sums(hq, 'content'), [
    ['Sale.jpg', 6],
    ['Star.jpg', 4],
  ]);
  for (const by of ['region', 'screen', 'store'])
    assert.deepEqual((await sums(hq, by, `campaign_id=${advent}`))[0]![1], 5, by);
  assert.deepEqual(await sums(hq, 'content', `campaign_id=${advent}&content=star.jpg`), [['Star.jpg', 3]]);
  const { plays, screens, contents } = await totals(hq, `campaign_id=${advent}`);
  assert.deepEqual([plays, screens, contents], [5, 1, 2]);
  assert.equal((await totals(hq, 'campaign_id=nothing')).plays, 0);

  const listed = await hq.get(`/api/stores/plays?campaign_id=${spring}`);
  assert.deepEqual(
    listed.map((play: ChainPlay) => [play.content_name, play.campaign_id, play.campaign_name]),
    [['Star.jpg', spring, 'Spring']],
  );
  assert.equal((await hq.get('/api/stores/plays?content=sale.jpg')).at(-1).campaign_id, null);
  const csv = (await exported(hq, '')).toString().trimEnd().split('\n');
  assert.match(csv[0]!, /,Completed,Campaign$/);
  const last = csv.slice(1).map((line) => line.split(/,(?:Yes|No),/)[1]);
  assert.deepEqual(
    last,
    [
      ['', 4],
      [`"'=Advent, late"`, 5],
      ['Spring', 1],
    ].flatMap(([name, count]) => Array(Number(count)).fill(name)),
  );
  assert.match((await exported(hq, 'format=sums&by=campaign')).toString(), /"'=Advent, late",,5,50,1,1/);
});

test('headquarters shows connection, screens and version of its stores, and keeps the plays of a store that has left', async (t) => {
  const hq = await openHq(t);
  const mill = await openStore(t);
  const till = await openScreen(t, mill, 'Till');
  const id = await enrol(hq, mill, { name: 'Mill' });
  await till.show(5);
  await told(mill);
  const store = await hq.get(`/api/stores/${id}`);
  assert.equal(store.line, 'up');
  assert.deepEqual([store.screens_total, store.screens_online], [1, 1]);
  assert.equal(store.fingerprint, mill.site.app.identity.fingerprint);
  assert.equal(typeof store.version, 'string');
  assert.ok(store.disk_total_bytes > 0 && Math.abs(store.clock_seconds) < 2);
  const counts = await hq.get('/api/stores/counts');
  assert.deepEqual([counts.stores, counts.line.up, counts.screens_online], [1, 1, 1]);
  // Headquarters answers 304 while the map is unchanged, however often stores report their state.
  must(await hq.call('PUT', `/api/stores/${id}`, { latitude: 52.52, longitude: 13.405 }));
  const map = (tag: string) => hq.call('GET', '/api/stores/places', undefined, { 'If-None-Match': tag });
  const drawn = await map('""');
  assert.deepEqual([drawn.status, drawn.body.places[0].line], [200, 'up']);
  const tag = drawn.headers.get('etag')!;
  await told(mill);
  assert.equal((await map(tag)).status, 304);

  must(await mill.call('DELETE', '/api/chain'));
  assert.equal((await mill.get('/api/chain')).link, null);
  assert.equal((await hq.get(`/api/stores/${id}`)).line, 'left');
  const drawnAnew = await map(tag);
  assert.deepEqual([drawnAnew.status, drawnAnew.body.places[0].line], [200, 'left']);
  await till.show(2);
  assert.equal((await totals(hq)).plays, 5);
  const said = (await hq.get('/api/activity')).map(({ action }: { action: string }) => action);
  assert.ok(said.includes('store.enrolled') && said.includes('store.left'));
  const there = (await mill.get('/api/activity')).map(({ action }: { action: string }) => action);
  assert.ok(there.includes('chain.enrolled') && there.includes('chain.left'));

  // The store enrols again, and only new plays are counted.
  const { code } = must(await hq.call('POST', `/api/stores/${id}/code`), 201);
  must(await mill.call('POST', '/api/chain', { address: `127.0.0.1:${hq.httpsPort}`, code }), 201);
  await told(mill);
  assert.equal((await totals(hq)).plays, 7);
});

test('headquarters that lost its folder of plays reports the loss, and still has the sums', async (t) => {
  const hq = await openHq(t);
  const mill = await openStore(t);
  const till = await openScreen(t, mill, 'Till');
  await enrol(hq, mill, { name: 'Mill' });
  await till.show(4);
  await told(mill);
  rmSync(join(hq.site.data, 'chain'), { recursive: true });
  assert.equal((await totals(hq)).plays, 4);
  for (const path of ['', '/export', '/export?format=proof']) {
    const { status, body } = await hq.call('GET', `/api/stores/plays${path}`);
    assert.deepEqual([status, /The single plays of Mill are not on this computer/.test(body.error)], [503, true], path);
  }
  assert.equal((await hq.call('GET', '/api/stores/plays/export?format=sums')).status, 200);
  // Headquarters stores new plays again.
  await till.show(1);
  await told(mill);
  assert.equal((await totals(hq)).plays, 5);
});

test('store sends nothing when a headquarters with another key answers at the same address', async (t) => {
  const hq = await openHq(t);
  const mill = await openStore(t);
  await enrol(hq, mill, { name: 'Mill' });
  await told(mill);
  await hq.site.app.stop();
  const impostor = await openHq(t, { httpsPort: hq.httpsPort });
  const { id } = must(await impostor.call('POST', '/api/stores', { name: 'Mill' }), 201);
  const link = await until('somebody else is noticed', WAIT_MS, async () => {
    mill.site.app.chain.hurry();
    const { link: now } = await mill.get('/api/chain');
    return now.incidents.length > 0 && now;
  });
  assert.equal(link.line, 'down');
  assert.match(link.trouble, /is not the expected headquarters/);
  assert.deepEqual(
    link.incidents.map(({ kind }: { kind: string }) => kind),
    ['headquarters_unproved'],
  );
  assert.equal((await impostor.get(`/api/stores/${id}`)).line, 'new');
});

test('store whose clock is wrong by years stays connected and sends its plays, and both sides report the clock', async (t) => {
  const hq = await openHq(t);
  const clock = new TestClock(Date.now() + 2 * 365 * 86_400_000);
  const mill = await openStore(t, { clock });
  const id = await enrol(hq, mill, { name: 'Mill' });
  await until('it is heard', WAIT_MS, async () => {
    mill.site.app.chain.hurry();
    return (await hq.get(`/api/stores/${id}`)).incidents > 0;
  });
  const store = await hq.get(`/api/stores/${id}`);
  assert.equal(store.line, 'up');
  assert.ok(store.troubles.includes('clock_apart'));
  const [incident] = await hq.get(`/api/stores/${id}/incidents`);
  assert.match(incident.details, /clocks of this server and of headquarters differ by \d+ hours/);
});

test('stores trust a new certificate of headquarters by the key of headquarters, and continue to send plays', async (t) => {
  const hq = await openHq(t, { data: tempFolder(t) });
  const mill = await openStore(t);
  const till = await openScreen(t, mill, 'Till');
  await enrol(hq, mill, { name: 'Mill' });
  await told(mill);
  const pinned = () => mill.site.app.db.raw.prepare('SELECT certificate FROM chain_links').pluck().get();
  const before = pinned();
  await hq.site.app.stop();
  const keys = join(hq.site.data, 'keys');
  for (const name of readdirSync(keys)) if (/^(ca|https)/.test(name)) rmSync(join(keys, name));
  const again = await openHq(t, { data: hq.site.data, httpsPort: hq.httpsPort, as: hq.owner });
  await till.show(3);
  await told(mill);
  assert.equal((await totals(again)).plays, 3);
  assert.notEqual(pinned(), before);
  assert.deepEqual((await mill.get('/api/chain')).link.incidents, []);
});

test('server that is no headquarters lists no stores, and a server outside a chain says that it is in none', async (t) => {
  const store = await openStore(t);
  for (const path of ['/api/stores', '/api/stores/counts', '/api/stores/plays'])
    assert.equal((await store.call('GET', path)).status, 404, path);
  const { link, fingerprint } = await store.get('/api/chain');
  assert.deepEqual([link, fingerprint], [null, store.site.app.identity.fingerprint]);
  assert.equal((await store.call('DELETE', '/api/chain')).status, 404);
  assert.equal((await store.call('GET', '/api/auth/me')).body.headquarters, false);
});

test('headquarters keeps an idle connection open for more than twice the interval of a store’s reports', async (t) => {
  const hq = await openHq(t);
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  t.after(() => agent.destroy());
  const [reply] = await once(get(`https://127.0.0.1:${hq.httpsPort}/chain/challenge`, { agent }), 'response');
  reply.resume();
  const [, seconds] = /^timeout=(\d+)$/.exec(reply.headers['keep-alive'])!;
  assert.ok(Number(seconds) * 1000 > 2 * PRESENCE_MS, seconds);
});

test('store that is stopped while it connects to headquarters stops at once', async (t) => {
  const hq = await openHq(t);
  const met = await meet(`https://127.0.0.1:${hq.httpsPort}`, () => true);
  const identity = loadIdentity(tempFolder(t));
  const { id } = must(await hq.call('POST', '/api/stores', { name: 'Mill' }), 201);
  const { code } = must(await hq.call('POST', `/api/stores/${id}/code`), 201);
  const { store } = await requestOnce(met, 'enrol', enrolmentAsk(code, identity, 'Mill').ask(met.fingerprint));
  for (const ms of [0, 1, 5]) {
    const line = new HttpsConnection({ met, store, sign: (text) => identity.sign(text), moved: () => {} });
    await line.request('answer', { id: '0'.repeat(32), answer: {} });
    let hasEnded = false;
    line
      .listen(
        () => {},
        () => {},
      )
      .catch(() => {
        hasEnded = true;
      });
    await new Promise((next) => setTimeout(next, ms));
    line.close();
    await until('it has ended', WAIT_MS, () => hasEnded);
  }
});
