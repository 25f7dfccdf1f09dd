import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { FROM, openHouse } from '../../../../test/house.ts';
import { IdentitiesStore } from './identities.store.ts';
import type { Identity, IdentityProvider } from './oidc.ts';
import { ProvidersService } from './providers.service.ts';

const ISSUERS = { provider_a: 'https://a.test', provider_b: 'https://b.test' };

/** Fake providers that trust any token: `bea@x 7` is Bea with the user id (subject) 7. */
const setUp = (t: TestContext, options: Parameters<typeof openHouse>[1] = {}) => {
  const house = openHouse(t, options);
  const asked: unknown[] = [];
  let tokens = 0;
  const state = { avatarUrl: 'https://a.test/face.png', isOff: false, fails: undefined as Error | undefined };
  const providerOf = (which: keyof typeof ISSUERS) => ({
    issuer: ISSUERS[which],
    clientId: `client of ${which}`,
    tenantId: '',
    entrance: () => null,
    async check() {
      if (state.fails) throw state.fails;
    },
    async identify(token: string, allow: unknown): Promise<Identity> {
      asked.push([which, allow]);
      const [email, subject, hash] = token.split(' ') as [string, string, string?];
      const once = { hash: hash ?? `token ${tokens++}`, expiresAt: house.now() + 60 };
      return { email, subject, once, avatarUrl: state.avatarUrl };
    },
  });
  const providers = {
    provider_a: () => (state.isOff ? undefined : (providerOf('provider_a') as never as IdentityProvider)),
    provider_b: () => (state.isOff ? undefined : (providerOf('provider_b') as never as IdentityProvider)),
  };
  const identities = new IdentitiesStore(house.db);
  const service = new ProvidersService({ ...house, identities, refusals: house.lockoutOf('provider', 10), providers });
  const signIn = (token: string, which: keyof typeof ISSUERS = 'provider_a') => service.signIn(which, token, FROM);
  return { ...house, service, signIn, asked, state, identities };
};

test('an account stays bound to the user id (subject) at the provider until this binding is released', async (t) => {
  const { signIn, users, actor, service, since, acts, identities, asked, db } = setUp(t);
  const { token, user } = await signIn('ann@x 1');
  const ann = actor(token);
  const stored = users.find(user.id)!;
  assert.deepEqual(
    [stored.auth_provider, stored.password_hash, stored.email_verified, stored.avatar_url, stored.role],
    ['provider_a', null, 1, 'https://a.test/face.png', 'platform_admin'],
  );
  assert.deepEqual(
    ['provider_a', 'provider_b'].map((which) => identities.subject(user.id, ISSUERS[which as 'provider_a'])),
    ['1', undefined],
  );
  assert.equal((await signIn('ann@x 1')).user.id, user.id);
  assert.deepEqual(
    (await since(acts)).map((act) => act.split(' ')[0]),
    ['user.registered:', 'user.signed_in:', 'user.signed_in:'],
  );
  await assert.rejects(
    signIn('ann@x 2').finally(() => assert.equal(db.durable(), undefined)),
    { status: 401, code: 'identity_bound' },
  );
  const why = 'another account of the sign-in provider was used than the connected one';
  assert.deepEqual(await since(acts), [`user.sign_in_failed: ann@x: ${why} (${FROM.ip})`]);
  assert.equal((await signIn('ann@x 9', 'provider_b')).user.id, user.id, 'another provider knows it as it does');
  assert.equal(users.find(user.id)?.auth_provider, 'provider_b');
  await assert.rejects(signIn('ann@x 8', 'provider_b'), { status: 401 });
  assert.deepEqual(asked.at(-1), ['provider_b', { idToken: false }]);
  assert.deepEqual(asked[0], ['provider_a', { idToken: true }]);

  await since(acts);
  assert.throws(() => service.release(ann, 'none'), { status: 404 });
  service.release(ann, user.id);
  assert.deepEqual(await since(acts), [`user.identity_released: ann@x (${FROM.ip})`]);
  assert.throws(() => actor(token), { status: 401 }, 'who it was bound to proves it anew');
  const again = (await signIn('ann@x 2')).token;
  await since(acts);
  identities.deleteOf(user.id);
  service.release(actor(again), user.id);
  assert.deepEqual([await since(acts), actor(again).userId], [[], user.id], 'there was nothing to release');
});

