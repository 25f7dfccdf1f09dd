/**
 * From an empty server to a picture on a screen, by hand: the store's name, its owner, an upload, a playlist, a screen.
 */
// Suite: window
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startSite, tempFolder } from '../harness.ts';
import { must } from '../people.ts';
import { connectPlayer, DEVICE, hashOf } from '../player-client.ts';
import { jpegOf } from '../sample-media.ts';
import { assertAccessible, chooseFiles, openAdmin } from './hosts/admin-window.ts';

test('new store plays its first picture without a manual', { timeout: 150_000 }, async (t) => {
  const site = await startSite(t);
  const secret = randomBytes(32).toString('hex');
  const player = await connectPlayer(t, site);
  player.say({ type: 'hello', protocol: 1, secret_hash: hashOf(secret), device: { ...DEVICE, name: 'STICK-7F3A' } });
  const { code } = await player.next('pairing');
  const file = join(tempFolder(t), 'bread.jpg');
  writeFileSync(file, await jpegOf('#c98a2b'));

  const { page } = await openAdmin(t, site, null);
  await page.getByRole('textbox', { name: 'Name of the store' }).fill('Kaufhaus Brunnen');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('textbox', { name: /name/i }).fill('Ines Brunner');
  await page.getByRole('textbox', { name: 'E-mail' }).fill('ines@brunnen.example');
  await page.getByLabel('Password', { exact: true }).fill('eine lange Leiter');
  await page.getByRole('button', { name: 'Create account' }).click();

  await page.getByRole('heading', { name: 'Three steps to your first screen' }).waitFor();
  await assertAccessible(page);
  await page.getByRole('link', { name: 'Upload files' }).click();
  await chooseFiles(page.getByRole('button', { name: 'Upload files' }).first(), file);
  await page.getByRole('button', { name: 'Open bread.jpg' }).waitFor();

  await page
    .getByRole('link', { name: /^Screens/ })
    .first()
    .click();
  await page.getByRole('link', { name: 'New playlist' }).click();
  await page.getByRole('button', { name: 'New playlist' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Shop window');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Add bread.jpg' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Shop window is published').waitFor();

  await page
    .getByRole('link', { name: /^Screens/ })
    .first()
    .click();
  await page.getByText(`${code.slice(0, 3)} ${code.slice(3)}`).waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('Window left');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const { device_id } = await player.next('paired');
  await page.getByRole('link', { name: /Window left/ }).click();
  await page.getByRole('combobox', { name: 'Playlist' }).click();
  await page.getByRole('option', { name: /Shop window/ }).click();
  await page.getByText('Window left now plays Shop window').waitFor();

  for (;;) {
    const { url } = await player.next('program');
    const program = must(await site.call('GET', String(url), { token: `${device_id}.${secret}` }));
    if (program.playlists.length === 0) continue;
    assert.equal(program.playlists[0].items[0].name, 'bread.jpg');
    break;
  }
});

test('set-up from another machine accepts only the set-up code of the server', {
  timeout: 90_000,
}, async (t) => {
  const site = await startSite(t, { env: { VITRINE_SETUP_CODE: 'the code of the terminal' } });
  const { page, context } = await openAdmin(t, site, null);
  // Sends the header with which a trusted proxy forwards a request from another machine.
  await context.setExtraHTTPHeaders({ 'X-Forwarded-For': '192.0.2.7' });
  await page.reload();
  await page.getByRole('textbox', { name: 'Name of the store' }).fill('Kaufhaus Brunnen');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ines Brunner');
  await page.getByRole('textbox', { name: 'E-mail' }).fill('ines@brunnen.example');
  await page.getByLabel('Password', { exact: true }).fill('eine lange Leiter');
  const open = () => page.getByRole('button', { name: 'Create account' }).click();
  await open();
  await page.getByText('Enter the setup code.').waitFor();
  const code = page.getByRole('textbox', { name: 'Setup code' });
  await code.fill('a code of somebody');
  await open();
  await page.getByText('This is not the setup code').waitFor();
  await assertAccessible(page);
  assert.equal(must(await site.call('GET', '/api/auth/config')).needsSetup, true);
  await code.fill('the code of the terminal');
  await open();
  await page.getByRole('heading', { name: 'Three steps to your first screen' }).waitFor();
});
