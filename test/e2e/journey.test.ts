/**
 * From two commands to a picture on a screen: an operator in a real browser, a player that finds the server on the
 * network, a power cut of the server, and a report that contains every play exactly once. Server and player are two
 * hosts where the machine supports this.
 */
// Suite: journeys
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Browser, Page } from 'playwright';
import { tempFolder } from '../harness.ts';
import { twoHosts, whyNoNamespaces } from '../netns.ts';
import { until } from '../until.ts';
import { chooseFiles } from './hosts/admin-window.ts';
import { launchOn } from './hosts/browser.ts';
import { end, lineOf } from './hosts/child.ts';
import { clipMp4, photo12Mp } from './hosts/media.ts';
import { fetchFrom } from './hosts/page-fetch.ts';
import { isColour, pixelsOf } from './hosts/pixels.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SHOTS = join(ROOT, 'test-artefacts', 'journey');
const RED = [200, 30, 40] as const;
const PHOTO_SECONDS = 3;
const CLIP_SECONDS = 4;

interface Machine {
  readonly address: string;
  readonly namespace: string | undefined;
  start(file: string, args: readonly string[]): ChildProcess;
}

const machines = (t: TestContext): { store: Machine; kiosk: Machine } => {
  const why = whyNoNamespaces();
  if (why) {
    t.diagnostic(`server and player share one host: ${why}`);
    const local: Machine = {
      address: '127.0.0.1',
      namespace: undefined,
      start: (file, args) => {
        const child = spawn(file, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
        t.after(() => child.kill('SIGKILL'));
        return child;
      },
    };
    return { store: local, kiosk: local };
  }
  const { a, b } = twoHosts(t);
  const on = (host: typeof a): Machine => ({
    address: host.address,
    namespace: host.name,
    start: (file, args) => host.start(file, [...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] }),
  });
  return { store: on(a), kiosk: on(b) };
};

const isPhoto = async (screen: Page) => isColour(await pixelsOf(screen), 0.5, 0.5, RED);
const seesPhoto = (screen: Page, ms: number) => until('the photo', ms, () => isPhoto(screen));
const seesMovement = (screen: Page, ms: number) =>
  until('the moving video', ms, async () => {
    const before = await pixelsOf(screen);
    if (isColour(before, 0.5, 0.5, RED)) return false;
    await new Promise((next) => setTimeout(next, 300));
    const after = await pixelsOf(screen);
    return !isColour(after, 0.5, 0.5, RED) && !before.data.equals(after.data);
  });

const startServer = async (store: Machine, data: string) => {
  const child = store.start(process.execPath, ['server/main.ts', '--port', '8710', '--data', data]);
  await lineOf(child, /This computer/);
  return child;
};

const startPlayer = async (kiosk: Machine, browser: Browser, data: string) => {
  const child = kiosk.start(process.execPath, [
    'player/main.ts',
    '--data',
    data,
    '--no-window',
    '--name',
    'Shop window',
  ]);
  const [, url] = await lineOf(child, /^screen: (\S+)/);
  const screen = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await screen.goto(url!);
  return { child, screen };
};

