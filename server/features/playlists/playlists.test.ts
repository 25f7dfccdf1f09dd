import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { firstUser, startSite, TestClock } from '../../../test/harness.ts';

const openSite = async (t: TestContext) => {
  const clock = new TestClock();
  const site = await startSite(t, { clock });
  const { token } = await firstUser(site);
  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => site.call(method, path, { token, body, ...(headers && { headers }) });
  const picture = async (name: string): Promise<string> => {
    // A real one-pixel GIF whose comment makes each file another one.
    const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
    const form = new FormData();
    form.set('file', new Blob([gif, Buffer.from(name)]), name);
    const response = await fetch(`${site.origin}/api/content`, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: form });
    assert.equal(response.status, 201, await response.clone().text());
    return ((await response.json()) as { id: string }).id;
  };
  const playlist = async (name = 'Window'): Promise<string> => (await call('POST', '/api/playlists', { name })).body.id;
  return { clock, site, token, call, picture, playlist };
};

test('a new playlist is an empty draft', async (t) => {
  const { call, clock } = await openSite(t);
  const { status, body, headers } = await call('POST', '/api/playlists', { name: '  Window  ' });
  assert.equal(status, 201);
  assert.deepEqual(
    { ...body, id: undefined, workspace_id: undefined },
    {
      id: undefined,
      name: 'Window',
      description: '',
      status: 'draft',
      workspace_id: undefined,
      item_count: 0,
      display_count: 0,
      published_at: null,
      device_id: null,
      created_at: Math.floor(clock.now() / 1000),
      updated_at: Math.floor(clock.now() / 1000),
    },
  );
  assert.equal(headers.get('etag'), '"1"');
});

test('an item goes last, or where it is told, the others moving', async (t) => {
  const { call, picture, playlist } = await openSite(t);
  const id = await playlist();
  const [a, b, c] = [await picture('a.gif'), await picture('b.gif'), await picture('c.gif')];
  await call('POST', `/api/playlists/${id}/items`, { content_id: a });
  await call('POST', `/api/playlists/${id}/items`, { content_id: b, duration_sec: 7 });
  const third = await call('POST', `/api/playlists/${id}/items`, { content_id: c, sort_order: 0 });
  assert.equal(third.status, 201);
  assert.equal(third.body.sort_order, 0);
  assert.equal(third.body.duration_sec, 10);
  const { body } = await call('GET', `/api/playlists/${id}/items`);
  assert.deepEqual(
    body.map((item: any) => [item.content_id, item.sort_order, item.duration_sec]),
    [
      [c, 0, 10],
      [a, 1, 10],
      [b, 2, 7],
    ],
  );
});

test('publishing stores a snapshot; an edit makes it a draft; discarding brings the snapshot back with the same item ids', async (t) => {
  const { call, picture, playlist } = await openSite(t);
  const id = await playlist();
  const item = (await call('POST', `/api/playlists/${id}/items`, { content_id: await picture('a.gif') })).body;
  const published = await call('POST', `/api/playlists/${id}/publish`);
  assert.equal(published.body.status, 'published');
  assert.deepEqual(
    published.body.items.map((i: any) => i.id),
    [item.id],
  );

  await call('DELETE', `/api/playlists/${id}/items/${item.id}`);
  assert.equal((await call('GET', `/api/playlists/${id}`)).body.status, 'draft');
  const discarded = await call('POST', `/api/playlists/${id}/discard`);
  assert.equal(discarded.body.status, 'published');
  assert.deepEqual(
    discarded.body.items.map((i: any) => i.id),
    [item.id],
  );
});

test('name and description do not make a published playlist a draft', async (t) => {
  const { call, playlist } = await openSite(t);
  const id = await playlist();
  await call('POST', `/api/playlists/${id}/publish`);
  const { body } = await call('PUT', `/api/playlists/${id}`, { name: 'Door', description: 'By the till' });
  assert.deepEqual([body.name, body.description, body.status], ['Door', 'By the till', 'published']);
});

test('discarding what was never published is 400', async (t) => {
  const { call, playlist } = await openSite(t);
  const { status, body } = await call('POST', `/api/playlists/${await playlist()}/discard`);
  assert.equal(status, 400);
  assert.match(body.error, /never published/);
});

