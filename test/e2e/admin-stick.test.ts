/**
 * A store without a connection in real browsers: it is enrolled by a file, and USB sticks with transfer files carry
 * data both ways.
 */
// Suite: window
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright';
import { campaignOf, openShowing, playlistOf, shows } from '../chain/campaign-rig.ts';
import { freeAddress, openHq, openScreen, openStore } from '../chain/rig.ts';
import { tempFolder } from '../harness.ts';
import { must } from '../people.ts';
import { assertAccessible, chooseFiles, download, openAdmin, tick } from './hosts/admin-window.ts';

/** Returns whether the page is wider than the browser window. */
const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth + 1');

test('store without a connection is enrolled by a file, and USB sticks carry content to it and plays back', {
  timeout: 180_000,
}, async (t) => {
  const [hq, mill] = [await openHq(t), await openStore(t)];
  const till = await openScreen(t, mill, 'Door');
  await till.show(3);
  const folder = tempFolder(t);
  const kept = async (button: Locator): Promise<string> => {
    const file = await download(button);
    const path = join(folder, file.suggestedFilename());
    await file.saveAs(path);
    return path;
  };

  const { id } = must(await hq.call('POST', '/api/stores', { name: 'Mill' }), 201);
  const { page, go } = await openAdmin(t, hq.site, hq.owner.token);
  await go(`/stores/${id}`);
  await page.getByText('Import the store’s first stick here').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Write a stick' }).isDisabled());
  await page.getByRole('button', { name: 'Create code' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Create code' }).click();
  await page.getByText(/Without a connection to headquarters/).waitFor();
  const enrolment = await kept(page.getByRole('dialog').getByRole('button', { name: 'Save as a file' }));
  await page.keyboard.press('Escape');
  // The enrolment file gets an address of headquarters that the store cannot reach.
  const address = await freeAddress();
  writeFileSync(enrolment, readFileSync(enrolment, 'utf8').replace(/https:[^"]*/, address));

  const store = await openAdmin(t, mill.site, mill.owner.token);
  await store.go('/settings/headquarters');
  await chooseFiles(store.page.getByRole('button', { name: 'From a file…' }), enrolment);
  await tick(store.page.getByRole('checkbox', { name: 'This store has no connection to headquarters' }));
  await assertAccessible(store.page);
  await store.page.getByRole('button', { name: 'Enrol' }).click();
  await store.page.getByText('Enrolled from a file, without a connection').waitFor();
  const first = await kept(store.page.getByRole('button', { name: 'Write a stick for headquarters' }));
  assert.match(first, /Mill-back-1\.vitrine-stick$/);
  await assertAccessible(store.page);

  await chooseFiles(page.getByRole('button', { name: 'Import a stick' }), first);
  await page.getByText('Stick 1 was imported').waitFor();
  await page.getByText('This store has no problems.').waitFor();
  assert.equal((await hq.get('/api/stores/plays/totals')).plays, 3);
  const { playlist } = await playlistOf(hq, 'Star', '#aa0000');
  const campaign = must(await hq.call('POST', '/api/campaigns', campaignOf({ playlist_id: playlist })), 201);
  must(await hq.call('POST', `/api/campaigns/${campaign.id}/start`));
  const there = await kept(page.getByRole('button', { name: 'Write a stick' }));
  assert.match(there, /Mill-1\.vitrine-stick$/);
  await assertAccessible(page);

  const screen = await openShowing(t, mill);
  const take = store.page.getByRole('button', { name: 'Import a stick' });
  await chooseFiles(take, there);
  await store.page.getByText('Stick 1 was imported').waitFor();
  await shows(screen, ['Star.jpg']);
  await chooseFiles(take, there);
  await store.page.getByText('has the number 1, but the file with the number 1 was already imported').first().waitFor();
  await store.page.getByText('A USB stick was not imported').waitFor();
  assert.deepEqual(screen.shown(), ['Star.jpg']);
  await assertAccessible(store.page);
  // Headquarters also imports a transfer file, and shows which transfer file the store has refused.
  await chooseFiles(
    page.getByRole('button', { name: 'Import a stick' }),
    await kept(store.page.getByRole('button', { name: 'Write a stick for headquarters' })),
  );
  await page.getByText('Stick 2 was imported').waitFor();
  await page.getByText('A USB stick was not imported').waitFor();
  await page.getByText('has the number 1, but the file with the number 1 was already imported').waitFor();

  for (const width of [390, 768, 2560])
    for (const [window, place] of [
      [{ page, go }, `/stores/${id}`],
      [store, '/settings/headquarters'],
    ] as const) {
      await window.page.setViewportSize({ width, height: 900 });
      await window.go(place);
      await window.page.getByRole('button', { name: 'Import a stick' }).waitFor();
      assert.ok(!(await isTooWide(window.page)), `${place} at ${width} px`);
    }
});
