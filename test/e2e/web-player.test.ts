/**
 * A plain browser as a screen: `http://server/player` over plain HTTP, by a host name that is no secure context. It is
 * paired, plays pictures, clips and widgets, and continues without its server. The report contains every play once.
 */
// Suite: window
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { type BrowserContext, chromium, type Page } from 'playwright';
import { CHROMIUM } from '../../player/agent/testing/chromium.ts';
import { App } from '../../server/app.ts';
import { configFrom } from '../../server/config.ts';
import { callerOf, firstUser, type Site, tempFolder } from '../harness.ts';
import { mustCallAs } from '../people.ts';
import { clip, jpegOf } from '../sample-media.ts';
import { serve } from '../serve.ts';
import { until } from '../until.ts';
import { ARGS } from './hosts/browser.ts';
import { isColour, pixelsOf } from './hosts/pixels.ts';

const SHOTS = join(import.meta.dirname, '..', '..', 'test-artefacts', 'web-player');
const RED = [200, 30, 40] as const;
const GREEN = [20, 170, 70] as const;
const BLUE = [30, 60, 200] as const;
const YELLOW = [240, 220, 20] as const;
/**
 * Largest size in bytes of the scripts and styles that are loaded before the first picture. They are compressed with
 * gzip: Brotli is a sixth smaller, but browsers accept it only by HTTPS.
 */
const FIRST_LOAD_BYTES = 98_500;
const TURN_SECONDS = 1;
const PATIENCE_MS = 30_000;
/**
 * A host name that the browser does not treat as local. So crypto.subtle, service workers and Web Locks are missing.
 */
const HOST = 'shop.test';

/** The real server, on the same port at each start. */
class Store {
  readonly #data: string;
  #app: App | undefined;
  port = 0;

  constructor(t: TestContext) {
    this.#data = tempFolder(t);
    t.after(() => this.stop());
  }

  async start(): Promise<void> {
    const config = configFrom(
      {
        port: this.port,
        https_port: 0,
        host: '127.0.0.1',
        data: this.#data,
        discovery: '0',
        names: HOST,
        log_level: 'error',
      },
      {},
    );
    this.#app = new App({ config, hashCost: { memoryCost: 1024, timeCost: 2, parallelism: 1 } });
    await this.#app.start();
    this.port = this.#app.port;
  }

  async stop(): Promise<void> {
    await this.#app?.stop();
    this.#app = undefined;
  }

  get app(): App {
    assert.ok(this.#app);
    return this.#app;
  }

  readonly call: Site['call'] = (...request) => callerOf(`http://127.0.0.1:${this.port}`)(...request);
}

const openBrowser = async (t: TestContext): Promise<BrowserContext> => {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      ...ARGS.filter((flag) => !flag.startsWith('--autoplay-policy')),
      '--autoplay-policy=document-user-activation-required',
      `--host-resolver-rules=MAP ${HOST} 127.0.0.1`,
    ],
  });
  t.after(() => browser.close());
  return browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en-GB' });
};

const codeOn = async (page: Page): Promise<string> =>
  (await page.locator('.code').getAttribute('aria-label', { timeout: PATIENCE_MS })) ?? '';
const sees = (page: Page, colour: readonly [number, number, number], x = 0.5, y = 0.5) =>
  until(`the colour ${colour}`, PATIENCE_MS, async () => isColour(await pixelsOf(page), x, y, colour));

const oneColour = ([r, g, b]: readonly [number, number, number]) => jpegOf(`rgb(${r}, ${g}, ${b})`, 640, 360);

