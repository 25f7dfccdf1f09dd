import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { picture } from '../../../test/api/media.ts';
import { firstUser, startSite, TestClock } from '../../../test/harness.ts';
import { callAs, colleague, must, person } from '../../../test/people.ts';
import { type PairedPlayer, pairPlayer, reconnect } from '../../../test/player-client.ts';
import { until, upload } from '../../../test/uploads.ts';
import type { ToldAlert } from './alert-watch.ts';

const MINUTE = 60_000;

const shop = async (t: TestContext) => {
  const clock = new TestClock(Date.now());
  const site = await startSite(t, { clock });
  await firstUser(site);
  const owner = await person(site, 'shop@store.test', { createOrg: true });
  const call = callAs(site, owner.token);
  const { watch } = site.app.alerts;
  const told: string[] = [];
  const { notices } = site.app.upkeep;
  // What is wrong with the server that the tests run on is nothing of theirs.
  const ofShop = (alerts: readonly ToldAlert[]) => alerts.filter(({ kind }) => kind !== 'server');
  t.mock.method(notices, 'alertsRaised', (alerts: readonly ToldAlert[]) => {
    const raised = ofShop(alerts);
    const mailed = raised.filter(({ tell }) => tell.mail);
    told.push(...raised.map(({ kind, name }) => `${name} ${kind}`), ...mailed.map(({ name }) => `mail ${name}`));
  });
  t.mock.method(notices, 'alertsEnded', (ended: readonly ToldAlert[]) =>
    told.push(...ofShop(ended).map(({ kind, name }) => `${name} no longer ${kind}`)),
  );
  const heard = async ({ deviceId }: PairedPlayer) =>
    must(await call('GET', `/api/devices/${deviceId}`)).last_heartbeat;
  /** A minute passes, in which these players are alive, and it looks; so often. */
  const look = async (minutes = 1, alive: readonly PairedPlayer[] = [], telemetry = {}, more = {}) => {
    for (let n = 0; n < minutes; n++) {
      for (let part = 0; part < 4; part++) {
        clock.advance(MINUTE / 4);
        for (const player of alive) {
          player.client.say({ type: 'heartbeat', telemetry, ...more });
          const now = Math.floor(clock.now() / 1000);
          await until(
            () => heard(player),
            (at) => at === now,
          );
        }
      }
      await watch.look();
    }
  };
  await look(5);
  const alerts = async (query = '') => must(await call('GET', `/api/alerts${query}`));
  const counts = async () => {
    const { kinds: _, ...sums } = must(await call('GET', '/api/alerts/counts'));
    return sums;
  };
  return { clock, site, owner, call, look, alerts, counts, told };
};

test('a screen that is killed needs somebody once, with its likely cause, and no longer when it is back', async (t) => {
  const { site, owner, call, look, alerts, told, counts } = await shop(t);
  const pair = (name: string) => pairPlayer(t, site, owner.token, name);
  const [till, window] = [await pair('Till'), await pair('Window')];
  await look(1, [till, window]);
  assert.deepEqual(await alerts(), []);
  till.client.socket.terminate();
  const status = async () => must(await call('GET', `/api/devices/${till.deviceId}`)).status;
  while ((await status()) !== 'offline') await look(1, [window]);
  await look(9, [window]);
  assert.deepEqual(told, ['Till screen_dark'], 'told once');
  const [dark] = await alerts();
  assert.deepEqual([dark.kind, dark.severity, dark.ref, dark.name], ['screen_dark', 'bad', till.deviceId, 'Till']);
  assert.equal(dark.facts.cause, 'alone');
  assert.deepEqual(await counts(), { bad: 1, warn: 0, open: 1 });

  // Somebody takes it: it counts for nobody else.
  const mark = async (change: object) => must(await call('POST', '/api/alerts/mark', { ids: [dark.id], ...change }));
  assert.deepEqual(await mark({ acknowledged: true, taken: true }), { marked: 1 });
  const [taken] = await alerts();
  assert.ok(taken.acknowledged_at !== null && taken.acknowledged_by && taken.assigned_name === taken.acknowledged_by);
  assert.deepEqual(await counts(), { bad: 0, warn: 0, open: 1 });

  const back = { ...till, client: await reconnect(t, site, till) };
  await look(1, [window, back]);
  assert.deepEqual(told, ['Till screen_dark', 'Till no longer screen_dark']);
  assert.deepEqual(await alerts(), []);
  const [over] = await alerts('?state=ended');
  assert.equal(over.id, dark.id);
  assert.ok(over.ended_at >= over.since);
  assert.deepEqual(await mark({ taken: false }), { marked: 0 });
});

