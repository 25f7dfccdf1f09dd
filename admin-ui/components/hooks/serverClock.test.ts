import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordServerTime, serverNow } from './serverClock.ts';

const near = (ms: number, expected: number) =>
  assert.ok(Math.abs(ms - expected) < 1500, `${ms} is not near ${expected}`);
const header = (ms: number) => new Date(ms).toUTCString();

test("time follows the server's clock when this machine's clock is wrong, and otherwise this machine's clock", () => {
  const now = Date.now();
  recordServerTime(header(now), now - 40, now);
  near(serverNow(), Date.now());
  const year = 365 * 86_400_000;
  recordServerTime(header(now - year), now - 40, now);
  near(serverNow(), Date.now() - year);
  for (const [date, asked] of [
    [null, now],
    ['yesterday', now],
    [header(now + year), now - 60_000],
  ] as const)
    recordServerTime(date, asked, now);
  near(serverNow(), Date.now() - year);
  recordServerTime(header(now + 1000), now - 40, now);
  assert.ok(Math.abs(serverNow() - Date.now()) <= 1, 'a second is the header’s own');
});
