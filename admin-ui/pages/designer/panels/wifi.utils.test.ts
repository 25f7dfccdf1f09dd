import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runCount } from '../../../../test/run-count.ts';
import { wifiOf, wifiText } from './wifi.utils.ts';

test('Wi-Fi code escapes special characters of name and password', () => {
  assert.equal(
    wifiText({ name: 'Café; "Guest"', password: 'a:b\\c', isHidden: false }),
    'WIFI:T:WPA;S:Café\\; \\"Guest\\";P:a\\:b\\\\c;;',
  );
});

test('Wi-Fi code of a network without a password has no password', () => {
  assert.equal(wifiText({ name: 'Guest', password: '', isHidden: true }), 'WIFI:T:nopass;S:Guest;H:true;;');
});

test('Wi-Fi code reads back as the same network', () => {
  const wifi = fc.record({
    name: fc.string({ unit: 'grapheme', maxLength: 40 }),
    password: fc.string({ unit: 'grapheme', maxLength: 70 }),
    isHidden: fc.boolean(),
  });
  fc.assert(
    fc.property(wifi, (given) => assert.deepEqual(wifiOf(wifiText(given)), { ...given })),
    { numRuns: runCount(200, 5_000) },
  );
});

test('address is no Wi-Fi code', () => assert.equal(wifiOf('https://example.com/WIFI:'), undefined));