test('a processor at its limit is told after ten minutes, and what comes and goes is not over at once', async (t) => {
  const { site, owner, look, alerts, told } = await shop(t);
  const till = await pairPlayer(t, site, owner.token, 'Till');
  const busy = (minutes: number, cpu_usage: number) => look(minutes, [till], { cpu_usage });
  // The player of this test fetches nothing, which becomes a matter of its own.
  const ofCpu = () => told.filter((what) => what.includes('screen_cpu'));
  const open = async () => (await alerts()).filter(({ kind }: { kind: string }) => kind === 'screen_cpu');
  await busy(9, 97);
  assert.deepEqual(await open(), []);
  await busy(2, 97);
  assert.deepEqual(ofCpu(), ['Till screen_cpu']);
  assert.deepEqual((await open())[0].facts, { value: 97, threshold: 95 });
  await busy(1, 40);
  await busy(2, 98);
  await busy(2, 40);
  assert.equal((await open()).length, 1, 'it was there two minutes ago');
  await busy(2, 40);
  assert.deepEqual(ofCpu(), ['Till screen_cpu', 'Till no longer screen_cpu']);
});

test('a machine that is too hot, or whose own clock is wrong, is told once, and no longer when it is right', async (t) => {
  const { site, owner, look, alerts, told } = await shop(t);
  const till = await pairPlayer(t, site, owner.token, 'Till');
  const clockOff = (seconds: number) => ({ sync: { offset_ms: seconds * 1000, uncertainty_ms: 2 } });
  const ofIt = () => told.filter((what) => /screen_(hot|clock)/.test(what));
  await look(7, [till], { temperature_c: 91 }, clockOff(-75));
  assert.deepEqual(ofIt().sort(), ['Till screen_clock', 'Till screen_hot']);
  const facts = Object.fromEntries(
    (await alerts()).map((one: { kind: string; facts: object }) => [one.kind, one.facts]),
  );
  assert.deepEqual(facts['screen_clock'], { value: 75, threshold: 10 });
  assert.deepEqual(facts['screen_hot'], { value: 91, threshold: 85 });
  await look(7, [till], { temperature_c: 60 }, clockOff(0.2));
  assert.deepEqual(ofIt().slice(2).sort(), ['Till no longer screen_clock', 'Till no longer screen_hot']);
});

test('two thousand of one kind keep no other from being seen: each is counted, listed and marked by itself', async (t) => {
  const { site, owner, call, alerts } = await shop(t);
  const insert = site.app.db.raw.prepare(
    'INSERT INTO alerts (id, workspace_id, kind, ref, name, since) VALUES (?, ?, ?, ?, ?, ?)',
  );
  site.app.db.write(() => {
    for (let n = 0; n < 2000; n++) insert.run(`d${n}`, owner.workspaceId, 'screen_dark', `s${n}`, `Screen ${n}`, n);
    insert.run('w', owner.workspaceId, 'screen_wifi', 's7', 'Screen 7', 1);
    insert.run('x', owner.workspaceId, 'of_a_newer_version', 's7', 'Screen 7', 1);
  });
  const counts = must(await call('GET', '/api/alerts/counts'));
  assert.deepEqual(counts.kinds, [
    { kind: 'screen_dark', severity: 'bad', open: 2000, loud: 2000, mine: 0, nobodys: 2000 },
    { kind: 'screen_wifi', severity: 'warn', open: 1, loud: 1, mine: 0, nobodys: 1 },
  ]);
  assert.deepEqual([counts.bad, counts.warn, counts.open], [2000, 1, 2001]);
  const names = async (query: string) => (await alerts(query)).map(({ name }: { name: string }) => name);
  assert.deepEqual(await names('?kind=screen_wifi'), ['Screen 7']);
  assert.deepEqual(await names('?kind=screen_dark&limit=2'), ['Screen 1999', 'Screen 1998']);
  assert.deepEqual(await names('?ref=s7&kind=screen_dark'), ['Screen 7']);
  const mark = (body: object) => call('POST', '/api/alerts/mark', { acknowledged: true, ...body });
  assert.equal((await mark({})).status, 400);
  assert.equal((await mark({ ids: ['w'], kind: 'screen_dark' })).status, 400);
  assert.deepEqual(must(await mark({ kind: 'screen_dark' })), { marked: 2000 });
  const { bad, warn, open } = must(await call('GET', '/api/alerts/counts'));
  assert.deepEqual([bad, warn, open], [0, 1, 2001]);
});

