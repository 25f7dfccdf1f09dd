import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ScreenState } from './host/host.ts';
import { screens } from './testing/browser.ts';
import { quarters, RED } from './testing/pictures.ts';
import { item, NOON, placement, playing, program } from './testing/programs.ts';

const open = screens();
/** Folder for screenshots that a person checks. If unset, no screenshots are stored. */
const SHOTS = process.env.VITRINE_SHOTS;
if (SHOTS) mkdirSync(SHOTS, { recursive: true });

const PAIRING: ScreenState = {
  phase: 'pairing',
  code: 'K7MW4X',
  server_name: 'Bäckerei Sommer',
  fingerprint: '9f3ac1d27b40e8865d11aa02c4ef77309f3ac1d27b40e8865d11aa02c4ef7730',
  claim_url: 'http://192.168.178.20:8710/#/screens/pair?code=K7MW4X',
  device_name: 'kiosk-07',
};
const SEARCHING: ScreenState = { phase: 'searching', servers: [], setup_url: 'http://192.168.178.51:8720' };
const FOUND: ScreenState = {
  ...SEARCHING,
  servers: [
    { name: 'Bäckerei Sommer', url: 'http://192.168.178.20:8710' },
    { name: 'Lager', url: 'http://192.168.178.21:8710' },
  ],
};

const CHOOSING: ScreenState = {
  phase: 'choosing',
  code: 'K7MW4X',
  servers: ['Bäckerei Sommer', 'Friseur Haarmonie und Söhne am Markt', 'Vitrine', 'Vitrine (7837)', 'Lager'].map(
    (name, i) => ({
      name,
      url: `http://192.168.178.2${i}:8710`,
      fingerprint: String(i).repeat(64),
    }),
  ),
  device_name: 'kiosk-07',
};

const SIZES = [
  { name: 'landscape', width: 1920, height: 1080, locale: 'en-US' },
  { name: 'portrait', width: 1080, height: 1920, locale: 'de-DE' },
  { name: 'small', width: 800, height: 480, locale: 'en-US' },
] as const;

for (const { name, ...size } of SIZES) {
  test(`pages fit a ${name} screen of ${size.width} × ${size.height}`, async () => {
    await using screen = await open(size);
    const shoot = async (what: string): Promise<void> => {
      await screen.page.waitForTimeout(500);
      if (SHOTS) await screen.page.screenshot({ path: join(SHOTS, `${what}-${name}.png`) });
      const clipped = await screen.page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.page :is(h1, p, span, b, .cell, .qr-box, .servers li)')]
          .filter((element) => {
            const box = element.getBoundingClientRect();
            return box.left < 0 || box.top < 0 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5;
          })
          .map((element) => element.textContent),
      );
      assert.deepEqual(clipped, [], what);
    };
    screen.host.push(SEARCHING);
    await screen.open();
    await screen.page.waitForSelector('.page.searching');
    await shoot('searching');
    screen.host.push(FOUND);
    await screen.page.waitForSelector('.servers');
    await shoot('found');
    screen.host.push(CHOOSING);
    await screen.page.waitForSelector('.page.choosing .cell');
    await shoot('choosing');
    screen.host.push(PAIRING);
    await screen.page.waitForSelector('.qr-code');
    await shoot('pairing');
    const height = await screen.page
      .locator('.pairing .cell')
      .first()
      .evaluate((cell) => Number.parseFloat(getComputedStyle(cell).fontSize));
    assert.ok(height >= Math.min(size.width, size.height) / 9, `the code is ${height} px high`);
    screen.host.push(playing(null, { device_name: 'Bakery counter' }));
    await screen.page.waitForSelector('.page.idle');
    await shoot('idle');
    screen.host.setClock(NOON);
    screen.host.push(
      playing(null, {
        device_name: 'Bakery counter',
        identify_until: NOON + 60_000,
        identify_groups: ['Entrance', 'Bakery'],
      }),
    );
    await screen.page.waitForSelector('.identify');
    await shoot('identify');
    const letters = await screen.page
      .locator('.identify-name')
      .evaluate((label) => Number.parseFloat(getComputedStyle(label).fontSize));
    // A text as high as a twelfth of a 32 inch panel is 3.3 cm high, which is easy to read from 5 m.
    assert.ok(letters >= Math.min(size.width, size.height) / 12, `the name is ${letters} px high`);
    assert.deepEqual(await screen.page.locator('.identify-groups li').allTextContents(), ['Entrance', 'Bakery']);
    assert.deepEqual(screen.complaints, []);
  });
}

test('pairing page is German on a German machine and English elsewhere', async () => {
  for (const [locale, title] of [
    ['de-AT', 'Diesen Bildschirm verbinden'],
    ['fr-FR', 'Connect this screen'],
  ] as const) {
    await using screen = await open({ locale });
    screen.host.push(PAIRING);
    await screen.open();
    await screen.page.waitForSelector('.page.pairing');
    assert.equal(await screen.page.locator('h1').textContent(), title);
    assert.equal(await screen.page.locator('.code').getAttribute('aria-label'), 'K7MW4X');
  }
});

test('identification shows the name over the picture until its end, in the orientation of the picture', async () => {
  await using screen = await open();
  const asset = screen.host.add(await quarters(1080, 1920), 'image/png');
  screen.host.setClock(NOON);
  const of = program([item(1, { asset, duration_ms: 600_000 })]);
  screen.host.push(playing(of, { placement: placement({ orientation: '90' }), identify_until: NOON + 10_000 }));
  await screen.open();
  await screen.page.waitForSelector('.identify');
  assert.equal(await screen.page.locator('.identify-name').textContent(), 'Bakery counter');
  if (SHOTS) await screen.page.screenshot({ path: join(SHOTS, 'identify-turned.png') });
  screen.host.setClock(NOON + 9_800);
  await screen.page.waitForSelector('.identify', { state: 'detached' });
});

test('overlay with all options is drawn, and a screenshot is stored for a person to check', {
  skip: SHOTS ? false : 'set VITRINE_SHOTS to a folder',
}, async () => {
  await using screen = await open();
  const red = await screen.plain(RED);
  const uri = screen.host.assetUrl(screen.host.add(await quarters(960, 540), 'image/png'));
  screen.host.push(
    playing(program([item(1, { asset: red })]), {
      overlay: {
        type: 'device:pip-show',
        pip_id: 'a',
        kind: 'image',
        uri,
        position: 'bottom-right',
        width: 720,
        height: 480,
        duration: 0,
        title: 'Somebody is at the back door',
        title_color: '#ffffff',
        background_color: '#1d2433',
        opacity: 1,
        border_radius: 24,
        close_button: true,
      },
    }),
  );
  await screen.open();
  await screen.host.until('overlay');
  await screen.page.screenshot({ path: join(SHOTS ?? '', 'overlay.png') });
});
