import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { TestClock } from '../../../../test/harness.ts';
import { openDatabase } from '../../../db/open.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import { MailAllowance } from '../mail/mail-allowance.ts';
import { LimitsStore } from './limits.store.ts';
import { Lockout } from './lockout.ts';

const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;

const setUp = (t: TestContext) => {
  const db = openDatabase(':memory:');
  t.after(() => db.close());
  const machine = new TestClock();
  const clock: Clock & { doubtful: boolean } = { now: () => machine.now(), doubtful: false };
  const store = new LimitsStore(db);
  const lockoutOf = (kind: string) => new Lockout({ db, store, clock, kind, max: 3, message: 'Too many' });
  const allowance = new MailAllowance({ store, clock });
  const take = (address: string) => db.write(() => allowance.count(address));
  const keys = () => db.raw.prepare('SELECT key FROM limits ORDER BY key').pluck().all();
  return { db, machine, clock, lockout: lockoutOf('code'), lockoutOf, take, keys };
};

/** Returns the seconds to wait after a refused check; 0 when the check passes. */
const waitOf = (lockout: Lockout, account: string, refused?: () => void): number => {
  try {
    lockout.check(account, refused);
    return 0;
  } catch (error) {
    const { status, retryAfter = 0, message } = error as { status?: number; retryAfter?: number; message: string };
    assert.deepEqual([status, message], [429, `Too many. Try again in ${retryAfter} s.`]);
    return retryAfter;
  }
};
const fail = (lockout: Lockout, account: string, times: number) => {
  for (let i = 0; i < times; i++) lockout.failed(account);
};

test('the last failure locks that account and kind for exactly 15 minutes', (t) => {
  const { machine, lockout, lockoutOf } = setUp(t);
  fail(lockout, 'bea', 2);
  assert.deepEqual([waitOf(lockout, 'bea'), lockout.isLocked('bea')], [0, false]);
  machine.advance(60_000);
  fail(lockout, 'bea', 1);
  assert.deepEqual([waitOf(lockout, 'bea'), lockout.isLocked('bea')], [900, true]);
  assert.deepEqual([waitOf(lockout, 'cem'), waitOf(lockoutOf('other'), 'bea')], [0, 0]);
  machine.advance(QUARTER_MS - 1_000);
  assert.equal(waitOf(lockout, 'bea'), 1);
  machine.advance(1_000);
  assert.deepEqual([waitOf(lockout, 'bea'), lockout.isLocked('bea')], [0, false]);
  fail(lockout, 'bea', 2);
  assert.equal(waitOf(lockout, 'bea'), 0, 'counting has begun anew');
});

test('only the first refused attempt of a lockout is reported, and refused attempts do not extend the lockout', (t) => {
  const { machine, lockout } = setUp(t);
  let told = 0;
  const refused = () => void told++;
  fail(lockout, 'bea', 2);
  waitOf(lockout, 'bea', refused);
  assert.equal(told, 0);
  fail(lockout, 'bea', 1);
  machine.advance(100_000);
  assert.deepEqual([waitOf(lockout, 'bea', refused), waitOf(lockout, 'bea', refused)], [800, 800]);
  assert.equal(told, 1);
});

test('a lockout that is cleared, or followed by a success, no longer counts', async (t) => {
  const { lockout, keys } = setUp(t);
  lockout.forget('bea');
  fail(lockout, 'bea', 3);
  lockout.forget('bea');
  assert.equal(waitOf(lockout, 'bea'), 0);
  fail(lockout, 'bea', 2);
  assert.equal(await lockout.attempt('bea', async () => true), true);
  assert.deepEqual(keys(), []);
  assert.equal(await lockout.attempt('bea', async () => false), false);
  fail(lockout, 'bea', 1);
  assert.equal(waitOf(lockout, 'bea'), 0);
  await lockout.attempt('bea', async () => false);
  await assert.rejects(
    lockout.attempt('bea', async () => true),
    { status: 429, retryAfter: 900 },
  );
});