test('an order must name every item exactly once', async (t) => {
  const { call, picture, playlist } = await openSite(t);
  const id = await playlist();
  const content_id = await picture('a.gif');
  const ids: number[] = [];
  for (let i = 0; i < 3; i++) ids.push((await call('POST', `/api/playlists/${id}/items`, { content_id })).body.id);
  const [a, b, c] = ids as [number, number, number];
  for (const order of [[a, b], [a, b, b], [a, b, c, c], [a, b, 999_999], []]) {
    const { status, body } = await call('POST', `/api/playlists/${id}/items/reorder`, { order });
    assert.equal(status, 400, JSON.stringify(order));
    assert.match(body.error, /^order: /);
  }
  const { body } = await call('POST', `/api/playlists/${id}/items/reorder`, { order: [c, a, b] });
  assert.deepEqual(
    body.map((item: any) => item.id),
    [c, a, b],
  );
});

test('a stale If-Match is 412 and nothing is changed', async (t) => {
  const { call, playlist } = await openSite(t);
  const id = await playlist();
  const etag = (await call('GET', `/api/playlists/${id}`)).headers.get('etag')!;
  const mine = await call('PUT', `/api/playlists/${id}`, { name: 'Mine' }, { 'If-Match': etag });
  assert.equal(mine.status, 200);
  assert.notEqual(mine.headers.get('etag'), etag);
  const theirs = await call('PUT', `/api/playlists/${id}`, { name: 'Theirs' }, { 'If-Match': etag });
  assert.equal(theirs.status, 412);
  assert.equal((await call('GET', `/api/playlists/${id}`)).body.name, 'Mine');
});

test('day-parting blocks are stored sorted, without repeats, and refused when they make no sense', async (t) => {
  const { call, picture, playlist } = await openSite(t);
  const id = await playlist();
  const item = (await call('POST', `/api/playlists/${id}/items`, { content_id: await picture('a.gif') })).body;
  const path = `/api/playlists/${id}/items/${item.id}/schedules`;
  const good = { days: [5, 1, 5], start: '22:00', end: '02:00' };
  const stored = [{ days: [1, 5], start: '22:00', end: '02:00', start_date: null, end_date: null }];
  assert.deepEqual((await call('PUT', path, { blocks: [good] })).body, stored);
  assert.deepEqual((await call('GET', path)).body, stored);
  const bad: [unknown, RegExp][] = [
    [{ ...good, days: [] }, /^blocks\.0\.days: /],
    [{ ...good, days: [7] }, /^blocks\.0\.days\.0: /],
    [{ ...good, start: '24:00' }, /^blocks\.0\.start: /],
    [{ ...good, end: '22:00' }, /^blocks\.0\.end: must differ/],
    [{ ...good, start_date: '2026-02-30' }, /^blocks\.0\.start_date: /],
    [{ ...good, start_date: '2026-03-02', end_date: '2026-03-01' }, /^blocks\.0\.end_date: /],
  ];
  for (const [block, sentence] of bad) {
    const { status, body } = await call('PUT', path, { blocks: [block] });
    assert.equal(status, 400, JSON.stringify(block));
    assert.match(body.error, sentence);
  }
  assert.deepEqual((await call('GET', path)).body, stored);
});

test('neither or both of content and widget, and a content that is not there, are refused by name', async (t) => {
  const { call, picture, playlist } = await openSite(t);
  const id = await playlist();
  assert.equal((await call('POST', `/api/playlists/${id}/items`, {})).status, 400);
  assert.equal((await call('POST', `/api/playlists/${id}/items`, { content_id: await picture('a.gif'), widget_id: 'w' })).status, 400);
  const gone = await call('POST', `/api/playlists/${id}/items`, { content_id: 'nothing' });
  assert.equal(gone.status, 404);
  assert.match(gone.body.error, /Content/);
});

test('the first sixty-four edits at once are each saved, and the orders stay dense', async (t) => {
  const { call, picture, playlist } = await openSite(t);
  const id = await playlist();
  const content_id = await picture('a.gif');
  const answers = await Promise.all(Array.from({ length: 64 }, () => call('POST', `/api/playlists/${id}/items`, { content_id })));
  assert.ok(answers.every((a) => a.status === 201));
  const { body } = await call('GET', `/api/playlists/${id}/items`);
  assert.deepEqual(
    body.map((item: any) => item.sort_order),
    Array.from({ length: 64 }, (_, i) => i),
  );
});
