/** What the admin window says of itself: its version, its licence, and those of what is inside. */
// Suite: window
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, download, guestOf, openShop } from './hosts/admin-window.ts';

test('everybody reads which version this is, and the licence of it and of each thing inside', {
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
  // One goes on where one was.
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