test('attempts in progress count against the limit until they end', async (t) => {
  const { lockout } = setUp(t);
  const checks = Array.from({ length: 3 }, () => Promise.withResolvers<boolean>());
  const attempts = checks.map(({ promise }) => lockout.attempt('bea', () => promise));
  assert.deepEqual([waitOf(lockout, 'bea'), waitOf(lockout, 'cem')], [1, 0]);
  checks[0]!.reject(new Error('no thread'));
  await assert.rejects(attempts[0]!, /no thread/);
  assert.equal(waitOf(lockout, 'bea'), 0);
  fail(lockout, 'bea', 1);
  assert.equal(waitOf(lockout, 'bea'), 1, 'two are being checked');
  checks[1]!.resolve(true);
  await attempts[1];
  fail(lockout, 'bea', 2);
  assert.equal(waitOf(lockout, 'bea'), 1, 'one is being checked');
  checks[2]!.resolve(true);
  await attempts[2];
  fail(lockout, 'bea', 2);
  assert.equal(waitOf(lockout, 'bea'), 0);
});

test('after the correction of a clock that was ahead, no lockout lasts longer than 15 minutes', (t) => {
  const { machine, lockout } = setUp(t);
  machine.jump(365 * 24 * HOUR_MS);
  fail(lockout, 'bea', 3);
  machine.jump(-365 * 24 * HOUR_MS);
  assert.equal(waitOf(lockout, 'bea'), 900);
  machine.advance(QUARTER_MS / 2);
  assert.equal(waitOf(lockout, 'bea'), 450, 'it has an end that comes');
});

test('old failures are deleted, but not while the clock is untrusted', (t) => {
  const { machine, clock, lockout, keys } = setUp(t);
  fail(lockout, 'bea', 1);
  machine.advance(QUARTER_MS);
  clock.doubtful = true;
  fail(lockout, 'cem', 1);
  assert.deepEqual(keys(), ['code:bea', 'code:cem']);
  fail(lockout, 'bea', 1);
  assert.equal(lockout.isLocked('bea'), false);
  machine.advance(QUARTER_MS);
  clock.doubtful = false;
  fail(lockout, 'dan', 1);
  assert.deepEqual(keys(), ['code:dan']);
});

test('an address gets three e-mails in the hour after the first, and ten per day, regardless of its spelling', (t) => {
  const { machine, take } = setUp(t);
  const takeAll = (...addresses: string[]) => addresses.map(take);
  assert.deepEqual(takeAll('bea@store.test', 'Bea@store.test'), [0, 0]);
  machine.advance(60_000);
  assert.deepEqual(takeAll('bea+till@store.test', 'bea@store.test', 'cem@store.test'), [0, 3_540, 0]);
  for (const hour of [1, 2]) {
    machine.advance(HOUR_MS);
    assert.deepEqual(takeAll(...Array(4).fill('bea@store.test')), [0, 0, 0, 3_600], `hour ${hour}`);
  }
  machine.advance(HOUR_MS);
  assert.deepEqual(takeAll('bea@store.test', 'bea@store.test'), [0, 24 * 3_600 - 3 * 3_600 - 60]);
  machine.advance(21 * HOUR_MS - 60_000);
  assert.deepEqual(takeAll(...Array(4).fill('bea@store.test')), [0, 0, 0, 3_600]);
});

test('e-mails counted by a clock that was ahead delay later e-mails by at most the hour or day of the limit', (t) => {
  const { machine, clock, take } = setUp(t);
  machine.jump(365 * 24 * HOUR_MS);
  for (let i = 0; i < 3; i++) assert.equal(take('bea@store.test'), 0);
  machine.jump(-365 * 24 * HOUR_MS);
  assert.equal(take('bea@store.test'), 3_600);
  machine.advance(HOUR_MS / 2);
  assert.equal(take('bea@store.test'), 1_800);
  clock.doubtful = true;
  machine.advance(HOUR_MS);
  assert.equal(take('bea@store.test'), 0);
});
