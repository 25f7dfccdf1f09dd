import assert from 'node:assert/strict';
import type { NetworkInterfaceInfo } from 'node:os';
import { test } from 'node:test';
import { lanAddresses, multicastAddresses } from './addresses.ts';

const ip4 = (address: string, internal = false): NetworkInterfaceInfo => ({
  address,
  internal,
  family: 'IPv4',
  netmask: '255.255.255.0',
  mac: '02:00:00:00:00:01',
  cidr: null,
});
const ip6: NetworkInterfaceInfo = {
  address: 'fe80::1',
  internal: false,
  family: 'IPv6',
  netmask: 'ffff::',
  mac: '02:00:00:00:00:01',
  cidr: null,
  scopeid: 2,
};

const machine = {
  lo: [ip4('127.0.0.1', true)],
  docker0: [ip4('172.17.0.1')],
  eth1: [ip4('169.254.3.4')],
  eth0: [ip6, ip4('192.168.1.5'), ip4('192.168.1.6')],
  wlan0: [ip4('10.0.0.7')],
  tun0: undefined,
};

test('server sends multicast from one address per network interface, including loopback', () => {
  assert.deepEqual(multicastAddresses('0.0.0.0', machine), [
    '127.0.0.1',
    '172.17.0.1',
    '169.254.3.4',
    '192.168.1.5',
    '10.0.0.7',
  ]);
});

test('server that listens on one address is announced only on the network interface of this address', () => {
  assert.deepEqual(multicastAddresses('192.168.1.6', machine), ['192.168.1.6']);
  assert.deepEqual(multicastAddresses('127.0.0.1', machine), ['127.0.0.1']);
});

test('the start message leaves out loopback, and lists addresses of bridges and link-local addresses last', () => {
  assert.deepEqual(lanAddresses('0.0.0.0', machine), [
    '192.168.1.5',
    '192.168.1.6',
    '10.0.0.7',
    '169.254.3.4',
    '172.17.0.1',
  ]);
  assert.deepEqual(lanAddresses('10.0.0.7', machine), ['10.0.0.7']);
  assert.deepEqual(lanAddresses('127.0.0.1', machine), []);
});
