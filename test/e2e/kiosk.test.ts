/**
 * Attacks on a public screen by a passer-by and by a hostile web page in one of its zones. The real server, agent and
 * browser run, with the agent's own browser flags.
 */
// Suite: journeys
import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { networkInterfaces } from 'node:os';
import { type TestContext, test } from 'node:test';
import { chromium, type Page } from 'playwright';
import { Agent } from '../../player/agent/agent.ts';
import { browserFlags } from '../../player/agent/browser/browser-flags.ts';
import { CHROMIUM } from '../../player/agent/testing/chromium.ts';
import { firstUser, type Site, startSite } from '../harness.ts';
import { mustCallAs } from '../people.ts';
import { serve } from '../serve.ts';
import { until } from '../until.ts';
import { screenAgent } from './hosts/agent.ts';

/** A host name that the browser resolves to this machine, as if an attacker's DNS server had answered so. */
const REBOUND = 'offers.example';

/**
 * Address of the hostile web server. It is not a loopback address, so the browser gives its page an origin, storage and
 * cookies.
 */
const ELSEWHERE =
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address ?? '127.0.0.1';

interface Stranger {
  readonly port: number;
  /** Results of the attacks that the page tried. */
  readonly said: Promise<Record<string, string>>;
  readonly asked: string[];
}

