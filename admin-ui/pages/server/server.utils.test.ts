import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Storage, UpkeepChange } from '../../../shared/contract/server/upkeep.ts';
import { changesOf, diskParts, encryptedHost, hostsIn, limits, portFor, wholeIn } from './server.utils.ts';

test('parts of a disk add up to the size of the disk', () => {
  const storage = {
    total_bytes: 1000,
    free_bytes: 400,
    media_bytes: 300,
    backups_bytes: 50,
    database_bytes: 20,
    logs_bytes: 5,
    aside_bytes: 0,
  } as Storage;
  const parts = diskParts(storage);
  assert.equal(
    parts.reduce((sum, part) => sum + part.bytes, 0),
    1000,
  );
  assert.equal(parts.find((p) => p.key === 'others')?.bytes, 225);
});

test('only changed settings are sent', () => {
  assert.deepEqual(changesOf({ a: 1, b: 3 }, { a: 1, b: 2, c: 5 }), { b: 3 });
  assert.deepEqual(changesOf({ a: ['x'], b: ['y', 'z'] }, { a: ['x'], b: ['y'] }), { b: ['y', 'z'] });
});

test('limits of the form equal the limits of the contract', () => {
  for (const [name, [min, max]] of Object.entries(limits)) {
    assert.equal(UpkeepChange.safeParse({ [name]: min }).success, true, name);
    assert.equal(UpkeepChange.safeParse({ [name]: max }).success, true, name);
    assert.equal(UpkeepChange.safeParse({ [name]: min - 1 }).success, false, name);
    assert.equal(UpkeepChange.safeParse({ [name]: max + 1 }).success, false, name);
  }
  assert.equal(wholeIn('29', limits.plays_days), undefined);
  assert.equal(wholeIn('30', limits.plays_days), 30);
  assert.equal(wholeIn('3.5', limits.telemetry_days), undefined);
});

test('hosts are parsed from lists with any usual separator', () => {
  assert.deepEqual(hostsIn('nas.local\n 192.168.1.5:8080, cam.local;\n'), [
    'nas.local',
    '192.168.1.5:8080',
    'cam.local',
  ]);
  assert.deepEqual(hostsIn(' \n'), []);
});

test('mail port follows the security setting until the user chooses another port', () => {
  assert.equal(portFor('tls', 587), 465);
  assert.equal(portFor('starttls', 465), 587);
  assert.equal(portFor('tls', 2525), 2525);
});

test('host name for HTTPS is covered by the certificate', () => {
  const addresses = ['http://192.168.1.5:8710/'];
  assert.equal(encryptedHost(['vm', 'vm.local', '192.168.1.5', 'localhost'], addresses), '192.168.1.5');
  assert.equal(encryptedHost(['vm', 'vm.local', 'localhost', '127.0.0.1'], addresses), 'vm.local');
  assert.equal(encryptedHost(['localhost', '127.0.0.1'], addresses), 'localhost');
  assert.equal(encryptedHost([], addresses), undefined);
});