test('provider sign-in is refused for accounts with a password or of headquarters, and repetitions do not fill the log', async (t) => {
  const { signIn, register, users, since, acts, clock } = setUp(t);
  const { user } = await register('ann@x');
  const said = (why: string) =>
    `user.sign_in_failed: ann@x: a sign-in provider was used, but this account ${why} (${FROM.ip})`;
  const attempts = async (count: number) => {
    for (let n = 0; n < count; n++) await assert.rejects(signIn('ann@x 1'), { status: 409 });
    return since(acts);
  };
  await since(acts);
  assert.deepEqual(await attempts(12), Array(10).fill(said('uses a password')));
  clock.advance(15 * 60_000);
  users.update(user.id, { auth_provider: 'headquarters', password_hash: null });
  assert.deepEqual(await attempts(1), [said('belongs to headquarters')]);
  users.update(user.id, { auth_provider: 'local' });
  assert.equal((await signIn('ann@x 1')).user.id, user.id, 'who never had a password comes by the provider');
  users.update(user.id, { auth_provider: 'provider_a', password_hash: 'of before' });
  assert.equal((await signIn('ann@x 1')).user.id, user.id);
});

test('a token can sign in once, and stays stored until it has expired by a trusted clock', async (t) => {
  const { signIn, clock, db, register, settings, actor } = setUp(t);
  const { token } = await register('ann@x');
  const taken = () => db.raw.prepare('SELECT count(*) FROM used_id_tokens').pluck().get();
  db.raw.exec('DELETE FROM used_id_tokens');
  await signIn('bea@x 1 once');
  await assert.rejects(signIn('bea@x 1 once'), { status: 401, message: /was already used/ });
  settings.update(actor(token), { registration: 'closed' });
  await assert.rejects(signIn('cem@x 2 refused'), { status: 403 });
  settings.update(actor(token), { registration: 'open' });
  await signIn('cem@x 2 refused');
  clock.advance(60_000);
  clock.doubtful = true;
  await signIn('cem@x 2 later');
  assert.equal(taken(), 3);
  clock.advance(30_000);
  clock.doubtful = false;
  await signIn('cem@x 2 last');
  assert.equal(taken(), 2);
});

test('a profile without a picture keeps the earlier picture, and invited users register while registration is closed', async (t) => {
  const { signIn, users, state, register, invites, actor, settings } = setUp(t, { registration: 'closed' });
  const { token } = await register('ann@x');
  const { workspaceId } = actor(token);
  invites.set('link', { email: 'bea@x', workspaceId: workspaceId! });
  const { user, current_workspace_id } = await signIn('bea@x 1');
  assert.equal(current_workspace_id, workspaceId);
  assert.equal(settings.current().registration, 'closed');
  users.update(user.id, { email_verified: 0 });
  state.avatarUrl = '';
  await signIn('bea@x 5', 'provider_b');
  const { avatar_url, email_verified } = users.find(user.id)!;
  assert.deepEqual([avatar_url, email_verified], ['https://a.test/face.png', 1]);
  state.avatarUrl = 'https://b.test/face.png';
  await signIn('bea@x 5', 'provider_b');
  assert.equal(users.find(user.id)?.avatar_url, 'https://a.test/face.png', 'of the first sign-in there');
  await signIn('bea@x 1');
  assert.equal(users.find(user.id)?.avatar_url, 'https://b.test/face.png');
});

test('sign-in pages get the configured providers, and an administrator can test each provider', async (t) => {
  const { service, state, signIn } = setUp(t);
  const facts = service.publicFacts();
  assert.deepEqual(
    [facts.providerAEnabled, facts.providerAClientId, facts.providerAIssuer, facts.providerAName],
    [true, 'client of provider_a', 'https://a.test', 'a.test'],
  );
  assert.deepEqual(
    [
      facts.providerBEnabled,
      facts.providerBClientId,
      facts.providerBIssuer,
      facts.providerBName,
      facts.providerBTenantId,
    ],
    [true, 'client of provider_b', 'https://b.test', 'b.test', ''],
  );
  assert.deepEqual([facts.providerAAuthorizationEndpoint, facts.providerBAuthorizationEndpoint], [null, null]);
  assert.deepEqual(await service.check('provider_a'), { ok: true, text: 'https://a.test answers as it should.' });
  state.fails = new Error('no answer');
  assert.deepEqual(await service.check('provider_b'), { ok: false, text: 'https://b.test cannot be asked: no answer' });
  state.fails = new Error('failed', { cause: { code: 'ECONNREFUSED' } });
  assert.match((await service.check('provider_b')).text, /: ECONNREFUSED$/);
  state.isOff = true;
  assert.deepEqual(await service.check('provider_a'), { ok: false, text: 'It needs an issuer and a client id.' });
  await assert.rejects(signIn('ann@x 1'), { status: 401, message: /does not accept/ });
  assert.deepEqual(new Set(Object.values(service.publicFacts())), new Set([false, '', null]), 'nothing is left out');
});
