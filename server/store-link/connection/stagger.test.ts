import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createStagger } from './stagger.ts';

const open = (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const acted: number[] = [];
  return { acted, pass: (ms: number) => t.mock.timers.tick(ms), ...createStagger(() => acted.push(Date.now())) };
};

test('further delay does not postpone the pending action, and a delay after the action starts a new one', (t) => {
  const { acted, pass, give } = open(t);
  give(1_000);
  for (let i = 0; i < 5; i++) {
    pass(150);
    give(1_000);
  }
  assert.deepEqual(acted, []);
  pass(250);
  assert.deepEqual(acted, [1_000]);
  pass(10_000);
  assert.deepEqual(acted, [1_000], 'once');
  give(300);
  pass(300);
  assert.deepEqual(acted, [1_000, 11_300]);
});

test('delay of 0 runs the action at once and cancels the pending action', (t) => {
  const { acted, pass, give } = open(t);
  give(1_000);
  pass(400);
  give(0);
  assert.deepEqual(acted, [400]);
  pass(5_000);
  assert.deepEqual(acted, [400]);
  give(100);
  pass(100);
  assert.deepEqual(acted, [400, 5_500]);
});

test('action does not run when its delay is cancelled', (t) => {
  const { acted, pass, give, cancel } = open(t);
  give(1_000);
  cancel();
  pass(5_000);
  assert.deepEqual(acted, []);
});
