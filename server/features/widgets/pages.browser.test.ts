/** Tests pages in a real browser, framed like on a screen: in a sandbox without an origin. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import { launchBrowser, ScreenUnderTest } from '../../../player/screen/testing/browser.ts';
import { type Picture, picture, plainJpeg, RED, type Rgb } from '../../../player/screen/testing/pictures.ts';
import { item, NOON, playing, program } from '../../../player/screen/testing/programs.ts';
import { ownedSite, tempFolder } from '../../../test/harness.ts';
import { widgetPage } from './pages/widget-page.ts';
import { settingsOf } from './widget-config.ts';

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser.close());

const open = async (t: TestContext) => {
  const { site, token } = await ownedSite(t);
  const make = async (path: string, body: unknown): Promise<string> =>
    (await site.call('POST', path, { token, body })).body.id;
  /** Opens a page of another site that shows the address in a frame, as a screen does. */
  const frame = async (address: string): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width: 960, height: 540 }, locale: 'en-GB' });
    t.after(() => page.close());
    await page.setContent(
      `<iframe sandbox="allow-scripts" style="position:fixed;inset:0;width:100%;height:100%;border:0" src="${site.origin}${address}"></iframe>`,
    );
    await page.frameLocator('iframe').locator('#stage').waitFor();
    return page;
  };
  return { site, token, make, frame };
};

test('a text widget shows user markup, and its scripts and handlers never run', async (t) => {
  const { make, frame } = await open(t);
  const html =
    '<p id="said">Hello</p><script>document.body.textContent = "script"</script><img src="data:image/png,x" onerror="document.body.textContent = \'handler\'"><a href="javascript:document.body.textContent=1">x</a><iframe srcdoc="<script>parent.document.body.textContent=1</script>"></iframe>';
  const page = await frame(
    `/api/widgets/${await make('/api/widgets', { widget_type: 'text', name: 'T', config: { html, css: '#said { color: rgb(1, 2, 3) }' } })}/render`,
  );
  const inner = page.frameLocator('iframe').frameLocator('iframe.text');
  await inner.locator('#said').waitFor();
  assert.equal(await inner.locator('#said').textContent(), 'Hello');
  assert.equal(await inner.locator('#said').evaluate((node) => getComputedStyle(node).color), 'rgb(1, 2, 3)');
});

test('emoji are in colour on a machine without an emoji font, and a page without emoji contains no emoji font', async (t) => {
  const { make, frame } = await open(t);
  const addressOf = async (html: string) =>
    `/api/widgets/${await make('/api/widgets', { widget_type: 'text', name: 'T', config: { html, background: '#ffffff' } })}/render`;
  const page = await frame(await addressOf('<h1>😀 ❤️</h1>'));
  const inner = page.frameLocator('iframe').frameLocator('iframe.text');
  await inner.locator('h1').waitFor();
  await inner
    .locator('h1')
    .evaluate(() =>
      Promise.all([...document.fonts].map((face) => face.load())).then(() => document.fonts.ready.then(() => true)),
    );
  const shot = await picture(
    await page.screenshot(process.env['VITRINE_SHOTS'] ? { path: `${process.env['VITRINE_SHOTS']}/emoji.png` } : {}),
  );
  const points = Array.from({ length: 96 * 54 }, (_, n) => shot.at((n % 96) * 10 + 5, Math.floor(n / 96) * 10 + 5));
  assert.ok(
    points.filter(([red, green, blue]) => red > 200 && green > 150 && blue < 120).length > 10,
    'no yellow face',
  );
  assert.ok(points.filter(([red, green, blue]) => red > 150 && green < 100 && blue < 100).length > 10, 'no red heart');
  const plain = await frame(await addressOf('<h1>1 © 2026 – 20 %</h1>'));
  assert.ok(!(await plain.frames()[1]!.content()).includes('font-family:Twemoji'));
});

