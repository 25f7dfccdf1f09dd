/**
 * A release to the stores in a real browser: from the versions of the stores through the waves of the rollout to the
 * failure that stopped it.
 */
// Suite: window
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enrol, openHq, openStore } from '../chain/rig.ts';
import { must } from '../people.ts';
import { newPublisher } from '../publisher.ts';
import { until } from '../until.ts';
import { upload } from '../uploads.ts';
import { assertAccessible, openAdmin } from './hosts/admin-window.ts';

const WAIT_MS = 20_000;
const NAME = 'Vitrine-99.0.0-linux-x64.tar.gz';

test('release goes to stores in waves, stops at the first store that fails, and a user decides how to continue', {
  timeout: 180_000,
}, async (t) => {
  const hq = await openHq(t);
  const [mill, dock] = [await openStore(t), await openStore(t)];
  await enrol(hq, mill, { name: 'Mill', region: 'North' });
  await enrol(hq, dock, { name: 'Dock', region: 'South' });
  must(await hq.call('POST', '/api/stores', { name: 'Pier' }), 201);
  const bytes = Buffer.from('a release');
  const send = (file: Buffer, name: string) =>
    upload(hq.site, hq.owner.token, file, name, { path: '/api/updates/releases' });
  must(await send(bytes, NAME), 201);
  must(await send(Buffer.from(newPublisher().sign(NAME, bytes)), `${NAME}.sig`), 201);
  await until('both are up', WAIT_MS, async () => (await hq.get('/api/stores/counts')).line.up === 2);
  await dock.site.app.stop();

  const { page, go } = await openAdmin(t, hq.site, hq.owner.token);
  await go('/stores');
  await page.getByRole('link', { name: 'Software' }).click();
  await page.getByRole('heading', { level: 1, name: 'Software' }).waitFor();
  const { versions } = await hq.get('/api/stores/software');
  await page.getByRole('row', { name: `${versions[0].version} 2` }).waitFor();
  await page.getByText('1 signed file · 9 bytes · 2 stores do not have it yet').waitFor();
  await assertAccessible(page);

  await page.getByRole('button', { name: 'Roll out to stores' }).click();
  const dialog = page.getByRole('dialog', { name: 'Roll out version 99.0.0 to stores' });
  assert.ok(await dialog.getByRole('button', { name: 'Start' }).isDisabled(), 'the first store is not chosen');
  await dialog.getByRole('combobox', { name: 'Stores' }).fill('mi');
  await page.getByRole('option', { name: /Mill/ }).click();
  await page.keyboard.press('Tab');
  const waves = dialog.getByRole('listitem');
  await waves.filter({ hasText: 'Wave 1' }).getByText('1 store', { exact: true }).waitFor();
  await waves.filter({ hasText: 'Wave 1' }).getByText('1 connected, 0 screens').waitFor();
  await waves.filter({ hasText: 'Wave 4' }).getByText('0 stores').waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Remove wave 2' }).click();
  await waves.filter({ hasText: 'Wave 3' }).getByText('1 store', { exact: true }).waitFor();
  for (const width of [390, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await assertAccessible(page);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await dialog.getByRole('button', { name: 'Start' }).click();

  await page.getByRole('heading', { level: 1, name: 'Version 99.0.0' }).waitFor();
  await page.getByText('Stopped at Mill').waitFor({ timeout: WAIT_MS });
  await page
    .getByRole('alert')
    .getByText(/runs from unsigned source code/)
    .waitFor();
  await page.getByRole('row', { name: /Mill.*1.*Refused/ }).waitFor();
  await page.getByRole('row', { name: /Dock.*3.*Waiting/ }).waitFor();
  await assertAccessible(page);
  const [rollout] = await hq.get('/api/stores/rollouts');
  for (const width of [390, 768, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    for (const place of ['/stores', '/stores/software', `/stores/software/${rollout.id}`]) {
      await go(place);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const wide = await page.evaluate(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth + 1',
      );
      assert.ok(!wide, `${place} at ${width} px`);
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await go(`/stores/software/${rollout.id}`);
  // Waits for the answer, because until then the page still shows where the release stopped before.
  const tried = page.waitForResponse((answer) => answer.request().method() === 'POST');
  await page.getByRole('button', { name: 'Try again' }).click();
  assert.ok((await tried).ok());
  await until('it has stopped again', WAIT_MS, async () => {
    const { status } = await hq.get(`/api/stores/rollouts/${rollout.id}`);
    return status === 'stopped';
  });
  await page.getByText('Stopped at Mill').waitFor({ timeout: WAIT_MS });
  await page.getByRole('alert').getByRole('button', { name: 'Exclude' }).click();
  await page.getByRole('row', { name: /Mill.*Excluded/ }).waitFor();
  await page.getByText('Stopped at Mill').waitFor({ state: 'detached' });
  await page.getByRole('radio', { name: /Excluded/ }).click();
  await page.getByRole('row', { name: /Dock/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'End for good' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End for good' }).click();
  await page.getByText('Ended', { exact: true }).waitFor();
  assert.equal((await hq.get(`/api/stores/rollouts/${rollout.id}`)).status, 'ended');

  // The report of the store about the release.
  const own = await openAdmin(t, mill.site, mill.owner.token);
  await own.go('/settings/headquarters');
  const lets = own.page.getByRole('switch', { name: /Headquarters may update this server/ });
  assert.ok(await lets.isChecked(), 'asked at enrolment');
  await assertAccessible(own.page);
  await lets.press('Space');
  await until('it is saved', WAIT_MS, async () => (await mill.get('/api/chain')).link.lets_update === 0);
});
