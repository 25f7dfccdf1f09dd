import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ZipFile } from 'yazl';
import { picture } from '../../../test/api/media.ts';
import { designFile } from '../../../test/designs.ts';
import { firstUser, ownedSite, type Site, startSite } from '../../../test/harness.ts';
import { must } from '../../../test/people.ts';
import { pairPlayer } from '../../../test/player-client.ts';
import { openRows } from '../../../test/rows.ts';
import { upload } from '../../../test/uploads.ts';
import { ExchangeStore } from './exchange.store.ts';
import { ExportStore } from './export.store.ts';

const exported = async (site: Site, token: string): Promise<Buffer> => {
  const response = await fetch(`${site.origin}/api/export`, { headers: { Authorization: `Bearer ${token}` } });
  return Buffer.from(await response.arrayBuffer());
};

const zipOf = async (entries: Record<string, Buffer | string>): Promise<Buffer> => {
  const zip = new ZipFile();
  for (const [name, bytes] of Object.entries(entries)) zip.addBuffer(Buffer.from(bytes), name);
  zip.end();
  const parts: Buffer[] = [];
  for await (const part of zip.outputStream) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

const imported = (site: Site, token: string, bytes: Buffer, name = 'export.zip') =>
  upload(site, token, bytes, name, { path: '/api/import' });

test('one server imports the export of another server, with every reference between records intact', async (t) => {
  const [from, to] = [await startSite(t), await startSite(t)];
  const { token } = await firstUser(from);
  const call = (method: string, path: string, body?: unknown) => from.call(method, path, { token, body });
  const image = must(await upload(from, token, picture('a'), 'Brötchen.gif'), 201);
  const widget = must(
    await call('POST', '/api/widgets', { widget_type: 'text', name: 'Hello', config: { html: 'Hi' } }),
    201,
  );
  must(await call('POST', '/api/kiosk', { name: 'Info', config: { title: 'Welcome' } }), 201);
  const layout = must(
    await call('POST', '/api/layouts', {
      name: 'Two',
      zones: [
        { name: 'Left', width_percent: 60, widget_id: widget.id },
        { name: 'Right', x_percent: 60, width_percent: 40 },
      ],
    }),
    201,
  );
  const playlist = must(await call('POST', '/api/playlists', { name: 'Spring', description: 'fresh' }), 201);
  const item = must(
    await call('POST', `/api/playlists/${playlist.id}/items`, {
      content_id: image.id,
      zone_id: layout.zones[1].id,
      duration_sec: 7,
    }),
    201,
  );
  must(await call('POST', `/api/playlists/${playlist.id}/items`, { widget_id: widget.id }), 201);
  const block = { days: [1, 2], start: '08:00', end: '12:00' };
  must(await call('PUT', `/api/playlists/${playlist.id}/items/${item.id}/schedules`, { blocks: [block] }));
  must(await call('POST', `/api/playlists/${playlist.id}/publish`));
  must(await call('PUT', `/api/layouts/${layout.id}/zones/${layout.zones[1].id}`, { playlist_id: playlist.id }));
  const till = await pairPlayer(t, from, token, 'Till');
  const group = must(await call('POST', '/api/groups', { name: 'Windows', color: '#112233' }), 201);
  must(
    await call('POST', '/api/plans', {
      targets: [
        { kind: 'device', id: till.deviceId },
        { kind: 'group', id: group.id },
      ],
      playlist_id: playlist.id,
      layout_id: layout.id,
      title: 'Morning',
      start_time: '2026-03-02T09:00',
      end_time: '2026-03-02T10:00',
      recurrence: 'FREQ=DAILY',
      priority: 3,
    }),
    201,
  );

  const response = await fetch(`${from.origin}/api/export`, { headers: { Authorization: `Bearer ${token}` } });
  assert.equal(response.headers.get('content-type'), 'application/zip');
  assert.match(response.headers.get('content-disposition')!, /^attachment; filename="vitrine-\d{4}-\d\d-\d\d\.zip"$/);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const [act] = must(await call('GET', '/api/activity?limit=1'));
  assert.deepEqual([act.action, act.details], ['workspace.exported', '1 content']);
  const zip = Buffer.from(await response.arrayBuffer());

  const there = (await firstUser(to)).token;
  const ask = (path: string) => to.call('GET', path, { token: there }).then((answer) => must(answer));
  const preview = must(await upload(to, there, zip, 'export.zip', { path: '/api/import/preview' }));
  assert.deepEqual(
    [
      preview.from,
      preview.contents,
      preview.playlists,
      preview.schedules,
      preview.screens_missing,
      preview.groups_there,
    ],
    ['vitrine', 1, 1, 2, ['Till'], []],
  );
  assert.equal((await ask('/api/playlists')).length, 0, 'a preview changes nothing');
  const result = must(await imported(to, there, zip));
  const { warnings, ...counts } = result;
  assert.deepEqual(counts, {
    contents: 1,
    widgets: 1,
    kiosk_pages: 1,
    layouts: 1,
    playlists: 1,
    groups: 1,
    schedules: 1,
  });
  assert.deepEqual(warnings, ['The schedule Morning was not imported: there is no screen named Till']);
  const [content] = await ask('/api/content');
  assert.deepEqual([content.filename, content.sha256], ['Brötchen.gif', image.sha256]);
  const [list] = await ask('/api/playlists');
  const copy = await ask(`/api/playlists/${list.id}`);
  const twin = (await ask('/api/layouts')).find((one: { name: string }) => one.name === 'Two');
  assert.deepEqual([copy.name, copy.description, copy.status], ['Spring', 'fresh', 'published']);
  assert.deepEqual(
    copy.items.map((one: any) => [one.filename, one.widget_name, one.duration_sec, one.zone_id, one.schedules]),
    [
      ['Brötchen.gif', null, 7, twin.zones[1].id, [{ ...block, start_date: null, end_date: null }]],
      [null, 'Hello', 10, null, []],
    ],
  );
  const [hello] = await ask('/api/widgets');
  assert.deepEqual(
    twin.zones.map((zone: any) => [zone.content_id, zone.widget_id, zone.playlist_id]),
    [
      [null, hello.id, null],
      [null, null, list.id],
    ],
    'what zones show by themselves',
  );
  const [schedule] = await ask('/api/schedules');
  assert.deepEqual(
    [schedule.title, schedule.playlist_id, schedule.layout_id, schedule.recurrence, schedule.priority],
    ['Morning', list.id, twin.id, 'FREQ=DAILY', 3],
  );

  await pairPlayer(t, to, there, 'Till');
  assert.deepEqual(must(await imported(to, there, zip)).warnings, []);
  assert.equal((await ask('/api/content')).length, 2);
  assert.deepEqual(
    (await ask('/api/plans')).map((plan: any) => plan.targets.map(({ name }: { name: string }) => name).toSorted()),
    [['Windows'], ['Till', 'Windows']],
    'one plan for both',
  );
});

test('an export of screentinker is imported with its media, or without media from its JSON', async (t) => {
  const { site, token } = await ownedSite(t);
  const data = {
    format: 'screentinker-export-v2',
    devices: [{ id: 'd1', name: 'Window' }],
    content: [
      { id: 'c1', filename: 'a.gif', mime_type: 'image/gif', original_filepath: 'x.gif', original_thumbnail: 't.jpg' },
      { id: 'c2', filename: 'gone.gif', mime_type: 'image/gif' },
      { id: 'c3', filename: 'page', mime_type: 'text/html', remote_url: 'https://example.com/' },
    ],
    widgets: [
      { id: 'w1', widget_type: 'clock', name: 'Clock', config: '{"format":"24h"}' },
      { id: 'w2', widget_type: 'bi-dashboard', name: 'Other', config: {} },
    ],
    layouts: [{ id: 'l1', name: 'L', width: 1920, height: 1080 }],
    layout_zones: [
      {
        id: 'z1',
        layout_id: 'l1',
        name: 'Main',
        x_percent: 0,
        y_percent: 0,
        width_percent: 100,
        height_percent: 100,
        fit_mode: 'cover',
        sort_order: 0,
      },
    ],
    playlists: [{ id: 'p1', name: 'P', description: null }],
    playlist_items: [
      { id: 2, playlist_id: 'p1', widget_id: 'w1', content_id: null, sort_order: 1, duration_sec: 20 },
      { id: 1, playlist_id: 'p1', content_id: 'c1', widget_id: null, sort_order: 0, duration_sec: 5 },
      { id: 3, playlist_id: 'p1', content_id: 'c2', sort_order: 2, duration_sec: 5 },
    ],
    device_groups: [{ id: 'g1', name: 'All', color: '#445566' }],
    schedules: [
      {
        id: 's1',
        device_id: null,
        group_id: 'g1',
        playlist_id: 'p1',
        title: 'S',
        start_time: '2026-03-02T09:00',
        end_time: '2026-03-02T10:00',
        timezone: 'Europe/Berlin',
        recurrence: null,
        priority: 0,
        enabled: 1,
        color: '#3B82F6',
      },
    ],
  };
  const result = must(
    await imported(
      site,
      token,
      await zipOf({ 'export.json': JSON.stringify(data), 'files/c1/x.gif': picture('a'), 'files/c1/t.jpg': 'thumb' }),
    ),
  );
  assert.deepEqual(
    [result.contents, result.widgets, result.layouts, result.playlists, result.groups, result.schedules],
    [2, 1, 1, 1, 1, 1],
  );
  assert.equal(result.warnings.length, 3);
  const [list] = must(await site.call('GET', '/api/playlists', { token }));
  const items = must(await site.call('GET', `/api/playlists/${list.id}/items`, { token }));
  assert.deepEqual(
    items.map((item: any) => [item.filename, item.widget_name, item.duration_sec]),
    [
      ['a.gif', null, 5],
      [null, 'Clock', 20],
    ],
  );
  const alone = must(await imported(site, token, Buffer.from(JSON.stringify(data)), 'export.json'));
  assert.deepEqual([alone.contents, alone.playlists], [1, 1]);
});

test('a file that is not an export is refused and leaves nothing', async (t) => {
  const { site, token } = await ownedSite(t);
  const whole = await zipOf({
    'vitrine-export.json': JSON.stringify({
      format: 'vitrine-export',
      version: 1,
      contents: [{ id: '1', filename: 'a.gif', file: '../../etc/passwd' }],
    }),
  });
  for (const [what, bytes] of Object.entries({
    text: Buffer.from('hello'),
    'another zip': await zipOf({ 'a.txt': 'a' }),
    'half a zip': whole.subarray(0, 40),
    'a later version': await zipOf({ 'vitrine-export.json': JSON.stringify({ format: 'vitrine-export', version: 2 }) }),
    'JSON of something': Buffer.from('{"a": 1}'),
  })) {
    const answer = await imported(site, token, bytes);
    assert.equal(answer.status, 415, what);
  }
  const odd = must(await imported(site, token, whole));
  assert.deepEqual([odd.contents, odd.warnings.length], [0, 1]);
  assert.deepEqual(must(await site.call('GET', '/api/content', { token })), []);
});

test('an import finds records by name: the oldest group, and a screen only when its name is unique', () => {
  const { db, add } = openRows();
  const store = new ExchangeStore(db);
  add('devices', { id: '1', name: 'Till' }, { id: '2', name: 'Door' }, { id: '3', name: 'Till' });
  add('devices', { id: '4', name: 'Theirs', workspace_id: 'there' }, { id: '5', name: 'Till' });
  add('groups', { id: '3', name: 'Front', created_at: 1 }, { id: '2', name: 'Front' }, { id: '1', name: 'Front' });
  add('groups', { id: '4', name: 'Theirs', workspace_id: 'there' }, { id: '5', name: 'Back' });
  assert.deepEqual(Object.fromEntries(store.devicesByName('here')), { Till: null, Door: '2' });
  assert.deepEqual(Object.fromEntries(store.groupsByName('here')), { Front: '1', Back: '5' });
});

test('notes of an interrupted import list the records that the import has made', () => {
  const { db, add } = openRows();
  const store = new ExchangeStore(db);
  // These workspaces have ids that share a prefix, or follow directly in order.
  const others = ['her', 'here0', 'herf'];
  db.write(() => {
    for (const workspace of ['here', ...others]) {
      store.setUnfinished(workspace, `file of ${workspace}`);
      for (const step of [1, 20, 300]) store.putNote(workspace, step, { id: `${workspace} ${step}` });
    }
    assert.deepEqual([store.note('here', 20), store.note('here', 2)], [{ id: 'here 20' }, undefined]);
    assert.equal(store.forgetNotes('here', 2), 2);
    assert.equal(store.forgetNotes('here', 2), 1);
    assert.equal(store.forgetNotes('here', 2), 0);
    assert.equal(store.unfinished('here'), 'file of here');
    store.setUnfinished('here', undefined);
  });
  assert.equal(store.unfinished('here'), undefined);
  for (const workspace of others)
    assert.deepEqual(
      [store.unfinished(workspace), store.note(workspace, 300)],
      [`file of ${workspace}`, { id: `${workspace} 300` }],
    );

  const tables = { content: 'content', widget: 'widgets', kiosk_page: 'kiosk_pages', layout: 'layouts' };
  const more = { playlist: 'playlists', published: 'playlists', group: 'groups', schedule: 'schedules' };
  for (const [kind, table] of Object.entries({ ...tables, ...more })) {
    add(table, { id: kind }, { id: `their ${kind}`, workspace_id: 'there' });
    const exists = (id: string) => store.exists(kind as Parameters<ExchangeStore['exists']>[0], 'here', id);
    assert.deepEqual([exists(kind), exists(`their ${kind}`), exists('none')], [true, false, false], kind);
  }
  add('playlist_items', { id: 7, playlist_id: 'playlist' });
  assert.deepEqual([store.exists('item', 'here', '7'), store.exists('item', 'here', '8')], [true, false]);
});

test('an export contains the workspace’s records, oldest first, with zones and items in their order', () => {
  const { db, add } = openRows();
  const store = new ExportStore(db.raw);
  const ages = [
    { id: 'c', created_at: 1 },
    { id: 'b' },
    { id: 'a', created_at: 1 },
    { id: 't', workspace_id: 'there' },
  ];
  for (const table of ['content', 'playlists', 'groups', 'plans', 'devices']) add(table, ...ages);
  for (const table of ['widgets', 'kiosk_pages']) add(table, ...ages.map((one) => ({ ...one, config: '{"x":[1]}' })));
  add('layouts', ...ages, { id: 'template', workspace_id: null });
  add('schedules', ...ages.map((one) => ({ ...one, plan_id: one.id, device_id: 'b', priority: 3, enabled: 0 })));
  const zone = (id: string, position: number) => ({ id, layout_id: 'b', position });
  add('zones', zone('3', 0), zone('2', 5), zone('1', 5), { id: '4', layout_id: 'a' });
  const item = (content_id: string, sort_order: number) => ({ playlist_id: 'b', content_id, sort_order });
  add('playlist_items', item('c', 2), item('a', 1), { ...item('b', 0), muted: 1, blocks: '[{"days":[1]}]' });
  db.raw.exec("UPDATE playlists SET status = 'published' WHERE id = 'a'");
  const exported = store.at(() => ({
    ...{ contents: store.contents('here'), widgets: store.widgets('here'), kiosk: store.kioskPages('here') },
    ...{ layouts: store.layouts('here'), playlists: store.playlists('here'), groups: store.groups('here') },
  }));
  for (const [kind, records] of Object.entries(exported))
    assert.deepEqual(
      records.map((record) => record['id']),
      ['b', 'a', 'c'],
      kind,
    );
  assert.deepEqual(exported.widgets[0]?.['config'], { x: [1] });
  assert.deepEqual(exported.kiosk[0]?.['config'], { x: [1] });
  const [layouts, playlists] = [exported.layouts as any[], exported.playlists as any[]];
  assert.deepEqual(
    layouts[0].zones.map(({ id }: any) => id),
    ['3', '1', '2'],
  );
  assert.deepEqual(
    playlists.map(({ published }) => published),
    [false, true, false],
  );
  assert.deepEqual(
    playlists[0].items.map(({ content_id, muted, schedules }: any) => [content_id, muted, schedules]),
    [
      ['b', true, [{ days: [1] }]],
      ['a', false, []],
      ['c', false, []],
    ],
  );
  assert.deepEqual(
    store.schedules('here').map(({ plan, device_name, priority, enabled }) => [plan, device_name, priority, enabled]),
    [
      ['b', 'b', 3, 0],
      ['a', 'b', 3, 0],
      ['c', 'b', 3, 0],
    ],
  );
});

test('imported design shows the imported copies of its pictures, and a placeholder for a picture that was left out', async (t) => {
  const [from, to] = [await startSite(t), await startSite(t)];
  const { token } = await firstUser(from);
  // The design is older than one of its pictures.
  const first = must(await upload(from, token, picture('first'), 'first.gif'), 201);
  const design = must(await upload(from, token, designFile([first.id]), 'Menu'), 201);
  const second = must(await upload(from, token, picture('second'), 'second.gif'), 201);
  const gone = must(await upload(from, token, picture('gone'), 'gone.gif'), 201);
  const bytes = designFile([first.id, gone.id, second.id]);
  must(await upload(from, token, bytes, 'Menu', { method: 'PUT', path: `/api/content/${design.id}/replace` }));
  must(await from.call('DELETE', `/api/content/${gone.id}`, { token }));
  const zip = await exported(from, token);

  const there = (await firstUser(to)).token;
  const ask = (path: string) => to.call('GET', path, { token: there }).then((answer) => must(answer));
  for (const copies of [1, 2]) {
    const { contents, warnings } = must(await imported(to, there, zip));
    assert.deepEqual([contents, warnings], [3, []]);
    const library = await ask('/api/content?sort=oldest');
    const [one, two, menu] = library.slice(-3);
    assert.deepEqual(
      [one.filename, two.filename, menu.filename, menu.kind],
      ['first.gif', 'second.gif', 'Menu', 'design'],
    );
    const file = await fetch(`${to.origin}/api/content/${menu.id}/file`, {
      headers: { Authorization: `Bearer ${there}` },
    });
    const { pages } = (await file.json()) as { pages: any[] };
    assert.deepEqual(
      [pages[0].background, ...pages[0].elements].map(({ media }) => media.content_id),
      [one.id, null, two.id],
    );
    for (const shown of [one, two])
      assert.deepEqual((await ask(`/api/content/${shown.id}/usage`)).designs, [{ id: menu.id, name: 'Menu' }]);
    assert.equal(library.length, 3 * copies);
  }
});

test('design that is damaged in an export is left out with the reason', async (t) => {
  const { site, token } = await ownedSite(t);
  const manifest = {
    format: 'vitrine-export',
    version: 1,
    contents: ['a', 'b'].map((id) => ({
      ...{ id, filename: `Menu ${id}`, mime_type: 'application/vnd.vitrine.design+json', file: `files/${id}` },
    })),
  };
  const damaged = designFile([]).toString().replace('"pages":[', '"pages":[5,');
  const entries = { 'files/a': damaged, 'files/b': Buffer.alloc(600 * 1024, '{"format":"vitrine-design",') };
  const zip = await zipOf({ 'vitrine-export.json': JSON.stringify(manifest), ...entries });
  const { contents, warnings } = must(await imported(site, token, zip));
  assert.equal(contents, 0);
  assert.match(warnings[0], /^The content Menu a was not imported: Page 1: /);
  assert.match(warnings[1], /^The content Menu b was not imported: /);
});
