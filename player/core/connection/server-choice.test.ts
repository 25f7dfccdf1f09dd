import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SeenServer } from '../ports.ts';
import { FakeAddresses, FakeTime } from '../testing/fakes.ts';
import { ServerChoice } from './server-choice.ts';

const start = ({ given = false, hasCode = false } = {}) => {
  const [time, addresses] = [new FakeTime(), new FakeAddresses()];
  addresses.given = given;
  let [changes, heard] = [0, [] as SeenServer[]];
  addresses.seen = () => heard;
  const choice = new ServerChoice({ addresses, time, changed: () => void changes++, ...(hasCode && { hasCode }) });
  const hears = (...names: string[]) => {
    heard = names.map((name) => ({
      origin: `http://${name}`,
      server: name.startsWith('?') ? null : { id: name[0]!, fingerprint: name },
      name,
      setup: false,
    }));
    choice.update();
  };
  return { time, choice, hears, state: () => [choice.isClear, choice.isOpen, changes] };
};

test('server is chosen when no other server was found for 20 s', async () => {
  const { time, hears, state } = start();
  hears();
  await time.advance(60_000);
  hears('a');
  await time.advance(10_000);
  hears('a');
  await time.advance(9_999);
  assert.deepEqual(state(), [false, false, 0]);
  await time.advance(1);
  assert.deepEqual(state(), [true, false, 1]);
  hears('a', 'b');
  assert.deepEqual(state(), [false, true, 2]);
  hears('a', 'b', 'c');
  assert.deepEqual(state(), [false, true, 2], 'told once');
});

test('once two servers were found, a person must choose, also when one of them is gone', async () => {
  for (const both of [
    ['a', 'b'],
    ['a1', 'a2'],
    ['?1', '?2'],
  ]) {
    const { time, hears, state } = start();
    hears(...both);
    assert.deepEqual(state(), [false, true, 1]);
    hears(both[0]!);
    await time.advance(60_000);
    assert.deepEqual(state(), [false, true, 1]);
  }
});

test('entered address decides the choice, a preset code leaves it open, and a stop ends the search', async () => {
  const typed = start({ given: true });
  typed.hears('a', 'b');
  assert.deepEqual(typed.state(), [true, false, 0]);
  const code = start({ hasCode: true });
  code.hears('a');
  await code.time.advance(60_000);
  assert.deepEqual(code.state().slice(0, 2), [false, true]);
  const stopped = start();
  stopped.hears('a');
  stopped.choice.stop();
  await stopped.time.advance(60_000);
  assert.deepEqual(stopped.state(), [false, false, 0]);
});
