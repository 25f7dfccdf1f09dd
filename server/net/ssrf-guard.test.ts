import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressRefused, isPublic, type ResolveHost, SsrfGuard } from './ssrf-guard.ts';

const dns =
  (names: Record<string, string[]>): ResolveHost =>
  async (host) => {
    const found = names[host];
    if (!found) throw Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' });
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
const PUBLIC = '93.184.216.34';
const guard = (options: { allowedHosts?: string[]; names?: Record<string, string[]> } = {}) =>
  new SsrfGuard({
    resolve: dns({ 'public.example': [PUBLIC], ...options.names }),
    allowedHosts: () => options.allowedHosts ?? [],
  });
const refused = (address: string, g = guard()) => assert.rejects(g.check(address), AddressRefused, address);

test('public addresses, and names that resolve to them, are allowed', async () => {
  for (const address of [
    'http://public.example/a.jpg',
    'https://public.example:8443/',
    `http://${PUBLIC}/`,
    'http://[2606:2800:220:1::1]/x',
  ])
    await guard().check(address);
});

test('every address range that is not the public internet is refused', () => {
  const inside = [
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.127.255.255',
    '198.18.0.1',
    '198.19.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    'fec0::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2001::1',
    '64:ff9b:1::1',
    '100::1',
    '3fff::1',
    '::ffff:127.0.0.1',
    '::ffff:192.168.1.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::10.0.0.1',
    'not an address',
    '',
  ];
  for (const address of inside) assert.equal(isPublic(address), false, address);
  for (const address of [
    PUBLIC,
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])
    assert.equal(isPublic(address), true, address);
});

test('an address inside the network is refused in every notation', async () => {
  const spellings = [
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://１２７.0.0.1/',
    'http://127。0。0。1/',
    'http://%31%32%37.0.0.1/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://0/',
    'http://0.0.0.0/',
    'http://169.254.169.254/latest/meta-data',
    'http://[fe80::1]/',
    'http://[64:ff9b::a00:1]/',
    'http://192.168.0.10:8710/api',
  ];
  for (const address of spellings) await refused(address);
});

test('name is refused when at least one of its addresses is inside the network', async () => {
  await refused('http://mixed.example/', guard({ names: { 'mixed.example': [PUBLIC, '10.0.0.1'] } }));
  await refused('http://six.example/', guard({ names: { 'six.example': ['::1'] } }));
  await refused('http://localhost/', guard({ names: { localhost: ['127.0.0.1'] } }));
  await refused('http://LOCALHOST./', guard({ names: { localhost: ['127.0.0.1'] } }));
});

test('address is refused when it is malformed, contains credentials, or has a scheme other than http and https', async () => {
  for (const address of [
    'ftp://public.example/',
    'file:///etc/passwd',
    'gopher://public.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://user:secret@public.example/',
    'http://user@public.example/',
  ])
    await refused(address);
  for (const address of ['', 'public.example', '//public.example/', 'http://', 'http://[::1', 'not an address'])
    await assert.rejects(guard().check(address), { status: 400 }, address);
});

test('name that does not resolve passes the check, and is refused when it later resolves to a local address', async () => {
  const names: Record<string, string[]> = {};
  const g = guard({ names });
  await g.check('http://later.example/a.jpg');
  const later = new SsrfGuard({ resolve: dns({ 'later.example': ['192.168.1.1'] }) });
  await refused('http://later.example/a.jpg', later);
});

test('an administrator may allow hosts by name, by address and by port', async () => {
  const names = {
    'nas.store': ['192.168.1.5'],
    'cam.store': ['10.0.0.7'],
    'meta.store': ['169.254.169.254'],
    'any.store': ['0.0.0.0'],
  };
  const g = guard({
    allowedHosts: ['nas.store', '192.168.1.9:8080', 'CAM.store:81', 'meta.store', 'any.store', '[fd00::5]'],
    names,
  });
  for (const address of [
    'http://nas.store/a.jpg',
    'http://NAS.store:9000/',
    'http://192.168.1.9:8080/',
    'http://cam.store:81/',
    'http://[fd00::5]/',
  ])
    await g.check(address);
  for (const address of ['http://192.168.1.9/', 'http://cam.store/', 'http://192.168.1.5/', 'http://other.nas.store/'])
    await assert.rejects(g.addressesOf(new URL(address)), address);
});

test('even an allowed name must not resolve to cloud metadata or 0.0.0.0', async () => {
  const g = guard({
    allowedHosts: ['meta.store', 'any.store'],
    names: { 'meta.store': ['169.254.169.254'], 'any.store': ['0.0.0.0'] },
  });
  await refused('http://meta.store/', g);
  await refused('http://any.store/', g);
});

test('at most two DNS lookups run at a time, so that a dead DNS server cannot block file reads', async () => {
  let running = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  const g = new SsrfGuard({
    resolve: async () => {
      most = Math.max(most, ++running);
      await new Promise<void>((go) => waiting.push(go));
      running--;
      return [{ address: PUBLIC, family: 4 }];
    },
  });
  const all = Promise.all(Array.from({ length: 8 }, (_, i) => g.check(`http://host${i}.example/`)));
  for (let i = 0; i < 50; i++) {
    await new Promise((go) => setImmediate(go));
    waiting.shift()?.();
  }
  await all;
  assert.equal(most, 2);
});
