/** A command to stores in a real browser: from the list of stores through the confirmation to the results. */
// Suite: window
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enrol, openHq, openStore } from '../chain/rig.ts';
import { must } from '../people.ts';
import { pairPlayer } from '../player-client.ts';
import { until } from '../until.ts';
import { assertAccessible, openAdmin } from './hosts/admin-window.ts';

const WAIT_MS = 20_000;

test('command goes to the listed stores, and pending deliveries are cancelled', {
  timeout: 120_000,
}, async (t) => {
  const hq = await openHq(t);
  const [mill, dock] = [await openStore(t), await openStore(t)];
  const { client } = await pairPlayer(t, mill.site, mill.owner.token, 'Till');
  await enrol(hq, mill, { name: 'Mill', region: 'North' });
  await enrol(hq, dock, { name: 'Dock', region: 'North' });
  must(await hq.call('POST', '/api/stores', { name: 'Pier', region: 'North' }), 201);
  await until('both are up, and their screens are known', WAIT_MS, async () => {
    const { line, screens_total } = await hq.get('/api/stores/counts');
    return line.up === 2 && screens_total === 1;
  });
  await dock.site.app.stop();

  const { page, go } = await openAdmin(t, hq.site, hq.owner.token);
  // Starts the same command from the map. The result is the same as from the table.
  await go('/stores?region=North&view=map');
  await page.getByRole('button', { name: 'Send a command' }).and(page.locator(':enabled')).waitFor();
  await go('/stores?region=North');
  await page.getByRole('row', { name: /Mill/ }).waitFor();
  await page.getByRole('button', { name: 'Send a command' }).click();
  await page.getByRole('menuitem', { name: 'Display off' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByText('Switch screens in 2 stores off?').waitFor();
  await dialog.getByText('2 stores: 1 screen').waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Display off' }).click();

  await page.getByRole('heading', { level: 1, name: 'Display off' }).waitFor();
  const told = await client.next('command');
  client.say({ type: 'command.result', id: told['id'], status: 'done' });
  await page.getByRole('row', { name: /Mill.*Done.*1 of 1/ }).waitFor();
  await page.getByRole('row', { name: /Dock.*Waiting/ }).waitFor();
  await assertAccessible(page);
  await page.getByRole('radio', { name: /Waiting/ }).click();
  await page.getByRole('row', { name: /Mill/ }).waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('row', { name: /Dock/ }).count(), 1);

  await page.getByRole('button', { name: 'Cancel command' }).click();
  await page.getByRole('alertdialog').getByText('1 store that has not received it yet').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel command' }).click();
  await page.getByText('No store is in this state.').waitFor();
  await page.getByRole('radio', { name: /Cancelled/ }).click();
  await page.getByRole('row', { name: /Dock.*Cancelled/ }).waitFor();

  await page.getByRole('link', { name: 'Commands' }).click();
  await page.getByRole('row', { name: /Display off.*1 of 2 stores.*Cancelled: 1/ }).waitFor();
  await assertAccessible(page);
  const [order] = await hq.get('/api/stores/orders');
  for (const width of [390, 768, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    for (const place of ['/stores', '/stores/orders', `/stores/orders/${order.id}`]) {
      await go(place);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const wide = await page.evaluate(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth + 1',
      );
      assert.ok(!wide, `${place} at ${width} px`);
    }
  }
});
