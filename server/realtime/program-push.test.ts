import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownedSite, TestClock } from '../../test/harness.ts';
import { pairPlayer, reconnect, type Said } from '../../test/player-client.ts';

const soon = () => new Promise((next) => setTimeout(next, 60));

test('ready counts for the newest placement only; a screen that keeps another is told again, a few times, and then its operator is', async (t) => {
  const clock = new TestClock();
  const { site, token } = await ownedSite(t, { clock });
  const player = await pairPlayer(t, site, token);
  const { client, deviceId } = player;
  const state = async () =>
    (await site.call('GET', `/api/devices/${deviceId}`, { token })).body.program.state as string;
  const turn = async (orientation: string): Promise<Said> => {
    await site.call('PUT', `/api/devices/${deviceId}`, { token, body: { orientation } });
    return client.next('program');
  };
  const upright = await turn('180');
  assert.match(upright['placement_id'], /^[0-9a-f]{32}$/);
  const ready = async ({ id, placement_id }: Said) => {
    client.say({ type: 'program.ready', id, placement_id });
    await soon();
  };
  await ready(upright);
  assert.equal(await state(), 'ready');

  const turned = await turn('90');
  assert.notEqual(turned['placement_id'], upright['placement_id']);
  assert.equal(await state(), 'waiting', 'what it shows is not what it was told last');
  await ready(upright);
  assert.equal(await state(), 'waiting', 'that was said before the newest arrived');
  await ready(turned);
  assert.equal(await state(), 'ready');

  await turn('0');
  const heard = () => client.heard.filter(({ type }) => type === 'program').length;
  const faults = async () => {
    const { body } = await site.call('GET', '/api/activity', { token });
    return (body as { action: string; details: string }[]).filter(({ details }) =>
      /shows something else/.test(details ?? ''),
    ).length;
  };
  for (let time = 1; time <= 8; time++) {
    await ready(turned);
    clock.advance(1_000);
    await soon();
    assert.equal(heard(), 0, 'not more often than every three seconds');
    clock.advance(2_200);
    await new Promise((next) => setTimeout(next, 200));
    if (time <= 5) assert.equal((await client.next('program'))['placement']['orientation'], '0');
    else assert.equal(heard(), 0, 'and not for ever');
  }
  assert.equal(await faults(), 1);
  assert.equal(await state(), 'waiting');

  // A player of before says nothing of placements.
  const older = await reconnect(t, site, player);
  older.say({ type: 'program.ready', id: turned['id'] });
  await soon();
  assert.equal(await state(), 'ready');
  await site.call('PUT', `/api/devices/${deviceId}`, { token, body: { orientation: '180' } });
  await older.next('program');
  assert.equal(await state(), 'ready', 'it does not say so again for a placement alone');
});
