import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../test/people.ts';
import { actorOf, openParts, openRows, refusedWith } from '../../../test/rows.ts';
import { mp4 } from '../../../test/sample-media.ts';
import { openShops } from '../../../test/shop.ts';
import type { WorkspaceActor } from '../../kernel/trust/actor.ts';
import { ContentService } from './content.service.ts';
import { ContentStore } from './content.store.ts';

const shops = openShops();

test('usage names every record that contains the content, and the screens that would change without it', async (t) => {
  const { call, image, playlist, make, screen: pair } = await shops.open(t);
  const [used, other] = [await image('used.gif'), await image('other.gif')];
  const { deviceId: screen } = await pair('Window');
  await pair('Counter');
  const both = await playlist([used, other], 'Both');
  const gone = await playlist([used], 'Taken out of the draft');
  await playlist([other], 'Without');
  const [item] = must(await call('GET', `/api/playlists/${gone}/items`));
  must(await call('DELETE', `/api/playlists/${gone}/items/${item.id}`));
  must(await call('POST', `/api/playlists/${both}/assign`, { device_id: screen }));
  const targets = [
    { kind: 'device', id: screen },
    { kind: 'group', id: (await make('/api/groups', { name: 'Nobody' })).id },
  ];
  const times = { start_time: '2026-03-11T09:00', end_time: '2026-03-11T10:00' };
  const only = (await make('/api/plans', { ...times, targets, title: 'Lunch', content_id: used })).id;
  const wall = (await make('/api/walls', { name: 'Wall', content_id: used })).id;
  must(await call('PUT', `/api/devices/${screen}`, { default_content_id: used }));
  const board = (
    await make('/api/widgets', {
      widget_type: 'directory-board',
      name: 'Board',
      config: { note: `/api/content/${used}/file` },
    })
  ).id;

  const usage = must(await call('GET', `/api/content/${used}/usage`));
  assert.deepEqual(usage, {
    playlists: [
      { id: both, name: 'Both', draft: true, published: true },
      { id: gone, name: 'Taken out of the draft', draft: false, published: true },
    ],
    schedules: [{ id: only, title: 'Lunch', only: true }],
    walls: [{ id: wall, name: 'Wall' }],
    devices: [{ id: screen, name: 'Window' }],
    widgets: [{ id: board, name: 'Board' }],
    layouts: [],
    kiosk_pages: [],
    designs: [],
    screens: [{ id: screen, name: 'Window' }],
  });
  const { affectedDevices } = must(await call('DELETE', `/api/content/${used}`));
  assert.deepEqual(affectedDevices, [screen], 'deleting it changes what usage said');
});

test('a content link plays without credentials, also in ranges, and expires after ten minutes', async (t) => {
  const { site, clock, call, upload } = await shops.open(t);
  const bytes = await mp4();
  const { id } = must(await upload(bytes, 'clip.mp4'), 201);
  const { url, expires_at } = must(await call('GET', `/api/content/${id}/link`));
  assert.equal(expires_at, clock.now() / 1000 + 600);
  const whole = await fetch(site.origin + url);
  assert.deepEqual([whole.status, Buffer.from(await whole.arrayBuffer())], [200, bytes]);
  const piece = await fetch(site.origin + url, { headers: { Range: 'bytes=4-7' } });
  assert.deepEqual([piece.status, await piece.text()], [206, 'ftyp']);
  clock.advance(599_000);
  assert.equal((await fetch(site.origin + url)).status, 200);
  clock.advance(1000);
  assert.equal((await fetch(site.origin + url)).status, 401);
});

test('the ticket in a content link opens only the URL that it was issued for', async (t) => {
  const { site, call, image } = await shops.open(t);
  const [mine, other] = [await image('a.gif'), await image('b.gif')];
  const { url } = must(await call('GET', `/api/content/${mine}/link`)) as { url: string };
  const ticket = url.slice(url.indexOf('=') + 1);
  const [expires, workspace, signature] = ticket.split('.');
  const forged = [
    `${Number(expires) + 1}.${workspace}.${signature}`,
    `${expires}.${workspace}.${'A'.repeat(43)}`,
    `${expires}.${other}.${signature}`,
    'x',
    `${ticket}A`,
  ];
  for (const access of forged)
    assert.equal((await fetch(`${site.origin}/api/content/${mine}/file?access=${access}`)).status, 401, access);
  for (const path of [`${other}/file`, mine, `${mine}/thumbnail`, `${mine}/link`])
    assert.equal((await fetch(`${site.origin}/api/content/${path}?access=${ticket}`)).status, 401, path);
  assert.equal((await fetch(`${site.origin}/api/content/${mine}/file?access=`)).status, 401);
  // The ticket of a content link does not open a deleted content.
  must(await call('DELETE', `/api/content/${mine}`));
  assert.equal((await fetch(site.origin + url)).status, 404);
});

