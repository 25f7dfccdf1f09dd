import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { configFrom } from '../../config.ts';
import { ClientAddresses, isFromHere } from './client-address.ts';

const warnings: string[] = [];
const reader = (trusted: string) =>
  new ClientAddresses({
    trustedProxies: configFrom({ trusted_proxies: trusted }, {}).trusted_proxies,
    warn: (sentence) => warnings.push(sentence),
  });
const request = (remoteAddress: string | undefined, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: { ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) },
  }) as unknown as IncomingMessage;

const named = reader('10.0.0.5, 10.0.1.0/24, fd00::/16');
const SPOOFED = '6.6.6.6, 7.7.7.7';

/** Each case: address of the peer, header `X-Forwarded-For`, address that limits use, address shown for a player. */
const cases: [peer: string | undefined, forwarded: string | undefined, counted: string, shown: string][] = [
  // Client that sends a request directly, so the header is ignored.
  ['192.168.1.7', undefined, '192.168.1.7', '192.168.1.7'],
  ['192.168.1.7', SPOOFED, '192.168.1.7', '192.168.1.7'],
  ['::ffff:192.168.1.7', SPOOFED, '192.168.1.7', '192.168.1.7'],
  ['fd01::9', SPOOFED, 'fd01::9', 'fd01::9'],
  // Request through one trusted proxy, which added the last entry.
  ['10.0.0.5', '192.168.1.7', '192.168.1.7', '192.168.1.7'],
  ['::ffff:10.0.0.5', '192.168.1.7', '192.168.1.7', '192.168.1.7'],
  ['10.0.0.5', `${SPOOFED}, 192.168.1.7`, '192.168.1.7', '6.6.6.6'],
  ['fd00::9', `${SPOOFED},192.168.1.7`, '192.168.1.7', '6.6.6.6'],
  // Request through two trusted proxies. The nearer proxy added the address of the farther proxy.
  ['10.0.0.5', `${SPOOFED}, 192.168.1.7, 10.0.1.77`, '192.168.1.7', '6.6.6.6'],
  ['10.0.0.5', '10.0.1.1, 10.0.1.2', '10.0.1.1', '10.0.1.1'],
  // Request through a proxy on this machine that is not configured as trusted.
  ['127.0.0.1', SPOOFED, '127.0.0.1', '6.6.6.6'],
  ['::1', SPOOFED, '::1', '6.6.6.6'],
  ['127.0.0.1', undefined, '127.0.0.1', '127.0.0.1'],
  // Entries with ports, brackets, capital letters or IPv4 in IPv6.
  ['10.0.0.5', '192.168.1.7:4711', '192.168.1.7', '192.168.1.7'],
  ['10.0.0.5', '[2001:DB8::1]:4711', '2001:db8::1', '2001:db8::1'],
  ['10.0.0.5', '[2001:db8::1]', '2001:db8::1', '2001:db8::1'],
  ['10.0.0.5', '::ffff:192.168.1.7', '192.168.1.7', '192.168.1.7'],
  // Entries that are not addresses.
  ['10.0.0.5', '<script>', '10.0.0.5', '10.0.0.5'],
  ['10.0.0.5', '', '10.0.0.5', '10.0.0.5'],
  ['10.0.0.5', `${SPOOFED}, unknown`, '10.0.0.5', '6.6.6.6'],
  ['10.0.0.5', `${SPOOFED}, unknown, 10.0.1.1`, '10.0.1.1', '6.6.6.6'],
  ['10.0.0.5', '999.1.1.1', '10.0.0.5', '10.0.0.5'],
  ['10.0.0.5', '0x7f.1, 2130706433', '10.0.0.5', '10.0.0.5'],
  // Very long lists of entries.
  ['10.0.0.5', `${'6.6.6.6, '.repeat(1_000)}192.168.1.7`, '192.168.1.7', '6.6.6.6'],
  ['10.0.0.5', `6.6.6.6, ${'10.0.1.1, '.repeat(1_000)}10.0.1.2`, '10.0.1.1', '6.6.6.6'],
  // A closed socket, which has no address.
  [undefined, SPOOFED, '', ''],
];

test('limits use the address that trusted proxies added, and the address that a client claims is only displayed', () => {
  for (const [peer, forwarded, counted, shown] of cases) {
    const req = request(peer, forwarded);
    const what = `${peer} for ${forwarded?.slice(0, 60)}`;
    assert.equal(named.of(req), counted, `${what}: counted`);
    assert.equal(named.shownOf(req), shown, `${what}: shown`);
  }
});

test('address of this machine counts as a trusted proxy when it is configured as trusted', () => {
  assert.equal(reader('127.0.0.1').of(request('127.0.0.1', `${SPOOFED}, 192.168.1.7`)), '192.168.1.7');
});

test('an untrusted proxy on this machine is logged once, not with each request', () => {
  warnings.length = 0;
  const unnamed = reader('10.0.0.5');
  for (const [peer, forwarded] of [
    ['192.168.1.7', SPOOFED],
    ['127.0.0.1', undefined],
    ['10.0.0.5', SPOOFED],
  ] as const)
    unnamed.of(request(peer, forwarded));
  assert.deepEqual(warnings, []);
  for (let i = 0; i < 3; i++) unnamed.of(request('127.0.0.1', SPOOFED));
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /VITRINE_TRUSTED_PROXIES/);
});

const from = (remoteAddress: string | undefined, headers: Record<string, string> = {}) =>
  isFromHere({ socket: { remoteAddress }, headers } as unknown as IncomingMessage);

test('request counts as local when it comes from loopback and has no proxy header', () => {
  for (const address of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']) {
    assert.equal(from(address), true, address);
    for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host', 'x-forwarded-proto'])
      assert.equal(from(address, { [header]: '127.0.0.1' }), false, header);
  }
  for (const address of ['192.168.1.7', '::ffff:10.0.0.1', '1270.0.0.1', 'fe80::1', '::11', '', undefined])
    assert.equal(from(address), false, address);
});