/** Launches a browser without the colour fonts of its machine. */
const withoutColourFonts = async (t: TestContext): Promise<Browser> => {
  const file = join(tempFolder(t), 'fonts.conf');
  const reject =
    '<selectfont><rejectfont><pattern><patelt name="color"><bool>true</bool></patelt></pattern></rejectfont></selectfont>';
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><include>/etc/fonts/fonts.conf</include>${reject}</fontconfig>`,
  );
  const without = await launchBrowser({ FONTCONFIG_FILE: file });
  t.after(() => without.close());
  return without;
};

test('emoji in news are in colour, even if the page was made before the news arrived', async (t) => {
  await using screen = await ScreenUnderTest.open(await withoutColourFonts(t), { width: 960, height: 540 });
  const { host } = screen;
  const { html } = widgetPage(settingsOf('rss', { feed_url: 'http://feed.test/', background: '#ffffff' }));
  assert.ok(!html.includes('font-family:Twemoji'));
  const data_url = '/api/widgets/w/data';
  const story = { title: '😀😀 ❤️❤️', summary: '', author: '', published: null, image: null };
  host.widgetData.set(data_url, {
    fetched_at: Math.floor(NOON / 1000),
    error: null,
    feed: { title: 'News', items: [story] },
  });
  host.setClock(NOON + 1);
  host.push(
    playing(
      program([
        item(1, { kind: 'widget', name: 'News', asset: host.add(html, 'text/html'), data_url, duration_ms: 3_600_000 }),
      ]),
    ),
  );
  await screen.open();
  await host.until('shown');
  const count = (is: (rgb: Rgb) => boolean, shot: Picture): number =>
    Array.from({ length: 240 * 135 }, (_, n) => shot.at((n % 240) * 4, Math.floor(n / 240) * 4)).filter(is).length;
  let seen = [0, 0];
  for (const end = performance.now() + 8_000; Math.min(...seen) < 50 && performance.now() < end; ) {
    const shot = await screen.look();
    seen = [
      count(([red, green, blue]) => red > 200 && green > 150 && blue < 120, shot),
      count(([red, green, blue]) => red > 150 && green < 100 && blue < 100, shot),
    ];
  }
  assert.ok(Math.min(...seen) >= 50, `${seen[0]} points of yellow faces and ${seen[1]} of red hearts`);
});

/** A page whose content would be visible if a frame navigated to it. */
const elsewhere = async (t: TestContext): Promise<string> => {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Elsewhere</h1>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

test('nothing in a text widget can navigate its frame to another page', async (t) => {
  const { make, frame } = await open(t);
  const there = await elsewhere(t);
  const refresh = `<meta http-equiv="refresh" content="0;url=${there}">`;
  const html = [
    `<p id="said">Hello</p>${refresh}<META HTTP-EQUIV=Refresh CONTENT="0; ${there}"><base href="${there}" target="_top"><link rel="stylesheet" href="${there}">`,
    `<svg><style><!--</style>${refresh}--></svg><math><mtext><table><mglyph><style><!--</style>${refresh}`,
    `<noscript>${refresh}</noscript><template>${refresh}</template><iframe srcdoc='${refresh}'></iframe><object data="${there}"></object><frameset><frame src="${there}"></frameset>`,
    `<form action="${there}" target="_top"><button autofocus formaction="${there}">Go</button></form><a id="link" href="${there}" target="_top" ping="${there}">link</a>`,
  ].join('');
  const page = await frame(
    `/api/widgets/${await make('/api/widgets', { widget_type: 'text', name: 'T', config: { html } })}/render`,
  );
  const led: string[] = [];
  page.on('framenavigated', (one) => led.push(one.url()));
  const inner = page.frameLocator('iframe').frameLocator('iframe.text');
  await inner.locator('#said').waitFor();
  for (const what of ['#link', 'button']) await inner.locator(what).dispatchEvent('click');
  // A refresh after 0 s runs as a separate task, and two round trips through the browser take longer than this task.
  await page.waitForTimeout(300);
  assert.deepEqual(led, []);
  assert.equal(await inner.locator('#said').textContent(), 'Hello');
  assert.deepEqual(
    await inner.locator('meta[http-equiv], base, link, iframe, object, [target], [action], [formaction]').count(),
    0,
  );
});

const LONG = 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamter'.slice(0, 60);
const WORDS = {
  text: {
    html: `<h1>${LONG}</h1><p>${LONG}</p><ul><li>${LONG}</li></ul><table><tr><td>${LONG}</td><td>${LONG}</td></tr></table><pre>${LONG}</pre>`,
    overflow: 'clip',
  },
  'directory-board': {
    title: LONG,
    subtitle: LONG,
    categories: [{ name: LONG, entries: [{ identifier: '1', name: LONG, subtitle: LONG }] }],
  },
  'directory-search': {
    title: LONG,
    categories: [{ name: LONG, entries: [{ identifier: LONG, name: LONG, subtitle: LONG }] }],
  },
  clock: { title: LONG },
} as const;

/** Runs in a page: returns texts that are partly outside the browser window, or cut by a box without an ellipsis. */
function cutTexts(): string[] {
  const cut: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement as Element;
    // The ticker moves across the page, so it may be cut.
    if (parent.closest('script, style, .ticker') || !node.textContent?.trim()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, right } of range.getClientRects()) {
      const clips = [...document.querySelectorAll('*')].filter(
        (each) => each.contains(parent) && getComputedStyle(each).overflowX !== 'visible',
      );
      const beyond = clips.find(
        (each) => left < each.getBoundingClientRect().left - 1 || right > each.getBoundingClientRect().right + 1,
      );
      if (left < -1 || right > innerWidth + 1 || (beyond && getComputedStyle(beyond).textOverflow !== 'ellipsis'))
        cut.push(`${parent.tagName}.${parent.className}: ${Math.round(left)} to ${Math.round(right)} of ${innerWidth}`);
    }
  }
  return cut;
}

test('a word of sixty characters stays within every page and is not cut', async (t) => {
  const { make, frame } = await open(t);
  const addresses: Record<string, string> = {};
  for (const [widget_type, config] of Object.entries(WORDS))
    addresses[widget_type] = `/api/widgets/${await make('/api/widgets', { widget_type, name: LONG, config })}/render`;
  const pages = [{ id: 'map', title: LONG, buttons: [{ label: LONG, action: 'back' }] }];
  addresses['kiosk'] =
    `/api/kiosk/${await make('/api/kiosk', { name: LONG, config: { title: LONG, subtitle: LONG, buttons: [{ label: LONG, action: 'page', page: 'map' }], pages } })}/render`;
  const fed = {
    rss: {
      config: { feed_url: 'http://feed.test/' },
      data: {
        feed: { title: LONG, items: [{ title: LONG, summary: LONG, author: LONG, published: null, image: null }] },
      },
    },
    weather: { config: { location: LONG }, data: undefined },
  };
  for (const [widget_type, { config }] of Object.entries(fed))
    addresses[widget_type] = `/api/widgets/${await make('/api/widgets', { widget_type, name: LONG, config })}/render`;
  for (const [name, address] of Object.entries(addresses)) {
    const page = await frame(address);
    if (name === 'rss')
      await page.evaluate((message) => document.querySelector('iframe')!.contentWindow!.postMessage(message, '*'), {
        type: 'vitrine:data',
        data: { fetched_at: Math.floor(Date.now() / 1000), error: null, ...fed.rss.data },
      });
    if (name === 'rss') await page.frameLocator('iframe').locator('.story h1').waitFor();
    for (const size of [
      { width: 960, height: 540 },
      { width: 270, height: 480 },
    ]) {
      await page.setViewportSize(size);
      await page.waitForTimeout(100);
      if (process.env['VITRINE_SHOTS'])
        await page.screenshot({ path: `${process.env['VITRINE_SHOTS']}/long-${name}-${size.width}.png` });
      for (const one of page.frames().slice(1))
        assert.deepEqual(await one.evaluate(cutTexts), [], `${name} at ${size.width}`);
    }
    await page.close();
  }
});

test('text that is too long becomes smaller until it fits', async (t) => {
  const { make, frame } = await open(t);
  const html = '<p>A rather long sentence that has to go somewhere on the screen.</p>'.repeat(30);
  const page = await frame(
    `/api/widgets/${await make('/api/widgets', { widget_type: 'text', name: 'T', config: { html } })}/render`,
  );
  const root = page.frameLocator('iframe').frameLocator('iframe.text').locator('html');
  const excess = await root.evaluate((node) => node.scrollHeight - node.clientHeight);
  assert.ok(excess <= 2, `${excess} px too high`);
});

/** Returns the lines of text in a picture, as ranges of pixel rows that are not empty. */
const linesOf = (shot: Picture): { readonly from: number; readonly to: number }[] => {
  const rows = Array.from({ length: shot.height }, (_, y) =>
    Array.from({ length: shot.width }, (_, x) => shot.at(x, y)[1]).some((green) => green < 160),
  );
  const lines: { from: number; to: number }[] = [];
  for (const [y, ink] of rows.entries()) {
    if (!ink) continue;
    const last = lines.at(-1);
    if (last?.to === y) last.to++;
    else lines.push({ from: y, to: y + 1 });
  }
  return lines;
};

test('clipped text ends with a whole line, whatever the height of its zone is', async (t) => {
  const { make, frame } = await open(t);
  const line = 'Egg Egg Egg';
  const many = (piece: string) => piece.repeat(40);
  for (const html of [
    many(`<p>${line}</p>`),
    `<p>${many(`${line}<br>`)}</p>`,
    many(`${line}<br>`),
    `<h2>${many(`${line}<br>`)}</h2>`,
    `<ul>${many(`<li><b>${line}</b> <small>Egg</small></li>`)}</ul>`,
  ]) {
    const config = { html, overflow: 'clip', background: '#ffffff' };
    const page = await frame(
      `/api/widgets/${await make('/api/widgets', { widget_type: 'text', name: 'T', config })}/render`,
    );
    await page.frameLocator('iframe').frameLocator('iframe.text').getByText('Egg').first().waitFor();
    for (const height of [540, 531, 522, 513]) {
      await page.setViewportSize({ width: 960, height });
      await page.waitForTimeout(100);
      const lines = linesOf(
        await picture(
          await page.screenshot(
            process.env['VITRINE_SHOTS']
              ? { path: `${process.env['VITRINE_SHOTS']}/clip-${html.slice(1, 4)}-${height}.png` }
              : {},
          ),
        ),
      );
      const heights = lines.map(({ from, to }) => to - from);
      const what = `${html.slice(0, 20)} at ${height}: lines of ${heights.join(' ')}`;
      assert.ok(heights.length > 4 && heights.every((each) => Math.abs(each - (heights[0] ?? 0)) <= 1), what);
      const pitch = (lines[1]?.from ?? 0) - (lines[0]?.from ?? 0);
      assert.ok(height - (lines.at(-1)?.to ?? 0) < 1.6 * pitch, `${what}: less is shown than fits`);
    }
    await page.close();
  }
});

test('a page shows data from its parent frame, and ignores data from other frames', async (t) => {
  const { make, frame } = await open(t);
  const page = await frame(
    `/api/widgets/${await make('/api/widgets', { widget_type: 'rss', name: 'R', config: { feed_url: 'http://feed.test/' } })}/render`,
  );
  const data = (title: string) => ({
    fetched_at: Math.floor(Date.now() / 1000),
    error: null,
    feed: { title: 'News', items: [{ title, summary: '', author: '', published: null, image: null }] },
  });
  await page.evaluate((message) => document.querySelector('iframe')!.contentWindow!.postMessage(message, '*'), {
    type: 'vitrine:data',
    data: data('<img src=x onerror=alert(1)>'),
  });
  const headline = page.frameLocator('iframe').locator('.story h1');
  await headline.waitFor();
  assert.equal(await headline.textContent(), '<img src=x onerror=alert(1)>');
  await page
    .frames()[1]!
    .evaluate((message) => window.postMessage(message, '*'), { type: 'vitrine:data', data: data('Forged') });
  await page.waitForFunction(() => true);
  assert.equal(await headline.textContent(), '<img src=x onerror=alert(1)>');
});

test('a page cannot call the API', async (t) => {
  const { site, make, frame } = await open(t);
  const page = await frame(`/api/widgets/${await make('/api/widgets', { widget_type: 'clock', name: 'C' })}/render`);
  const answered = await page.frames()[1]!.evaluate(
    (origin) =>
      fetch(`${origin}/api/health`).then(
        () => 'answered',
        () => 'refused',
      ),
    site.origin,
  );
  assert.equal(answered, 'refused');
  assert.equal(await page.frames()[1]!.evaluate(() => window.origin), 'null');
});

test('the clock uses the server’s time and the time zone from its parent', async (t) => {
  const { make, frame } = await open(t);
  const page = await frame(
    `/api/widgets/${await make('/api/widgets', { widget_type: 'clock', name: 'C', config: { format: '24h', locale: 'en-GB' } })}/render`,
  );
  await page.evaluate(
    (now) =>
      document
        .querySelector('iframe')!
        .contentWindow!.postMessage({ type: 'vitrine:clock', now, timezone: 'Asia/Tokyo' }, '*'),
    Date.UTC(2030, 0, 1, 3, 4, 5),
  );
  await page.frameLocator('iframe').locator('.time', { hasText: '12:04' }).waitFor();
});

test('kiosk page opens its pages and addresses, goes back, and returns to the start page after a while', async (t) => {
  const { site, make, frame } = await open(t);
  const config = {
    title: 'Welcome',
    idle_title: 'Touch me',
    idle_timeout: 1,
    buttons: [
      { label: 'Map', action: 'page', page: 'map' },
      { label: 'Site', action: 'url', url: `${site.origin}/api/health` },
      { label: 'Nowhere', action: 'page', page: 'none' },
    ],
    pages: [{ id: 'map', title: 'The map', buttons: [{ label: 'Go back', action: 'back' }] }],
  };
  const page = await frame(`/api/kiosk/${await make('/api/kiosk', { name: 'K', config })}/render`);
  const kiosk = page.frameLocator('iframe');
  await kiosk.getByRole('button', { name: 'Touch me' }).click();
  assert.ok(await kiosk.getByRole('button', { name: 'Nowhere' }).isDisabled());
  await kiosk.getByRole('button', { name: 'Map' }).click();
  await kiosk.getByRole('heading', { name: 'The map' }).waitFor();
  await kiosk.getByRole('button', { name: 'Go back' }).click();
  await kiosk.getByRole('button', { name: 'Site' }).click();
  assert.match((await kiosk.locator('iframe').getAttribute('sandbox')) ?? '', /^allow-scripts allow-forms$/);
  await kiosk.getByRole('button', { name: 'Back' }).click();
  await kiosk.getByRole('heading', { name: 'Welcome' }).waitFor();
  await kiosk.getByRole('button', { name: 'Touch me' }).waitFor();
});

test('a search by touch ignores accents and case', async (t) => {
  const { make, frame } = await open(t);
  const categories = [
    {
      name: 'First floor',
      entries: [
        { identifier: '101', name: 'Dr. Müller' },
        { identifier: '102', name: 'Beck' },
      ],
    },
  ];
  const page = await frame(
    `/api/widgets/${await make('/api/widgets', { widget_type: 'directory-search', name: 'S', config: { categories } })}/render`,
  );
  const search = page.frameLocator('iframe');
  for (const letter of ['M', 'U', 'L']) await search.getByRole('button', { name: letter, exact: true }).click();
  assert.deepEqual(await search.locator('.card b').allTextContents(), ['Dr. Müller']);
  await search.getByRole('button', { name: 'Clear' }).click();
  assert.equal(await search.locator('.card').count(), 2);
});

test('preview frame shows the page that the parent frame posts, under a content security policy of its own', async (t) => {
  const { site, token, frame } = await open(t);
  const preview = await site.call('POST', '/api/widgets/preview', {
    token,
    body: { widget_type: 'directory-board', config: { title: 'Harbour House' } },
  });
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.setContent(
    '<script>addEventListener("message", ({ data }) => (window.ready = data.type === "vitrine:preview-ready"))</script><iframe sandbox="allow-scripts"></iframe>',
  );
  await page.evaluate(
    (address) => void (document.querySelector('iframe')!.src = address),
    `${site.origin}/api/widgets/preview/frame`,
  );
  await page.waitForFunction(() => (window as any).ready);
  await page.evaluate(
    (html) => document.querySelector('iframe')!.contentWindow!.postMessage({ type: 'vitrine:preview', html }, '*'),
    `${preview.body}<script>document.title = 'foreign'</script>`,
  );
  await page.frameLocator('iframe').getByRole('heading', { name: 'Harbour House' }).waitFor();
  assert.notEqual(await page.frames()[1]!.title(), 'foreign');
  assert.ok(frame);
});

test('news, posts and forecasts are played only while data for them exists', async (t) => {
  const red = await plainJpeg(RED);
  const story = { title: 'Fresh bread', summary: '', author: '', published: null, image: null };
  for (const [type, config] of [
    ['rss', { feed_url: 'http://feed.test/' }],
    ['social', { feed_url: 'http://feed.test/' }],
    ['weather', { location: 'Graz' }],
  ] as const) {
    await t.test(type, async () => {
      await using screen = await ScreenUnderTest.open(browser, { width: 640, height: 360 });
      const { host } = screen;
      const asset = host.add(widgetPage(settingsOf(type, config)).html, 'text/html');
      const data_url = '/api/widgets/w/data';
      const state = (repairs: number) =>
        playing(
          program([
            item(1, { kind: 'widget', name: 'News', asset, data_url, duration_ms: 3_600_000 }),
            item(2, { asset: host.add(red, 'image/jpeg') }),
          ]),
          { repairs },
        );
      host.setClock(NOON + 1);
      host.push(state(0));
      await screen.open();
      await screen.seen(320, 180, RED);
      assert.match((await host.until('fault')).message, /^News: the page has nothing to show: Waiting for the/);
      await host.until('shown');
      assert.deepEqual(
        host.of('shown').map(({ item_id }) => item_id),
        [2],
      );
      if (type === 'weather') return;
      host.widgetData.set(data_url, { fetched_at: 1, error: null, feed: { title: 'News', items: [story] } });
      // The state is sent again, because otherwise the next item would be shown only after 10 s.
      host.push(state(1));
      await host.until('shown', ({ item_id }) => item_id === 1);
      await screen.page.frameLocator('iframe').getByText('Fresh bread').first().waitFor();
      // News that are old are shown with their age.
      if (type === 'rss') assert.equal(await screen.page.frameLocator('iframe').locator('.age').count(), 1);
      await screen.page.evaluate((empty) => document.querySelector('iframe')?.contentWindow?.postMessage(empty, '*'), {
        type: 'vitrine:data',
        data: { fetched_at: 1, error: 'Gone', feed: { title: '', items: [] } },
      });
      await screen.seen(320, 180, RED);
      assert.equal(host.of('fault').at(-1)?.message, 'News: the page no longer has anything to show: Gone');
    });
  }
});

const PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const FORMATS = [
  [1920, 1080],
  [1080, 1920],
  [1080, 1080],
  [1920, 540],
  [3840, 300],
] as const;

/** Runs in a page: returns cards whose text is cut at the edge of the card, or within a line. */
function cutCards(): string[] {
  return [...document.querySelectorAll('.run:first-child .post')].flatMap((post, n) => {
    const cut: string[] = [];
    for (const box of [post, post.querySelector('.said')!])
      if (box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1)
        cut.push(`card ${n}: ${box.className} is ${box.scrollWidth} × ${box.scrollHeight} large`);
    for (const text of post.querySelectorAll('h2, p')) {
      const { display, lineHeight, paddingBottom } = getComputedStyle(text);
      const lines = (text.clientHeight - Number.parseFloat(paddingBottom)) / Number.parseFloat(lineHeight);
      if (display !== 'none' && Math.abs(lines - Math.round(lines)) > 0.1)
        cut.push(`card ${n}: ${lines} lines of ${text.tagName}`);
    }
    return cut;
  });
}

test('social cards show whole lines and their picture in every format and letter size', async (t) => {
  const long = 'Our summer menu is here: strawberries from the region, fresh cheese, and a cold soup. '.repeat(8);
  const image = `data:image/gif;base64,${PIXEL}`;
  const author = 'A very long name of the administration of a city';
  const items = [
    { title: long.slice(0, 300), summary: `Other words. ${long}`.slice(0, 600), author, published: 1, image },
    {
      title: long.slice(0, 300),
      summary: `Other words. ${long}`.slice(0, 600),
      author: 'B',
      published: 1,
      image: null,
    },
    { title: 'Short', summary: '', author: '', published: null, image },
    { title: '', summary: long.slice(0, 600), author: 'C', published: 1, image },
  ];
  const page = await browser.newPage();
  t.after(() => page.close());
  for (const font_size of [0, 43, 80])
    for (const [width, height] of FORMATS) {
      await page.setViewportSize({ width, height });
      await page.setContent(
        widgetPage(settingsOf('social', { feed_url: 'http://feed.test/', ...(font_size && { font_size }) })).html,
      );
      await page.evaluate((feed) => postMessage({ type: 'vitrine:data', data: feed }, '*'), {
        fetched_at: Math.floor(Date.now() / 1000),
        error: null,
        feed: { title: 'News', items },
      });
      await page.locator('.post').first().waitFor();
      await page.evaluate(() => document.fonts.ready.then(() => true));
      await page.waitForTimeout(100);
      if (process.env['VITRINE_SHOTS'])
        await page.screenshot({ path: `${process.env['VITRINE_SHOTS']}/social-${font_size}-${width}x${height}.png` });
      assert.deepEqual(await page.evaluate(cutCards), [], `${width} × ${height}, letters of ${font_size}`);
    }
});

/** Opens the frame of the text widget with this configuration. */
const textFrame = async (t: TestContext, config: Record<string, unknown>, size = { width: 960, height: 540 }) => {
  const page = await browser.newPage({ viewport: size });
  t.after(() => page.close());
  await page.setContent(widgetPage(settingsOf('text', config)).html);
  await page.locator('iframe.text').waitFor();
  const inner = page.frames()[1]!;
  await inner.waitForFunction(() => document.body?.hasChildNodes() && document.readyState === 'complete');
  return { page, inner };
};

/** Runs in a page: counts the lines of text in each element, by their upper edges. */
function lineCounts(selector: string): number[] {
  return [...document.querySelectorAll(selector)].map((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set(
      [...range.getClientRects()].filter(({ width }) => width > 1).map(({ bottom }) => Math.round(bottom / 8)),
    ).size;
  });
}

test('text without tags keeps its line breaks, and line breaks in HTML are ignored', async (t) => {
  for (const size of [
    { width: 960, height: 540 },
    { width: 540, height: 960 },
  ]) {
    const lines = async (config: Record<string, unknown>) =>
      (await textFrame(t, config, size)).inner.evaluate(lineCounts, 'body');
    assert.deepEqual(await lines({ html: 'Open today\n9 &ndash; 18 & more\n1 < 2\n' }), [3]);
    assert.deepEqual(await lines({ html: 'One\r\n\r\nThree', css: 'body { color: red }' }), [2]);
    const { inner } = await textFrame(t, { html: '<p>One\nTwo</p>' }, size);
    assert.deepEqual(await inner.evaluate(lineCounts, 'p'), [1]);
  }
});

test('a price in a table stays on one line, in landscape and portrait', async (t) => {
  const prices = ['12,90 €', '1 299,00 €', 'CHF 1’250.–', '€ 5', '£1,250.00', '19.99', '1299'];
  const row = (price: string) =>
    `<tr><td>Breakfast with coffee, rolls, eggs and fresh fruit of the season</td><td class="cell">${price}</td><td class="cell">from ${price}</td></tr>`;
  const html = `<table>${prices.map(row).join('')}</table>`;
  for (const overflow of ['fit', 'clip', 'scroll'])
    for (const size of [
      { width: 960, height: 540 },
      { width: 540, height: 960 },
      { width: 300, height: 900 },
    ]) {
      const { page, inner } = await textFrame(t, { html, overflow }, size);
      if (process.env['VITRINE_SHOTS'])
        await page.screenshot({ path: `${process.env['VITRINE_SHOTS']}/prices-${overflow}-${size.width}.png` });
      const where = `${overflow} at ${size.width} × ${size.height}`;
      assert.deepEqual(await inner.evaluate(lineCounts, '.price'), Array(14).fill(1), where);
      await page.close();
    }
});

/**
 * Runs in a page: returns words in table cells that are broken over several lines, and cells with one letter per
 * line.
 */
function brokenWords(): string[] {
  const broken: string[] = [];
  const range = document.createRange();
  // Rectangles are in pixels of the screen, but styles are in pixels of the zoomed page.
  const scale = Number.parseFloat(document.documentElement.style.zoom || '1');
  for (const cell of document.querySelectorAll('td, th')) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode() as Text | null; node; node = texts.nextNode() as Text | null)
      for (const { 0: word, index } of node.data.matchAll(/[^\s\u00ad-]+/g)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const boxes = [...range.getClientRects()].filter(({ width }) => width > 0.5);
        const lines = new Set(boxes.map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push(`${word} on ${lines.size} lines`);
        const margin = Number.parseFloat(getComputedStyle(document.body).paddingRight) * 0.4;
        if (boxes.some(({ left, right }) => left < -1 || right > innerWidth - margin * scale))
          broken.push(`${word} reaches the edge`);
      }
  }
  return broken;
}
/** Runs in a page: returns the smallest letter size in a cell, in pixels of the screen. */
function smallestType(): number {
  const zoomOf = (element: Element | null): number =>
    element ? Number.parseFloat((element as HTMLElement).style.zoom || '1') * zoomOf(element.parentElement) : 1;
  return Math.min(
    ...[...document.querySelectorAll('td, th')].map(
      (cell) => Number.parseFloat(getComputedStyle(cell).fontSize) * zoomOf(cell),
    ),
  );
}

test('words of a table stay whole and legible at any width, and columns of a row that is too long are stacked', async (t) => {
  const menu = `<table><tr><th>Gericht</th><th>Beilage</th><th>Preis</th></tr>
    <tr><td>Rindfleischetikettierungsüberwachung</td><td>Kartoffelpüree mit Röstzwiebeln</td><td>1 299,00 €</td></tr>
    <tr><td>Schweinefilet&shy;medaillons mit Champignonrahmsoße</td><td>Frühlingsgemüse</td><td>ab 24,90 €</td></tr></table>`;
  const broad = `<table><tr>${['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag', 'Sonntag']
    .map((day) => `<td>${day}</td><td>Geschwindigkeitsbegrenzung</td>`)
    .join('')}</tr></table>`;
  const short = '<table><tr><td>Espresso</td><td>2,40 €</td></tr><tr><td>Tee</td><td>2,90 €</td></tr></table>';
  for (const overflow of ['clip', 'scroll', 'fit'])
    for (const width of [300, 480, 1080])
      for (const [name, html] of Object.entries({ menu, broad, short })) {
        const { page, inner } = await textFrame(t, { html, overflow, locale: 'de' }, { width, height: 900 });
        if (process.env['VITRINE_SHOTS'])
          await page.screenshot({ path: `${process.env['VITRINE_SHOTS']}/table-${name}-${overflow}-${width}.png` });
        const where = `${name} ${overflow} at ${width}`;
        assert.deepEqual(await inner.evaluate(brokenWords), [], where);
        const type = await inner.evaluate(smallestType);
        assert.ok(type >= 11.9, `${where}: type of ${type} px`);
        const isStacked = await inner.evaluate(() => document.querySelector('table.stacked') !== null);
        if (name === 'short') assert.equal(isStacked, false, where);
        if (name === 'broad' && width === 300) assert.equal(isStacked, true, where);
        await page.close();
      }
});

test('only a table word that is wider than the screen at the smallest letter size is broken', async (t) => {
  const html = `<table><tr><td>${'Donaudampfschifffahrtsgesellschaft'.repeat(3)}</td><td>2,40 €</td></tr></table>`;
  const { inner } = await textFrame(t, { html, overflow: 'clip' }, { width: 300, height: 900 });
  const broken = await inner.evaluate(brokenWords);
  assert.equal(broken.length, 1);
  assert.match(broken[0]!, /^Donau.* on [2-4] lines$/);
});

/** Makes a picture of this shape with a red left and a green right edge, or a red top and a green bottom edge. */
const edgedPicture = (width: number, height: number): string => {
  const [w, h] = width > height ? [width / 10, height] : [width, height / 10];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="white"/><rect width="${w}" height="${h}" fill="red"/><rect x="${width - w}" y="${height - h}" width="${w}" height="${h}" fill="lime"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
};

test('social card shows both edges of a wide and of a tall picture, in landscape, in portrait and in a strip', async (t) => {
  const item = (image: string) => ({ title: 'Strawberries', summary: '', author: 'Shop', published: 1, image });
  const items = [item(edgedPicture(1600, 400)), item(edgedPicture(400, 1600))];
  const page = await browser.newPage();
  t.after(() => page.close());
  for (const [width, height] of [
    [1920, 1080],
    [1080, 1920],
    [1920, 540],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.setContent(widgetPage(settingsOf('social', { feed_url: 'http://feed.test/' })).html);
    await page.evaluate((feed) => postMessage({ type: 'vitrine:data', data: feed }, '*'), {
      fetched_at: Math.floor(Date.now() / 1000),
      error: null,
      feed: { title: 'News', items },
    });
    await page.locator('.post').nth(1).waitFor();
    await page.waitForFunction(() =>
      [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth),
    );
    // The cards of a strip move, so their animations are paused.
    await page.evaluate(() => {
      for (const run of document.getAnimations()) {
        run.pause();
        run.currentTime = 0;
      }
    });
    const shot = await page.screenshot();
    if (process.env['VITRINE_SHOTS'])
      writeFileSync(`${process.env['VITRINE_SHOTS']}/whole-${width}x${height}.png`, shot);
    const { data, info } = await sharp(shot).raw().toBuffer({ resolveWithObject: true });
    const boxes = await page.evaluate(() =>
      [...document.querySelectorAll('.run:first-child .picture')].map((box) => {
        const { left, top, width: w, height: h } = box.getBoundingClientRect();
        return { left, top, width: w, height: h };
      }),
    );
    const inView = boxes.filter(({ left, top, ...box }) => left + box.width <= width && top + box.height <= height);
    assert.ok(inView.length > 0, `${width} × ${height}`);
    for (const [nth, box] of inView.entries()) {
      const count = (isIt: (r: number, g: number, b: number) => boolean) => {
        let found = 0;
        for (let y = Math.max(0, Math.ceil(box.top)); y < Math.min(height, box.top + box.height); y++)
          for (let x = Math.max(0, Math.ceil(box.left)); x < Math.min(width, box.left + box.width); x++) {
            const at = (y * info.width + x) * info.channels;
            if (isIt(data[at]!, data[at + 1]!, data[at + 2]!)) found++;
          }
        return found;
      };
      const where = `picture ${nth} at ${width} × ${height}`;
      assert.ok(count((r, g, b) => r > 240 && g < 15 && b < 15) > 50, `${where}: left or upper edge`);
      assert.ok(count((r, g, b) => g > 240 && r < 15 && b < 15) > 50, `${where}: right or lower edge`);
    }
  }
});
