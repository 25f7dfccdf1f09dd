import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Advertisement, goodbyeOf, hostName, instanceName, recordsOf, txtOf } from './advertisement.ts';

const ad: Advertisement = {
  id: '3f9a1c22-0000-4000-8000-0123456789ab',
  fingerprint: 'ab12',
  version: '0.1.0',
  port: 8710,
  name: 'Bakery Müller',
  isSetUp: false,
  isNameTaken: false,
};

test('the TXT record has id, ver, api, fp and setup', () => {
  assert.deepEqual(txtOf(ad), [`id=${ad.id}`, 'ver=0.1.0', 'api=/api', 'fp=ab12', 'setup=1']);
  assert.equal(txtOf({ ...ad, isSetUp: true }).at(-1), 'setup=0');
  assert.equal(txtOf({ ...ad, tlsPort: 8711 }).at(-1), 'tls=8711');
});

test('service gets the store’s name, and a suffix when another service on the network has the same name', () => {
  assert.equal(instanceName(ad), 'Bakery Müller');
  assert.equal(instanceName({ ...ad, isNameTaken: true }), 'Bakery Müller (3f9a)');
});

test('a store without a name is announced as Vitrine, and a dot in a name is replaced by a hyphen', () => {
  assert.equal(instanceName({ ...ad, name: '  ' }), 'Vitrine');
  assert.equal(instanceName({ ...ad, name: 'Dr. Brot' }), 'Dr- Brot');
});

test('name has at most 63 bytes and is not cut within a character', () => {
  for (const isNameTaken of [false, true]) {
    const name = instanceName({ ...ad, name: '🥐'.repeat(40), isNameTaken });
    assert.ok(Buffer.byteLength(name) <= 63, name);
    assert.match(name, /^(🥐)+( \(3f9a\))?$/u);
  }
});

test('announcement on each network interface contains only the address of this interface', () => {
  const records = recordsOf(ad, '10.0.0.7');
  assert.deepEqual(
    records.filter((record) => record.type === 'A'),
    [{ name: hostName(ad), type: 'A', ttl: 120, data: '10.0.0.7' }],
  );
  assert.deepEqual(records.find((record) => record.type === 'SRV')?.data, {
    port: 8710,
    target: 'vitrine-3f9a1c220000.local',
  });
});

test('goodbye message withdraws the service, but no records that other servers share', () => {
  assert.deepEqual(goodbyeOf(ad), [
    { name: '_vitrine._tcp.local', type: 'PTR', ttl: 0, data: 'Bakery Müller._vitrine._tcp.local' },
  ]);
});
