/** The about page of the admin window: version, licence, and the licences of the bundled packages. */
// Suite: window
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, download, guestOf, openShop } from './hosts/admin-window.ts';

test('every user can read the version, the licence of Vitrine and the licence of each bundled package', {
  timeout: 150_000,
}, async (t) => {
  const { site, page, go, signIn } = await openShop(t);
  await signIn(await guestOf(site));
  await go('/account');
  await page.getByRole('link', { name: 'About', exact: true }).click();
  const { version } = (await site.call('GET', '/api/health')).body;
  await page.getByText(`Version ${version}`).waitFor();
  await page.getByRole('button', { name: 'Read the licence' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Permission is hereby granted', { exact: false }).waitFor();
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('searchbox', { name: 'Find by name or licence' }).fill('react-d');
  const found = page.locator('.about-parts').getByRole('button');
  await page.getByText(/^\d+ found$/).waitFor({ state: 'attached' });
  assert.deepEqual(await page.locator('.about-name strong').allInnerTexts(), ['react-dom']);
  await found.press('Enter');
  await dialog.getByText('Meta Platforms', { exact: false }).waitFor();
  assert.match((await dialog.getByRole('link').getAttribute('href')) ?? '', /^https:\/\/github\.com\//);
  await page.keyboard.press('Escape');
  // The keyboard focus returns to the package whose licence was open before.
  await page.locator('.about-part:focus', { hasText: 'react-dom' }).waitFor();
  await page.getByRole('searchbox').fill('no such thing');
  await page.getByText('No included software has that name or licence.', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('heading', { name: 'Fonts' }).waitFor();
  await assertAccessible(page);

  const bill = await download(page.getByRole('link', { name: /Bill of materials/ }));
  assert.equal(bill.suggestedFilename(), 'vitrine.cdx.json');
  assert.equal(
    (await site.call('GET', '/.packages.json')).status,
    404,
    'the list that this was made of is for packaging alone',
  );
});
