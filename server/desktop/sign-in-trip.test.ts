import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { entrancesOf } from './provider-entrances.ts';
import { SignInTrip } from './sign-in-trip.ts';

const HOME = 'http://localhost:8710';
const ENTRANCE = 'https://login.example.com/oauth2/authorize';
const asked = (entrance: string, back = `${HOME}/`) =>
  `${entrance}?client_id=x&redirect_uri=${encodeURIComponent(back)}`;

const start = () => {
  let now = 0;
  const trip = new SignInTrip({ home: () => HOME, now: () => now });
  return { trip, pass: (ms: number) => void (now += ms) };
};

/** Simulates a navigation of the window from `at` to `to`. Returns whether the window may navigate. */
const go = (trip: SignInTrip, at: string, to: string, entrances: readonly string[] = [ENTRANCE]): boolean => {
  const way = trip.way(at, to);
  return way === 'ask' ? trip.depart(to, entrances) : way === 'go';
};

test('window may go to the server’s sign-in provider, follow links there, and return', () => {
  const { trip } = start();
  assert.ok(go(trip, `${HOME}/#/sign-in`, asked(ENTRANCE)));
  assert.ok(go(trip, asked(ENTRANCE), 'https://login.example.com/password'));
  assert.ok(trip.isAway);
  assert.ok(go(trip, 'https://login.example.com/password', `${HOME}/#id_token=x&state=y`));
  assert.ok(!trip.isAway);
  assert.ok(!go(trip, `${HOME}/`, 'https://login.example.com/password'), 'back home the trip is over');
});

test('window may not navigate to other addresses, without a sign-in, or from other pages', () => {
  const elsewhere = [
    'https://evil.test/',
    'http://login.example.com/x',
    'https://login.example.com.evil.test/',
    'https://a@login.example.com/',
    'https://login.example.com:444/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'about:blank',
    '',
  ];
  const { trip } = start();
  for (const to of [
    ...elsewhere,
    ...elsewhere.map((each) => asked(each)),
    'https://login.example.com/',
    asked('https://login.example.com/other'),
  ])
    assert.ok(!go(trip, `${HOME}/`, to), to);
  assert.ok(!go(trip, `${HOME}/`, asked(ENTRANCE, 'https://evil.test/')), 'it would lead back to somebody else');
  assert.ok(!go(trip, `${HOME}/`, ENTRANCE));
  assert.ok(!go(trip, `${HOME}/`, asked(ENTRANCE), []), 'no provider is configured');
  assert.ok(!go(trip, 'https://evil.test/', asked(ENTRANCE)), 'only our own page sends people there');
  assert.ok(go(trip, `${HOME}/`, asked(ENTRANCE)));
  for (const to of elsewhere) assert.ok(!go(trip, 'https://login.example.com/', to), to);
});

test('sign-in provider without encryption is allowed only on this machine', () => {
  const [far, near] = ['http://login.store.test/authorize', 'http://127.0.0.1:9000/authorize'];
  assert.ok(!go(start().trip, `${HOME}/`, asked(far), [far]));
  assert.ok(go(start().trip, `${HOME}/`, asked(near), [near]));
});

test('window must return from the sign-in provider after ten minutes', () => {
  const { trip, pass } = start();
  assert.ok(go(trip, `${HOME}/`, asked(ENTRANCE)));
  pass(10 * 60_000);
  assert.ok(!trip.isAway);
  assert.ok(!go(trip, asked(ENTRANCE), 'https://login.example.com/password'));
  assert.ok(go(trip, asked(ENTRANCE), `${HOME}/`));
});

test('window gets the provider’s addresses from the server, and none if the server does not answer', async (t) => {
  const server = createServer((_req, res) =>
    res.end(JSON.stringify({ providerAAuthorizationEndpoint: ENTRANCE, providerBAuthorizationEndpoint: null })),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as { port: number };
  assert.deepEqual(await entrancesOf(`http://127.0.0.1:${port}`), [ENTRANCE]);
  server.closeAllConnections();
  server.close();
  assert.deepEqual(await entrancesOf(`http://127.0.0.1:${port}`), []);
});
