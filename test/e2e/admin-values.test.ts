/**
 * Values of stores (such as a price) in a real browser: entered on a store's page and in a table, used in a widget, and
 * missing for a campaign.
 */
// Suite: window
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { enrol, openHq, openScreen, openStore } from '../chain/rig.ts';
import { must } from '../people.ts';
import { until } from '../until.ts';
import { assertAccessible, openAdmin } from './hosts/admin-window.ts';

const ROOT = join(import.meta.dirname, '../..');
const WAIT_MS = 30_000;

test('store values are entered, used in a widget and previewed, and a campaign reports stores without them', {
  timeout: 240_000,
}, async (t) => {
  const hq = await openHq(t);
  const [mill, dock] = [await openStore(t), await openStore(t)];
  await openScreen(t, mill, 'Till');
  const millId = await enrol(hq, mill, { name: 'Mill', region: 'North' });
  await enrol(hq, dock, { name: 'Dock', region: 'South' });
  await until('both are up', WAIT_MS, async () => (await hq.get('/api/stores/counts')).line.up === 2);
  const { id: widget } = must(
    await hq.call('POST', '/api/widgets', {
      widget_type: 'text',
      name: 'Offer',
      config: { html: '<h1>Bread for </h1>' },
    }),
    201,
  );
  const { id: playlist } = must(await hq.call('POST', '/api/playlists', { name: 'Offers' }), 201);
  must(await hq.call('POST', `/api/playlists/${playlist}/items`, { widget_id: widget }), 201);
  must(await hq.call('POST', `/api/playlists/${playlist}/publish`));
  const { page, go } = await openAdmin(t, hq.site, hq.owner.token);

  // Enters a value on the page of a store.
  await go(`/stores/${millId}`);
  await page.getByRole('button', { name: 'Edit values' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add a value' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('pri-ce');
  await dialog.getByText('Letters, digits and _, at most 40').waitFor();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('price');
  await dialog.getByRole('textbox', { name: 'Value' }).fill('3.99');
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('3.99').waitFor();
  assert.deepEqual(await hq.get(`/api/stores/${millId}/values`), { values: { price: '3.99' } });

  // Uses the value in a widget, and previews the widget as the store shows it.
  await go(`/widgets/${widget}`);
  const html = page.getByRole('textbox', { name: 'Text' });
  await html.click();
  await page.evaluate('document.activeElement.setSelectionRange(14, 14)');
  await page.getByRole('button', { name: /^Insert a value into/ }).click();
  await page.getByRole('menuitem', { name: /^price/ }).click();
  assert.equal(await html.inputValue(), '<h1>Bread for {{price}}</h1>');
  await page.getByRole('button', { name: /Values of/ }).click();
  await page.getByRole('option', { name: 'Dock' }).click();
  await page.getByText('Dock has no value for: price').waitFor();
  await page.getByRole('button', { name: /Values of/ }).click();
  await page.getByRole('option', { name: 'Mill' }).click();
  const shown = () => page.frames().map((frame) => frame.evaluate('document.body?.innerText ?? ""').catch(() => ''));
  await until('the preview has it', WAIT_MS, async () =>
    (await Promise.all(shown())).some((text) => String(text).includes('Bread for 3.99')),
  );
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await until('it is saved', WAIT_MS, async () =>
    (await hq.get(`/api/widgets/${widget}`)).config.html.includes('{{price}}'),
  );

  // A campaign lists the stores that have no such value.
  const { id: campaign } = must(
    await hq.call('POST', '/api/campaigns', {
      ...{ name: 'Sale', note: '', rank: 'must', playlist_id: playlist, layout_id: null, whole_screen: true },
      ...{ start_time: '2026-01-01T00:00:00', end_time: '2030-01-01T00:00:00', recurrence: null, recurrence_end: null },
      ...{ begins: 'whole', where: { regions: [], tags: [], store_ids: [] }, screen_tags: [], slots: [] },
    }),
    201,
  );
  await go(`/campaigns/${campaign}`);
  await page.getByText('Some stores have no value for this content').waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const question = page.getByRole('alertdialog');
  await question.getByText('price: Dock').waitFor();
  await question.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('Sale is being sent to the stores').waitFor();
  must(await hq.call('POST', `/api/campaigns/${campaign}/stop`));

  // Imports a table with an error, then the corrected table.
  await go('/stores');
  await page.getByRole('button', { name: 'Table of values' }).click();
  const rows = dialog.getByRole('textbox', { name: 'Table' });
  await rows.fill('Store;price\nDuck;2.99');
  await dialog.getByRole('button', { name: 'Preview changes' }).click();
  await dialog.getByText('Line 2, column 1:').waitFor();
  await rows.fill('Store;price;phone\nDock;2.99;112\nMill;3.49;');
  await dialog.getByRole('button', { name: 'Preview changes' }).click();
  await dialog.getByText('2 stores change, 3 values in total.').waitFor();
  await assertAccessible(page);
  const look = async (name: string) => {
    for (const scheme of ['light', 'dark'] as const)
      for (const width of [390, 1280]) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 900 });
        const isTooWide = await page.evaluate(
          'document.documentElement.scrollWidth > document.documentElement.clientWidth + 1',
        );
        assert.ok(!isTooWide, `${name} at ${width} px`);
        await page.screenshot({ path: join(ROOT, 'test-artefacts', 'values', `${name}-${width}-${scheme}.png`) });
      }
    await page.setViewportSize({ width: 1440, height: 900 });
  };
  await look('table');
  await dialog.getByRole('button', { name: 'Change 2 stores' }).click();
  await page.getByText('Values of 2 stores are changed').waitFor();
  assert.deepEqual(await hq.get(`/api/stores/${millId}/values`), { values: { price: '3.49' } });

  await go(`/stores/${millId}`);
  await page.getByText('3.49').waitFor();
  await look('store');
  await page.getByRole('button', { name: 'Edit values' }).click();
  await dialog.getByRole('button', { name: 'phone' }).waitFor();
  await look('edit');
  await go(`/widgets/${widget}`);
  await page.getByRole('button', { name: /Values of/ }).waitFor();
  await look('widget');
  await go(`/campaigns/${campaign}`);
  await page.getByRole('button', { name: 'Start again' }).waitFor();
  assert.equal(await page.getByText('Some stores have no value for this content').count(), 0);
});
