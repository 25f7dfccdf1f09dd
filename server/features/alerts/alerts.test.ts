import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { picture } from '../../../test/api/media.ts';
import { obedient } from '../../../test/api/site.ts';
import { firstUser, startSite, TestClock } from '../../../test/harness.ts';
import { callAs, colleague, must, person } from '../../../test/people.ts';
import { type PairedPlayer, pairPlayer, reconnect } from '../../../test/player-client.ts';
import { startHook, startPost } from '../../../test/post.ts';
import { until, upload } from '../../../test/uploads.ts';
import type { ToldAlert } from './alert-watch.ts';

const MINUTE = 60_000;

const shop = async (t: TestContext, env: Record<string, string> = {}) => {
  const clock = new TestClock(Date.now());
  const site = await startSite(t, { clock, env });
  const admin = callAs(site, (await firstUser(site)).token);
  const owner = await person(site, 'shop@store.test', { createOrg: true });
  const call = callAs(site, owner.token);
  const { watch } = site.app.alerts;
  const told: string[] = [];
  /** Number of alerts in each announcement. */
  const batches: number[] = [];
  const { notices } = site.app.upkeep;
  const [raise, end] = [notices.alertsRaised.bind(notices), notices.alertsEnded.bind(notices)];
  // Problems of the machine that runs the tests are ignored.
  const ofShop = (alerts: readonly ToldAlert[]) => alerts.filter(({ kind }) => kind !== 'server');
  t.mock.method(notices, 'alertsRaised', (alerts: readonly ToldAlert[]) => {
    raise(alerts);
    const raised = ofShop(alerts);
    if (raised.length > 0) batches.push(raised.length);
    const mailed = raised.filter(({ tell }) => tell.mail);
    told.push(...raised.map(({ kind, name }) => `${name} ${kind}`), ...mailed.map(({ name }) => `mail ${name}`));
  });
  t.mock.method(notices, 'alertsEnded', (alerts: readonly ToldAlert[]) => {
    end(alerts);
    told.push(...ofShop(alerts).map(({ kind, name }) => `${name} no longer ${kind}`));
  });
  const heard = async ({ deviceId }: PairedPlayer) =>
    must(await call('GET', `/api/devices/${deviceId}`)).last_heartbeat;
  /** Lets minutes pass in which the given players are online, and checks once per minute. */
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
      await watch.check();
    }
  };
  await look(5);
  const alerts = async (query = '') => must(await call('GET', `/api/alerts${query}`));
  const counts = async () => {
    const { bad, warn, open } = must(await call('GET', '/api/alerts/counts'));
    return { bad, warn, open };
  };
  return { clock, site, admin, owner, call, look, alerts, counts, told, batches };
};

