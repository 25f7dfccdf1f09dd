import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { serve } from '../../../test/serve.ts';
import { FakeTime, MemoryLog } from '../../core/testing/fakes.ts';
import { folderFor } from '../testing/folder.ts';
import { Browser } from './browser.ts';
import { findBrowser, thisMachine } from './browser-find.ts';

const executable = await findBrowser(thisMachine());
const options = { skip: executable ? false : 'no Chromium on this machine', timeout: 90_000 };

/** A page on a real server that reports when it paints. The test controls the time. */
async function rig(t: TestContext, page = '') {
  const calls: string[] = [];
  let next: { path: string; resolve: () => void } | undefined;
  const { origin } = await serve(t, (request, response) => {
    const path = request.url ?? '';
    calls.push(path);
    if (next?.path === path) next.resolve();
    response
      .setHeader('Content-Type', 'text/html')
      .end(`<body style="background:#f00">${path === '/' ? `<script>fetch('/alive');${page}</script>` : ''}`);
  });
  const time = new FakeTime();
  const log = new MemoryLog();
  const url = `${origin}/`;
  const mode = { profile: join(folderFor(t), 'browser'), headless: true, root: process.getuid?.() === 0, extra: [] };
  const browser = new Browser({ executable: executable ?? '', mode, url, time, random: () => 0.5, log });
  t.after(() => browser.stop());
  const asked = (path: string) => new Promise<void>((resolve) => void (next = { path, resolve }));
  return { browser, time, log, calls, asked };
}

const gone = async (pid: number | undefined): Promise<void> => {
  for (;;) {
    try {
      process.kill(pid ?? 0, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
};

test('browser opens the page in kiosk mode, takes a screenshot, and ends when the player ends', options, async (t) => {
  const { browser, asked } = await rig(t);
  const alive = asked('/alive');
  browser.start();
  await alive;
  const shot = await browser.screenshot();
  assert.ok('data' in shot, JSON.stringify(shot));
  assert.equal(Buffer.from(shot.data, 'base64').subarray(0, 2).toString('hex'), 'ffd8');
  const { pid } = browser;
  await browser.stop();
  await gone(pid);
});

test(
  'browser that was killed, or did not paint for 3 s, restarts at once, and later with growing delays',
  options,
  async (t) => {
    const { browser, time, asked, log } = await rig(t);
    let alive = asked('/alive');
    browser.start();
    await alive;
    const first = browser.pid;
    process.kill(first ?? 0, 'SIGKILL');
    await gone(first);
    alive = asked('/alive');
    // This browser never reported a paint. Therefore its restart is delayed like that of a browser that cannot start.
    while (browser.pid !== undefined) await time.advance(0);
    await time.advance(2_000);
    await alive;
    const second = browser.pid;
    assert.notEqual(second, first);

    browser.alive();
    await time.advance(2_900);
    assert.equal(browser.pid, second);
    alive = asked('/alive');
    await time.advance(200);
    // First the page restarts in a new process. If that does not paint either, the browser restarts.
    await alive;
    assert.equal(browser.pid, second);
    assert.ok(log.lines.some((line) => line.includes('has not painted for 3 s: its page is started again')));
    await time.advance(5_000);
    await gone(second);
    alive = asked('/alive');
    while (browser.pid !== undefined) await time.advance(0);
    await time.advance(5_000);
    await alive;
    // The time limit for a paint doubles with each hang, because the machine may just be slow.
    const third = browser.pid;
    browser.alive();
    await time.advance(11_900);
    assert.equal(browser.pid, third);
    assert.ok(!log.lines.some((line) => line.includes('for 12 s')));
    // If the browser has painted for a minute, its next restart happens without a delay.
    for (let second = 0; second < 70; second++) {
      browser.alive();
      await time.advance(1_000);
    }
    process.kill(third ?? 0, 'SIGKILL');
    await gone(third);
    alive = asked('/alive');
    while (browser.pid !== undefined) await time.advance(0);
    await time.advance(1);
    await alive;
  },
);

test('browser that does not paint while the panel is off is not restarted', options, async (t) => {
  const { browser, time, asked } = await rig(t);
  const alive = asked('/alive');
  browser.start();
  await alive;
  const { pid } = browser;
  browser.alive();
  browser.rest(true);
  await time.advance(3_600_000);
  assert.equal(browser.pid, pid);
});

test('windows and dialogs of a page are blocked, and its permission requests are refused', options, async (t) => {
  const page = `window.open('/popup'); alert(1); confirm(2); navigator.geolocation.getCurrentPosition(() => fetch('/given'), (error) => fetch('/refused-' + error.code));`;
  const { browser, asked, calls } = await rig(t, page);
  const refused = asked('/refused-1');
  browser.start();
  await refused;
  assert.ok(!calls.includes('/given'));
});
