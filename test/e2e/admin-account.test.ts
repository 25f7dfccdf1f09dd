/** The user's account, access tokens, and the server's settings. */
// Suite: window
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generate } from 'otplib';
import { login } from '../people.ts';
import { assertAccessible, guestOf, openShop, tick } from './hosts/admin-window.ts';

test('user turns two-step sign-in on, signs in with it, and turns it off with a recovery code', {
  timeout: 150_000,
}, async (t) => {
  const { site, call, page, go } = await openShop(t);
  await go('/account');
  await page.getByRole('button', { name: 'Turn on two-step sign-in' }).click();
  await page.getByRole('img', { name: /QR code/ }).waitFor();
  const secret = await page.getByLabel('Or enter this key in the app').inputValue();
  await assertAccessible(page);
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  await page.getByText(/The code is wrong/).waitFor();
  await page.getByLabel('Code', { exact: true }).fill(await generate({ secret }));
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  await page.locator('.recovery-codes code').first().waitFor();
  const codes = await page.locator('.recovery-codes code').allInnerTexts();
  assert.equal(codes.length, 10);
  assert.equal(await page.getByRole('button', { name: 'Done' }).isDisabled(), true, 'codes must be kept first');
  await page.getByText('I have saved them').click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('10 recovery codes left').waitFor();
  assert.equal((await login(site, 'owner@store.test')).body.mfa_required, true);

  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByLabel('Code', { exact: true }).fill(codes[0]!);
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  await page.getByText('Two-step sign-in is off').waitFor();
  assert.equal((await call('GET', '/api/auth/totp/status')).enabled, false);
});

test('the admin window shows an error for a wrong current password and signs nobody out', {
  timeout: 150_000,
}, async (t) => {
  const { call, page, go } = await openShop(t);
  await go('/account');
  await page.getByLabel('Current password').fill('not it');
  await page.getByLabel('New password').fill('a longer horse');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('This is not your current password.').waitFor();
  await page.getByLabel('Current password').fill('correct horse');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText(/Your password is changed/).waitFor();
  await call('GET', '/api/auth/me');
});

test('access token is shown only when it is created, works, and is refused after it is revoked', {
  timeout: 150_000,
}, async (t) => {
  const { site, page, go } = await openShop(t);
  await go('/settings/tokens');
  await page.getByText('No access tokens yet').waitFor();
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByLabel('Name').fill('Till');
  await tick(page.getByRole('radio', { name: /Write/ }));
  await page.getByRole('button', { name: 'Create token' }).click();
  const secret = await page.getByLabel('Token', { exact: true }).inputValue();
  assert.match(secret, /^vtr_/);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  assert.equal((await site.call('POST', '/api/playlists', { token: secret, body: { name: 'By token' } })).status, 201);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Revoke Till' }).click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('Till is revoked').waitFor();
  assert.equal((await site.call('GET', '/api/playlists', { token: secret })).status, 401);
});

test('only the owner renames the server, backs it up and sets how long data are kept', {
  timeout: 150_000,
}, async (t) => {
  const { site, call, page, go, signIn } = await openShop(t);
  await go('/settings/server?part=name');
  await page.getByLabel('Server name').fill('Shop by the well');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('The server name is now Shop by the well').waitFor();
  await page.getByRole('link', { name: 'Backups', exact: true }).click();
  await page.getByRole('button', { name: 'Everything in one file' }).click();
  await page.getByRole('button', { name: 'Start the backup' }).click();
  await page.getByText(/^The backup is finished/).waitFor();
  assert.deepEqual(
    (await call('GET', '/api/server/backups')).backups.map((backup: { complete: boolean }) => backup.complete),
    [true],
  );
  // Opens an older address of the backups page, which users may have bookmarked.
  await go('/settings/server?part=backups');
  await page.getByRole('heading', { name: 'Backups', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Server', exact: true }).click();
  await page.getByRole('link', { name: 'Data retention', exact: true }).click();
  await page.getByLabel('Single plays').fill('20');
  await page.getByText('Enter a whole number from 30 to 3,650.').waitFor();
  await page.getByLabel('Single plays').fill('90');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('The settings are saved').waitFor();
  assert.equal((await call('GET', '/api/server/upkeep')).plays_days, 90);
  await assertAccessible(page);

  await signIn(await guestOf(site));
  await go('/settings/server');
  await page.getByText('You do not have permission for this page').waitFor();
});

test('user whose session has ended signs in again and returns to the page that the address names', {
  timeout: 60_000,
}, async (t) => {
  const { page, go, signIn } = await openShop(t);
  for (const [path, place] of [
    ['/', 'Screens'],
    ['/screens', 'Screens'],
    ['/playlists', 'Playlists'],
  ] as const) {
    await signIn('vts_of_a_year_ago');
    await go(path);
    await page.getByLabel('E-mail').fill('owner@store.test');
    await page.getByLabel('Password', { exact: true }).fill('correct horse');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: place, level: 1 }).waitFor();
    assert.match(await page.evaluate(() => localStorage.getItem('vitrine.session') ?? ''), /^vts_/);
  }
});

const blocked = () => {
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, {
      get: () => {
        throw new DOMException('Access is denied', 'SecurityError');
      },
    });
};
const full = () => {
  Storage.prototype.setItem = () => {
    throw new DOMException('There is no more room', 'QuotaExceededError');
  };
};
for (const [what, refuse] of [
  ['keeps nothing', blocked],
  ['has no more room', full],
] as const)
  test(`user signs in and works in a browser that ${what}`, {
    timeout: 60_000,
  }, async (t) => {
    const { page, go, context, signIn } = await openShop(t);
    await signIn(null);
    await context.addInitScript(refuse);
    await go('/playlists');
    await page.getByLabel('E-mail').fill('owner@store.test');
    await page.getByLabel('Password', { exact: true }).fill('correct horse');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'New playlist' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('Window');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Window', level: 1 }).waitFor();
    await page.getByRole('button', { name: /, Account$/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').waitFor();
  });

test('the admin window treats a stored session that no HTTP header can carry as signed out', {
  timeout: 60_000,
}, async (t) => {
  const { page, go, signIn } = await openShop(t);
  await signIn('“copied”\n');
  await go('/');
  await page.getByLabel('E-mail').waitFor();
});
