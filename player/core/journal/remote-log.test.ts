import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlayerMessage } from '../../../shared/protocol/messages.ts';
import { FakeTime } from '../testing/fakes.ts';
import { RemoteLog } from './remote-log.ts';

const start = () => {
  const time = new FakeTime();
  const [said, line] = [[] as PlayerMessage[], { open: true }];
  const log = new RemoteLog({ time, send: (message) => line.open && said.push(message) > 0 });
  const texts = () => said.map((message) => ('message' in message ? message.message : ''));
  return { time, said, line, log, texts };
};

test('first fault is sent at once, later faults at most once a second, and no repetition directly after its original', async () => {
  const { time, said, log, texts } = start();
  const told: string[] = [];
  log.send('error', 'a', { code: 1 }, () => told.push('a'));
  for (const text of ['b', 'b', 'c'.repeat(3_000)]) log.send('info', text, undefined, () => told.push(text[0]!));
  assert.deepEqual(said, [{ type: 'log', level: 'error', message: 'a', detail: { code: 1 } }]);
  await time.advance(999);
  assert.deepEqual(texts(), ['a']);
  await time.advance(1);
  assert.deepEqual(said[1], { type: 'log', level: 'info', message: 'b' });
  await time.advance(5_000);
  assert.deepEqual([texts()[2], told], ['c'.repeat(2_000), ['a', 'b', 'c']]);
  log.send('warn', 'd');
  assert.equal(texts()[3], 'd', 'at once again');
});

test('20 faults wait while offline, further faults are only counted, and nothing is sent after a stop', async () => {
  const { time, line, log, texts } = start();
  line.open = false;
  for (let n = 0; n < 25; n++) log.send('error', `${n}`);
  await time.advance(60_000);
  line.open = true;
  log.flush();
  log.flush();
  assert.deepEqual(texts(), ['0']);
  await time.advance(60_000);
  assert.deepEqual(texts(), [...Array.from({ length: 20 }, (_, n) => `${n}`), '5 more messages were left out']);
  log.send('error', 'x');
  log.send('error', 'y');
  log.stop();
  await time.advance(60_000);
  assert.deepEqual(texts().slice(21), ['x']);
  log.flush();
  assert.deepEqual(texts().slice(22), ['y']);
});
