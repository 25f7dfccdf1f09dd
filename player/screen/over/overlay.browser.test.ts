import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PipShow } from '../../../shared/protocol/messages.ts';
import { serve } from '../../../test/serve.ts';
import { until } from '../../../test/until.ts';
import { type ScreenUnderTest, screens } from '../testing/browser.ts';
import { BLACK, BLUE, GREEN, plainJpeg, RED } from '../testing/pictures.ts';
import { item, NOON, playing, program } from '../testing/programs.ts';

const open = screens();

const pip = (uri: string, part: Partial<PipShow> = {}): PipShow => ({
  type: 'device:pip-show',
  pip_id: 'one',
  kind: 'image',
  uri,
  position: 'top-right',
  width: 480,
  height: 360,
  duration: 0,
  opacity: 1,
  border_radius: 0,
  close_button: false,
  ...part,
});

async function withPicture(): Promise<{
  screen: ScreenUnderTest;
  blue: string;
  show: (overlay: PipShow | null) => void;
}> {
  const screen = await open();
  const red = await screen.plain(RED);
  const blue = screen.host.assetUrl(await screen.plain(BLUE, 480, 360));
  const of = program([item(1, { asset: red, duration_ms: 3_600_000 })]);
  const show = (overlay: PipShow | null): void => screen.host.push(playing(of, { overlay }));
  show(null);
  await screen.open();
  await screen.seen(960, 540, RED);
  return { screen, blue, show };
}

test('overlay is at its requested position, is reported once visible, and is replaced by the newest', async () => {
  const { screen, blue, show } = await withPicture();
  await using _ = screen;
  const middles = {
    'top-left': [272, 212],
    'top-right': [1648, 212],
    'bottom-left': [272, 868],
    'bottom-right': [1648, 868],
    center: [960, 540],
  } as const;
  for (const [position, [x, y]] of Object.entries(middles)) {
    show(pip(blue, { pip_id: position, position: position as PipShow['position'] }));
    await screen.host.until('overlay', (r) => r.pip_id === position && r.status === 'shown');
    const shot = await screen.look();
    assert.deepEqual(
      [shot.at(x - 230, y - 170), shot.at(x + 230, y + 170)].map((rgb) => rgb[2] > 150),
      [true, true],
      position,
    );
    assert.deepEqual(
      [shot.at(x - 250, y - 170), shot.at(x + 250, y + 170)].map((rgb) => rgb[2] > 150),
      [false, false],
      position,
    );
    assert.equal(await screen.page.locator('.pip').count(), 1);
  }
  assert.equal(screen.host.of('overlay').filter(({ status }) => status === 'cleared').length, 4);
  assert.equal(screen.host.of('shown').length, 1, 'the playlist goes on beneath');
  show(null);
  await screen.host.until('overlay', (r) => r.pip_id === 'center' && r.status === 'cleared');
  await screen.seen(960, 540, RED);
});

test('overlay is removed at its end', async () => {
  const { screen, blue, show } = await withPicture();
  await using _ = screen;
  screen.host.setClock(NOON);
  show(pip(blue, { position: 'center', until: NOON + 5_000 }));
  await screen.host.until('overlay', ({ status }) => status === 'shown');
  screen.host.setClock(NOON + 4_700);
  await screen.host.until('overlay', ({ status }) => status === 'cleared');
  await screen.seen(960, 540, RED);
  assert.equal(screen.host.of('overlay').length, 2);
});

test('overlay is reported once it is visible, not while it loads or while the screen is dark', async (t) => {
  const { screen, show } = await withPicture();
  await using _ = screen;
  const waiting: (() => void)[] = [];
  const jpeg = await plainJpeg(BLUE, 480, 360);
  const { origin } = await serve(
    t,
    (_request, response) =>
      void waiting.push(() => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(jpeg)),
  );
  const uri = `${origin}/a.jpg`;
  const requests = (count: number) => until(`${count} requests`, 8_000, () => waiting.length === count);
  screen.host.setClock(NOON);
  show(pip(uri, { position: 'center', until: NOON + 20_000 }));
  await requests(1);
  const came = screen.host.now();
  waiting[0]?.();
  const { at = 0 } = await screen.host.until('overlay', ({ status }) => status === 'shown');
  assert.ok(at >= came - 5 && at <= screen.host.now(), `it came at ${came} and was seen at ${at}`);
  // The agent answers the report: the overlay ends ten seconds after the report, and not at the earlier end in the
  // message.
  show(pip(uri, { position: 'center', until: NOON + 40_000 }));
  screen.host.setClock(NOON + 21_000);
  await screen.seen(960, 540, BLUE);
  screen.host.reports.length = 0;
  const off = {
    overlay: pip(`${uri}?dark`, { pip_id: 'dark', position: 'center', until: NOON + 60_000 }),
    screen_on: false,
  };
  screen.host.push(playing(null, off));
  await screen.seen(960, 540, BLACK);
  screen.host.push(playing(null, { ...off, screen_on: true }));
  await requests(2);
  assert.deepEqual(screen.host.of('overlay'), []);
  waiting.at(-1)?.();
  await screen.host.until('overlay', ({ pip_id, status }) => pip_id === 'dark' && status === 'shown');
  assert.equal(await screen.page.locator('#screen.dark').count(), 0);
});

