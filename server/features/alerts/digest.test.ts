import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { picture } from '../../../test/api/media.ts';
import { firstUser, type Site, startSite, TestClock, tempFolder } from '../../../test/harness.ts';
import { callAs, colleague, must, person } from '../../../test/people.ts';
import { startPost } from '../../../test/post.ts';
import { upload } from '../../../test/uploads.ts';
import { isDue } from './digest.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Times in this test are in the time zone of the machine that runs the tests, which is also the server's zone. */
const at = (day: number, hour: number, minute = 0): number => new Date(2026, 2, day, hour, minute).getTime();

/** Opens a shop with its owner, on a server whose first user is the server administrator. */
const store = async (t: TestContext) => {
  const [post, clock, data] = [await startPost(t), new TestClock(at(10, 6)), tempFolder(t)];
  const open = () => startSite(t, { clock, data, env: { VITRINE_SMTP_URL: post.url, VITRINE_LANGUAGE: 'en' } });
  const site = await open();
  await firstUser(site, 'admin@store.test');
  const owner = await person(site, 'owner@shop.test', { createOrg: true });
  const call = callAs(site, owner.token);
  await site.app.mailer.idle();
  post.mails.length = 0;
  const mailed = async (of: Site = site) => {
    await of.app.alerts.digest.runDue();
    await of.app.mailer.idle();
    return post.mails.splice(0);
  };
  const set = async (change: object) => must(await call('PUT', '/api/alert-digest', change));
  return { site, open, owner, call, clock, mailed, set };
};

test('the digest is due once per day from its hour on, even if a wrong clock recorded a later day', () => {
  const local = (day: number, hour: number) => (day * 24 + hour) * HOUR;
  const due = (sent: number | null, now: number, hour = 7, enabled = true) => isDue({ enabled, hour, sent }, now);
  assert.equal(due(null, local(100, 6) + HOUR - 1), false);
  assert.equal(due(null, local(100, 7)), true);
  assert.equal(due(null, local(100, 7), 7, false), false);
  assert.deepEqual([due(99, local(100, 23)), due(100, local(100, 23)), due(100, local(101, 6))], [true, false, false]);
  assert.equal(due(101, local(100, 8)), false, 'a clock that went back a day');
  assert.equal(due(900, local(100, 8)), true);
  assert.equal(due(99, local(100, 0), 0), true);
});

test('digest is mailed once per day from its hour on, across restarts, and never while the clock is untrusted', async (t) => {
  const { site, open, clock, mailed, set } = await store(t);
  assert.deepEqual(await mailed(), [], 'off until somebody wants it');
  await set({ enabled: true, when_nothing: true });
  clock.set(at(10, 6, 59));
  assert.deepEqual(await mailed(), []);
  clock.set(at(10, 7));
  const to = async (of?: Site) => (await mailed(of)).map((mail) => mail.to);
  assert.deepEqual(await to(), ['admin@store.test', 'owner@shop.test']);
  assert.deepEqual(await to(), []);
  // The server is off at the digest's hour of the next day.
  clock.set(at(10, 22));
  await site.app.stop();
  clock.set(at(11, 15));
  const again = await open();
  assert.deepEqual([await to(again), await to(again)], [['admin@store.test', 'owner@shop.test'], []]);
  clock.jump(3 * 365 * DAY);
  assert.deepEqual(await to(again), []);
  clock.jump(-3 * 365 * DAY);
  assert.deepEqual(await to(again), [], 'the day of the doubt was not taken for a day');
  clock.set(at(12, 7, 1));
  assert.deepEqual(await to(again), ['admin@store.test', 'owner@shop.test']);
});

test('a digest enabled after its hour starts the next day, and only administrators may change it', async (t) => {
  const { site, owner, call, clock, mailed, set } = await store(t);
  clock.set(at(10, 12));
  assert.deepEqual(await set({ enabled: true, hour: 9, when_nothing: true }), {
    enabled: true,
    hour: 9,
    when_nothing: true,
  });
  assert.deepEqual(await mailed(), []);
  clock.set(at(11, 9));
  assert.equal((await mailed()).length, 2);
  for (const wrong of [{ hour: 24 }, { hour: -1 }, { hour: 7.5 }, { enabled: 'yes' }])
    assert.equal((await call('PUT', '/api/alert-digest', wrong)).status, 400, JSON.stringify(wrong));
  const editor = callAs(site, (await colleague(site, owner, 'editor@shop.test', 'workspace_editor')).token);
  assert.equal((await editor('PUT', '/api/alert-digest', { hour: 8 })).status, 403);
  assert.equal(must(await editor('GET', '/api/alert-digest')).hour, 9);
});

