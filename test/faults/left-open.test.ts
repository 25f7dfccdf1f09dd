/**
 * Two edits in a row over a slow connection, and a browser that outlives its player: a program that the admin window
 * shows as ready is really on the screen.
 */
// Suite: faults
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright';
import { launchBrowser } from '../../player/screen/testing/browser.ts';
import { distance, picture, type Rgb } from '../../player/screen/testing/pictures.ts';
import { until } from '../until.ts';
import { LossyWay } from './lossy-way.ts';
import { GREEN, Kiosk, RED, Shop } from './rig.ts';

async function rig(t: TestContext, { way = false } = {}) {
  const shop = await Shop.open(t);
  const line = way ? await LossyWay.open(t, shop.origin) : undefined;
  const [red, green] = [await shop.uploadPlain('red.jpg', RED), await shop.uploadPlain('green.jpg', GREEN)];
  const playlists = [await shop.playlist([red.id]), await shop.playlist([green.id])] as const;
  const kiosk = await Kiosk.open(t, line?.origin ?? shop.origin, { window: false });
  const device = await shop.claim(kiosk.name);
  const program = async (): Promise<{ id: string; state: string }> =>
    (await shop.call('GET', `/api/devices/${device}`)).program;
  return { shop, line, playlists, kiosk, device, program };
}

test('playlist and picture rotation that change within half a second both reach the screen over a slow connection', {
  timeout: 120_000,
}, async (t) => {
  const { shop, line, playlists, kiosk, device, program } = await rig(t, { way: true });
  if (line) line.delayMs = 150;
  for (let time = 0; time < 20; time++) {
    const orientation = ['0', '90', '180', '270'][time % 4];
    const content = await shop.uploadPlain(`${time}.jpg`, [time * 10, 255 - time * 10, 100]);
    const playlist = await shop.playlist([content.id]);
    await shop.assign(playlist, device);
    await pause((time * 67) % 500);
    await shop.call('PUT', `/api/devices/${device}`, { orientation });
    const { id } = await until('it is ready', 10_000, async () => {
      const now = await program();
      return now.state === 'ready' && now;
    });
    const state = await kiosk.state();
    assert.equal(state.program_id, id);
    assert.equal(state.program.playlists[0].id, playlist);
    assert.equal(state.placement.orientation, orientation, `time ${time}`);
  }
  assert.equal(playlists.length, 2);
});

test("browser left open after its player was killed shows the next player's program before ready is reported", {
  timeout: 120_000,
}, async (t) => {
  const { shop, playlists, kiosk, device, program } = await rig(t);
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 320, height: 180 } });
  await shop.assign(playlists[0], device);
  await page.goto(kiosk.page);
  await shows(page, RED);
  const ready = () => until('it is ready', 15_000, async () => (await program()).state === 'ready');
  await ready();
  const { id: before } = await program();

  await kiosk.kill();
  await shop.assign(playlists[1], device);
  // Collects the programs that the player reports as ready before they are visible. None is allowed.
  const wrong: string[] = [];
  let over = false;
  const watching = (async () => {
    for (; !over; await pause(50)) {
      const { id, state } = await program();
      if (id !== before && state === 'ready' && !(await isShown(page, GREEN))) wrong.push(id);
    }
  })();
  await kiosk.start();
  await shows(page, GREEN);
  await until('the next program is ready', 15_000, async () => {
    const now = await program();
    return now.id !== before && now.state === 'ready';
  });
  over = true;
  await watching;
  assert.deepEqual(wrong, []);
  assert.equal(new URL(page.url()).href, kiosk.page, 'it has found its player');
});

async function isShown(page: Page, colour: Rgb): Promise<boolean> {
  const look = await page.screenshot({ timeout: 2_000 }).then(picture, () => undefined);
  return look !== undefined && distance(look.at(look.width / 2, look.height / 2), colour) < 24;
}

const shows = (page: Page, colour: Rgb): Promise<boolean> =>
  until(`the page shows ${colour}`, 20_000, () => isShown(page, colour));
