/** Walls in the admin window: create, rotate, move, measure, assign content; checked with each panel. */
// Suite: window
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, drag, middleOf, openShop, tick } from './hosts/admin-window.ts';

test('two screens form a wall and swap places, one is rotated, and each gets its part of the content', {
  timeout: 150_000,
}, async (t) => {
  const { call, screen, publish, page, go } = await openShop(t);
  const [left, right] = [await screen('Left'), await screen('Right')];
  const playlist = await publish('Autumn');
  await go('/walls');
  await page.getByText('No video walls yet').waitFor();
  await page.getByRole('button', { name: 'New video wall' }).click();
  await page.getByLabel('Name').fill('Stairs');
  await page.getByRole('textbox', { name: 'Rows' }).fill('1');
  await page.getByRole('textbox', { name: 'Bezel between screens' }).fill('10');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Stairs', level: 1 }).waitFor();

  await page.getByRole('button', { name: 'Add a screen in column 1, row 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: /Left/ }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add a screen in column 2, row 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: /Right/ }).click();
  const panel = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}, column`) });
  await drag(page, await middleOf(panel('Left')), await middleOf(panel('Right')));
  await page.getByRole('button', { name: 'Left, column 2, row 1' }).waitFor();
  await panel('Left').press('r');
  await page.getByRole('button', { name: 'Left, column 2, row 1, rotated by 90°' }).waitFor();
  await panel('Right').focus();
  await tick(page.getByRole('switch', { name: /Plays the sound/ }));
  // The settings of the whole wall stay visible while one screen is selected.
  assert.equal(await page.getByRole('textbox', { name: 'Columns', exact: true }).inputValue(), '2');
  const content = page.getByRole('combobox', { name: 'Content' });
  // A list closes when its field is scrolled. So the test scrolls first and then opens the list, as a person does.
  await content.scrollIntoViewIfNeeded();
  await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
  await content.click();
  await page.getByRole('option', { name: /Autumn/ }).click();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved. The screens change at once.').waitFor();

  const [wall] = await call('GET', '/api/walls');
  assert.deepEqual(
    [wall.grid_cols, wall.grid_rows, wall.bezel_h_mm, wall.playlist_id, wall.leader_device_id],
    [2, 1, 10, playlist.id, right.deviceId],
  );
  const config = await call('GET', `/api/walls/${wall.id}/device-config/${left.deviceId}`);
  assert.deepEqual(
    [config.grid_col, config.rotation, config.is_leader, config.tile.x],
    [1, 90, false, wall.screen_w_mm + 10],
  );
  const placed = (said: Record<string, unknown>) =>
    said['type'] === 'program' && (said['placement'] as { wall: { rotation: number } | null }).wall?.rotation === 90;
  await left.client.next(placed);

  for (const [panel, error_p50_ms, error_p99_ms] of [
    [left, 2.1, 6.4],
    [right, 3, 9],
  ] as const)
    panel.client.say({
      type: 'heartbeat',
      telemetry: {},
      sync: { offset_ms: 0, uncertainty_ms: 1, error_p50_ms, error_p99_ms },
    });
  await page.getByText('In sync', { exact: true }).last().waitFor();
  await page.getByText('by 2 screens').waitFor();

  await page.getByRole('button', { name: /^More for/ }).click();
  await page.getByRole('menuitem', { name: 'Delete video wall' }).click();
  await page.getByRole('alertdialog').getByText('2 screens play their own content again.').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete video wall' }).click();
  await page.getByText('Stairs is deleted').waitFor();
  assert.deepEqual(await call('GET', '/api/walls'), []);
});
