import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { isOwnMachine } from './own-machine.ts';

const from = (remoteAddress: string | undefined, headers: Record<string, string> = {}) => isOwnMachine({ socket: { remoteAddress }, headers } as unknown as IncomingMessage);

test('the own machine is loopback without anything that a proxy adds', () => {
  for (const address of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']) {
    assert.equal(from(address), true, address);
    for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host', 'x-forwarded-proto'])
      assert.equal(from(address, { [header]: '127.0.0.1' }), false, header);
  }
  for (const address of ['192.168.1.7', '::ffff:10.0.0.1', '1270.0.0.1', 'fe80::1', '::11', '', undefined]) assert.equal(from(address), false, address);
});
