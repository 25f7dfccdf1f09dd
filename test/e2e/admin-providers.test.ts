/** Sign-in with a sign-in provider: from the button to the session, in a real browser and with a real provider. */
// Suite: long
import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { type TestContext, test } from 'node:test';
// @ts-expect-error: it has no types
import Provider from 'oidc-provider';
import { serve } from '../serve.ts';
import { assertAccessible, openShop } from './hosts/admin-window.ts';

const CLIENT = 'vitrine';

const startProvider = async (t: TestContext) => {
  let answer: RequestListener = () => {};
  const { origin: issuer } = await serve(t, (request, response) => answer(request, response));
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT,
        // The provider allows a native client any port of this machine in its redirect address, by plain HTTP (RFC
        // 8252).
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://127.0.0.1/'],
        grant_types: ['implicit'],
        response_types: ['id_token', 'id_token token'],
      },
    ],
    responseTypes: ['id_token', 'id_token token'],
    cookies: { keys: ['test'] },
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_ctx: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: `${id}@store.test`, email_verified: true, name: id }),
    }),
    features: { devInteractions: { enabled: true }, introspection: { enabled: true } },
    ttl: { AccessToken: 300, IdToken: 300, Grant: 300, Interaction: 300, Session: 300 },
  });
  answer = provider.callback();
  return { issuer, host: new URL(issuer).host };
};

test('user signs in through two providers and returns to the wanted page, and a forged answer is refused', {
  timeout: 150_000,
}, async (t) => {
  const { issuer, host } = await startProvider(t);
  const { site, page, go, signIn } = await openShop(t, {
    env: {
      VITRINE_PROVIDER_A_ISSUER: issuer,
      VITRINE_PROVIDER_A_CLIENT_ID: CLIENT,
      VITRINE_PROVIDER_B_ISSUER: issuer,
      VITRINE_PROVIDER_B_CLIENT_ID: CLIENT,
    },
  });
  await signIn(null);
  const button = page.getByRole('button', { name: `Sign in with ${host}` });
  const who = () =>
    page.evaluate(
      async () =>
        (
          await (
            await fetch('/api/auth/me', {
              headers: { Authorization: `Bearer ${localStorage.getItem('vitrine.session')}` },
            })
          ).json()
        ).email,
    );

  await go('/content');
  await button.first().click();
  await page.getByPlaceholder('Enter any login').fill('anna');
  await page.getByPlaceholder('and password').fill('whatever');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(/#\/content/);
  assert.equal(await who(), 'anna@store.test');
  const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage, href: location.href }));
  assert.doesNotMatch(kept, /id_token|vitrine\.provider/);

  await signIn(null);
  await go('/sign-in');
  await assertAccessible(page);
  await button.nth(1).click();
  // The provider still has the session of the user, so it asks for no password, but it may ask for consent.
  await page
    .getByRole('button', { name: 'Continue' })
    .or(page.getByRole('link', { name: 'Screens' }).first())
    .first()
    .waitFor();
  const asks = page.getByRole('button', { name: 'Continue' });
  if (await asks.isVisible()) await asks.click();
  await page.waitForURL(/#\/screens/);
  assert.equal(await who(), 'anna@store.test');

  await signIn(null);
  await page.goto('about:blank');
  await page.goto(`${site.origin}/#access_token=stolen&state=not-ours`);
  await page.getByText('This sign-in was started in another window').waitFor();
  assert.match(page.url(), /#\/sign-in$/);
  assert.equal(await page.evaluate(() => localStorage.getItem('vitrine.session')), null);
});

test('sign-in button shows an error when its provider does not answer', { timeout: 90_000 }, async (t) => {
  const { page, go, signIn } = await openShop(t, {
    env: { VITRINE_PROVIDER_A_ISSUER: 'http://127.0.0.1:1', VITRINE_PROVIDER_A_CLIENT_ID: CLIENT },
  });
  await signIn(null);
  await go('/sign-in');
  await page.getByText('127.0.0.1:1 does not answer at the moment').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Sign in with 127.0.0.1:1' }).isDisabled(), true);
  await page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  await assertAccessible(page);
});