test('a request with a ticket and an invalid credential is refused', async (t) => {
  const { site, call, image } = await shops.open(t);
  const id = await image();
  const { url } = must(await call('GET', `/api/content/${id}/link`));
  assert.equal((await fetch(site.origin + url, { headers: { Authorization: 'Bearer nonsense' } })).status, 401);
});

test('a link to content without a file is 404', async (t) => {
  const { call, make } = await shops.open(t);
  const { id } = await make('/api/content/videosite', { url: 'https://youtu.be/aaaaaaaaaaa' });
  assert.equal((await call('GET', `/api/content/${id}/link`)).status, 404);
});

test('usage lists each kind by name, then id, and no other contents or workspaces', () => {
  const { db, add } = openRows();
  const it = 'the-content';
  add('content', { id: it }, { id: 'other' });
  const rows = (fields: object = {}) =>
    ['2 Same', '1 Same', '3 Älter', '4 Theirs', '5 Other'].map((row) => {
      const [id, name] = row.split(' ') as [string, string];
      const workspace_id = name === 'Theirs' ? 'there' : 'here';
      const named = Object.entries(fields).map(([column, value]) => [column, name === 'Other' ? null : value]);
      return { id, name, workspace_id, ...Object.fromEntries(named) };
    });
  add('walls', ...rows({ content_id: it }));
  add('devices', ...rows({ default_content_id: it }));
  for (const table of ['widgets', 'kiosk_pages'])
    add(table, ...rows().map((row) => ({ ...row, config: `{"show":"${row.id === '5' ? 'other' : it}"}` })));
  add('blobs', { sha256: 'design' });
  add('design_media', { sha256: 'design', content_id: it });
  add('content', ...rows({ sha256: 'design' }).map(({ name, ...row }) => ({ ...row, filename: name, kind: 'design' })));
  add('layouts', ...rows(), { id: 'template', workspace_id: null });
  for (const layout_id of ['1', '2', '3', '4', 'template'])
    for (const half of ['left', 'right']) add('zones', { id: half + layout_id, layout_id, content_id: it });
  add('zones', { id: 'other', layout_id: '5', content_id: 'other' });
  add('playlists', ...rows());
  const item = (playlist_id: string, content_id = it) => ({ playlist_id, content_id });
  add('playlist_items', item('1'), item('3'), item('3'), item('4'), item('5', 'other'));
  add('published_items', ...[item('2'), item('3'), item('4'), item('5', 'other')].map((one) => ({ id: 1, ...one })));
  const plan = (id: string, start_time: string, more = {}) => ({ id, title: id, start_time, content_id: it, ...more });
  add('plans', plan('b', '1', { widget_id: '1' }), plan('a', '1', { layout_id: '1' }), plan('d', '2'));
  add('plans', plan('c', '0', { playlist_id: '1' }), plan('e', '3', { workspace_id: 'there' }));
  add('plans', plan('f', '3', { content_id: 'other' }));

  const store = new ContentStore(db);
  assert.deepEqual(
    store.deviceNames(['1', '2', '5', '3']).map(({ id }) => id),
    ['3', '5', '1', '2'],
  );
  const { playlists, schedules, ...others } = store.usage('here', it);
  for (const [kind, found] of Object.entries(others))
    assert.deepEqual(
      found.map(({ id }) => id),
      ['3', '1', '2'],
      kind,
    );
  assert.deepEqual(
    playlists.map(({ id, draft, published }) => [id, draft, published]),
    [
      ['3', true, true],
      ['1', true, false],
      ['2', false, true],
    ],
  );
  assert.deepEqual(
    schedules.map(({ id, only }) => [id, only]),
    [
      ['c', false],
      ['a', false],
      ['b', false],
      ['d', true],
    ],
  );
});

