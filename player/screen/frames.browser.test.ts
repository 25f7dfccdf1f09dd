// Suite: frames
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve } from '../../test/serve.ts';
import { screens } from './testing/browser.ts';
import { BLUE, GREEN, RED } from './testing/pictures.ts';
import { item, NOON, playing, program } from './testing/programs.ts';

const open = screens();

const page = (colour: string, script = ''): string =>
  `<!doctype html><body style="margin:0;height:100vh;background:${colour}"><script>${script}</script>`;

test('widget page receives the widget’s data from the screen and shows the data', async () => {
  await using screen = await open({ width: 640, height: 360 });
  const asset = screen.host.add(
    page(
      '#dc1e28',
      "addEventListener('message',e=>{if(e.data.type==='vitrine:data')document.body.style.background=e.data.data.colour})",
    ),
    'text/html',
  );
  screen.host.widgetData.set('/api/widgets/w/data', { colour: '#14aa46' });
  screen.play(item(1, { kind: 'widget', asset, data_url: '/api/widgets/w/data', content_id: null, widget_id: 'w' }));
  await screen.open();
  const shown = await screen.host.until('shown');
  assert.equal(shown.widget_id, 'w');
  await screen.seen(320, 180, GREEN);
});

test('page in a zone cannot reach the agent or the screen page, and cannot open dialogs or windows', async () => {
  await using screen = await open({ width: 640, height: 360 });
  const attack = `
    const tries = {};
    const done = () => parent.postMessage(JSON.stringify(tries), '*');
    try { tries.parent = parent.document.title } catch { tries.parent = 'refused' }
    try { tries.storage = String(localStorage.length) } catch { tries.storage = 'refused' }
    try { alert('hello'); } catch {}
    tries.window = String(window.open('about:blank'));
    try { top.location = 'about:blank' } catch { tries.top = 'refused' }
    const base = location.href.replace(/assets.*/, '');
    fetch(base + 'widget-data?path=x').then(r => r.text()).then(t => tries.fetch = t, () => tries.fetch = 'refused').then(done);
  `;
  const asset = screen.host.add(page('#14aa46', attack), 'text/html');
  await screen.page.addInitScript(() => {
    if (window !== top) return;
    addEventListener('message', ({ data }) => {
      if (typeof data === 'string') document.documentElement.dataset.tries = data;
    });
  });
  screen.play(item(1, { kind: 'kiosk', asset }));
  await screen.open();
  await screen.seen(320, 180, GREEN);
  await screen.page.waitForFunction(() => document.documentElement.dataset.tries);
  const tries = JSON.parse(
    (await screen.page.evaluate(() => document.documentElement.dataset.tries)) ?? '{}',
  ) as Record<string, string>;
  assert.deepEqual(tries, { parent: 'refused', storage: 'refused', window: 'null', top: 'refused', fetch: 'refused' });
  assert.equal(screen.page.url(), screen.host.url);
});

