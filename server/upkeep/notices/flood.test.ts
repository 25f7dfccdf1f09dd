import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Flood, PASS } from './flood.ts';

const MINUTE = 60_000;

test('first few items pass individually, and further items are merged per minute while the flood continues', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const said: string[] = [];
  const flood = new Flood<number>({
    one: (n) => said.push(String(n)),
    many: (all) => said.push(`${all.length} from ${all[0]}`),
  });
  const add = (from: number, to: number) => {
    for (let n = from; n < to; n++) flood.add(n);
  };
  const passed = Array.from({ length: PASS }, (_, n) => String(n));
  add(0, 2_000);
  assert.deepEqual(said, passed);
  t.mock.timers.tick(MINUTE);
  assert.deepEqual(said.splice(0), [...passed, `${2_000 - PASS} from ${PASS}`]);
  // Items keep arriving at the same rate, so none passes individually.
  add(2_000, 2_003);
  t.mock.timers.tick(MINUTE - 1);
  assert.deepEqual(said, []);
  t.mock.timers.tick(1);
  assert.deepEqual(said.splice(0), ['3 from 2000']);
  // After a minute without items, a few items pass individually again.
  t.mock.timers.tick(MINUTE);
  add(0, 1);
  assert.deepEqual(said.splice(0), ['0']);
  add(1, PASS + 1);
  flood.stop();
  t.mock.timers.tick(MINUTE);
  assert.equal((said as readonly string[]).includes(`1 from ${PASS}`), false, 'what has stopped says nothing');
});