const openService = () => {
  const opened = openParts();
  const { db, add } = opened;
  const store = new ContentStore(db);
  add('folders', { id: 'mine' }, { id: 'other' });
  add('blobs', { sha256: 'file', mime: 'image/gif', size: 3 });
  const done: string[] = [];
  const holding: string[] = [];
  const taken = {
    sha256: 'file',
    inspected: { mime: 'image/gif', thumbnail: null },
    release: () => done.push('released'),
  };
  const service = new ContentService({
    ...{ ...opened.parts, store, serverZone: () => 'UTC' },
    media: { pathOf: (sha256: string) => `/media/${sha256}` } as never,
    intake: {
      storeUpload: async () => taken,
      record: () => ({ kind: 'image', mime_type: 'image/gif', sha256: 'file' }),
      drop: () => done.push('dropped'),
    } as never,
    addresses: { check: async (address) => new URL(address) },
    folders: { exists: (workspace, id) => workspace === 'here' && ['mine', 'other'].includes(id) },
    programs: { devicesShowing: () => ['d'] },
    playlists: { playlistsWith: () => holding, itemsGone: (ids) => void done.push(`closed ${ids.join()}`) },
    thumbnails: { wake: () => done.push('look for thumbnails') },
    copies: { wake: () => done.push('look for copies') },
  });
  return {
    ...opened,
    service,
    store,
    holding,
    done: () => done.splice(0),
    here: actorOf('here'),
    there: actorOf('there'),
  };
};
const upload = { name: 'New.gif', writer: {} as never };

test('a content from an upload and its related records are saved together or not at all', async () => {
  const { service, here, done, told } = openService();
  const saved: string[] = [];
  const { record } = await service.upload(here, upload, { folder: 'Menu', folder_id: 'mine' }, ({ id }) =>
    saved.push(id),
  );
  assert.deepEqual([saved, done()], [[record.id], ['released', 'look for thumbnails']]);
  assert.deepEqual([record.filename, record.folder, record.folder_id], ['New.gif', 'Menu', 'mine']);
  assert.deepEqual(await told(), ['content.uploaded: New.gif', `content ${record.id}, no screens`]);
  await assert.rejects(service.upload(here, upload, { folder_id: 'gone' }), refusedWith(404, /^Folder/));
  await assert.rejects(service.replace(here, 'none', upload), refusedWith(404, /^Content/));
  await assert.rejects(service.replace(here, record.id, upload, '"2"'), refusedWith(412));
  assert.deepEqual([done(), await told()], [['dropped', 'dropped', 'dropped'], []]);

  const limited = { ...here, limits: { folderIds: ['gone', 'other', 'mine'] } } as unknown as WorkspaceActor;
  assert.equal((await service.upload(limited, upload, {})).record.folder_id, 'other');
  assert.equal((await service.upload(limited, upload, { folder_id: 'mine' })).record.folder_id, 'mine');
  assert.equal((await service.upload(here, upload, {})).record.folder_id, null);
  const again = service.again(here, record.id, 'a/Again.gif', { folder: 'Menu' }).record;
  assert.deepEqual([again.filename, again.sha256, again.folder, again.folder_id], ['Again.gif', 'file', 'Menu', null]);
  assert.throws(() => service.again(here, record.id, 'x', { folder_id: 'gone' }), refusedWith(404, /^Folder/));
  assert.throws(() => service.again(actorOf('there'), record.id, 'x', {}), refusedWith(404, /^Content/));

  done();
  await told();
  const replaced = await service.replace(here, record.id, { ...upload, name: 'Other.gif' }, '"1"');
  assert.deepEqual([replaced.revision, replaced.record.filename], [2, 'New.gif'], 'people keep their name for it');
  assert.deepEqual(await told(), ['kept file New.gif', 'content.replaced: New.gif', `content ${record.id}`]);
  const numbered = service.again(here, record.id, 'Version 1.2', {}).record;
  assert.equal(
    (await service.replace(here, numbered.id, upload)).record.filename,
    'Version 1.2',
    'that is no extension',
  );
});