test('plain browser is a complete player', { timeout: 180_000 }, async (t) => {
  mkdirSync(SHOTS, { recursive: true });
  const shot = (page: Page, name: string) => page.screenshot({ path: join(SHOTS, `${name}.png`) });
  const store = new Store(t);
  await store.start();
  const { token } = await firstUser({ call: store.call } as Site);
  const call = mustCallAs(store, token);
  const upload = async (name: string, bytes: Buffer) => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)]), name);
    return (await call('POST', '/api/content', form, 201)).id as string;
  };

  const context = await openBrowser(t);
  const complaints: string[] = [];
  let loads = 0;
  context.on('console', (message) => {
    // Ignores the messages about unreachable addresses that the browser logs while the server is gone.
    if (
      message.type() === 'error' &&
      !/ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|404 \(Not Found\)/.test(message.text())
    )
      complaints.push(`${message.text()} ${message.location().url}`);
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  const page = await context.newPage();
  page.on('load', () => loads++);
  const url = `http://${HOST}:${store.port}/player`;

  await t.test('page shows a pairing code in a browser that is no secure context', async () => {
    await page.goto(url);
    assert.match(await codeOn(page), /^\w{6,}$/);
    assert.deepEqual(
      await page.evaluate(() => [
        isSecureContext,
        'subtle' in crypto,
        'locks' in navigator,
        'serviceWorker' in navigator,
      ]),
      [false, false, false, false],
    );
    const button = page.getByRole('button', { name: 'Full screen' });
    await button.waitFor();
    assert.notEqual(await button.evaluate((each) => getComputedStyle(each).cursor), 'none');
    await page.locator('.qr-code').waitFor();
    const bytes = await page.evaluate(() => {
      const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      return all
        .filter(({ name }) => /\/(index|dom|preload)[\w-]*\.(js|css)$/.test(name))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    });
    t.diagnostic(`the player, as a browser without HTTPS gets it (gzip): ${(bytes / 1000).toFixed(1)} kB`);
    assert.ok(bytes > 10_000 && bytes < FIRST_LOAD_BYTES, `${bytes} bytes`);
    await until('the page at rest', PATIENCE_MS, () =>
      page.evaluate(() => document.getAnimations().every(({ playState }) => playState !== 'running')),
    );
    await shot(page, '1 pairing');
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
      .analyze();
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.target.join(' ')).join(', ')}`),
      [],
    );
  });

  let deviceId = '';
  await t.test('claimed page reports exactly the capabilities that a browser has', async () => {
    const device = await call('POST', '/api/devices/pair', { code: await codeOn(page), name: 'Counter' }, 201);
    deviceId = device.id;
    await page.locator('.page.idle').waitFor({ timeout: PATIENCE_MS });
    const seen = await until('the device online', PATIENCE_MS, async () => {
      const now = await call('GET', `/api/devices/${deviceId}`);
      return now.status === 'online' && now;
    });
    assert.deepEqual(
      seen.capabilities.filter((each: string) => !['audio', 'identify'].includes(each)),
      ['screen', 'launch'],
    );
    assert.match(seen.platform, /^Browser \(Chrome \d+, Linux\)$/);
    assert.deepEqual([seen.screen_width, seen.screen_height], [1280, 720]);
    await shot(page, '2 idle');
  });

  await t.test('page plays a picture, a clip and a widget', async () => {
    const photo = await upload('photo.jpg', await oneColour(RED));
    const film = await upload(
      'film.mp4',
      await clip(
        'mp4',
        '-f lavfi -i color=c=0x14AA46:s=320x180:r=25:d=2 -f lavfi -i sine=d=2 -c:v libx264 -pix_fmt yuv420p -c:a aac -movflags +faststart',
      ),
    );
    const text = await call(
      'POST',
      '/api/widgets',
      { widget_type: 'text', name: 'Notice', config: { html: '<h1>Open</h1>', background: '#1e3cc8' } },
      201,
    );
    const { id } = await call('POST', '/api/playlists', { name: 'Counter' }, 201);
    for (const item of [{ content_id: photo }, { content_id: film }, { widget_id: text.id }])
      await call('POST', `/api/playlists/${id}/items`, { ...item, duration_sec: TURN_SECONDS }, 201);
    await call('POST', `/api/playlists/${id}/publish`);
    await call('POST', `/api/playlists/${id}/assign`, { device_id: deviceId });
    await sees(page, RED);
    await shot(page, '3 picture');
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).cursor), 'none');
    assert.equal(await page.getByRole('button').count(), 0);
    await sees(page, GREEN);
    await shot(page, '4 clip');
    await sees(page, BLUE, 0.1, 0.1);
    await shot(page, '5 widget');
    await until(
      'the program taken over',
      PATIENCE_MS,
      async () => (await call('GET', `/api/devices/${deviceId}`)).program_ready !== false,
    );
  });

  await t.test('overlay covers the content and is acknowledged once it is visible', async () => {
    const { results } = await call('POST', '/api/pip', {
      device_id: deviceId,
      type: 'image',
      uri: `http://${HOST}:${store.port}/none.png`,
      position: 'top-left',
    });
    assert.equal(results[0].status, 'failed', 'one that cannot be loaded is no overlay');
    const yellow = await oneColour(YELLOW);
    const { origin } = await serve(
      t,
      (_request, response) => void response.setHeader('Content-Type', 'image/jpeg').end(yellow),
    );
    const uri = `${origin}/`;
    const shown = await call('POST', '/api/pip', {
      device_id: deviceId,
      type: 'image',
      uri,
      position: 'top-left',
      width: 320,
      height: 180,
    });
    assert.equal(shown.results[0].status, 'shown');
    await sees(page, YELLOW, 0.12, 0.12);
    await shot(page, '6 overlay');
    await call('POST', '/api/pip/clear', { device_id: deviceId });
  });

  await t.test('page refuses unsupported commands, and can turn black', async () => {
    const rebooted = await call('POST', `/api/devices/${deviceId}/command`, { type: 'reboot' });
    assert.match(JSON.stringify(rebooted), /unsupported/);
    await call('POST', `/api/devices/${deviceId}/command`, { type: 'screen_off' });
    await sees(page, [0, 0, 0]);
    await call('POST', `/api/devices/${deviceId}/command`, { type: 'screen_on' });
    await sees(page, RED);
  });

  const plays = async (): Promise<{ id: string; started_at: number; ended_at: number; content_name: string }[]> =>
    (await call('GET', `/api/reports/plays?device_id=${deviceId}&limit=1000`)).toReversed();

  await t.test(
    'page is black and counts no plays outside opening hours, and shows content when turned on by hand',
    async () => {
      const lastCentury = {
        days: [0, 1, 2, 3, 4, 5, 6],
        start: '00:00',
        end: '24:00',
        start_date: null,
        end_date: '1999-12-31',
      };
      await call('PUT', `/api/devices/${deviceId}`, { opening_hours: [lastCentury] });
      await sees(page, [0, 0, 0]);
      const darkAt = Date.now();
      const closed = await until('that the panel is off', PATIENCE_MS, async () => {
        const device = await call('GET', `/api/devices/${deviceId}`);
        return device.screen_on === false && device.showing.length === 0 && device;
      });
      assert.equal(closed.status, 'online');
      await new Promise((next) => setTimeout(next, 2_500 * TURN_SECONDS));
      const late = (await plays()).filter(({ started_at }) => started_at * 1000 > darkAt);
      assert.deepEqual(late, [], 'nothing began in the dark');
      await call('POST', `/api/devices/${deviceId}/command`, { type: 'screen_on' });
      await sees(page, RED);
      await call('PUT', `/api/devices/${deviceId}`, { opening_hours: [] });
      await until(
        'that it is on',
        PATIENCE_MS,
        async () => (await call('GET', `/api/devices/${deviceId}`)).screen_on === true,
      );
    },
  );

  let wentAt = 0;
  await t.test('page goes on playing when the server is gone', async () => {
    wentAt = Date.now();
    await store.stop();
    await sees(page, BLUE, 0.1, 0.1);
    await sees(page, RED);
    await sees(page, GREEN);
    await sees(page, BLUE, 0.1, 0.1);
  });

  await t.test('report contains every play once after the server is back, and all plays are signed', async () => {
    await store.start();
    const backAt = Date.now();
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    const rows = await until('plays of after the return', PATIENCE_MS, async () => {
      const all = await plays();
      return (all.at(-1)?.started_at ?? 0) * 1000 > backAt && all;
    });
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length, 'no play twice');
    assert.ok(
      rows.filter(({ started_at }) => started_at * 1000 > wentAt && started_at * 1000 < backAt).length >= 3,
      'plays of the time without a server',
    );
    for (const [i, play] of rows.entries())
      assert.ok(
        (rows[i + 1]?.started_at ?? Infinity) >= play.ended_at - 1,
        `${play.content_name} at ${play.started_at} ended after the next one began`,
      );
    const { told, kept } = store.app.db.raw
      .prepare(
        'SELECT plays_through AS told, (SELECT count(*) FROM plays WHERE device_id = devices.id) AS kept FROM devices WHERE id = ?',
      )
      .get(deviceId) as {
      told: number;
      kept: number;
    };
    assert.equal(loads, 1, 'the page has not been loaded again');
    assert.equal(kept, told, 'of all that the journal ever held nothing is missing');
    const seals = store.app.db.raw
      .prepare('SELECT count(*) AS n, max(through) AS through FROM play_seals WHERE device_id = ?')
      .get(deviceId) as { n: number; through: number };
    assert.ok(seals.n > 0 && seals.through >= rows.length - 1, JSON.stringify(seals));
  });

  await t.test('reloaded page is the same screen, and shows its picture from the storage of the browser', async () => {
    const before = await plays();
    await page.reload();
    const firstPicture = await page.evaluate(
      () =>
        new Promise<number>((seen) => {
          const look = () =>
            document.querySelector('.slot.front') ? seen(performance.now()) : requestAnimationFrame(look);
          look();
        }),
    );
    t.diagnostic(`from the reload to the first picture: ${Math.round(firstPicture)} ms`);
    await sees(page, RED);
    assert.equal((await call('GET', '/api/devices')).length, 1);
    const rows = await until('plays of after the reload', PATIENCE_MS, async () => {
      const all = await plays();
      return all.length > before.length + 2 && all;
    });
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
  });

  await t.test('page is muted until a person touches the page', async () => {
    // Playwright evaluates code as if a person had pressed a key, which would unmute the page.
    const inspector = await context.newCDPSession(page);
    const film = async (): Promise<{ muted: boolean; moving: boolean } | null> => {
      const expression = `(() => { const video = document.querySelector('.slot.front video.lit'); return video && { muted: video.muted, moving: !video.paused }; })()`;
      return (await inspector.send('Runtime.evaluate', { expression, returnByValue: true, userGesture: false })).result
        .value;
    };
    await page.reload();
    await until('the film, silent', PATIENCE_MS, async () => (await film())?.moving && (await film())?.muted);
    await until(
      'the server told of it',
      PATIENCE_MS,
      async () => !(await call('GET', `/api/devices/${deviceId}`)).capabilities.includes('audio'),
    );
    await until('sound', PATIENCE_MS, async () => {
      const seen = await film();
      if (seen?.moving && !seen.muted) return true;
      if (seen?.moving) await page.mouse.click(640, 360);
      return false;
    });
    await until('the server told of it', PATIENCE_MS, async () =>
      (await call('GET', `/api/devices/${deviceId}`)).capabilities.includes('audio'),
    );
  });

  await t.test('second tab does not play, unless a person chooses to play there', async () => {
    const second = await context.newPage();
    await second.goto(url);
    await second.getByRole('heading', { name: 'This browser is already playing' }).waitFor({ timeout: PATIENCE_MS });
    await shot(second, '7 second tab');
    await page.bringToFront();
    await sees(page, RED);
    await second.bringToFront();
    await second.getByRole('button', { name: 'Play here' }).click();
    await sees(second, RED);
    await page.getByRole('heading', { name: 'This browser is already playing' }).waitFor({ timeout: PATIENCE_MS });
    assert.equal((await call('GET', '/api/devices')).length, 1);
    await second.goto('about:blank');
    await page.bringToFront();
    await sees(page, RED);
  });

  await t.test('page that is removed as a screen deletes its data and shows a new code', async () => {
    await call('DELETE', `/api/devices/${deviceId}`);
    assert.match(await codeOn(page), /^\w{6,}$/);
    const kept = await page.evaluate(
      () =>
        new Promise((counted) => {
          const asked = indexedDB.open('vitrine-player');
          asked.onsuccess = () => {
            const tx = asked.result.transaction(['assets', 'chunks', 'plays']);
            const counts = ['assets', 'chunks', 'plays'].map((name) => tx.objectStore(name).count());
            tx.oncomplete = () => {
              asked.result.close();
              counted(counts.map(({ result }) => result));
            };
          };
        }),
    );
    assert.deepEqual(kept, [0, 0, 0]);
  });

  assert.deepEqual(complaints, [], 'the page broke no rule of its own');
});
