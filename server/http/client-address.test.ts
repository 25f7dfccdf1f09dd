import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { configFrom } from '../config.ts';
import { clientAddress } from './client-address.ts';

const { trusted_proxies } = configFrom({ trusted_proxies: '10.0.0.5, 10.0.1.0/24, fd00::/16' }, {});
const from = (remoteAddress: string | undefined, forwarded = '192.168.1.7, 10.0.0.9') =>
  clientAddress({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage, trusted_proxies);

test('a proxy is believed whom it forwards for: this machine, or one that is named by its address or its network', () => {
  for (const proxy of ['127.0.0.1', '::1', '10.0.0.5', '::ffff:10.0.0.5', '10.0.1.77', 'fd00::9']) assert.equal(from(proxy), '192.168.1.7', proxy);
  for (const stranger of ['10.0.0.6', '::ffff:10.0.2.1', 'fd01::9']) assert.equal(from(stranger), stranger.replace('::ffff:', ''), stranger);
});

test('what is no address is not believed of anybody, and a socket that is gone has none', () => {
  assert.equal(from('10.0.0.5', '<script>'), '10.0.0.5');
  assert.equal(from(undefined), '');
});