test('screens are notified only of changes that they show, and not of changes of labels or folders', async () => {
  const { service, here, there, add, told, done } = openService();
  const address = 'https://pictures.test/a.png';
  add('content', {
    id: 'c',
    kind: 'image',
    mime_type: 'image/png',
    remote_url: address,
    fetched_at: 1,
    sha256: 'file',
  });
  const change = async (body: object) => {
    await service.update(here, 'c', body);
    const [, change] = await told();
    return change!.endsWith('no screens') ? 'nobody' : 'screens';
  };
  assert.deepEqual([await change({ folder: 'x' }), await change({ folder_id: 'mine' })], ['nobody', 'nobody']);
  assert.equal(await change({ remote_url: address }), 'nobody', 'the same is no change');
  assert.equal(service.file('here', 'c').path, '/media/file');
  for (const body of [{ filename: 'New' }, { mime_type: 'image/jpeg' }, { valid_from: '2026-03-10T09:00' }])
    assert.equal(await change(body), 'screens', JSON.stringify(body));
  assert.equal(await change({ valid_until: '2026-03-11T09:00' }), 'screens');
  assert.deepEqual(done(), []);
  assert.equal(await change({ remote_url: 'https://pictures.test/film.mp4' }), 'screens');
  assert.deepEqual(done(), ['look for copies']);
  const { kind, mime_type, sha256, fetched_at, filename, folder_id } = service.get(here, 'c').record;
  assert.deepEqual(
    [kind, mime_type, sha256, fetched_at, filename, folder_id],
    ['video', 'video/mp4', null, null, 'New', 'mine'],
  );
  assert.throws(() => service.file('here', 'c'), refusedWith(404, /has not downloaded the file/));
  await assert.rejects(service.update(here, 'c', { folder_id: 'gone' }), refusedWith(404, /^Folder/));
  await assert.rejects(service.update(here, 'c', { filename: 'x' }, '"1"'), refusedWith(412));
  await assert.rejects(service.update(there, 'c', { filename: 'x' }), refusedWith(404));

  const page = async (more: object) => {
    const { record } = await service.createRemote(here, {
      ...{ url: 'https://pages.test/', name: undefined, mime_type: undefined },
      ...more,
    });
    return [record.kind, record.filename, record.fetched_at];
  };
  assert.deepEqual(await page({}), ['web', 'pages.test', null]);
  assert.deepEqual(
    await page({ mime_type: 'text/html' }),
    ['web', 'pages.test', 9],
    'said to be one, it is not looked at',
  );
  assert.deepEqual(await page({ mime_type: 'image/png', name: 'a/b' }), ['image', 'a-b', null]);
  assert.deepEqual(done(), Array(3).fill('look for copies'));
  for (const mime_type of ['application/zip', 'video/embed'])
    await assert.rejects(page({ mime_type }), refusedWith(400, /^mime_type/));
});

test('content that is deleted with a matching revision leaves playlists and schedules, and each change is announced', async () => {
  const { service, here, add, told, done, holding } = openService();
  add('content', ...['used', 'alone'].map((id) => ({ id, kind: 'video', duration_sec: 2.5, thumbnail: 'file' })));
  add('plans', { id: 'p', content_id: 'used' });
  add('schedules', { id: 's', plan_id: 'p', content_id: 'used' });
  assert.throws(() => service.requireEditable(here, 'used', '"2"'), refusedWith(412));
  assert.throws(() => service.delete(here, 'used', '"2"'), refusedWith(412));
  assert.equal(service.thumbnail(here, 'used').path, '/media/file');
  assert.deepEqual(
    [service.playable('here', 'used'), service.playable('there', 'used')],
    [{ durationSec: 2.5 }, undefined],
  );
  assert.deepEqual(service.delete(here, 'alone', '"1"'), ['d']);
  assert.deepEqual(await told(), ['kept content alone', 'content.deleted: alone', 'content alone']);
  assert.deepEqual(done(), ['closed ']);
  holding.push('a', 'b');
  service.delete(here, 'used');
  const rest = ['playlists a,b, no screens', 'schedules s, no screens'];
  assert.deepEqual(await told(), ['kept content used', 'content.deleted: used', 'content used', ...rest]);
  assert.deepEqual(done(), ['closed a,b']);
  add('content', { id: 'page', kind: 'web' }, { id: 'picture', kind: 'image', duration_sec: 9 });
  assert.throws(() => service.file('here', 'page'), refusedWith(404, /shown live/));
  assert.throws(() => service.thumbnail(here, 'page'), refusedWith(404, /thumbnail/));
  assert.deepEqual(service.playable('here', 'picture'), { durationSec: null }, 'only a video has a length of its own');
});