test('a dead screen raises one alert with its likely cause, and the alert ends when the screen is back', async (t) => {
  const { site, owner, call, look, alerts, told, counts } = await shop(t);
  const pair = (name: string) => pairPlayer(t, site, owner.token, name);
  const [till, window] = [await pair('Till'), await pair('Window')];
  for (const player of [till, window]) {
    obedient(player);
    // Reports that the program that the server sent after pairing is ready.
    player.client.say({ type: 'program.ready', id: player.programId });
  }
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

  // An alert that is acknowledged and assigned still counts as open, but no longer as bad.
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

test('a busy processor raises an alert after ten minutes, and the first lower value does not end the alert', async (t) => {
  const { site, owner, look, alerts, told } = await shop(t);
  const till = await pairPlayer(t, site, owner.token, 'Till');
  const busy = (minutes: number, cpu_usage: number) => look(minutes, [till], { cpu_usage });
  // Looks only at alerts about the processor: the player of this test fetches no files, which raises another alert.
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

test('an overheated machine and a wrong clock each raise one alert, which ends when the value is normal again', async (t) => {
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

test('two thousand alerts of one kind do not affect the count, list and acknowledgement of another kind', async (t) => {
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

test('muted alerts and disabled rules are silent, and only administrators may change rules', async (t) => {
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

test('a failed feed and an ending content raise alerts with the name of the widget and of the content', async (t) => {
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

test('a server problem raises one alert for server administrators until the problem is solved', async (t) => {
  const hook = await startHook(t);
  const { site, admin, call, look, counts } = await shop(t);
  must(await admin('PUT', '/api/server/upkeep', { webhook_url: hook.url }));
  const key = join(site.data, 'keys', 'server.json');
  renameSync(key, `${key}.away`);
  await look(3);
  const all = async (as = admin) => must(await as('GET', '/api/alerts?kind=server'));
  const missing = async () => (await all()).find(({ ref }: { ref: string }) => ref === 'keys_missing');
  const alert = await missing();
  assert.deepEqual([alert.of, alert.severity, alert.ended_at], ['server', 'bad', null]);
  assert.match(alert.facts.message, /^The file keys\/server\.json, .* is missing\./);
  assert.deepEqual(await all(call), [], 'an owner of a workspace has nothing to do with it');
  assert.deepEqual(await counts(), { bad: 0, warn: 0, open: 0 });

  const loud = async () => must(await admin('GET', '/api/alerts/counts')).bad;
  const before = await loud();
  const mark = (as: typeof admin, change: object) => as('POST', '/api/alerts/mark', { ids: [alert.id], ...change });
  assert.deepEqual(must(await mark(call, { acknowledged: true })), { marked: 0 });
  assert.deepEqual(must(await mark(admin, { acknowledged: true, taken: true })), { marked: 1 });
  assert.equal(await loud(), before - 1);
  assert.equal((await missing()).acknowledged_by, 'Owner');
  const { id: taker } = must(await admin('GET', '/api/auth/me'));
  const boss = await person(site, 'boss@store.test', { createOrg: true });
  const give = () => mark(admin, { assigned_to: boss.id });
  assert.match((await give()).body.error, /^assigned_to: must be a member of this workspace/);
  must(await admin('PUT', `/api/auth/users/${boss.id}/role`, { role: 'platform_admin' }));
  must(await give());
  must(await admin('PUT', `/api/auth/users/${boss.id}/role`, { role: 'user' }));
  assert.equal((await missing()).assigned_to, null, 'who does not administer the server any more gives it back');
  must(await mark(admin, { assigned_to: taker }));

  renameSync(`${key}.away`, key);
  await look(4);
  assert.equal(await missing(), undefined);
  const over = must(await admin('GET', '/api/alerts?kind=server&state=ended'));
  assert.deepEqual([over[0].id, over[0].assigned_name], [alert.id, 'Owner']);
  await site.app.upkeep.webhook.idle();
  const told = hook.calls.flatMap(({ type, alerts = [] }) =>
    alerts.filter(({ ref }: { ref: string }) => ref === 'keys_missing').map((one: object) => [type, { ...one }]),
  );
  assert.deepEqual(
    told.map(([type, { workspace_id }]) => [type, workspace_id]),
    [
      ['alert.raised', null],
      ['alert.ended', null],
    ],
  );
});

test('untrusted clock raises a server alert, and no other alert is judged by this clock', async (t) => {
  const { clock, site, admin, look, told } = await shop(t);
  site.app.db.raw
    .prepare(
      "INSERT INTO devices (id, workspace_id, name, last_heartbeat, secret_hash, timezone, created_at, updated_at) SELECT 'd', id, 'Till', 1, 'x', 'UTC', 1, 1 FROM workspaces LIMIT 1",
    )
    .run();
  clock.jump(3 * 365 * 86_400_000);
  await look(12);
  const [doubt] = must(await admin('GET', '/api/alerts?kind=server&ref=clock_doubtful'));
  assert.match(doubt.facts.message, /^The clock of this computer shows/);
  assert.ok(Math.abs(doubt.since - clock.mono() / 1000) < 1_800, 'since when by the time that it should be');
  assert.deepEqual(told, []);
  clock.jump(-3 * 365 * 86_400_000);
  await look(4);
  assert.deepEqual(must(await admin('GET', '/api/alerts?kind=server&ref=clock_doubtful')), []);
});

test('an assigned member is mailed once in their language, and loses the alert when they leave the workspace', async (t) => {
  const post = await startPost(t);
  const { site, owner, call, alerts } = await shop(t, { VITRINE_SMTP_URL: post.url });
  const anna = await colleague(site, owner, 'anna@store.test', 'workspace_editor');
  must(await callAs(site, anna.token)('PUT', '/api/auth/me', { language: 'de' }));
  const stranger = await person(site, 'stranger@store.test', { createOrg: true });
  const insert = site.app.db.raw.prepare(
    "INSERT INTO alerts (id, workspace_id, kind, ref, name, facts, since) VALUES (?, ?, ?, ?, ?, '{}', 1773136800)",
  );
  insert.run('a', owner.workspaceId, 'screen_dark', 'd', 'Till');
  insert.run('b', owner.workspaceId, 'screen_dark', 'e', 'Door');
  insert.run('s', null, 'server', 'backup_old', '');
  await site.app.mailer.idle();
  post.mails.length = 0;
  const give = (body: object) => call('POST', '/api/alerts/mark', { ids: ['a', 'b'], ...body });
  for (const wrong of [{ assigned_to: stranger.id }, { assigned_to: 'nobody' }, { assigned_to: anna.id, taken: true }])
    assert.equal((await give(wrong)).status, 400, JSON.stringify(wrong));
  must(await give({ assigned_to: anna.id }));
  must(await give({ assigned_to: anna.id }));
  must(await call('POST', '/api/alerts/mark', { ids: ['b'], taken: true }));
  site.app.upkeep.mails.sendAssigned();
  await site.app.mailer.idle();
  assert.deepEqual(
    post.mails.map(({ to, subject }) => [to, subject]),
    [['anna@store.test', 'Vitrine: shop hat Ihnen 2 Meldungen zugewiesen']],
  );
  assert.match(post.mails[0]!.text, /Till: offline, seit 10\.03\.2026, /);

  const named = async (query: string) => (await alerts(query)).map(({ name }: { name: string }) => name);
  assert.deepEqual([await named('?assigned=me'), await named('?assigned=nobody')], [['Door'], []]);
  const [kind] = must(await callAs(site, anna.token)('GET', '/api/alerts/counts')).kinds;
  assert.deepEqual([kind.mine, kind.nobodys], [1, 0]);

  must(await call('DELETE', `/api/workspaces/${owner.workspaceId}/members/${anna.id}`));
  assert.deepEqual(await named('?assigned=nobody'), ['Till']);
  assert.equal((await alerts('?assigned=me')).length, 1, 'what others have stays theirs');
});

test('an alert that starts and ends repeatedly is announced at most once per hour, and again when it lasts longer', async (t) => {
  const { site, owner, call, look, alerts, told } = await shop(t);
  const { id } = must(await upload(site, owner.token, picture('a'), 'offer.gif'), 201);
  must(await call('PUT', '/api/alert-rules', { kind: 'content_unfetched', minutes: 0 }));
  const update = site.app.db.raw.prepare('UPDATE content SET fetch_error = ?, fetched_at = 1 WHERE id = ?');
  const become = (error: string | null, minutes: number) => {
    update.run(error, id);
    return look(minutes);
  };
  const wrong = (minutes: number) => become('no answer', minutes);
  const right = (minutes: number) => become(null, minutes);
  await wrong(1);
  await right(4);
  const first = ['offer.gif content_unfetched', 'offer.gif no longer content_unfetched'];
  assert.deepEqual(told, first);
  for (let n = 0; n < 5; n++) {
    await wrong(2);
    assert.equal((await alerts()).length, 1, 'it is on the page');
    await right(4);
  }
  // Half an hour has passed since the announcement. From now on the problem lasts.
  await wrong(24);
  assert.deepEqual(told, first);
  await wrong(4);
  assert.deepEqual(told, [...first, first[0]]);
  await right(4);
  assert.deepEqual(told, [...first, ...first]);
});

test('two thousand screens that go dark at once cause one mail, one webhook call and one MQTT message with the count', async (t) => {
  const [post, hook] = [await startPost(t), await startHook(t)];
  const { site, admin, owner, call, look, batches, counts } = await shop(t, {
    VITRINE_SMTP_URL: post.url,
    VITRINE_LANGUAGE: 'en',
  });
  must(await admin('PUT', '/api/server/upkeep', { webhook_url: hook.url }));
  must(await call('PUT', '/api/alert-rules', { kind: 'screen_dark', mail: true, mqtt: false }));
  const published: { type: string; count?: number }[] = [];
  const mqtt = t.mock.method(site.app.upkeep.mqtt, 'send', (notice: { type: string }) => void published.push(notice));
  const device = site.app.db.raw.prepare(
    "INSERT INTO devices (id, workspace_id, name, last_heartbeat, secret_hash, timezone, created_at, updated_at) VALUES (?, ?, ?, 1000, ?, 'UTC', 1, 1)",
  );
  site.app.db.write(() => {
    for (let n = 0; n < 2_000; n++) device.run(`d${n}`, owner.workspaceId, `Screen ${n}`, `h${n}`);
  });
  await site.app.mailer.idle();
  post.mails.length = 0;
  await look(1);
  await until(counts, ({ bad }) => bad >= 2_000);
  await until(
    async () => batches.length,
    (n) => n > 0,
  );
  await site.app.mailer.idle();
  await site.app.upkeep.webhook.idle();
  assert.deepEqual(batches, [2_000]);
  const calls = hook.calls.filter(({ type, alert }) => type === 'alert.raised' && alert.kind === 'screen_dark');
  assert.deepEqual(
    calls.map(({ count, alerts }) => [count, alerts.length, alerts[0].kind]),
    [[2_000, 100, 'screen_dark']],
  );
  assert.ok(JSON.stringify(calls[0]).length < 40_000);
  assert.equal(
    published.filter(({ type, count }) => type === 'alert.raised' && count === 2_000).length,
    0,
    'chosen so',
  );
  mqtt.mock.restore();
  const mine = post.mails.filter(({ subject }) => subject.includes('offline'));
  assert.deepEqual(
    mine.map(({ to, subject }) => `${to} ${subject}`),
    ['owner@store.test Vitrine: 2,000 screens offline', 'shop@store.test Vitrine: 2,000 screens offline'],
  );
  assert.match(mine[1]!.text, /Screen 0: offline, since .*\n.*[\s\S]*and 1,990 more\n/);
  assert.ok(mine[1]!.text.length < 2_000);
});