test('set-up leads to a picture that survives a server failure, with every play reported once', {
  timeout: 240_000,
}, async (t) => {
  mkdirSync(SHOTS, { recursive: true });
  const shot = (page: Page, name: string) => page.screenshot({ path: join(SHOTS, `${name}.png`) });
  const { store, kiosk } = machines(t);
  const [serverData, playerData, media] = [tempFolder(t), tempFolder(t), tempFolder(t)];
  const [photo, clip] = [
    await photo12Mp(join(media, 'Brötchen.jpg'), RED),
    clipMp4(join(media, 'oven.mp4'), CLIP_SECONDS),
  ];
  const [office, kioskBrowser] = [await launchOn(t, store.namespace), await launchOn(t, kiosk.namespace)];

  let server = await startServer(store, serverData);
  const admin = await office.newPage({ viewport: { width: 1440, height: 900 } });
  const complaints: string[] = [];
  admin.on('pageerror', (error) => complaints.push(error.message));

  await t.test('operator sets up the server', async () => {
    await admin.goto('http://127.0.0.1:8710/');
    await admin.getByRole('textbox', { name: 'Name of the store' }).fill('Bakery Müller');
    await shot(admin, '1 set-up');
    await admin.getByRole('button', { name: 'Continue' }).click();
    await admin.getByRole('textbox', { name: 'Your name' }).fill('Anna');
    await admin.getByRole('textbox', { name: 'E-mail' }).fill('anna@bakery.test');
    await admin.getByRole('textbox', { name: 'Password' }).fill('fresh every morning');
    await admin.getByRole('button', { name: 'Create account' }).click();
    await admin.getByRole('heading', { name: 'Screens', level: 1 }).waitFor();
  });

  await t.test('operator uploads a photo of 12 megapixels and a video', async () => {
    await admin.getByRole('link', { name: 'Content' }).click();
    await chooseFiles(admin.getByRole('button', { name: 'Upload files' }), [photo, clip]);
    await admin.getByText('4000 × 3000').waitFor({ timeout: 20_000 });
    await admin.getByText('640 × 360').waitFor({ timeout: 20_000 });
    await shot(admin, '2 content');
  });

  await t.test('operator makes a playlist and publishes it', async () => {
    await admin.getByRole('link', { name: 'Playlists' }).click();
    await admin.getByRole('button', { name: 'New playlist' }).click();
    await admin.getByRole('textbox', { name: 'Name' }).fill('Window');
    await admin.getByRole('button', { name: 'Create' }).click();
    await admin.getByRole('button', { name: 'Add Brötchen.jpg' }).click();
    const length = admin.getByRole('textbox', { name: 'Duration of Brötchen.jpg in seconds' });
    await length.fill(String(PHOTO_SECONDS));
    await length.press('Enter');
    await admin.getByRole('button', { name: 'Add oven.mp4' }).click();
    await admin.getByRole('textbox', { name: 'Duration of oven.mp4 in seconds' }).waitFor();
    await admin.getByRole('button', { name: 'Publish', exact: true }).click();
    await admin.getByText('The screens show this version').waitFor();
    await shot(admin, '3 playlist');
  });

  let player = await startPlayer(kiosk, kioskBrowser, playerData);

  await t.test('operator claims the player, which found the server on the network, with one click', async () => {
    await admin.getByRole('link', { name: 'Screens' }).first().click();
    const code = (await admin.locator('article strong').first().textContent({ timeout: 30_000 })) ?? '';
    await until('the same code on the screen', 10_000, async () =>
      ((await player.screen.locator('body').textContent()) ?? '').replace(/\s/g, '').includes(code.replace(/\s/g, '')),
    );
    await shot(player.screen, '4 pairing');
    await shot(admin, '4 waiting');
    await admin.getByRole('button', { name: 'Connect', exact: true }).click();
    await admin.getByRole('link', { name: /Shop window/ }).click();
    await until(
      'the idle page',
      10_000,
      async () => !((await player.screen.locator('body').textContent()) ?? '').includes(code),
    );
    await shot(player.screen, '5 idle');
  });

  let publishToPicture = 0;
  await t.test('screen that gets the playlist shows the photo and the moving video alternately', async () => {
    await admin.getByRole('combobox', { name: 'Playlist' }).click();
    await admin.getByRole('option', { name: /Window/ }).click();
    const chosen = performance.now();
    await until(
      'a picture',
      10_000,
      async () => (await isPhoto(player.screen)) || (await seesMovement(player.screen, 500).catch(() => false)),
    );
    publishToPicture = performance.now() - chosen;
    await seesPhoto(player.screen, 10_000);
    await shot(player.screen, '6 photo');
    await seesMovement(player.screen, 10_000);
    await shot(player.screen, '6 video');
    await seesPhoto(player.screen, 10_000);
    await shot(admin, '6 screen');
  });
  t.diagnostic(`from choosing the playlist to its picture: ${Math.round(publishToPicture)} ms`);

  const { body: session } = await fetchFrom(admin, 'POST', '/api/auth/login', {
    body: { email: 'anna@bakery.test', password: 'fresh every morning' },
  });

  const cutAt = Date.now();
  await t.test('screen goes on playing after the server is killed', async () => {
    await end(server);
    await seesMovement(player.screen, 10_000);
    await seesPhoto(player.screen, 10_000);
    await seesMovement(player.screen, 10_000);
  });

  let killedAt = 0;
  await t.test('player that starts without the server shows a picture within 5 s', async () => {
    await player.screen.close();
    await end(player.child);
    killedAt = Date.now();
    const started = performance.now();
    player = await startPlayer(kiosk, kioskBrowser, playerData);
    await until(
      'a picture',
      10_000,
      async () => (await isPhoto(player.screen)) || (await seesMovement(player.screen, 400).catch(() => false)),
    );
    const seconds = (performance.now() - started) / 1000;
    t.diagnostic(`from starting the player to its picture, without a server: ${seconds.toFixed(1)} s`);
    await shot(player.screen, '7 without the server');
    assert.ok(seconds <= 5, `${seconds.toFixed(1)} s`);
    await seesPhoto(player.screen, 10_000);
    await seesMovement(player.screen, 10_000);
  });

  const backAt = Date.now();
  await t.test('after the server returns, the report contains every play once', async () => {
    server = await startServer(store, serverData);
    const plays = await until('plays of after the return', 40_000, async () => {
      // The first request of the admin window may still use a connection to the killed server.
      const { token } = session;
      const { body } = await fetchFrom(admin, 'GET', '/api/reports/plays?limit=1000', { token }).catch(() => ({
        body: [],
      }));
      const rows = body as {
        id: string;
        started_at: number;
        ended_at: number;
        duration_sec: number;
        completed: 0 | 1;
        content_name: string;
      }[];
      return rows.some((row) => row.started_at * 1000 > backAt) && rows;
    });
    assert.equal(new Set(plays.map((play) => play.id)).size, plays.length, 'no play twice');
    const inOrder = plays.toReversed();
    assert.ok(
      inOrder.filter((play) => play.started_at * 1000 > cutAt && play.started_at * 1000 < backAt).length >= 4,
      'plays of the time without a server are there',
    );
    // Compares each play with the next one: the screen shows one item at a time, and a video follows each photo. So a
    // missing or duplicate play breaks the sequence.
    for (const [i, play] of inOrder.entries()) {
      const next = inOrder[i + 1];
      if (!next) continue;
      assert.ok(
        next.started_at >= play.ended_at - 1,
        `${next.content_name} began before ${play.content_name} had ended`,
      );
      // A play that was interrupted when the player was killed continues after the player's start, and may last less
      // than 1 s.
      const cutInTwo = Math.abs(play.ended_at * 1000 - killedAt) <= 2_000;
      if (next.started_at - play.ended_at <= 1 && !cutInTwo)
        assert.notEqual(next.content_name, play.content_name, `at ${play.started_at}`);
    }
    // Timing with and without a server, and across the restart of the player: items last exactly 3 s and 4 s, and the
    // photo begins every 7 s, counted from the same instant.
    const whole = inOrder.filter((play) => play.completed === 1 && play.started_at * 1000 > cutAt);
    assert.ok(whole.length >= 2, 'whole turns without a server');
    for (const play of whole) {
      const planned = play.content_name === 'oven.mp4' ? CLIP_SECONDS : PHOTO_SECONDS;
      assert.ok(
        Math.abs(play.duration_sec - planned) < 0.25,
        `${play.content_name} was on for ${play.duration_sec} s instead of ${planned}`,
      );
    }
    const photos = inOrder
      .filter(
        (play) =>
          play.completed === 1 && play.content_name === 'Brötchen.jpg' && play.duration_sec > PHOTO_SECONDS - 0.25,
      )
      .map((play) => play.started_at);
    const round = PHOTO_SECONDS + CLIP_SECONDS;
    for (const at of photos) {
      const off = (at - photos[0]!) % round;
      // Plays are reported in whole seconds.
      assert.ok(off <= 1 || off >= round - 1, `a photo began ${off} s off the plan`);
    }
    await admin.reload();
    await admin.getByText('now', { exact: true }).first().waitFor();
    await shot(admin, '8 back');
  });
  assert.deepEqual(complaints, [], 'the admin window threw nothing');
});
