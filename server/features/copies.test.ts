/** Tests copies of records over HTTP: each kind, the content and the name of the copy, and that no screen changes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callAs, colleague, must } from '../../test/people.ts';
import { openShops } from '../../test/shop.ts';

const shops = openShops();

test('each kind of record can be copied, with a free name in the language of the request', async (t) => {
  const { make, image, playlist, screen } = await shops.open(t);
  const { deviceId } = await screen();
  const content_id = await image();
  const plan = await make('/api/plans', {
    targets: [{ kind: 'device', id: deviceId }],
    content_id,
    title: 'X',
    start_time: '2026-03-10T09:00',
    end_time: '2026-03-10T10:00',
  });
  const kinds: readonly (readonly [path: string, id: string])[] = [
    ['/api/playlists', await playlist([])],
    ['/api/widgets', (await make('/api/widgets', { widget_type: 'clock', name: 'X' })).id],
    ['/api/kiosk', (await make('/api/kiosk', { name: 'X' })).id],
    ['/api/layouts', (await make('/api/layouts', { name: 'X' })).id],
    ['/api/groups', (await make('/api/groups', { name: 'X' })).id],
    ['/api/plans', plan.id],
  ];
  for (const [path, id] of kinds) {
    const copies = [
      await make(`${path}/${id}/duplicate`),
      await make(`${path}/${id}/duplicate`, {}),
      await make(`${path}/${id}/duplicate`, { language: 'de' }),
      await make(`${path}/${id}/duplicate`, { name: 'Mine' }),
    ].map(({ name, title }) => title ?? name);
    const stem = copies[0].replace(' (copy)', '');
    assert.deepEqual(copies, [`${stem} (copy)`, `${stem} (copy 2)`, `${stem} (Kopie)`, 'Mine'], path);
  }
});

test('a copied playlist is a draft with the items of the original, their zones, times, and muted sounds', async (t) => {
  const { make, get, call, video, playlist, site } = await shops.open(t);
  const { zones } = await make('/api/layouts', { name: 'L', zones: [{}] });
  const id = await playlist([await video(1)]);
  const [item] = await get(`/api/playlists/${id}/items`);
  const block = { days: [1], start: '08:00', end: '12:00', start_date: null, end_date: null };
  must(await call('PUT', `/api/playlists/${id}/items/${item.id}/schedules`, { blocks: [block] }));
  must(await call('PUT', `/api/playlists/${id}/items/${item.id}`, { zone_id: zones[0].id, duration_sec: 7 }));
  must(await call('PUT', `/api/playlists/${id}/items/${item.id}`, { valid_until: '2033-05-18T03:33' }));
  site.app.db.write(() => site.app.db.raw.prepare('UPDATE playlist_items SET muted = 1 WHERE id = ?').run(item.id));
  const copy = await make(`/api/playlists/${id}/duplicate`);
  const told = ({ content_id, zone_id, duration_sec, schedules, muted, valid_until }: any) => ({
    ...{ content_id, zone_id, duration_sec, schedules, muted, valid_until },
  });
  const [original] = await get(`/api/playlists/${id}/items`);
  assert.equal(copy.status, 'draft');
  assert.deepEqual(copy.items.map(told), [told(original)]);
  assert.deepEqual([original.zone_id, original.schedules.length, original.muted], [zones[0].id, 1, true]);
});

test('a copied widget and a copied kiosk page have the settings of the original', async (t) => {
  const { make, get } = await shops.open(t);
  const widget = await make('/api/widgets', {
    widget_type: 'text',
    name: 'W',
    config: { text: 'Hello', other: { kept: true } },
    valid_until: '2033-05-18T03:33',
  });
  const copy = await make(`/api/widgets/${widget.id}/duplicate`);
  const { id: _id, name: _name, created_at: _made, updated_at: _changed, ...rest } = widget;
  const { id, name, created_at: _copied, updated_at: _, ...others } = copy;
  assert.deepEqual(others, rest);
  assert.deepEqual([(await get(`/api/widgets/${id}`)).name, name], ['W (copy)', 'W (copy)']);
  const page = await make('/api/kiosk', { name: 'K', config: { title: 'Hi', other: 1 } });
  assert.deepEqual((await make(`/api/kiosk/${page.id}/duplicate`)).config, page.config);
});

test('a copied group has the colour and the members, or the rule, and changes no screen', async (t) => {
  const { make, get, call, image, playlist, screen } = await shops.open(t);
  const { deviceId } = await screen();
  const group = await make('/api/groups', { name: 'G', color: '#aB0011' });
  await make(`/api/groups/${group.id}/devices`, { device_id: deviceId });
  must(await call('POST', `/api/groups/${group.id}/assign-playlist`, { playlist_id: await playlist([]) }));
  must(await call('PUT', `/api/groups/${group.id}`, { default_content_id: await image() }));
  const copy = await make(`/api/groups/${group.id}/duplicate`);
  assert.deepEqual(
    [copy.color, copy.device_count, copy.playlist_id, copy.default_content_id],
    ['#aB0011', 1, null, null],
  );
  assert.deepEqual(
    (await get(`/api/groups/${copy.id}/devices`)).map(({ id }: any) => id),
    [deviceId],
  );
  must(await call('PUT', `/api/devices/${deviceId}`, { tags: ['window'] }));
  const ruled = await make('/api/groups', { name: 'R', rule_tags: ['window'] });
  const other = await make(`/api/groups/${ruled.id}/duplicate`);
  assert.deepEqual([other.rule_tags, other.device_count], [['window'], 1]);
});

test('a copied plan has the times and targets of the original, and is disabled', async (t) => {
  const { make, get, playlist, screen } = await shops.open(t);
  const { deviceId } = await screen();
  const group = await make('/api/groups', { name: 'G' });
  const plan = await make('/api/plans', {
    targets: [
      { kind: 'device', id: deviceId },
      { kind: 'group', id: group.id },
      { kind: 'tag', id: 'window' },
    ],
    playlist_id: await playlist([]),
    start_time: '2026-03-10T09:00',
    end_time: '2026-03-10T10:00',
    recurrence: 'FREQ=DAILY',
    recurrence_end: '2026-04-01',
    priority: 3,
    color: '#112233',
  });
  const copy = await make(`/api/plans/${plan.id}/duplicate`);
  const told = ({ id, title, enabled, created_at, updated_at, revision, ...rest }: any) => rest;
  assert.deepEqual(told(copy), told(plan));
  assert.deepEqual([plan.enabled, copy.enabled], [1, 0]);
  const schedules = (await get('/api/schedules')).filter(({ plan_id }: any) => plan_id === copy.id);
  assert.deepEqual(
    schedules.map(({ enabled }: any) => enabled),
    [0, 0],
  );
});

test('a member who needs approval cannot copy a plan that shows a content without a playlist', async (t) => {
  const shop = await shops.open(t);
  const { make, call, image, playlist, screen, owner, site } = shop;
  const { deviceId } = await screen();
  const times = { start_time: '2026-03-10T09:00', end_time: '2026-03-10T10:00' };
  const targets = [{ kind: 'device', id: deviceId }];
  const direct = await make('/api/plans', { targets, content_id: await image(), ...times });
  const approved = await make('/api/plans', { targets, playlist_id: await playlist([]), ...times });
  const editor = await colleague(site, owner, 'needs-approval@store.test', 'workspace_editor');
  must(await call('PUT', `/api/workspaces/${owner.workspaceId}`, { approval: 1 }));
  const callOf = callAs(site, editor.token);
  const refused = await callOf('POST', `/api/plans/${direct.id}/duplicate`);
  assert.deepEqual([refused.status, refused.body.code], [403, 'approval_required']);
  must(await callOf('POST', `/api/plans/${approved.id}/duplicate`), 201);
});
