/** Tests the check of host names: it is done once, before all other processing, on both ports. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { type TestContext, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { firstUser, freePort, type Site, startSite } from '../../../test/harness.ts';

const ENV = {
  VITRINE_TRUSTED_PROXIES: '10.0.0.5',
  VITRINE_PUBLIC_URL: 'https://Signage.Store.test:8443/',
  VITRINE_TLS_NAMES: 'tls.store.test',
  VITRINE_NAMES: 'Named.store.test, Bäckerei.local',
};
const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

/** Sends exactly these bytes and returns the whole answer. */
const say = (socket: Socket, text: string): Promise<string> =>
  new Promise((done) => {
    const parts: Buffer[] = [];
    socket.on('data', (part) => {
      parts.push(part);
      // Closes the client's side after an upgrade (status 101), because the upgraded socket would stay open.
      if (part.includes(' 101 ')) socket.destroy();
    });
    socket.on('error', () => {}).on('close', () => done(Buffer.concat(parts).toString()));
    socket.write(text);
  });
const portOf = (site: Site) => Number(new URL(site.origin).port);
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
const get = (path: string, headers: string) => `GET ${path} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`;
const ask = async (site: Site, host: string, path = '/api/health') =>
  statusOf(await say(connect(portOf(site), '127.0.0.1'), get(path, `Host: ${host}\r\n`)));

const start = async (t: TestContext, env: Record<string, string> = {}) => startSite(t, { env: { ...ENV, ...env } });

test('server answers to addresses, names of this machine and configured names, and refuses other names', async (t) => {
  const site = await start(t);
  const own = hostname().toLowerCase();
  const label = own.split('.')[0]!;
  const serverId = site.app.identity.id.replaceAll('-', '').slice(0, 12);
  const cases: [host: string, status: number][] = [
    ['127.0.0.1', 200],
    [`127.0.0.1:${portOf(site)}`, 200],
    ['192.168.77.5:80', 200],
    ['[::1]', 200],
    ['[::1]:8710', 200],
    ['[2001:db8::7]:8710', 200],
    ['localhost', 200],
    ['LocalHost.:8710', 200],
    [own, 200],
    [`${own}:1`, 200],
    [`${label}.local`, 200],
    [`${own}.local`, 200],
    [`vitrine-${serverId}.local`, 200],
    ['signage.store.test', 200],
    ['signage.store.test:8443', 200],
    ['tls.store.test', 200],
    ['NAMED.store.test', 200],
    ['xn--bckerei-5wa.local', 200],
    ['evil.test', 421],
    [`evil.test:${portOf(site)}`, 421],
    ['x.named.store.test', 421],
    ['named.store.test.evil.test', 421],
    ['evil.localhost', 421],
    ['localhost.evil.test', 421],
    ['127.0.0.1.evil.test', 421],
    // Some programs read each of these hosts as an address, others as a name.
    ['0x7f.1', 421],
    ['2130706433', 421],
    ['127.1', 421],
    ['0177.0.0.1', 421],
    ['0', 421],
    ['', 400],
    ['127.0.0.1:99999', 400],
    ['127.0.0.1:a', 400],
    ['[::1', 400],
    ['[evil.test]', 400],
    ['::1', 400],
    ['a b', 400],
    ['evil.test/@localhost', 400],
    ['evil.test@localhost', 400],
    ['localhost, evil.test', 400],
  ];
  for (const [host, status] of cases) assert.equal(await ask(site, host), status, `Host: ${host}`);
});

test('host is checked on every path: API, pages, documents, metrics, files, both sockets, HTTP and HTTPS', async (t) => {
  const httpsPort = await freePort();
  const site = await start(t, { VITRINE_HTTPS_PORT: String(httpsPort) });
  await site.app.tls.https.settled;
  const doors = {
    http: () => connect(portOf(site), '127.0.0.1'),
    https: () => connectTls({ port: httpsPort, host: '127.0.0.1', rejectUnauthorized: false }) as Socket,
  };
  const paths = [
    '/',
    '/player/',
    '/assets/none.js',
    '/metrics',
    '/api/health',
    '/api/openapi.json',
    '/api/docs',
    '/api/nothing',
    '/api/auth/config',
    '/api/player/identity?nonce=a',
    '*',
  ];
  for (const [name, door] of Object.entries(doors)) {
    for (const path of paths)
      assert.equal(statusOf(await say(door(), get(path, 'Host: evil.test\r\n'))), 421, `${name} ${path}`);
    for (const path of ['/api/live', '/api/player']) {
      const upgrade = (headers: string) =>
        say(door(), `GET ${path} HTTP/1.1\r\n${headers}Sec-WebSocket-Protocol: vitrine.v1\r\n${UPGRADE}\r\n`);
      assert.equal(statusOf(await upgrade('Host: evil.test\r\nOrigin: http://evil.test\r\n')), 421, `${name} ${path}`);
      assert.equal(statusOf(await upgrade('Host: localhost\r\nOrigin: http://localhost\r\n')), 101, `${name} ${path}`);
    }
  }
});