/** A hostile web server with one page that runs the attacks and reports to its own server. */
async function stranger(t: TestContext, attacks: string): Promise<Stranger> {
  const asked: string[] = [];
  const { promise: said, resolve: tell } = Promise.withResolvers<Record<string, string>>();
  const answer: RequestListener = async (request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/said') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      tell(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>);
      return void response.end();
    }
    if (request.url === '/file')
      return void response
        .writeHead(200, {
          'content-disposition': 'attachment; filename=a.bin',
          'content-type': 'application/octet-stream',
        })
        .end('x');
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>Offers</title><body style="background:#14aa46"><input autofocus><script type="module">
      const tries = {};
      const attempt = async (name, run) => {
        const late = new Promise((resolve) => setTimeout(resolve, 4000, 'no answer'));
        tries[name] = await Promise.race([late, Promise.resolve().then(run).then((value) => String(value), () => 'refused')]);
      };
      await Promise.all([${attacks}]);
      await fetch('/said', { method: 'POST', body: JSON.stringify(tries) });
    </script>`);
  };
  return { port: (await serve(t, answer, '0.0.0.0')).port, said, asked };
}

interface Screen {
  readonly site: Site;
  readonly agentOrigin: string;
  readonly deviceId: string;
  readonly call: ReturnType<typeof mustCallAs>;
  /** Shows a web page on the whole screen. Returns the page. */
  readonly show: (url: string) => Promise<Page>;
}

async function screenInPublic(t: TestContext): Promise<Screen> {
  const site = await startSite(t, { env: { VITRINE_ALLOWED_HOSTS: ELSEWHERE } });
  const { token } = await firstUser(site);
  const call = mustCallAs(site, token);
  const agent = new Agent(screenAgent(t, site.origin, 'Window'));
  t.after(() => agent.stop());
  const address = await agent.start();
  const pending = async () => (await call('GET', '/api/devices/pending'))[0]?.pending_id as string | undefined;
  const pending_id = await until('the player has come', 30_000, pending);
  const { id } = await call('POST', '/api/devices/pair', { pending_id }, 201);
  return {
    site,
    agentOrigin: new URL(address).origin,
    deviceId: id,
    call,
    show: async (url) => {
      const content = await call('POST', '/api/content/remote', { url, name: 'Offers', mime_type: 'text/html' }, 201);
      const playlist = await call('POST', '/api/playlists', { name: 'Window' }, 201);
      await call('POST', `/api/playlists/${playlist.id}/items`, { content_id: content.id, duration_sec: 600 }, 201);
      await call('POST', `/api/playlists/${playlist.id}/publish`);
      await call('POST', `/api/playlists/${playlist.id}/assign`, { device_id: id });
      const page = await (await publicBrowser(t)).newPage();
      await page.goto(address);
      return page;
    },
  };
}

async function publicBrowser(t: TestContext) {
  // Uses the flags of a real screen, except for the debugging pipe and the profile folder, which the test sets.
  const flags = browserFlags({ profile: '', headless: true, root: true, extra: [] }).filter(
    (flag) => !/^(--remote-debugging|--user-data-dir|--headless|data:)/.test(flag),
  );
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [...flags, '--disable-gpu', `--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`],
  });
  t.after(() => browser.close());
  return browser.newContext({ viewport: { width: 640, height: 360 } });
}

test("web page in a zone reaches neither the agent nor the server's API under any host name of this machine", {
  timeout: 120_000,
}, async (t) => {
  const screen = await screenInPublic(t);
  const targets = { agent: new URL(screen.agentOrigin).port, server: new URL(screen.site.origin).port };
  const hosts = ['127.0.0.1', 'localhost', 'x.localhost', '[::1]', '0.0.0.0', REBOUND];
  const attacks = Object.entries(targets).flatMap(([what, port]) =>
    hosts.flatMap((host) => {
      const origin = `http://${host}:${port}`;
      return [
        `attempt('${what} ${host} read', () => fetch('${origin}/api/devices').then((r) => r.text()))`,
        `attempt('${what} ${host} guess', () => fetch('${origin}/events').then((r) => r.text()))`,
        `attempt('${what} ${host} script', () => import('${origin}/assets/index.js'))`,
        `attempt('${what} ${host} player', () => new Promise((yes, no) => { const s = new WebSocket('ws://${host}:${port}/api/player', 'vitrine.v1'); s.onopen = () => yes('open'); s.onerror = no; }))`,
        `attempt('${what} ${host} live', () => new Promise((yes, no) => { const s = new WebSocket('ws://${host}:${port}/api/live'); s.onopen = () => yes('open'); s.onerror = no; }))`,
        // The page cannot read the answers to these requests. The test checks that they have no effect on the server.
        `attempt('${what} ${host} blind', () => fetch('${origin}/api/auth/register', { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body: JSON.stringify({ email: 'x${what.length}${host.length}@evil.test', password: 'correct horse', name: 'X' }) }).then(() => 'sent'))`,
        `attempt('${what} ${host} report', () => fetch('${origin}/report', { method: 'POST', mode: 'no-cors', body: '[]' }).then(() => 'sent'))`,
      ];
    }),
  );
  attacks.push(
    // Control of the test: this request must succeed, so the page can send requests at all.
    `attempt('itself', () => fetch('/file').then((r) => r.text()))`,
    `attempt('parent', () => parent.location.href)`,
    `attempt('parent page', () => parent.document.title)`,
    `attempt('referrer', () => document.referrer || 'none')`,
    `attempt('ancestors', () => [...location.ancestorOrigins].join())`,
  );
  const { port, said } = await stranger(t, attacks.join(',\n'));
  const before = (await screen.call('GET', '/api/auth/users')).length;
  const pendingBefore = (await screen.call('GET', '/api/devices/pending')).length;
  await screen.show(`http://${ELSEWHERE}:${port}/`);
  const found = Object.entries(await said);
  assert.equal(found.length, attacks.length);
  const wrong = found.filter(
    ([name, result]) => !/^(refused|no answer)$/.test(result) && !/ (blind|report)$/.test(name),
  );
  assert.deepEqual(
    Object.fromEntries(wrong),
    { itself: 'x', referrer: 'none', ancestors: screen.agentOrigin },
    'nothing but where it is framed, which every framed page may know, and which has no token in it',
  );
  assert.equal((await screen.call('GET', '/api/auth/users')).length, before, 'no account was made blindly');
  assert.equal((await screen.call('GET', '/api/devices/pending')).length, pendingBefore, 'no player was made up');
});