test('what is muted or switched off is quiet; who may change what is held', async (t) => {
  const { clock, site, owner, call, look, alerts, told, counts } = await shop(t);
  const content = must(await upload(site, owner.token, picture('a'), 'offer.gif'), 201);
  site.app.db.raw.prepare("UPDATE content SET fetch_error = 'no answer', fetched_at = 1 WHERE id = ?").run(content.id);
  must(await call('PUT', '/api/alert-rules', { kind: 'content_unfetched', minutes: 2, mail: true }));
  await look(4);
  assert.deepEqual(told, [`${content.filename} content_unfetched`, `mail ${content.filename}`]);
  const [alert] = await alerts();
  const until_ = Math.floor(clock.now() / 1000) + 3_600;
  must(await call('POST', '/api/alerts/mark', { ids: [alert.id], muted_until: until_ }));
  assert.deepEqual(await counts(), { bad: 0, warn: 0, open: 1 });
  clock.advance(61 * MINUTE);
  assert.equal(must(await call('GET', '/api/alerts/counts')).warn, 1);
  assert.deepEqual(must(await call('PUT', '/api/alert-rules', { kind: 'content_unfetched', enabled: false })), {
    kind: 'content_unfetched',
    enabled: false,
    threshold: null,
    minutes: 2,
    mail: true,
    webhook: true,
    mqtt: true,
  });
  await look(4);
  assert.deepEqual(await alerts(), []);

  assert.equal((await call('PUT', '/api/alert-rules', { kind: 'screen_cpu', threshold: 101 })).status, 400);
  assert.equal((await call('PUT', '/api/alert-rules', { kind: 'screen_dark', threshold: 5 })).status, 400);
  assert.equal((await call('PUT', '/api/alert-rules', { kind: 'else', minutes: 5 })).status, 400);
  const editor = await colleague(site, owner, 'editor@store.test', 'workspace_editor');
  const asEditor = callAs(site, editor.token);
  assert.equal((await asEditor('PUT', '/api/alert-rules', { kind: 'screen_cpu', minutes: 5 })).status, 403);
  assert.equal((await asEditor('GET', '/api/alert-rules')).status, 200);
});

test('a feed that does not come and an offer that ends are told by the name of what they are', async (t) => {
  const { site, call, look, alerts } = await shop(t);
  const feed_url = 'http://127.0.0.1:9/feed.xml';
  const widget = must(
    await call('POST', '/api/widgets', { widget_type: 'rss', name: 'News', config: { feed_url } }),
    201,
  );
  site.app.db.raw
    .prepare(
      "INSERT OR REPLACE INTO feeds (url, data, fetched_at, tried_at, error) VALUES (?, '{}', 1, 2, 'no answer')",
    )
    .run(`feed ${feed_url}`);
  await look();
  const [dead] = await alerts();
  assert.deepEqual(
    [dead.kind, dead.ref, dead.name, dead.facts.message],
    ['source_dead', widget.id, 'News', 'no answer'],
  );
});