test("the digest lists open, new, ended and soon-ending items and yesterday's figures, in each reader's language", async (t) => {
  const { site, owner, call, clock, mailed, set } = await store(t);
  must(await call('PUT', '/api/auth/me', { language: 'de' }));
  await set({ enabled: true });
  const offer = must(await upload(site, owner.token, picture('a'), 'Offer.gif'), 201);
  const { id: playlist } = must(await call('POST', '/api/playlists', { name: 'Window' }), 201);
  must(await call('POST', `/api/playlists/${playlist}/items`, { content_id: offer.id }), 201);
  must(await call('POST', `/api/playlists/${playlist}/publish`));
  const { raw } = site.app.db;
  raw.prepare("UPDATE content SET valid_until = '2026-03-14T18:00' WHERE id = ?").run(offer.id);
  const now = at(10, 7) / 1000;
  const insert = raw.prepare(
    "INSERT INTO alerts (id, workspace_id, kind, ref, name, facts, since, told_at, ended_at) VALUES (?, ?, ?, ?, ?, '{}', ?, ?, ?)",
  );
  raw
    .prepare(
      "INSERT INTO devices (id, workspace_id, name, secret_hash, timezone, created_at, updated_at) VALUES ('d', ?, 'Till', 'x', 'UTC', 1, 1)",
    )
    .run(owner.workspaceId);
  const interval = raw.prepare("INSERT INTO status_intervals (device_id, status, since, until) VALUES ('d', ?, ?, ?)");
  const [midnight, noon] = [at(9, 0) / 1000, at(9, 12) / 1000];
  site.app.db.write(() => {
    const old = now - 3 * 86_400;
    for (let n = 0; n < 200; n++)
      insert.run(`o${n}`, owner.workspaceId, 'screen_dark', `o${n}`, `Screen ${n}`, old, old, null);
    insert.run('w', owner.workspaceId, 'screen_wifi', 'w', 'Till', now - 600, now - 600, null);
    insert.run('e', owner.workspaceId, 'screen_hot', 'e', 'Door', old, old, now - 3_600);
    insert.run('s', null, 'server', 'backup_old', '', now - 900, now - 900, null);
    interval.run('online', midnight - 86_400, noon);
    interval.run('offline', noon, null);
  });
  clock.set(at(10, 7));
  const [english, german] = await mailed();
  assert.deepEqual([english!.to, german!.to], ['admin@store.test', 'owner@shop.test']);
  assert.equal(english!.subject, 'Vitrine: 202 open alerts, Tuesday, 10 March 2026');
  assert.equal(german!.subject, 'Vitrine: 201 offene Meldungen, Dienstag, 10. März 2026');
  const lines = german!.text.split('\n\n').map((part) => part.replaceAll('\n', '|'));
  assert.deepEqual(lines.slice(0, 4), [
    `Offen|  200 Bildschirme offline: Screen 99, Screen 98, Screen 97 und 197 weitere|  1 Bildschirm mit schwachem WLAN: Till`,
    'Seit gestern|  Neu: 1 Bildschirm mit schwachem WLAN|  Behoben: 1 zu heißer Bildschirm',
    'Endet bald|  Offer.gif, bis 14.03.2026, 18:00',
    'Gestern: Die Bildschirme waren 50 % der Zeit online, 0 Wiedergaben.',
  ]);
  assert.match(lines[4]!, /^Was zu tun ist, sehen Sie hier: http:\/\/\S+\/#\/attention$/);
  assert.match(english!.text, /Open\n {2}200 screens offline: .*\n {2}1 server problem: The newest backup is old\n/);
  assert.match(english!.text, /Yesterday: screens were online for 50 % of the time, 0 plays\./);

  // When all alerts are ended or muted there is nothing to report, so a mail is sent only with `when_nothing`.
  clock.set(at(12, 7));
  raw.prepare('UPDATE alerts SET ended_at = ?').run(now);
  raw.prepare('UPDATE content SET valid_until = NULL').run();
  assert.deepEqual(await mailed(), []);
  await set({ when_nothing: true });
  clock.set(at(13, 7));
  const [quiet] = await mailed();
  assert.equal(quiet!.subject, 'Vitrine: No open alerts, Friday, 13 March 2026');
});