test('overlay larger than the screen is reduced to the screen size', async () => {
  const { screen, blue, show } = await withPicture();
  await using _ = screen;
  show(pip(blue, { width: 3840, height: 3840, background_color: '#14AA46' }));
  await screen.host.until('overlay', ({ status }) => status === 'shown');
  await screen.seen(5, 5, GREEN);
  await screen.seen(960, 540, BLUE);
  assert.deepEqual(await screen.page.locator('.pip').boundingBox(), { x: 0, y: 0, width: 1920, height: 1080 });
});

test('overlay that a visitor closes by its button does not return', async () => {
  const { screen, blue, show } = await withPicture();
  await using _ = screen;
  show(pip(blue, { close_button: true, title: 'Doorbell', title_color: '#FFFFFF', background_color: '#14AA46' }));
  await screen.host.until('overlay', ({ status }) => status === 'shown');
  assert.equal(await screen.page.locator('.pip-title').textContent(), 'Doorbell');
  await screen.page.locator('.pip-close').click();
  await screen.host.until('overlay', ({ status }) => status === 'cleared');
  show(pip(blue, { close_button: true, title: 'Doorbell', title_color: '#FFFFFF', background_color: '#14AA46' }));
  await screen.seen(1648, 212, RED);
  assert.equal(screen.host.of('overlay').length, 2);
});

test('web overlay is shown when its address answers, and is reported as failed otherwise', async () => {
  const { screen, show } = await withPicture();
  await using _ = screen;
  const html = screen.host.assetUrl(screen.host.add('<body style="margin:0;background:#1e3cd2">', 'text/html'));
  show(pip(html, { kind: 'web', position: 'center' }));
  await screen.host.until('overlay', ({ status }) => status === 'shown');
  await screen.seen(960, 540, BLUE);
  show(pip('http://127.0.0.1:9/', { kind: 'web', pip_id: 'two' }));
  const failed = await screen.host.until('overlay', ({ pip_id }) => pip_id === 'two');
  assert.equal(failed.status, 'failed');
  await screen.page.waitForSelector('.pip', { state: 'detached' });
});

test('message overlay fills its requested share of the screen and is loaded from the stored files', async () => {
  const { screen, show } = await withPicture();
  await using _ = screen;
  const html = '<body style="margin:0;background:#1e3cd2">';
  const asset = { sha256: screen.host.add(html, 'text/html'), size: html.length, mime: 'text/html' };
  const nowhere = 'http://127.0.0.1:9/';
  show(pip(nowhere, { kind: 'web', pip_id: 'band', area: 'bottom', asset }));
  await screen.host.until('overlay', (r) => r.pip_id === 'band' && r.status === 'shown');
  await screen.seen(5, 1075, BLUE);
  await screen.seen(960, 540, RED);
  assert.deepEqual(await screen.page.locator('.pip').boundingBox(), { x: 0, y: 821, width: 1920, height: 259 });
  const picture = { sha256: await screen.plain(BLUE, 1920, 1080), size: 1, mime: 'image/jpeg' };
  show(pip(nowhere, { pip_id: 'all', area: 'full', asset: picture }));
  await screen.host.until('overlay', (r) => r.pip_id === 'all' && r.status === 'shown');
  await screen.seen(5, 5, BLUE);
});

test('overlay whose address failed is opened from its stored file once the file has arrived', async () => {
  const { screen, show } = await withPicture();
  await using _ = screen;
  const failing = pip('http://127.0.0.1:9/', { kind: 'web', position: 'center' });
  show(failing);
  await screen.host.until('overlay', ({ status }) => status === 'failed');
  const html = '<body style="margin:0;background:#1e3cd2">';
  show({ ...failing, asset: { sha256: screen.host.add(html, 'text/html'), size: html.length, mime: 'text/html' } });
  await screen.host.until('overlay', ({ status }) => status === 'shown');
  await screen.seen(960, 540, BLUE);
});
