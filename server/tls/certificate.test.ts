import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { connect, createServer } from 'node:tls';
import {
  CA_DAYS,
  issueServer,
  type KeyPair,
  makeAuthority,
  mayVouchFor,
  renewAuthority,
  SERVER_DAYS,
} from './certificate.ts';

const DAY_MS = 86_400_000;
const serverId = '7d9f4a3e-1111-4111-8111-111111111111';

/** Connects as a TLS client that trusts the authority and expects this name. Returns the result of the handshake. */
const handshake = async (
  t: TestContext,
  { pair, ca, name }: { pair: KeyPair; ca: string; name: string },
): Promise<string> => {
  const server = createServer({ cert: pair.certificate, key: pair.private_key }, (socket) =>
    socket.on('error', () => {}).end(),
  );
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const socket = connect({
    port,
    host: name.match(/^[\d.]+$/) ? name : '127.0.0.1',
    servername: name.match(/^[\d.]+$/) ? '' : name,
    ca,
  });
  try {
    await once(socket, 'secureConnect');
    return 'accepted';
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    return `${code} ${message}`;
  } finally {
    socket.destroy();
  }
};

test('OpenSSL accepts a certificate of the authority only for the names in the certificate', async (t) => {
  const authority = makeAuthority({ serverId, names: ['backoffice'], now: Date.now() });
  const pair = issueServer({
    authority,
    serverId,
    names: ['backoffice', 'backoffice.local', 'localhost', '127.0.0.1', '192.168.1.5'],
    now: Date.now(),
  });
  const ca = authority.certificate;
  for (const name of ['backoffice', 'backoffice.local', 'localhost', '127.0.0.1'])
    assert.equal(await handshake(t, { pair, ca, name }), 'accepted', name);
  assert.match(await handshake(t, { pair, ca, name: 'elsewhere.local' }), /^ERR_TLS_CERT_ALTNAME_INVALID/);
  const other = makeAuthority({ serverId, names: [], now: Date.now() });
  assert.notEqual(await handshake(t, { pair, ca: other.certificate, name: 'localhost' }), 'accepted');
});

test('OpenSSL accepts a server certificate after the renewal of the authority, with its old and its new certificate', async (t) => {
  const before = makeAuthority({ serverId, names: ['backoffice'], now: Date.now() - (CA_DAYS - 300) * DAY_MS });
  const renewed = renewAuthority(before, { serverId, names: ['signs.shop.test'], now: Date.now() });
  const pair = issueServer({ authority: renewed, serverId, names: ['backoffice', 'localhost'], now: Date.now() });
  for (const { certificate: ca } of [before, renewed])
    assert.equal(await handshake(t, { pair, ca, name: 'localhost' }), 'accepted');
  assert.ok(
    Date.parse(new X509Certificate(pair.certificate).validTo) >
      Date.parse(new X509Certificate(before.certificate).validTo),
    'and it outlives the one of before',
  );
  assert.ok(mayVouchFor(renewed, 'signs.shop.test') && mayVouchFor(renewed, 'backoffice'));
});

test('stolen authority cannot issue certificates for public names, because it may only issue for private names', async (t) => {
  const authority = makeAuthority({ serverId, names: ['signs.shop.test'], now: Date.now() });
  const of = (name: string) => issueServer({ authority, serverId, names: [name], now: Date.now() });
  const judge = (name: string) => handshake(t, { pair: of(name), ca: authority.certificate, name });
  assert.match(await judge('bank.example.com'), /permitted subtree violation/);
  assert.equal(await judge('signs.shop.test'), 'accepted');
  assert.deepEqual(
    [
      'bank.example.com',
      'local.example.com',
      '8.8.8.8',
      '2001:db8::1',
      'signs.shop.test',
      'pc.local',
      '10.1.2.3',
      '172.31.0.1',
      '172.32.0.1',
      'fe80::1',
    ].filter((name) => mayVouchFor(authority, name)),
    ['signs.shop.test', 'pc.local', '10.1.2.3', '172.31.0.1', 'fe80::1'],
  );
});

test('authority is valid for ten years, and the server’s certificate for at most 397 days', () => {
  const now = Date.UTC(2049, 11, 1);
  const days = (certificate: string) => {
    const { validFrom, validTo } = new X509Certificate(certificate);
    return (Date.parse(validTo) - Date.parse(validFrom)) / DAY_MS;
  };
  const authority = makeAuthority({ serverId, names: [], now });
  assert.equal(days(authority.certificate), CA_DAYS);
  assert.equal(days(issueServer({ authority, serverId, names: ['localhost'], now }).certificate), SERVER_DAYS);
  const late = issueServer({ authority, serverId, names: ['localhost'], now: now + (CA_DAYS - 20) * DAY_MS });
  assert.ok(
    Date.parse(new X509Certificate(late.certificate).validTo) <=
      Date.parse(new X509Certificate(authority.certificate).validTo),
  );
});
