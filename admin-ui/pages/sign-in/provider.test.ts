import assert from 'node:assert/strict';
import { test } from 'node:test';
import { providerAnswerIn } from '../../api/session/providerAnswer.ts';
import { addressAt, type Departure, departureIn, judge } from './provider.utils.ts';

const departure: Departure = { which: 'a', state: 's1', nonce: 'n1', next: '/content', at: 1_000 };
const idToken = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
const answer = (fragment: string) => providerAnswerIn(fragment)!;

test("address of the admin window is not read as a provider's answer", () => {
  for (const hash of [
    '',
    '#',
    '#/',
    '#/sign-in?error=1',
    '#/content?id_token=x',
    '#something',
    '#state=s1',
    '#id_token=',
  ])
    assert.equal(providerAnswerIn(hash), undefined, hash);
});

test('answer of a provider is read from the fragment with its parameters in any order', () => {
  assert.deepEqual(answer('#state=s%201&id_token=a.b.c'), {
    idToken: 'a.b.c',
    accessToken: null,
    state: 's 1',
    error: null,
  });
  assert.deepEqual(answer('#access_token=t&token_type=Bearer&expires_in=300&state=s'), {
    idToken: null,
    accessToken: 't',
    state: 's',
    error: null,
  });
  assert.equal(answer('#error=access_denied&state=s').error, 'access_denied');
});

test('answer is accepted only if this tab has sent the request', () => {
  const good = idToken({ nonce: 'n1', name: 'Zoë ✓' });
  assert.deepEqual(judge(answer(`#id_token=${good}&state=s1`), departure), { is: 'token', which: 'a', token: good });
  assert.equal(judge(answer(`#id_token=${good}&state=s2`), departure).is, 'unexpected');
  assert.equal(judge(answer(`#id_token=${good}`), departure).is, 'unexpected');
  assert.equal(judge(answer(`#id_token=${good}&state=s1`), undefined).is, 'unexpected');
  assert.equal(
    judge(answer(`#id_token=${idToken({ nonce: 'n2' })}&state=s1`), departure).is,
    'unexpected',
    'another nonce',
  );
  assert.equal(judge(answer('#id_token=nonsense&state=s1'), departure).is, 'unexpected');
  assert.equal(judge(answer('#access_token=t&state=s1'), departure).is, 'failed', 'not what was asked for');
  const b: Departure = { ...departure, which: 'b' };
  assert.deepEqual(judge(answer(`#access_token=t&id_token=${good}&state=s1`), b), {
    is: 'token',
    which: 'b',
    token: 't',
  });
  assert.equal(judge(answer(`#access_token=t&id_token=${idToken({ nonce: 'n2' })}&state=s1`), b).is, 'unexpected');
  assert.equal(judge(answer('#access_token=t&state=s1'), b).is, 'failed', 'nothing carries the nonce');
});

test('denial and failure have different results, and an error with a wrong state is refused', () => {
  assert.equal(judge(answer('#error=access_denied&state=s1'), departure).is, 'denied');
  assert.equal(judge(answer('#error=server_error&state=s1'), departure).is, 'failed');
  assert.equal(judge(answer('#error=access_denied&state=s2'), departure).is, 'unexpected');
});

test('stored request expires after half an hour', () => {
  const stored = JSON.stringify(departure);
  assert.deepEqual(departureIn(stored, 2_000), departure);
  assert.equal(departureIn(stored, 1_000 + 31 * 60_000), undefined);
  for (const broken of [null, '', 'x', '{}', '{"which":"c"}']) assert.equal(departureIn(broken, 0), undefined);
});

test("request to the provider has the required parameters and keeps the query of the provider's endpoint", () => {
  const url = new URL(addressAt('https://idp.test/auth?tenant=x', 'vitrine', 'https://shop.test', departure));
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    tenant: 'x',
    client_id: 'vitrine',
    response_type: 'id_token',
    response_mode: 'fragment',
    scope: 'openid email profile',
    redirect_uri: 'https://shop.test/',
    state: 's1',
    nonce: 'n1',
  });
  assert.equal(
    new URL(
      addressAt('https://idp.test/auth', 'v', 'https://shop.test', { ...departure, which: 'b' }),
    ).searchParams.get('response_type'),
    'id_token token',
  );
});