test('zone shows a web page of the local network, and the next item when the address does not answer', async (t) => {
  await using screen = await open({ width: 640, height: 360 });
  const site = await serve(t, (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(page('#1e3cd2')),
  );
  const url = `${site.origin}/`;
  const red = await screen.plain(RED);
  screen.play(item(1, { kind: 'web', url, duration_ms: 600_000 }));
  await screen.open();
  await screen.seen(320, 180, BLUE);
  site.stop();
  const dead = program([
    item(1, { kind: 'web', url: `${url}other`, name: 'Offers', duration_ms: 600_000 }),
    item(2, { asset: red }),
  ]);
  screen.host.push(playing(dead, { program_id: 'b'.repeat(64) }));
  await screen.seen(320, 180, RED);
  assert.equal((await screen.host.until('fault')).message, `Offers (${url}other): the address does not answer`);
});

test('`launch` shows an address instead of the program, and later the program again, without a blank frame', async () => {
  await using screen = await open({ width: 640, height: 360 });
  const red = await screen.plain(RED);
  const launched = screen.host.assetUrl(screen.host.add(page('#1e3cd2'), 'text/html'));
  const of = program([item(1, { asset: red })]);
  screen.host.push(playing(of));
  await screen.open();
  await screen.seen(320, 180, RED);
  screen.host.push(playing(of, { launch_url: launched }));
  await screen.seen(320, 180, BLUE);
  await screen.host.until('ended');
  screen.host.push(playing(of));
  await screen.seen(320, 180, RED);
  assert.equal(await screen.page.locator('iframe').count(), 0);
});

test('visitor cannot open menus, windows or dialogs, select, or use shortcuts, and sees no cursor', async () => {
  await using screen = await open({ width: 640, height: 360 });
  screen.host.push(playing(null));
  await screen.open();
  await screen.page.waitForSelector('.page.idle');
  const result = await screen.page.evaluate(() => {
    const refused = (event: Event): boolean => !document.body.dispatchEvent(event);
    const options = { bubbles: true, cancelable: true };
    return {
      menu: refused(new MouseEvent('contextmenu', options)),
      key: refused(new KeyboardEvent('keydown', { ...options, key: 'F5' })),
      zoom: refused(new WheelEvent('wheel', { ...options, ctrlKey: true })),
      drag: refused(new DragEvent('dragstart', options)),
      open: window.open('https://example.com') === null,
      confirm: window.confirm('?') === false,
      cursor: getComputedStyle(document.body).cursor,
      select: getComputedStyle(document.body).userSelect,
    };
  });
  assert.deepEqual(result, {
    menu: true,
    key: true,
    zoom: true,
    drag: true,
    open: true,
    confirm: true,
    cursor: 'none',
    select: 'none',
  });
});

test('page that refuses framing, fails or is a download is skipped, and is shown once it allows framing', async (t) => {
  await using screen = await open({ width: 640, height: 360 });
  let friendly = false;
  const refusals: Record<string, Record<string, string>> = {
    '/deny': { 'x-frame-options': 'DENY' },
    '/ancestors': { 'content-security-policy': "frame-ancestors 'self' https://portal.example" },
    '/moved': { location: '/deny' },
    '/file': { 'content-disposition': 'attachment; filename=a.zip' },
    '/broken': {},
  };
  const statuses: Record<string, number> = { '/moved': 302, '/broken': 500 };
  const opened: string[] = [];
  const site = await serve(t, (request, response) => {
    const path = request.url ?? '';
    // The agent reads only the headers of a page to predict whether the browser shows it. The request contains this
    // header, as a request from a frame would.
    if (request.headers['sec-fetch-site'] !== undefined) opened.push(path);
    response
      .writeHead(friendly ? 200 : (statuses[path] ?? 200), {
        'content-type': 'text/html',
        ...(friendly ? {} : refusals[path]),
      })
      .end(page('#1e3cd2'));
  });
  const { origin } = site;
  const red = await screen.plain(RED);
  const pages = Object.keys(refusals).map((path, index) =>
    item(index + 1, { kind: 'web', url: `${origin}${path}`, name: path, duration_ms: 60_000 }),
  );
  const of = program([...pages, item(99, { asset: red, duration_ms: 60_000 })]);
  screen.host.setClock(NOON + 1_000);
  screen.host.push(playing(of));
  await screen.open();
  for (let turn = 0; turn < pages.length; turn++) {
    screen.host.setClock(NOON + turn * 60_000 + 45_000);
    await screen.host.until('fault', ({ item_id }) => item_id === turn + 1);
    await screen.seen(320, 180, RED);
  }
  assert.deepEqual(opened, []);
  assert.deepEqual(
    screen.host.of('fault').map(({ message }) => message),
    [
      `/deny (${origin}/deny): the website does not allow other pages to show its page (X-Frame-Options or frame-ancestors)`,
      `/ancestors (${origin}/ancestors): the website does not allow other pages to show its page (X-Frame-Options or frame-ancestors)`,
      `/moved (${origin}/moved): the website does not allow other pages to show its page (X-Frame-Options or frame-ancestors)`,
      `/file (${origin}/file): the address is not a web page`,
      `/broken (${origin}/broken): the address answers with the error 500`,
    ],
  );
  friendly = true;
  screen.host.setClock(NOON + 1_000);
  // Retries come after 10, 20 … 300 s (faults.test.ts). When a file was repaired, all failed items are retried at once.
  screen.host.push(playing(of, { repairs: 1 }));
  await screen.seen(320, 180, BLUE, 20_000);
});

test('in a browser that is not watched, the frame of a broken page is removed, and a muted page cannot start sound', async (t) => {
  await using screen = await open({ width: 640, height: 360 });
  const site = await serve(t, (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(page('#1e3cd2', 'setTimeout(() => location.reload(), 1500)')),
  );
  const url = `${site.origin}/`;
  const red = await screen.plain(RED);
  const of = (muted: boolean) =>
    playing(
      program([item(1, { kind: 'web', url, name: 'Offers', muted, duration_ms: 600_000 }), item(2, { asset: red })]),
    );
  screen.host.push(of(true));
  await screen.open();
  await screen.seen(320, 180, BLUE);
  const allowed = () => screen.page.locator('iframe').getAttribute('allow');
  assert.match((await allowed()) ?? '', /autoplay 'none'/);
  screen.host.push(of(false));
  await screen.page.locator('iframe[allow*="autoplay *"]').waitFor({ state: 'attached' });
  site.stop();
  await screen.seen(320, 180, RED);
  assert.equal((await screen.host.until('fault')).message, `Offers (${url}): the address does not answer`);
});
