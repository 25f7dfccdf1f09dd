import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PipShow } from '../../../shared/protocol/messages.ts';
import { ownedSite, TestClock } from '../../../test/harness.ts';
import { type PlayerClient, pairPlayer, passing, reconnect } from '../../../test/player-client.ts';

const setUp = async (t: TestContext) => {
  const clock = new TestClock();
  const { site, token } = await ownedSite(t, { clock });
  const player = await pairPlayer(t, site, token);
  const show = (over: object = {}) =>
    site.call('POST', '/api/pip', {
      token,
      body: { device_id: player.deviceId, type: 'image', uri: 'http://till.local/a.png', ...over },
    });
  const clear = (over: object = {}) =>
    site.call('POST', '/api/pip/clear', { token, body: { device_id: player.deviceId, ...over } });
  /** Resolves when all messages that the server has sent so far have arrived at the player. */
  const settled = async (client: PlayerClient) => {
    client.say({ type: 'heartbeat' });
    await client.next('heartbeat.ack');
    return client.heard.map((said) => said.type);
  };
  const leave = async (client: PlayerClient) => {
    client.socket.terminate();
    await client.closed;
    await new Promise((next) => setTimeout(next, 50));
  };
  return { clock, site, token, player, show, clear, settled, leave };
};

test('overlay is sent to the player and reported as shown after the player confirms it', async (t) => {
  const { player, show, clock } = await setUp(t);
  const answer = show({ duration: 30, title: 'Till 2 opens' });
  const pushed = PipShow.parse(await player.client.next('device:pip-show'));
  assert.deepEqual(
    [pushed.kind, pushed.title, pushed.duration, pushed.until, pushed.position],
    ['image', 'Till 2 opens', 30, clock.now() + 30_000, 'top-right'],
  );
  player.client.say({ type: 'overlay.result', pip_id: pushed.pip_id, status: 'shown', at: clock.now() });
  const { body } = await answer;
  assert.deepEqual(
    [body.sent, body.offline, body.total, body.results[0].status, body.pip_id],
    [1, 0, 1, 'shown', pushed.pip_id],
  );
});

test('overlay is "failed" when its player reports a failure, and "sent" when its player does not answer within 2 s', async (t) => {
  const { player, show, clock } = await setUp(t);
  const failing = show();
  const first = await player.client.next('device:pip-show');
  player.client.say({ type: 'overlay.result', pip_id: first['pip_id'], status: 'failed', error: 'no such page' });
  assert.deepEqual(
    { ...(await failing).body.results[0], device_id: '' },
    { device_id: '', name: 'Till', status: 'failed', error: 'no such page' },
  );
  const silent = show();
  await player.client.next('device:pip-show');
  await passing(clock, 500, silent);
  assert.equal((await silent).body.results[0].status, 'sent');
});

test('device that reconnects gets the newest overlay if the overlay is still valid', async (t) => {
  const { site, player, show, leave, settled, clock } = await setUp(t);
  await leave(player.client);
  assert.equal((await show({ duration: 60, title: 'old' })).body.results[0].status, 'offline');
  const newest = (await show({ duration: 60, title: 'new' })).body;
  const back = await reconnect(t, site, player);
  assert.equal((await back.next('device:pip-show'))['pip_id'], newest.pip_id);
  assert.deepEqual(await settled(back), []);
  await leave(back);
  clock.advance(61_000);
  assert.deepEqual(await settled(await reconnect(t, site, player)), []);
});

test('duration of an overlay starts when the overlay is shown, up to 20 s late, and it can be cleared until its end', async (t) => {
  const { site, player, show, clear, leave, settled, clock } = await setUp(t);
  await leave(player.client);
  await show({ duration: 5 });
  clock.advance(19_000);
  const back = await reconnect(t, site, player);
  const { pip_id, until, begin_by } = PipShow.parse(await back.next('device:pip-show'));
  // `until` has the end for older players, which do not use `begin_by`.
  assert.deepEqual([until, begin_by], [clock.now() - 14_000, clock.now() + 1_000]);
  back.say({ type: 'overlay.result', pip_id, status: 'shown', at: clock.now() });
  await settled(back);
  await leave(back);
  clock.advance(2_000);
  assert.equal((await clear()).body.offline, 1);
  const again = await reconnect(t, site, player);
  assert.equal((await again.next('device:pip-clear'))['pip_id'], pip_id);
});

test('result for an earlier overlay does not end the current overlay, and a restarted player gets the current overlay', async (t) => {
  const { site, player, show, settled } = await setUp(t);
  const firstAnswer = show({ title: 'first' });
  const first = await player.client.next('device:pip-show');
  player.client.say({ type: 'overlay.result', pip_id: first['pip_id'], status: 'shown' });
  await firstAnswer;
  const secondAnswer = show({ title: 'second' });
  const second = await player.client.next('device:pip-show');
  player.client.say({ type: 'overlay.result', pip_id: first['pip_id'], status: 'cleared' });
  player.client.say({ type: 'overlay.result', pip_id: second['pip_id'], status: 'shown' });
  assert.equal((await secondAnswer).body.results[0].status, 'shown');
  const back = await reconnect(t, site, player);
  assert.equal((await back.next('device:pip-show'))['pip_id'], second['pip_id']);
  assert.deepEqual(await settled(back), []);
});

test('clearing is sent to a connected player at once, to a disconnected player later, and never without an overlay', async (t) => {
  const { site, player, show, clear, leave, settled } = await setUp(t);
  assert.equal((await clear()).body.results[0].status, 'sent');
  assert.equal((await player.client.next('device:pip-clear'))['pip_id'], undefined);
  const answer = show();
  const shown = await player.client.next('device:pip-show');
  player.client.say({ type: 'overlay.result', pip_id: shown['pip_id'], status: 'shown' });
  await answer;
  await leave(player.client);
  assert.deepEqual([(await clear()).body.offline], [1]);
  const back = await reconnect(t, site, player);
  assert.equal((await back.next('device:pip-clear'))['pip_id'], shown['pip_id']);
  back.say({ type: 'overlay.result', pip_id: shown['pip_id'], status: 'cleared' });
  await settled(back);
  assert.deepEqual(await settled(await reconnect(t, site, player)), []);
});