test('a passer-by gets no cursor, menu, selection or zoom, and a web page no dialog, window, download or focus', {
  timeout: 120_000,
}, async (t) => {
  const screen = await screenInPublic(t);
  const { port, said, asked } = await stranger(
    t,
    [
      `attempt('alert', () => { alert('x'); return 'went on'; })`,
      `attempt('confirm', () => confirm('x'))`,
      `attempt('prompt', () => prompt('x'))`,
      `attempt('leave?', () => { onbeforeunload = (e) => { e.preventDefault(); return 'x'; }; return 'set'; })`,
      `attempt('window', () => window.open('/window'))`,
      `attempt('link', () => { const a = document.createElement('a'); a.href = '/linked'; a.target = '_blank'; a.click(); return 'clicked'; })`,
      `attempt('download', () => { const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['x'])); a.download = 'x.bin'; a.click(); return 'clicked'; })`,
      `attempt('top', () => { top.location.href = 'about:blank'; })`,
      `attempt('camera', () => navigator.mediaDevices.getUserMedia({ video: true }))`,
      `attempt('microphone', () => navigator.mediaDevices.getUserMedia({ audio: true }))`,
      `attempt('display', () => navigator.mediaDevices.getDisplayMedia())`,
      `attempt('place', () => new Promise((yes, no) => navigator.geolocation.getCurrentPosition(yes, no)))`,
      `attempt('notifications', async () => { if ((await Notification.requestPermission()) !== 'granted') throw 0; })`,
      `attempt('read clipboard', () => navigator.clipboard.readText())`,
      `attempt('write clipboard', () => navigator.clipboard.writeText('x'))`,
      `attempt('full screen', () => document.body.requestFullscreen())`,
      `attempt('pointer', () => document.body.requestPointerLock())`,
      `attempt('print', () => { print(); return 'went on'; })`,
    ].join(',\n'),
  );
  const page = await screen.show(`http://${ELSEWHERE}:${port}/`);
  const opened: string[] = [];
  page.context().on('page', (other) => opened.push(other.url()));
  page.on('dialog', (dialog) => opened.push(`dialog ${dialog.message()}`));
  page.on('download', (download) => opened.push(`download ${download.suggestedFilename()}`));
  let loads = 0;
  page.on('load', () => loads++);
  const tries = await said;
  const harmless = {
    alert: 'went on',
    confirm: 'false',
    prompt: 'null',
    'leave?': 'set',
    window: 'null',
    link: 'clicked',
    download: 'clicked',
    print: 'went on',
  };
  assert.deepEqual(
    Object.fromEntries(Object.entries(tries).filter(([, result]) => result !== 'refused' && result !== 'no answer')),
    harmless,
  );

  const screenOwns = () => page.evaluate(() => document.activeElement === document.body && document.hasFocus());
  assert.ok(await screenOwns(), 'an autofocus in a zone takes no keys');
  await page.mouse.click(320, 180);
  assert.ok(await screenOwns(), 'nor does a click');
  await page.evaluate(() => {
    const through: string[] = [];
    Object.assign(globalThis, { through });
    for (const name of ['keydown', 'contextmenu', 'selectstart', 'dragstart', 'wheel', 'auxclick', 'dblclick'])
      addEventListener(name, (event) => event.defaultPrevented || through.push(name));
  });
  // The list of blocked keys has its own unit test, and a test with a real keyboard in
  // player/agent/keys.browser.test.ts.
  for (const key of ['F5', 'Escape', 'Tab', 'Alt+ArrowLeft', 'Control+P']) await page.keyboard.press(key);
  await page.mouse.click(320, 180, { button: 'right' });
  await page.mouse.click(320, 180, { button: 'middle' });
  await page.mouse.dblclick(320, 180);
  await page.mouse.move(100, 100);
  await page.mouse.down();
  await page.mouse.move(400, 300, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, 300);
  await page.keyboard.up('Control');
  const after = await page.evaluate(() => ({
    through: (globalThis as unknown as { through: string[] }).through,
    selected: String(getSelection()),
    zoom: visualViewport?.scale,
    cursors: [...new Set([...document.querySelectorAll('*')].map((element) => getComputedStyle(element).cursor))],
  }));
  assert.deepEqual(after, { through: [], selected: '', zoom: 1, cursors: ['none'] });
  // The web page would ask whether to leave. The next item replaces it without this question.
  await screen.call('PUT', `/api/devices/${screen.deviceId}`, { orientation: '180' });
  await screen.call('DELETE', `/api/devices/${screen.deviceId}/playlist`);
  await page.waitForSelector('.page.idle', { timeout: 30_000 });
  assert.deepEqual(opened, []);
  assert.equal(page.context().pages().length, 1);
  assert.ok(loads <= 1, 'the screen was never loaded again');
  assert.ok(!asked.includes('/window') && !asked.includes('/linked'));
});
