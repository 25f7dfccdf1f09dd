import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_TELEMETRY } from '../../../shared/protocol/telemetry.ts';
import { changedTelemetry } from './telemetry.ts';

const kept = (local_ip6: string) => changedTelemetry(NO_TELEMETRY, { local_ip6 })?.local_ip6 ?? null;

test('telemetry accepts only global and unique-local IPv6 addresses', () => {
  for (const address of [
    '2001:db8::7',
    '2a02:8070:1::1',
    '3fff::1',
    '2000::',
    'fc00::1',
    'fd12:3456:789a::1',
    'FD00::7',
  ])
    assert.equal(kept(address), address);
  for (const address of [
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fec0::1',
    'ff02::1',
    '::ffff:192.168.1.2',
    '64:ff9b::1',
    '200::1',
    '1fff::1',
    '4000::1',
    'fe00::1',
    'fd::1',
    '192.168.1.2',
    'house',
  ])
    assert.equal(kept(address), null, address);
  assert.equal(kept('fd00::7%wlan0'), 'fd00::7');
});
