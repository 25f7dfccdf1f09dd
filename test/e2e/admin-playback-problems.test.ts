/**
 * The admin window names the screens that cannot play a file before the file is published. The players report what they
 * can play.
 */
// Suite: window
import { join } from 'node:path';
import { test } from 'node:test';
import { must } from '../people.ts';
import { clip } from '../sample-media.ts';
import { until } from '../until.ts';
import { upload } from '../uploads.ts';
import { assertAccessible, openShop } from './hosts/admin-window.ts';

const NO_HEVC = { video: { avc: 8_294_400, hevc: 0 }, sized: true, audio: { aac: true }, texture: 8192 };

test('content page, playlist item and publish dialog name the screens that cannot play a video', {
  timeout: 150_000,
}, async (t) => {
  const { call, site, token, screen, page, go, publish, assign, addPicture } = await openShop(t);
  const till = await screen('Kasse 1');
  till.client.say({ type: 'heartbeat', formats: NO_HEVC });
  const film = must(
    await upload(
      site,
      token,
      await clip('mp4', '-f lavfi -i testsrc=s=320x180:r=25:d=3 -c:v libx265 -x265-params log-level=none'),
      'film.mp4',
    ),
    201,
  );
  const { id } = await publish('Offers', { content_id: await addPicture('a.jpg') });
  await assign(id, till.deviceId);
  await call('POST', `/api/playlists/${id}/items`, { content_id: film.id }, 201);
  await until('the report is stored', 15_000, async () => {
    const { problems } = await call('POST', '/api/playback/check', { content_id: film.id });
    return problems.length > 0;
  });
  const sentence = '1 of 1 screens cannot play film.mp4: Kasse 1';
  const folder = process.env['VITRINE_TEST_ARTEFACTS'];
  const picture = (name: string) => folder && page.screenshot({ path: join(folder, `${name}.png`) });

  await go(`/playlists/${id}`);
  await page.getByText('Not on 1 screen').waitFor();
  await picture('playback item');
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('alertdialog').getByText(sentence).waitFor();
  await assertAccessible(page);
  await picture('playback publish');
  await page.keyboard.press('Escape');
  await go('/content');
  await page.getByRole('button', { name: 'Open film.mp4' }).click();
  await page.getByRole('dialog').getByText(sentence).waitFor();
  await picture('playback content');

  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Convert', exact: true }).click();
  await dialog.getByText('This file was converted').waitFor({ timeout: 60_000 });
  await dialog.getByText(sentence).waitFor({ state: 'detached' });
  await dialog.getByText('The original file is kept: HEVC').waitFor();
  await assertAccessible(page);
  await picture('playback converted');
  await dialog.getByRole('button', { name: 'Use the original file again' }).click();
  await dialog.getByText(sentence).waitFor();
  await dialog.getByText('This file was converted').waitFor({ state: 'detached' });
});

test('the admin window names the screens that cannot play an uploaded file, and converts the file there', {
  timeout: 150_000,
}, async (t) => {
  const { call, screen, page, go } = await openShop(t);
  const till = await screen('Kasse 1');
  till.client.say({ type: 'heartbeat', formats: NO_HEVC });
  await until('the report is stored', 15_000, async () => (await call('GET', `/api/devices/${till.deviceId}`)).formats);
  await go('/content');
  const hevc = '-f lavfi -i testsrc=s=322x180:r=25:d=1 -c:v libx265 -x265-params log-level=none';
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload files' }).click();
  await (await choosing).setFiles({ name: 'film.mp4', mimeType: 'video/mp4', buffer: await clip('mp4', hevc) });
  const tray = page.getByRole('region', { name: 'All uploads' });
  await tray.getByText('1 of 1 screens cannot play film.mp4: Kasse 1').waitFor();
  await assertAccessible(page);
  const folder = process.env['VITRINE_TEST_ARTEFACTS'];
  if (folder) await page.screenshot({ path: join(folder, 'playback upload.png') });
  await tray.getByRole('button', { name: 'Convert', exact: true }).click();
  await tray.getByText('1 of 1 screens cannot play film.mp4: Kasse 1').waitFor({ state: 'detached', timeout: 60_000 });
});

test('the admin window names the screens that cannot play a file when a layout is assigned to screens', {
  timeout: 150_000,
}, async (t) => {
  const { call, site, token, screen, page, go } = await openShop(t);
  const till = await screen('Kasse 1');
  till.client.say({ type: 'heartbeat', formats: NO_HEVC });
  const hevc = '-f lavfi -i testsrc=s=324x180:r=25:d=1 -c:v libx265 -x265-params log-level=none';
  const film = must(await upload(site, token, await clip('mp4', hevc), 'film.mp4'), 201);
  const layout = await call('POST', '/api/layouts', { name: 'Halves', zones: [{ content_id: film.id }] }, 201);
  await until('the report is stored', 15_000, async () => (await call('GET', `/api/devices/${till.deviceId}`)).formats);
  await go(`/layouts/${layout.id}`);
  await page.getByRole('button', { name: 'Show on screens' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Kasse 1').click();
  await dialog.getByText('1 of 1 screens cannot play film.mp4: Kasse 1').waitFor();
  await assertAccessible(page);
  const folder = process.env['VITRINE_TEST_ARTEFACTS'];
  if (folder) await page.screenshot({ path: join(folder, 'playback layout.png') });
});
