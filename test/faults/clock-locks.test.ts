/** Locks, codes and links with a time limit on a server whose clock is wrong by years. */
// Suite: faults
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MailAllowance } from '../../server/features/accounts/mail/mail-allowance.ts';
import { LimitsStore } from '../../server/features/accounts/sign-in/limits.store.ts';
import { Tickets } from '../../server/http/tickets.ts';
import { firstUser, type Site, startSite, TestClock, tempFolder } from '../harness.ts';
import { login, must, PASSWORD, person } from '../people.ts';
import { connectPlayer, DEVICE } from '../player-client.ts';
import { HOUR, MINUTE, restart, YEARS } from './doubted-clock.ts';

const guess = async (site: Site, times: number) => {
  for (let i = 0; i < times; i++) await login(site, 'owner@store.test', 'wrong horse');
};

test('wrong passwords while the clock was years ahead lock the account for 15 minutes and no longer', async (t) => {
  const [clock, data] = [new TestClock(), tempFolder(t)];
  const first = await startSite(t, { clock, data });
  await person(first, 'owner@store.test');
  clock.jump(YEARS);
  const ahead = await restart(t, first, clock);
  await guess(ahead, 10);
  assert.equal((await login(ahead, 'owner@store.test')).status, 429);
  clock.jump(-YEARS);
  const site = await restart(t, ahead, clock);
  const locked = await login(site, 'owner@store.test');
  assert.equal(locked.status, 429, 'nor are they forgiven');
  assert.ok(Number(locked.headers.get('retry-after')) <= 900);
  clock.advance(15 * MINUTE);
  must(await login(site, 'owner@store.test'));
});

test('clock that is set back by hours, by years, or back and forth extends no account lock', async (t) => {
  for (const [there, back] of [
    [-20 * HOUR, 0],
    [20 * HOUR, -20 * HOUR],
    [-10 * YEARS, 0],
  ] as const) {
    const clock = new TestClock();
    const site = await startSite(t, { clock });
    await person(site, 'owner@store.test');
    clock.jump(there);
    await guess(site, 10);
    clock.jump(back);
    const locked = await login(site, 'owner@store.test');
    assert.equal(locked.status, 429);
    assert.ok(Number(locked.headers.get('retry-after')) <= 900);
    clock.advance(15 * MINUTE);
    must(await login(site, 'owner@store.test'));
  }
});

test('clock that is set back does not extend the rate limit of sign-ins', async (t) => {
  const clock = new TestClock();
  const site = await startSite(t, { clock });
  await person(site, 'owner@store.test');
  const attempt = () =>
    site.call('POST', '/api/auth/login', {
      body: { email: 'owner@store.test', password: PASSWORD },
      headers: { 'X-Forwarded-For': '10.9.8.7' },
    });
  let last = await attempt();
  for (let i = 0; i < 100 && last.status === 200; i++) last = await attempt();
  assert.equal(last.status, 429);
  clock.jump(-20 * HOUR);
  assert.ok(Number((await attempt()).headers.get('retry-after')) <= 60);
  clock.advance(MINUTE);
  assert.equal((await attempt()).status, 200);
});

test('codes, links and addresses with a short life do not last for years when the clock was ahead', async (t) => {
  const [clock, data] = [new TestClock(), tempFolder(t)];
  clock.jump(YEARS);
  const ahead = await startSite(t, { clock, data });
  const { token } = await firstUser(ahead);
  const client = await connectPlayer(t, ahead);
  client.say({ type: 'hello', protocol: 1, secret_hash: '0'.repeat(64), device: DEVICE });
  const { code } = await client.next('pairing');
  const tickets = new Tickets(clock);
  const { url } = tickets.issue('/x', 'w');
  const open = () => tickets.open(new URL(url, ahead.origin).searchParams.get('access')!, '/x');
  assert.equal(open().workspaceId, 'w');
  // The clock is trusted now: an administrator has confirmed the present time.
  clock.jump(-YEARS);
  ahead.app.clock.confirm('Somebody', ahead.app.clock.state().doubt?.id ?? '');
  assert.throws(open, /expired/);
  assert.equal((await ahead.call('POST', '/api/devices/pair', { token, body: { code, name: 'Door' } })).status, 404);
  clock.advance(1_000);
  const fresh = await client.next('pairing');
  assert.notEqual(fresh['code'], code);
  assert.ok(fresh['expires_at'] < clock.now() + HOUR);
  const limits = ahead.app.db.raw.prepare('INSERT INTO limits (key, count, resets_at) VALUES (?, 10, ?)');
  ahead.app.db.write(() => limits.run('mail-hour:a@store.test', Math.floor((clock.now() + YEARS) / 1000)));
  const allowance = new MailAllowance({ store: new LimitsStore(ahead.app.db), clock });
  const take = () => ahead.app.db.write(() => allowance.count('a@store.test'));
  assert.equal(take(), 3600);
  clock.advance(HOUR);
  assert.equal(take(), 0);
});
