/**
 * Alerts with real causes: killed players, players with a full disk, a wrong clock, weak Wi-Fi or a broken page; an
 * unreachable feed, an offer that ends, a failed backup, an expiring certificate. Each alert is sent once, listed with
 * its cause, and removed when the cause is gone. Only the time is simulated.
 */
// Suite: faults
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { plainJpeg } from '../../player/screen/testing/pictures.ts';
import type { MachineClock } from '../../server/kernel/time/clock.ts';
import { issueServer, makeAuthority } from '../../server/tls/certificate.ts';
import { RULED_KINDS } from '../../shared/contract/server/alerts.ts';
import { openAdmin } from '../e2e/hosts/admin-window.ts';
import { firstUser, freePort, startSite, tempFolder } from '../harness.ts';
import { must, mustCallAs } from '../people.ts';
import { startHook, startPost } from '../post.ts';
import { until } from '../until.ts';
import { upload } from '../uploads.ts';
import { fill, smallDisk, whyNoMounts } from './hooks/small-disk.ts';
import { Program } from './rig.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const FEED = `<rss version="2.0"><channel><title>Town</title><item><title>Fair</title></item></channel></rss>`;

/** The real time plus the time that the test adds, for the server's clock and the clocks of the players' machines. */
class AddedTime implements MachineClock {
  readonly file: string;
  #added = 0;
  constructor(folder: string) {
    this.file = join(folder, 'added');
    this.add(0);
  }
  now(): number {
    return Date.now() + this.#added;
  }
  mono(): number {
    return performance.now();
  }
  add(ms: number): void {
    this.#added += ms;
    writeFileSync(this.file, String(this.#added));
  }
}

/** Another web server with a feed and a page. The test can make it unreachable. */
const elsewhere = async (t: TestContext) => {
  const state = { feed: true, page: false };
  const answer = (res: ServerResponse, isThere: boolean, type: string, body: string) =>
    isThere ? res.writeHead(200, { 'Content-Type': type }).end(body) : res.writeHead(503).end();
  const server = createServer((req, res) =>
    req.url === '/feed.xml'
      ? answer(res, state.feed, 'application/rss+xml', FEED)
      : answer(res, state.page, 'text/html', '<!doctype html><title>page</title><p>page'),
  );
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { state, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
};

/** Gives the server a certificate that ends in the given number of days. */
const certificates = (folder: string) => {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const put = (days: number) => {
    const now = Date.now() - (397 - days) * DAY;
    const authority = makeAuthority({ serverId: 'shop', names: [], now });
    const pair = issueServer({ authority, serverId: 'shop', names: ['localhost'], now });
    writeFileSync(cert, pair.certificate);
    writeFileSync(key, pair.private_key);
  };
  return { cert, key, put };
};

test('each problem is announced once, listed with its remedy, and removed when it is over', {
  skip: whyNoMounts ?? false,
  timeout: 240_000,
}, async (t) => {
  const [post, hook, web, folder] = [await startPost(t), await startHook(t), await elsewhere(t), tempFolder(t)];
  const clock = new AddedTime(folder);
  const tls = certificates(folder);
  tls.put(17);
  const site = await startSite(t, {
    clock,
    env: {
      VITRINE_SMTP_URL: post.url,
      VITRINE_LANGUAGE: 'en',
      VITRINE_ALLOWED_HOSTS: web.host,
      VITRINE_HTTPS_PORT: String(await freePort()),
      VITRINE_TLS_CERT: tls.cert,
      VITRINE_TLS_KEY: tls.key,
    },
  });
  const { token } = await firstUser(site);
  const call = mustCallAs(site, token);
  const { watch } = site.app.alerts;
  await call('PUT', '/api/server/upkeep', { webhook_url: hook.url });
  // Alerts are sent without delay, and only for the kinds of this test, since this computer may have other problems.
  const of = [
    'screen_dark',
    'screen_disk',
    'screen_clock',
    'screen_wifi',
    'screen_fault',
    'source_dead',
    'content_ends',
  ];
  for (const kind of RULED_KINDS)
    await call('PUT', '/api/alert-rules', { kind, minutes: 0, mail: true, enabled: of.includes(kind) });

  // Makes a feed unreachable that was fetched once. The clock passes the time after the start in which silent players
  // cause no alert.
  const widget = (widget_type: string, name: string, config: object) =>
    call('POST', '/api/widgets', { widget_type, name, config }, 201);
  const news = await widget('rss', 'News', { feed_url: `http://${web.host}/feed.xml` });
  /** Makes the server fetch the feed again: it does so when the widget changes, otherwise every 20 s. */
  const look = () => call('PUT', `/api/widgets/${news.id}`, { name: 'News' });
  const feed = site.app.db.raw.prepare("SELECT fetched_at, error FROM feeds WHERE url LIKE 'feed %'");
  const state = () => feed.get() as { fetched_at: number | null; error: string | null } | undefined;
  await site.call('GET', `/api/widgets/${news.id}/render`, { token });
  await until('the feed has come', 20_000, () => state()?.fetched_at != null);
  web.state.feed = false;
  clock.add(6 * MINUTE);
  await look();

  // Starts the players in separate processes.
  const disk = smallDisk(t, 48);
  const machine = `--import ${join(import.meta.dirname, 'hooks/machine.ts')}`;
  const start = (name: string, more: { data?: string; env?: Record<string, string>; window?: boolean } = {}) =>
    new Program(
      t,
      'player/main.ts',
      [
        ...['--server', site.origin, '--name', name, '--data', more.data ?? join(folder, name)],
        more.window ? '--headless' : '--no-window',
      ],
      {
        NODE_OPTIONS: machine,
        VITRINE_TEST_TIME: clock.file,
        ...(more.window && { VITRINE_BROWSER_FLAGS: '--disable-gpu --window-size=320,180' }),
        ...more.env,
      },
    );
  const till = start('Till');
  const startDoor = () => start('Door', { data: join(disk, 'player') });
  const door = startDoor();
  const shelf = start('Shelf', { env: { VITRINE_TEST_WRONG_MS: String(1.5 * MINUTE) } });
  const cafe = start('Cafe', { env: { VITRINE_TEST_WIFI: 'weak' } });
  const shop = start('Window', { window: true });
  const claimed = new Map<string, string>();
  const claim = async (name: string) => {
    const pending_id = await until(`"${name}" waits to be claimed`, 60_000, async () => {
      const waiting: { pending_id: string; name: string }[] = await call('GET', '/api/devices/pending');
      return waiting.find((one) => one.name === name)?.pending_id;
    });
    claimed.set(name, (await call('POST', '/api/devices/pair', { pending_id }, 201)).id);
  };
  await Promise.all(['Till', 'Door', 'Shelf', 'Cafe', 'Window'].map(claim));
  const device = (name: string) => call('GET', `/api/devices/${claimed.get(name)}`);
  const playlist = async (item: object) => {
    const { id } = await call('POST', '/api/playlists', { name: 'P' }, 201);
    await call('POST', `/api/playlists/${id}/items`, item, 201);
    await call('POST', `/api/playlists/${id}/publish`);
    return id;
  };

  // A page that never loads, an offer that ends tomorrow, and a backup whose disk is removed.
  const page = await widget('webpage', 'Page', { url: `http://${web.host}/page` });
  const shown = await playlist({ widget_id: page.id, duration_sec: 5 });
  await call('POST', `/api/playlists/${shown}/assign`, { device_id: claimed.get('Window') });
  const offer = must(await upload(site, token, await plainJpeg([200, 0, 0], 64, 64), 'Offer.jpg'), 201);
  await playlist({ content_id: offer.id });
  const ends = new Date(clock.now() + DAY).toISOString().slice(0, 16);
  await call('PUT', `/api/content/${offer.id}`, { valid_until: ends });
  const backups = tempFolder(t);
  await call('PUT', '/api/server/upkeep', { backup_folder: backups });
  rmSync(backups, { recursive: true });
  await call('POST', '/api/server/backups', {}, 500);
  await Promise.all([till.kill(), door.kill()]);
  const empty = fill(disk);
  const fullDoor = startDoor();

  // Waits until the server has received all reports.
  const faults = site.app.db.raw.prepare(
    "SELECT details FROM activity WHERE action IN ('device.error', 'device.warning')",
  );
  const heard = {
    feed: () => state()?.error != null,
    till: async () => (await device('Till')).status === 'offline',
    wifi: async () => (await device('Cafe')).wifi_rssi === -88,
    clock: async () => Math.abs((await device('Shelf')).sync?.offset_ms) > 60_000,
    disk: async () => (await device('Door')).status === 'online' && (await device('Door')).storage_free_mb === 0,
    page: () => faults.all().length > 0,
  };
  for (const [what, is] of Object.entries(heard)) await until(`${what} is heard`, 60_000, is);
  await until('certificate', 20_000, () => site.app.tls.status().expires_at !== null);

  const settled = async () => {
    await site.app.mailer.idle();
    await site.app.upkeep.webhook.idle();
  };
  site.app.upkeep.certificates.check();
  for (let n = 0; n < 3; n++) {
    await watch.check();
    site.app.upkeep.certificates.check();
  }
  await settled();
  const causes = [
    ['screen_dark', claimed.get('Till'), 'Till: offline; other screens in its network are online'],
    ['screen_disk', claimed.get('Door'), 'Door: disk 0 % free'],
    ['screen_clock', claimed.get('Shelf'), 'Shelf: clock is wrong by '],
    ['screen_wifi', claimed.get('Cafe'), 'Cafe: weak Wi-Fi, -88 dBm'],
    ['screen_fault', claimed.get('Window'), 'Window: playback error (Page (http://'],
    ['source_dead', news.id, 'News: feed or forecast is not updating ('],
    ['content_ends', offer.id, 'Offer.jpg: shown until '],
  ] as const;
  type Told = { type: string; alerts?: { kind: string; ref: string }[] };
  /** Number of messages that were sent for each alert above. */
  const told = (type: string) => {
    const all = (hook.calls as Told[]).filter((one) => one.type === type).flatMap(({ alerts = [] }) => alerts);
    return causes.map(([kind, ref]) => all.filter((one) => one.kind === kind && one.ref === ref).length);
  };
  const once = causes.map(() => 1);
  assert.deepEqual(told('alert.raised'), once);
  const types = (hook.calls as Told[]).map(({ type }) => type);
  for (const type of ['backup.failed', 'certificate.ends'])
    assert.equal(types.filter((one) => one === type).length, 1, type);
  const letters = post.mails.map(({ text }) => text);
  for (const [, , line] of causes)
    assert.equal(letters.filter((text) => text.includes(line)).length, 1, `${line}\n${letters.join()}`);
  for (const line of [
    'The backup failed: The newest backup failed.',
    'The HTTPS certificate of this server expires on',
  ])
    assert.equal(letters.join().split(line).length, 2, line);

  // The admin window lists each alert with its remedy.
  const { page: window, go } = await openAdmin(t, site, token);
  await go('/attention');
  for (const text of [
    'Till Offline',
    'other screens in its network are online',
    'Door Disk 0 % free',
    /Shelf Clock is wrong by (90|89\.\d|90\.\d) s/,
    'Cafe Wi-Fi signal -88 dBm',
    'the address answers with the error 503',
    'News Feed or forecast is not updating',
    'Offer.jpg Shown until',
    'The newest backup failed.',
    'The HTTPS certificate of this server expires on',
  ])
    await window.locator('.alert-row', { hasText: text }).first().waitFor();

  // All causes of alerts are repaired.
  await Promise.all([shelf.kill(), cafe.kill(), fullDoor.kill(), shop.kill()]);
  empty();
  web.state.feed = web.state.page = true;
  tls.put(300);
  await site.app.tls.https.update();
  clock.add(31 * MINUTE);
  start('Till');
  startDoor();
  start('Shelf');
  start('Cafe');
  // Starts the player again, so that it loads the page at once and not after its next pause.
  start('Window', { window: true });
  await call('PUT', `/api/content/${offer.id}`, { valid_until: null });
  await call('PUT', '/api/server/upkeep', { backup_folder: '' });
  await call('POST', '/api/server/backups', {}, 201);
  await look();
  const mended = {
    feed: async () => {
      if (state()?.error === null) return true;
      // After each failure, the pause before the next attempt is longer.
      clock.add(5 * MINUTE);
      await look();
      return false;
    },
    till: async () => (await device('Till')).status === 'online',
    wifi: async () => (await device('Cafe')).status === 'online' && (await device('Cafe')).wifi_rssi === null,
    clock: async () => Math.abs((await device('Shelf')).sync?.offset_ms) < 5_000,
    disk: async () => (await device('Door')).storage_free_mb > 10,
    page: () => site.app.db.raw.prepare('SELECT 1 FROM play_log WHERE completed = 1').get() !== undefined,
  };
  for (const [what, is] of Object.entries(mended)) await until(`${what} is mended`, 60_000, is, 500);
  // A new alert may end and begin again, so it is removed only after its cause was absent for a while.
  await watch.check();
  clock.add(3 * MINUTE);
  await watch.check();
  await settled();
  assert.deepEqual(told('alert.raised'), once, 'nothing is told anew');
  assert.deepEqual(told('alert.ended'), once);
  const open: { kind: string; ref: string }[] = await call('GET', '/api/alerts');
  const ours = new Set([...causes.map(([kind, ref]) => `${kind} ${ref}`), 'server backup_failed']);
  assert.deepEqual(
    open.filter(({ kind, ref }) => ours.has(`${kind} ${ref}`)),
    [],
  );
});
