/**
 * The update of the server itself in the admin window: release notes, progress, result, and return to the previous
 * version.
 */
// Suite: window
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computer, owned, whyNoReleases } from '../faults/own-server.ts';
import { assertAccessible, openAdmin } from './hosts/admin-window.ts';
import { handsOn } from './hosts/klm.ts';

test('server is updated in the window, shows release notes and progress, and goes back to the version before', {
  skip: whyNoReleases,
  timeout: 300_000,
}, async (t) => {
  const it = await computer(t);
  const { token, call, names, state } = await owned(t, it, { '2.0.0': {}, '3.0.0': { main: 'process.exit(3);' } });
  const { body: releases } = await call('GET', '/api/updates/releases');
  const bad = releases.find(({ version }: { version: string }) => version === '3.0.0').id;
  const { page, go } = await openAdmin(t, it, token);

  // A version that does not start: the previous version runs again, and the page says why the update failed.
  await go('/settings/updates');
  await page.getByText('Version 1.0.0 is running.').waitFor();
  await page.getByRole('heading', { name: 'Version 3.0.0 is available' }).waitFor();
  await page.getByRole('region', { name: 'New in version 3.0.0' }).getByText('Brighter.').waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Update to 3.0.0' }).click();
  const asked = page.getByRole('dialog', { name: 'Update the server to version 3.0.0?' });
  await assertAccessible(page);
  await asked.getByRole('button', { name: 'Update to 3.0.0' }).click();
  await page.getByRole('dialog', { name: 'Changing to version 3.0.0' }).getByText('Restart and test').waitFor();
  await assertAccessible(page);
  await page.getByText('Version 3.0.0 did not work').waitFor({ timeout: 90_000 });
  await page.getByText('Reason: the program ended with 3. Version 1.0.0 is running again.').waitFor();
  await call('DELETE', `/api/updates/releases/${bad}`);

  // A version that starts successfully.
  const hands = handsOn(page);
  await go('/settings/updates');
  await hands.click(page.getByRole('button', { name: 'Update to 2.0.0' }));
  await hands.click(page.getByRole('dialog').getByRole('button', { name: 'Update to 2.0.0' }));
  await page.getByText('Version 2.0.0 is installed').waitFor({ timeout: 90_000 });
  await page.getByText('Version 2.0.0 is running.').waitFor();
  await page.getByText('This server has no newer version.', { exact: false }).waitFor();
  await assertAccessible(page);
  const { clicks, seconds } = hands.effort();
  t.diagnostic(`an update of the server: ${clicks} clicks, ${seconds} s`);
  assert.equal(clicks, 2);

  await page.getByRole('button', { name: 'Go back to 1.0.0' }).click();
  await page
    .getByRole('dialog', { name: 'Go back to version 1.0.0?' })
    .getByRole('button', { name: /^Go back/ })
    .click();
  await page.getByText('The server has returned to version 1.0.0').waitFor({ timeout: 90_000 });
  await page.getByText('Version 1.0.0 is running.').waitFor();
  assert.deepEqual([(await state()).last.status, await names()], ['returned', ['Autumn']]);
});
