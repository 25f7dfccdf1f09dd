/** What people may do in the admin window, and what becomes of who cannot get in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, openShop } from './hosts/admin-window.ts';

test('who forgot the password gets a link, chooses a new one, and signs in with it', {
  timeout: 150_000,
}, async (t) => {
  const { site, page, go, context } = await openShop(t);
  const body = { email: 'jonas@store.test', password: 'long forgotten', name: 'Jonas' };
  assert.equal((await site.call('POST', '/api/auth/register', { body })).status, 201);
  await go('/settings/people');
  await page.getByRole('button', { name: 'More for Jonas' }).click();
  await page.getByRole('menuitem', { name: 'Password link…' }).click();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = await page.getByLabel('Link for a new password').inputValue();
  assert.match(link, /\/#\/new-password\/vtl_/);
  await assertAccessible(page);

  const guest = await context.browser()!.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB' });
  const phone = await guest.newPage();
  phone.setDefaultTimeout(30_000);
  await phone.goto(link);
  await phone.getByRole('heading', { name: 'Choose a new password' }).waitFor();
  await assertAccessible(phone);
  const field = phone.getByLabel('New password', { exact: true });
  await field.fill('short');
  await phone.getByRole('button', { name: 'Set password' }).click();
  await phone
    .getByText(/at least 8/i)
    .first()
    .waitFor();
  await field.fill('brand new horse');
  await phone.getByRole('button', { name: 'Set password' }).click();
  await phone.getByText('The new password of jonas@store.test is set. Sign in with it.').waitFor();
  await phone.getByLabel('E-mail').fill('jonas@store.test');
  await phone.getByLabel('Password', { exact: true }).fill('long forgotten');
  await phone.getByRole('button', { name: 'Sign in', exact: true }).click();
  await phone.getByText('can create a password link for you').waitFor();
  await assertAccessible(phone);
  await phone.getByLabel('Password', { exact: true }).fill('brand new horse');
  await phone.getByRole('button', { name: 'Sign in', exact: true }).click();
  await phone.getByRole('heading', { name: 'Screens', level: 1 }).waitFor();

  // Whoever finds the link later learns nothing and sets nothing.
  const finder = await guest.newPage();
  await finder.goto(link);
  await finder.getByLabel('New password', { exact: true }).fill('mine from now on');
  await finder.getByRole('button', { name: 'Set password' }).click();
  await finder.getByText('This link no longer works').waitFor();
  await assertAccessible(finder);
  await guest.close();
});
