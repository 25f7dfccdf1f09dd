import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOf } from './pages.ts';
import { NO_RESTARTS, restartAfter } from './restarts.ts';

test('program that ends repeatedly is restarted with growing delays of at most 30 s', () => {
  let restarts = NO_RESTARTS;
  const delays: number[] = [];
  for (let now = 0; delays.length < 9; now += 1_000) {
    const next = restartAfter(restarts, now);
    restarts = next.restarts;
    delays.push(next.delayMs);
  }
  assert.deepEqual(delays, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test('program that ran for five minutes is restarted at once', () => {
  const { restarts } = restartAfter({ count: 8, at: 0 }, 5 * 60_000);
  assert.equal(restarts.count, 1);
  assert.equal(restartAfter({ count: 8, at: 0 }, 5 * 60_000).delayMs, 500);
});

test('address belongs to an origin only if its scheme, host and port are exactly those of the origin', () => {
  const origin = 'http://localhost:8710';
  for (const address of ['http://localhost:8710/', 'http://localhost:8710/#/screens?a=1'])
    assert.ok(isOf(origin, address), address);
  for (const address of [
    'http://localhost:8711/',
    'https://localhost:8710/',
    'http://localhost:8710.evil.test/',
    'http://localhost:8710@evil.test/',
    'http://a:b@localhost:8710/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'about:blank',
    '',
  ])
    assert.ok(!isOf(origin, address), address);
});