test('page of another site cannot create the first account, because its request is refused before its body is read', async (t) => {
  const site = await start(t);
  const body = JSON.stringify({ email: 'evil@evil.test', password: 'correct horse' });
  const post = (host: string) =>
    say(
      connect(portOf(site), '127.0.0.1'),
      `POST /api/auth/register HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
  assert.equal(statusOf(await post('evil.test:8710')), 421);
  assert.equal((await site.call('GET', '/api/auth/config')).body.needsSetup, true);
  assert.equal(statusOf(await post('localhost:8710')), 201);
});

test('refusal of a host name is JSON for programs and an HTML page for people, in which the name is escaped', async (t) => {
  const site = await start(t);
  const answer = (path: string, host: string) =>
    say(connect(portOf(site), '127.0.0.1'), get(path, `Host: ${host}\r\n`));
  const api = await answer('/api/health', 'shop.example');
  const body = JSON.parse(api.slice(api.indexOf('\r\n\r\n')));
  assert.match(body.error, /"shop\.example".*Server → Names.*VITRINE_NAMES/);
  assert.deepEqual([body.code, body.params], ['unknown_host', { name: 'shop.example' }]);
  const page = await answer('/', 'shop.example');
  assert.match(page, /content-type: text\/html/i);
  assert.match(page, /&#34;shop\.example&#34;/);
  assert.doesNotMatch(await answer('/', '<script>alert(1)</script>'), /<script>/);
});

test('host in the request target, in a second Host header or in a trusted proxy’s header is checked, too', async (t) => {
  const [plain, behind] = [await start(t), await start(t, { VITRINE_TRUSTED_PROXIES: '127.0.0.1' })];
  const status = async (site: Site, text: string) => statusOf(await say(connect(portOf(site), '127.0.0.1'), text));
  for (const [target, expected] of [
    ['http://evil.test/api/health', 421],
    ['HTTP://EVIL.test:80/api/health', 421],
    ['http://evil.test', 421],
    ['http://localhost@evil.test/api/health', 400],
    ['http://localhost/api/health', 200],
    ['ftp://localhost/api/health', 400],
    ['//evil.test/api/health', 404],
  ] as const)
    assert.equal(await status(plain, get(target, 'Host: localhost\r\n')), expected, target);
  assert.equal(await status(plain, get('/api/health', 'Host: localhost\r\nHost: evil.test\r\n')), 400);
  assert.equal(await status(plain, get('/api/health', 'Host: localhost\r\nhOST: localhost\r\n')), 400);
  assert.equal(await status(plain, get('/api/health', '')), 400);
  assert.equal(await status(plain, 'GET /api/health HTTP/1.0\r\n\r\n'), 400);
  assert.equal(await status(plain, get('/api/health', 'Host: localhost\r\nX-Forwarded-Host: evil.test\r\n')), 200);
  assert.equal(await status(plain, get('/api/health', 'Host: evil.test\r\nX-Forwarded-Host: localhost\r\n')), 421);
  assert.equal(await status(behind, get('/api/health', 'Host: localhost\r\nX-Forwarded-Host: evil.test\r\n')), 421);
  assert.equal(
    await status(behind, get('/api/health', 'Host: localhost\r\nX-Forwarded-Host: named.store.test, evil.test\r\n')),
    421,
  );
  assert.equal(
    await status(behind, get('/api/health', 'Host: localhost\r\nX-Forwarded-Host: named.store.test\r\n')),
    200,
  );
});

test('name that an administrator adds is accepted from the next request on, until the name is removed', async (t) => {
  const site = await start(t);
  const { token } = await firstUser(site);
  const put = (names: unknown) => site.call('PUT', '/api/server/settings', { token, body: { names } });
  assert.equal(await ask(site, 'shop.example'), 421);
  const { body } = await put(['Shop.Example.', 'shop.example', 'bäckerei.example']);
  assert.deepEqual(body.names, ['shop.example', 'xn--bckerei-5wa.example']);
  assert.equal(await ask(site, 'shop.example:8710'), 200);
  assert.equal(
    (await site.call('PUT', '/api/server/settings', { token, body: { name: 'Bakery' } })).body.names.length,
    2,
  );
  await put([]);
  assert.equal(await ask(site, 'shop.example:8710'), 421);
  for (const bad of [
    '*',
    '*.shop.example',
    'http://shop.example',
    'shop.example:80',
    'a b',
    '',
    '-shop',
    'a'.repeat(64),
    'shop..example',
    '[::1]',
    7,
  ])
    assert.equal((await put([bad])).status, 400, String(bad));
  assert.equal((await put(Array.from({ length: 101 }, (_, i) => `shop-${i}.example`))).status, 400);
});

test('pages of the public address count as same origin behind a proxy that changes the Host header', async (t) => {
  const site = await start(t, { VITRINE_TRUSTED_PROXIES: '127.0.0.1' });
  const post = async (headers: string) =>
    statusOf(
      await say(
        connect(portOf(site), '127.0.0.1'),
        `POST /api/auth/resend-verification HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Length: 0\r\nConnection: close\r\n\r\n`,
      ),
    );
  assert.equal(await post('Origin: http://localhost\r\n'), 200);
  assert.equal(await post('Origin: https://signage.store.test:8443\r\n'), 200);
  assert.equal(await post('Origin: https://named.store.test\r\nX-Forwarded-Host: named.store.test\r\n'), 200);
  for (const origin of ['https://evil.test', 'null', 'https://named.store.test', 'file://'])
    assert.equal(await post(`Origin: ${origin}\r\n`), 403, origin);
});
