/** Tests NatsHub without a nats-server. The tests with a nats-server are in test/chain/nats.test.ts. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TestClock, tempFolder } from '../../../test/harness.ts';
import { NatsHub } from './nats-hub.ts';

test('hub writes its configuration file once when many stores are removed together', async (t) => {
  const data = tempFolder(t);
  let gone: (id: number) => void = () => {};
  let reads = 0;
  const hub = new NatsHub({
    data,
    server: 'tls://127.0.0.1:4222',
    clock: new TestClock(Date.now()),
    revoked: () => {
      reads++;
      return {};
    },
    registry: { byRef: () => undefined, onGone: (call: typeof gone) => (gone = call) },
    shown: () => ({ certificate: 'certificate', private_key: 'key' }),
    log: { info: () => {}, warn: () => {} },
  } as unknown as ConstructorParameters<typeof NatsHub>[0]);
  t.after(() => hub.stop());
  for (let id = 0; id < 100; id++) gone(id);
  await nextTurn();
  assert.deepEqual([reads, existsSync(join(data, 'nats', 'nats.conf'))], [1, true]);
  gone(100);
  await nextTurn();
  assert.equal(reads, 2, 'a later removal is written, too');
});
