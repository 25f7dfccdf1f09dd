import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../test/people.ts';
import { openShops } from '../../../test/shop.ts';

const shops = openShops();
const HOURS = { days: [1, 2, 3], start: '09:00', end: '18:00', start_date: null, end_date: null };
const MEMBERS = ['name', 'notes', 'playlist_id', 'layout_id', 'orientation', 'opening_hours', 'tags', 'timezone'];

const aShop = async (t: Parameters<ReturnType<typeof openShops>['open']>[0]) => {
  const shop = await shops.open(t);
  const ids = [(await shop.screen('1')).deviceId, (await shop.screen('2')).deviceId, (await shop.screen('3')).deviceId];
  const [one, two, three] = ids as [string, string, string];
  const state = async () => ({
    devices: (await shop.get('/api/devices')).map((device: any) =>
      Object.fromEntries(MEMBERS.map((member) => [member, device[member]])),
    ),
    groups: Object.fromEntries(
      await Promise.all(
        (await shop.get('/api/groups')).map(async ({ id, name }: any) => [
          name,
          (await shop.get(`/api/groups/${id}/devices`)).map((device: any) => device.name).sort(),
        ]),
      ),
    ),
  });
  const bulk = (changes: object[]) => shop.call('POST', '/api/devices/bulk', { changes });
  return { ...shop, ids, one, two, three, state, bulk };
};

test('one request changes many devices, and its answer can restore the state of each device', async (t) => {
  const { call, get, make, playlist, image, ids, one, two, three, state, bulk } = await aShop(t);
  const [spring, autumn] = [await playlist([await image()], 'Spring'), await playlist([], 'Autumn')];
  const group = await make('/api/groups', { name: 'Ground' });
  const layout = await make('/api/layouts', { name: 'L', zones: [{ name: 'A' }, { name: 'B' }] });
  await call('PUT', `/api/devices/${one}`, { tags: ['Old'], orientation: '90' });
  await call('POST', `/api/playlists/${autumn}/assign`, { device_id: two });
  await call('POST', `/api/groups/${group.id}/devices`, { device_id: three });
  const before = await state();
  const { devices_updated, undo } = must(
    await bulk([
      {
        device_ids: ids,
        set: {
          playlist_id: spring,
          layout_id: layout.id,
          orientation: 'portrait',
          opening_hours: [HOURS],
          tags: ['New'],
        },
        join: group.id,
      },
    ]),
  );
  assert.equal(devices_updated, 3);
  const after = await state();
  for (const device of after.devices)
    assert.deepEqual(
      [device.playlist_id, device.layout_id, device.orientation, device.opening_hours.length, device.tags],
      [spring, layout.id, '90', 1, ['New']],
    );
  assert.deepEqual(after.groups, { Ground: ['1', '2', '3'] });
  const log = (await get(`/api/activity?device_id=${two}&limit=3`)).map((entry: any) => [entry.action, entry.details]);
  assert.deepEqual(log.sort(), [
    ['device.updated', '2'],
    ['group.device_added', '2: Ground'],
    ['playlist.assigned', 'Spring'],
  ]);
  const back = must(await bulk(undo));
  assert.equal(back.devices_updated, 3);
  assert.deepEqual(await state(), before);
  must(await bulk(back.undo));
  assert.deepEqual(await state(), after, 'and the way back has its own');
});

test('each device gets a different name, and a device that already has the name keeps its revision', async (t) => {
  const { call, one, two, state, bulk } = await aShop(t);
  const tagOf = async (id: string) => (await call('GET', `/api/devices/${id}`)).headers.get('etag');
  const [first, second] = [await tagOf(one), await tagOf(two)];
  const { devices_updated, undo } = must(
    await bulk([
      { device_ids: [one], set: { name: 'Window 1' } },
      { device_ids: [two], set: { name: '2' } },
    ]),
  );
  assert.deepEqual([devices_updated, undo], [1, [{ device_ids: [one], set: { name: '1' } }]]);
  assert.deepEqual(
    (await state()).devices.map(({ name }: { name: string }) => name),
    ['2', '3', 'Window 1'],
  );
  assert.notEqual(await tagOf(one), first);
  assert.equal(await tagOf(two), second);
});

test('leaving a group reports the devices that were members, so that undo adds only these devices', async (t) => {
  const { call, make, one, two, ids, bulk } = await aShop(t);
  const group = await make('/api/groups', { name: 'Ground' });
  await call('POST', `/api/groups/${group.id}/devices`, { device_id: two });
  const { devices_updated, undo } = must(await bulk([{ device_ids: ids, leave: group.id }]));
  assert.deepEqual([devices_updated, undo], [1, [{ device_ids: [two], join: group.id }]]);
  const ruled = await make('/api/groups', { name: 'Rule', rule_tags: ['x'] });
  assert.equal((await bulk([{ device_ids: [one], join: ruled.id }])).status, 409);
});

test('a bulk change with an invalid reference changes nothing, and the error names the reference', async (t) => {
  const { one, two, state, bulk } = await aShop(t);
  const other = await aShop(t);
  const before = await state();
  const name = { device_ids: [one], set: { name: 'X' } };
  const refused: [object[], number, RegExp][] = [
    [[name, { device_ids: [other.one], set: { name: 'Y' } }], 404, /Device/],
    [[name, { device_ids: [two], set: { layout_id: 'none' } }], 404, /Layout/],
    [[name, { device_ids: [two], set: { playlist_id: 'none' } }], 404, /Playlist/],
    [[name, { device_ids: [two], set: { default_content_id: 'none' } }], 404, /Content/],
    [[name, { device_ids: [two], join: 'none' }], 404, /Group/],
    [[name, name], 400, /changes.*once/],
    [[{ device_ids: [one] }], 400, /set.*must contain at least one change/],
    [[{ device_ids: [one], set: { orientation: 45 } }], 400, /orientation/],
    [[{ device_ids: [], set: { name: 'X' } }], 400, /device_ids/],
    [[], 400, /changes/],
    [[{ device_ids: Array.from({ length: 5001 }, (_, i) => `d${i}`), set: { name: 'X' } }], 400, /5000/],
  ];
  for (const [changes, status, words] of refused) {
    const answer = await bulk(changes);
    assert.deepEqual([answer.status, words.test(answer.body.error)], [status, true], answer.body.error);
  }
  assert.deepEqual(await state(), before);
});

test('a command goes to all named devices or, if one is unknown, to none, and is in the history of each device', async (t) => {
  const { call, get, ids, one } = await aShop(t);
  const command = { type: 'screen_on', payload: {} };
  const { sent, offline, total, results } = must(
    await call('POST', '/api/devices/command', { device_ids: ids, command }),
  );
  assert.deepEqual([sent, offline, total], [3, 0, 3]);
  assert.deepEqual(results.map((result: any) => [result.name, result.status]).sort(), [
    ['1', 'done'],
    ['2', 'done'],
    ['3', 'done'],
  ]);
  const [entry] = await get(`/api/activity?device_id=${one}&limit=1`);
  assert.deepEqual([entry.action, entry.details], ['device.command', 'screen_on: 1']);
  assert.equal((await call('POST', '/api/devices/command', { device_ids: [one, 'x'], command })).status, 404);
  assert.equal((await call('POST', '/api/devices/command', { device_ids: [one], command: { type: 'x' } })).status, 400);
  const shown = must(await call('POST', '/api/devices/identify', { device_ids: ids, seconds: 10 }));
  assert.deepEqual([shown.sent + shown.offline, shown.total], [3, 3]);
});
