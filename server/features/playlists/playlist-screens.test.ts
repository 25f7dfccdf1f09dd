import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startSite, TestClock } from '../../../test/harness.ts';
import { must, person } from '../../../test/people.ts';
import { pairPlayer } from '../../../test/player-client.ts';
import { png } from '../../../test/sample-media.ts';
import { upload } from '../../../test/uploads.ts';

const shop = async (t: TestContext) => {
  const clock = new TestClock();
  const site = await startSite(t, { clock });
  const { token } = await person(site, 'owner@store.test');
  const call = (method: string, path: string, body?: unknown) => site.call(method, path, { token, ...(body !== undefined && { body }) });
  const image: string = must((await upload(site, token, await png(), 'a.png')) as never, 201).id;
  const playlist = async (name: string): Promise<string> => must(await call('POST', '/api/playlists', { name }), 201).id;
  const screen = async (name: string): Promise<string> => (await pairPlayer(t, site, token, name)).deviceId;
  return { clock, call, image, playlist, screen };
};

test('the screens of a playlist are named, each with why it plays there', async (t) => {
  const { clock, call, playlist, screen } = await shop(t);
  const offers = await playlist('Offers');
  const [window, counter, till] = [await screen('Window'), await screen('Counter'), await screen('Till')];
  must(await call('POST', `/api/playlists/${offers}/assign`, { device_id: window }));
  const group = must(await call('POST', '/api/groups', { name: 'Inside' }), 201).id;
  must(await call('POST', `/api/groups/${group}/devices`, { device_id: counter }), 201);
  must(await call('POST', `/api/groups/${group}/assign-playlist`, { playlist_id: offers }));
  must(await call('POST', '/api/schedules', { device_id: till, playlist_id: offers, start_time: '2026-03-10T10:00', end_time: '2026-03-10T11:00', timezone: 'UTC' }), 201);
  const devices = async () => must(await call('GET', `/api/playlists/${offers}/devices`));
  const [byGroup, ofItsOwn] = [
    { device_id: counter, name: 'Counter', source: 'group' },
    { device_id: window, name: 'Window', source: 'device' },
  ];
  assert.deepEqual(await devices(), [byGroup, ofItsOwn]);
  clock.advance(65 * 60_000);
  assert.deepEqual(await devices(), [byGroup, { device_id: till, name: 'Till', source: 'schedule' }, ofItsOwn]);
  assert.equal(must(await call('GET', `/api/playlists/${offers}`)).display_count, 3);
});

test('what is published stays to be seen while the draft moves on', async (t) => {
  const { call, image, playlist } = await shop(t);
  const id = await playlist('Offers');
  const published = async () => must(await call('GET', `/api/playlists/${id}/published`));
  assert.deepEqual(await published(), [], 'never published');
  const item = must(await call('POST', `/api/playlists/${id}/items`, { content_id: image, duration_sec: 5 }), 201);
  must(await call('POST', `/api/playlists/${id}/publish`));
  must(await call('PUT', `/api/playlists/${id}/items/${item.id}`, { duration_sec: 30 }));
  assert.deepEqual(await published(), [item]);
  must(await call('DELETE', `/api/playlists/${id}/items/${item.id}`));
  assert.deepEqual(await published(), [item]);
});
