/** VITRINE_SETUP_CODE: only a person who has seen the terminal of an empty server can claim the server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Site, startSite, TestClock } from '../../../../test/harness.ts';
import { PASSWORD } from '../../../../test/people.ts';
import { addressesToPrint } from '../../../start-notes.ts';

/** A request through a proxy counts as remote, even when the proxy is on this machine. */
const elsewhere = (n = 1) => ({ 'X-Forwarded-For': `192.0.2.${n}` });
const register = (
  site: Site,
  setup_code: string | undefined,
  headers: Record<string, string>,
  email = 'owner@store.test',
) =>
  site.call('POST', '/api/auth/register', {
    headers,
    body: { email, password: PASSWORD, ...(setup_code !== undefined && { setup_code }) },
  });
const facts = async (site: Site, headers: Record<string, string> = {}) => {
  const { needsSetup, setup_code_required } = (await site.call('GET', '/api/auth/config', { headers })).body;
  return { needsSetup, setup_code_required };
};
const codeOf = (site: Site): string => {
  const printed = addressesToPrint(1, {
    host: '127.0.0.1',
    data: '',
    chain_role: 'store',
    setupCode: site.app.setupNote(),
  });
  const [, code] = /^ {2}Setup code: +([3-9A-Y]{4}-[3-9A-Y]{4}),/m.exec(printed) ?? [];
  assert.ok(code, printed);
  return code;
};

test('without VITRINE_SETUP_CODE, no setup code is needed', async (t) => {
  for (const env of [{}, { VITRINE_SETUP_CODE: '0' }]) {
    const site = await startSite(t, { env });
    assert.equal(site.app.setupNote(), undefined);
    assert.deepEqual(await facts(site, elsewhere()), { needsSetup: true, setup_code_required: false });
    assert.equal((await register(site, 'anything', elsewhere())).status, 201);
  }
});

test('with VITRINE_SETUP_CODE, only the first account needs the printed setup code, if made from another machine', async (t) => {
  const site = await startSite(t, { env: { VITRINE_SETUP_CODE: '1' } });
  const code = codeOf(site);
  assert.deepEqual(await facts(site, elsewhere()), { needsSetup: true, setup_code_required: true });
  assert.equal((await facts(site)).setup_code_required, false, 'on the machine itself');
  for (const wrong of [undefined, '', 'AAAA-AAAA', code.slice(0, -1), `${code}3`]) {
    const { status, body } = await register(site, wrong, elsewhere(wrong === undefined ? 2 : 3));
    assert.deepEqual([status, body.code], [403, 'setup_code_required'], String(wrong));
    assert.match(body.error, /setup code/);
  }
  assert.equal((await register(site, code.toLowerCase().replace('-', ' '), elsewhere(4))).status, 201);
  assert.equal(site.app.setupNote(), undefined);
  assert.deepEqual(await facts(site, elsewhere()), { needsSetup: false, setup_code_required: false });
  assert.equal((await register(site, undefined, elsewhere(5), 'bea@store.test')).status, 201);
});

test('the code is not needed from this machine without a proxy', async (t) => {
  for (const [headers, status] of [
    [{}, 201],
    [{ 'X-Forwarded-For': '127.0.0.1' }, 403],
    [{ Forwarded: 'for=192.0.2.1' }, 403],
    [{ 'X-Real-IP': '192.0.2.1' }, 403],
    [{ 'X-Forwarded-Host': 'localhost' }, 403],
    [{ Via: '1.1 proxy' }, 403],
  ] as [Record<string, string>, number][]) {
    const site = await startSite(t, { env: { VITRINE_SETUP_CODE: '1' } });
    assert.equal((await register(site, undefined, headers)).status, status, JSON.stringify(headers));
  }
});

test('a setup code that the owner chose is used unchanged, and not printed', async (t) => {
  const site = await startSite(t, { env: { VITRINE_SETUP_CODE: ' Blaue-Leiter 7 ' } });
  assert.doesNotMatch(site.app.setupNote() ?? '', /Leiter/);
  assert.equal((await register(site, 'blaue-leiter 7', elsewhere(1))).status, 403);
  assert.equal((await register(site, ' Blaue-Leiter 7', elsewhere(2))).status, 201);
});

test('after ten wrong codes an address must wait 15 minutes, even with the right code, and other addresses need not', async (t) => {
  const clock = new TestClock();
  const site = await startSite(t, { clock, env: { VITRINE_SETUP_CODE: '1' } });
  for (let i = 0; i < 10; i++) {
    // Waits, because at most five registrations per minute are allowed.
    clock.advance(15_000);
    assert.equal((await register(site, 'AAAA-AAAA', elsewhere())).status, 403);
  }
  clock.advance(60_000);
  const locked = await register(site, codeOf(site), elsewhere());
  assert.equal(locked.status, 429);
  assert.match(locked.body.error, /setup code/);
  // A missing code does not count as a wrong one.
  assert.equal((await register(site, undefined, elsewhere())).status, 403);
  clock.advance(15 * 60_000);
  assert.equal((await register(site, codeOf(site), elsewhere())).status, 201);
});

test('the first user through a sign-in provider needs the code as well', async (t) => {
  const site = await startSite(t, {
    env: {
      VITRINE_SETUP_CODE: '1',
      VITRINE_PROVIDER_A_ISSUER: 'http://127.0.0.1:1',
      VITRINE_PROVIDER_A_CLIENT_ID: 'a',
    },
  });
  const enter = (body: object, n: number) =>
    site.call('POST', '/api/auth/provider-a', { headers: elsewhere(n), body: { credential: 'x.y.z', ...body } });
  assert.deepEqual((({ status, body }) => [status, body.code])(await enter({}, 1)), [403, 'setup_code_required']);
  assert.deepEqual(
    (({ status, body }) => [status, body.code])(
      await site.call('POST', '/api/auth/provider-b', { headers: elsewhere(2), body: { access_token: 'x' } }),
    ),
    [403, 'setup_code_required'],
  );
  // With the right setup code, the request gets as far as the check of the sign-in provider's token.
  assert.notEqual((await enter({ setup_code: codeOf(site) }, 3)).body.code, 'setup_code_required');
});
