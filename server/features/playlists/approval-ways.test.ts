/** Tests that an unapproved change reaches a screen in no way where publishing needs approval. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { picture } from '../../../test/api/media.ts';
import { designFile } from '../../../test/designs.ts';
import { type Answer, type Call, callAs, colleague, must } from '../../../test/people.ts';
import { openShops } from '../../../test/shop.ts';
import { upload } from '../../../test/uploads.ts';

const shops = openShops();
const WHEN = { start_time: '2026-03-16T09:00', end_time: '2026-03-16T18:00' };
let nth = 0;

/**
 * Opens a workspace in which publishing needs approval. The owner sets the rules, Cem approves, and Bea requests
 * publications.
 */
const openGuarded = async (t: TestContext) => {
  const shop = await shops.open(t);
  const { call, owner, site } = shop;
  const member = async (rights: object) => {
    const { id, token } = await colleague(site, owner, `m${nth++}-${owner.id}@store.test`, 'workspace_editor');
    const path = `/api/workspaces/${owner.workspaceId}/members/${id}`;
    must(await call('PUT', path, { role: 'workspace_editor', ...rights }));
    return { token, call: callAs(site, token) };
  };
  const device = (await shop.screen()).deviceId;
  const [bea, cem] = [await member({}), await member({ approves: true })];
  must(await call('PUT', `/api/workspaces/${owner.workspaceId}`, { approval: 1 }));
  const replace = (who: { readonly token: string }, id: string) =>
    upload(site, who.token, picture(`new ${id} ${nth++}`), 'new.gif', {
      method: 'PUT',
      path: `/api/content/${id}/replace`,
    });
  return { shop, bea, cem, device, replace };
};
type Guarded = Awaited<ReturnType<typeof openGuarded>>;

const isRefused = (answer: Answer, what: string): void =>
  assert.deepEqual(
    [answer.status, answer.body.code],
    [403, 'approval_required'],
    `${what} ${JSON.stringify(answer.body)}`,
  );

/**
 * A record on screens, and the paths of the records that show it. Deleting any of these takes the record off screens.
 */
interface OnScreens {
  readonly shown: { readonly of: 'content' | 'widget' | 'kiosk'; readonly id: string };
  readonly holders: readonly string[];
}

const content = async ({ shop }: Guarded) => ({ of: 'content', id: await shop.image(`c${nth++}.gif`) }) as const;
const listOf = async ({ shop: { make, call } }: Guarded, item: object): Promise<string> => {
  const { id } = await make('/api/playlists', { name: 'P' });
  await make(`/api/playlists/${id}/items`, item);
  must(await call('POST', `/api/playlists/${id}/publish`));
  return id;
};
const widget = async ({ shop }: Guarded, config: object): Promise<string> =>
  (await shop.make('/api/widgets', { widget_type: 'webpage', name: 'W', config })).id;
const kioskPage = async ({ shop }: Guarded, config: object): Promise<string> =>
  (await shop.make('/api/kiosk', { name: 'K', config })).id;
const design = async ({ shop }: Guarded, contentIds: readonly string[]): Promise<string> =>
  must(await shop.upload(designFile(contentIds, String(nth++)), 'Menu'), 201).id;
const fileOf = (id: string) => `/api/content/${id}/file`;

const WAYS: Readonly<Record<string, (world: Guarded) => Promise<OnScreens>>> = {
  'a playlist': async (world) => {
    const shown = await content(world);
    const list = await listOf(world, { content_id: shown.id });
    must(await world.shop.call('POST', `/api/playlists/${list}/assign`, { device_id: world.device }));
    return { shown, holders: [`playlists/${list}`] };
  },
  'a zone of a layout': async (world) => {
    const shown = await content(world);
    const layout = await world.shop.make('/api/layouts', { name: 'L', zones: [{ content_id: shown.id }] });
    return { shown, holders: [`layouts/${layout.id}`] };
  },
  'the standard content of a group': async (world) => {
    const shown = await content(world);
    const { id } = await world.shop.make('/api/groups', { name: 'G' });
    must(await world.shop.call('PUT', `/api/groups/${id}`, { default_content_id: shown.id }));
    return { shown, holders: [`groups/${id}`] };
  },
  'the standard content of a screen': async (world) => {
    const shown = await content(world);
    must(await world.shop.call('PUT', `/api/devices/${world.device}`, { default_content_id: shown.id }));
    return { shown, holders: [] };
  },
  'a wall': async (world) => {
    const shown = await content(world);
    const { id } = await world.shop.make('/api/walls', { name: 'W', content_id: shown.id });
    return { shown, holders: [`walls/${id}`] };
  },
  'a plan': async (world) => {
    const shown = await content(world);
    const targets = [{ kind: 'device', id: world.device }];
    const { id } = await world.shop.make('/api/plans', { ...WHEN, targets, content_id: shown.id });
    return { shown, holders: [`plans/${id}`] };
  },
  'a schedule': async (world) => {
    const shown = await content(world);
    const { id } = await world.shop.make('/api/schedules', { ...WHEN, device_id: world.device, content_id: shown.id });
    return { shown, holders: [`schedules/${id}`] };
  },
  'the own playlist of a screen': async (world) => {
    const shown = await content(world);
    await world.shop.make(`/api/assignments/device/${world.device}`, { content_id: shown.id });
    const { playlist_id } = await world.shop.get(`/api/devices/${world.device}`);
    return { shown, holders: [`playlists/${playlist_id}`] };
  },
  'a widget in a playlist': async (world) => {
    const id = await widget(world, { url: 'http://a.test/' });
    return { shown: { of: 'widget', id }, holders: [`playlists/${await listOf(world, { widget_id: id })}`] };
  },
  'a widget that shows a picture': async (world) => {
    const shown = await content(world);
    const id = await widget(world, { url: fileOf(shown.id) });
    return { shown, holders: [`widgets/${id}`, `playlists/${await listOf(world, { widget_id: id })}`] };
  },
  'a widget that shows a kiosk page with a picture': async (world) => {
    const shown = await content(world);
    const kiosk = await kioskPage(world, { logo_url: fileOf(shown.id) });
    const id = await widget(world, { url: `/api/kiosk/${kiosk}/render` });
    const list = await listOf(world, { widget_id: id });
    return { shown, holders: [`kiosk/${kiosk}`, `widgets/${id}`, `playlists/${list}`] };
  },
  'a design that shows a picture': async (world) => {
    const shown = await content(world);
    const id = await design(world, [shown.id]);
    return { shown, holders: [`content/${id}`, `playlists/${await listOf(world, { content_id: id })}`] };
  },
  'a widget that shows a kiosk page': async (world) => {
    const kiosk = await kioskPage(world, { title: 'T' });
    const id = await widget(world, { url: `/api/kiosk/${kiosk}/render` });
    const list = await listOf(world, { widget_id: id });
    return { shown: { of: 'kiosk', id: kiosk }, holders: [`widgets/${id}`, `playlists/${list}`] };
  },
};

const CHANGES: Readonly<
  Record<OnScreens['shown']['of'], readonly ((world: Guarded, id: string, call: Call) => Promise<Answer>)[]>
> = {
  content: [
    ({ replace, bea }, id) => replace(bea, id),
    (_, id, call) => call('PUT', `/api/content/${id}`, { valid_until: '2027-01-01T00:00' }),
  ],
  widget: [
    (_, id, call) => call('PUT', `/api/widgets/${id}`, { config: { url: 'http://b.test/' } }),
    (_, id, call) => call('PUT', `/api/widgets/${id}`, { valid_until: '2027-01-01T00:00' }),
  ],
  kiosk: [(_, id, call) => call('PUT', `/api/kiosk/${id}`, { config: { title: 'New' } })],
};

for (const [way, open] of Object.entries(WAYS))
  test(`member who needs approval cannot change what screens show by way of ${way}, even while it is in the bin`, async (t) => {
    const world = await openGuarded(t);
    const { shop, bea, cem } = world;
    const { shown, holders } = await open(world);
    const allRefused = async (when: string) => {
      for (const change of CHANGES[shown.of]) isRefused(await change(world, shown.id, bea.call), when);
    };
    await allRefused('on screens');
    for (const holder of holders) {
      must(await bea.call('DELETE', `/api/${holder}`));
      await allRefused(`while ${holder} is in the bin`);
      const [entry] = await shop.get('/api/bin?limit=1');
      must(await bea.call('POST', `/api/bin/${entry.id}/restore`));
      await allRefused(`after ${holder} was restored`);
      // Another member took the record off screens.
      must(await shop.call('DELETE', `/api/${holder}`));
      await allRefused(`while others have deleted ${holder}`);
      const [theirs] = await shop.get('/api/bin?limit=1');
      if (theirs.places > 0) isRefused(await bea.call('POST', `/api/bin/${theirs.id}/restore`), holder);
      must(await cem.call('POST', `/api/bin/${theirs.id}/restore`));
    }
    // Deletes all records that show the content, so that all of them are in the bin at once.
    for (const holder of holders) must(await bea.call('DELETE', `/api/${holder}`));
    await allRefused('while everything is in the bin');
  });

test('a content that only drafts contain may be changed, even while the draft is in the bin', async (t) => {
  const world = await openGuarded(t);
  const { shop, bea, replace } = world;
  const fresh = await shop.image('fresh.gif');
  const { id } = await shop.make('/api/playlists', { name: 'Draft' });
  await shop.make(`/api/playlists/${id}/items`, { content_id: fresh });
  must(await replace(bea, fresh));
  must(await bea.call('DELETE', `/api/playlists/${id}`));
  must(await replace(bea, fresh));
});

test('refusal for a picture of a design names the design, and so does the refusal for the design itself', async (t) => {
  const world = await openGuarded(t);
  const { shop, bea, replace } = world;
  const photo = await shop.image('photo.gif');
  const menu = await design(world, [photo]);
  await listOf(world, { content_id: menu });
  assert.match((await replace(bea, photo)).body.error, /^photo\.gif is part of the design “Menu”, which is on screens/);
  assert.match((await replace(bea, menu)).body.error, /^Menu is on screens or waiting for approval/);
});

test('picture that a design on screens showed earlier stays refused while the earlier file is in the bin', async (t) => {
  const world = await openGuarded(t);
  const { shop, bea, replace } = world;
  const photo = await shop.image('photo.gif');
  const menu = await design(world, [photo]);
  await listOf(world, { content_id: menu });
  const put = { method: 'PUT', path: `/api/content/${menu}/replace` };
  must(await shop.upload(designFile([], 'empty'), 'Menu', put));
  const refused = await replace(bea, photo);
  isRefused(refused, 'the earlier file of the design can be restored');
  assert.match(refused.body.error, /^photo\.gif was on screens with Menu, which is in the bin/);
  const [earlier] = await shop.get(`/api/bin?ref=${menu}`);
  must(await shop.call('DELETE', `/api/bin/${earlier.id}`));
  must(await replace(bea, photo));
});

test('member who needs approval cannot bring an unseen picture to screens by a design that was approved while the picture was in the bin', async (t) => {
  const world = await openGuarded(t);
  const { shop, bea, cem } = world;
  const photo = must(await upload(shop.site, bea.token, picture('unseen'), 'unseen.gif'), 201).id;
  must(await bea.call('DELETE', `/api/content/${photo}`));
  const menu = await design(world, [photo]);
  await listOf(world, { content_id: menu });
  const [entry] = await shop.get(`/api/bin?ref=${photo}`);
  const refused = await bea.call('POST', `/api/bin/${entry.id}/restore`);
  isRefused(refused, 'the screens would show it at once');
  assert.match(refused.body.error, /^unseen\.gif is part of the design “Menu”.* only approvers can restore it/);
  must(await cem.call('POST', `/api/bin/${entry.id}/restore`));
});

/** Changes by members who may make them, while a request to publish a playlist with the changed record waits. */
const CHANGED_MEANWHILE: Readonly<Record<string, (world: Guarded, list: string) => Promise<void>>> = {
  'a content': async (world, list) => {
    const [item] = await world.shop.get(`/api/playlists/${list}/items`);
    must(await world.replace(world.cem, item.content_id));
  },
  'the validity of a content': async ({ shop }, list) => {
    const [item] = await shop.get(`/api/playlists/${list}/items`);
    must(await shop.call('PUT', `/api/content/${item.content_id}`, { valid_until: '2027-01-01T00:00' }));
  },
  'a picture of a design': async (world, list) => {
    const [, , item] = await world.shop.get(`/api/playlists/${list}/items`);
    const photo = (await world.shop.get('/api/content?q=in-design')).find(({ kind }: any) => kind === 'image');
    assert.ok(item.content_id !== photo.id);
    must(await world.replace(world.cem, photo.id));
  },
  'a widget': async ({ shop }, list) => {
    const [, item] = await shop.get(`/api/playlists/${list}/items`);
    must(await shop.call('PUT', `/api/widgets/${item.widget_id}`, { config: { url: 'http://b.test/' } }));
  },
  'a kiosk page of a widget': async ({ shop }) => {
    const [page] = await shop.get('/api/kiosk');
    must(await shop.call('PUT', `/api/kiosk/${page.id}`, { config: { title: 'New' } }));
  },
  'an item': async ({ shop }, list) => {
    const [item] = await shop.get(`/api/playlists/${list}/items`);
    must(await shop.call('PUT', `/api/playlists/${list}/items/${item.id}`, { duration_sec: 77 }));
  },
  'a content that was deleted and restored': async ({ shop }, list) => {
    const [item] = await shop.get(`/api/playlists/${list}/items`);
    must(await shop.call('DELETE', `/api/content/${item.content_id}`));
  },
  'the playlist, deleted and restored': async ({ shop, bea }, list) => {
    must(await bea.call('DELETE', `/api/playlists/${list}`));
    const [entry] = await shop.get('/api/bin?limit=1');
    must(await bea.call('POST', `/api/bin/${entry.id}/restore`));
  },
};

for (const [what, change] of Object.entries(CHANGED_MEANWHILE))
  test(`approving answers request_stale when ${what} was changed since the request, and a new request is possible`, async (t) => {
    const world = await openGuarded(t);
    const { shop, bea, cem, replace } = world;
    const fresh = await shop.image('fresh.gif');
    const kiosk = await kioskPage(world, { title: 'T' });
    const page = await widget(world, { url: `/api/kiosk/${kiosk}/render` });
    const { id: list } = must(await bea.call('POST', '/api/playlists', { name: 'P' }), 201);
    const ask = async () => must(await bea.call('POST', `/api/playlists/${list}/publish-request`, {}), 201);
    const decide = (id: string) => cem.call('POST', `/api/publish-requests/${id}/approve`, { answer: '' });
    const menu = await design(world, [await shop.image('in-design.gif')]);
    for (const item of [{ content_id: fresh }, { widget_id: page }, { content_id: menu }])
      must(await bea.call('POST', `/api/playlists/${list}/items`, item), 201);
    const first = await ask();
    assert.deepEqual([first.is_stale, first.changed], [false, []]);
    isRefused(await replace(bea, fresh), 'while it waits');
    await change(world, list);
    const refused = await decide(first.id);
    assert.deepEqual([refused.status, refused.body.code], [409, 'request_stale'], JSON.stringify(refused.body));
    const [stale] = must(await bea.call('GET', `/api/publish-requests?playlist_id=${list}`));
    assert.ok(stale.is_stale && stale.changed.length > 0, JSON.stringify(stale));
    assert.equal(must(await cem.call('GET', '/api/alerts/counts')).approvals, 0);
    assert.deepEqual(must(await shop.call('GET', `/api/playlists/${list}/published`)), []);
    must(await decide((await ask()).id));
  });

test('a change of a name, a folder or a label leaves a request valid', async (t) => {
  const { shop, bea, cem } = await openGuarded(t);
  const fresh = await shop.image('fresh.gif');
  const { id: list } = await shop.make('/api/playlists', { name: 'P' });
  await shop.make(`/api/playlists/${list}/items`, { content_id: fresh });
  const { id } = must(await bea.call('POST', `/api/playlists/${list}/publish-request`, {}), 201);
  must(await bea.call('PUT', `/api/content/${fresh}`, { filename: 'other.gif', folder: 'Sale' }));
  must(await cem.call('POST', `/api/publish-requests/${id}/approve`, { answer: '' }));
});

test('a member who needs approval cannot edit the draft of a screen’s own playlist, which the next edit publishes', async (t) => {
  const world = await openGuarded(t);
  const { shop, bea, cem, device, replace } = world;
  const [approved, fresh] = [await shop.image('approved.gif'), await shop.image('fresh.gif')];
  await shop.make(`/api/assignments/device/${device}`, { content_id: approved });
  const { playlist_id: own } = await shop.get(`/api/devices/${device}`);
  const [item] = await shop.get(`/api/playlists/${own}/items`);
  const path = `/api/playlists/${own}`;
  const edits: [string, string, unknown?][] = [
    ['POST', `${path}/items`, { content_id: fresh }],
    ['PUT', `${path}/items/${item.id}`, { duration_sec: 99 }],
    ['DELETE', `${path}/items/${item.id}`],
    ['POST', `${path}/items/reorder`, { order: [item.id] }],
    ['PUT', `${path}/items/${item.id}/schedules`, { blocks: [] }],
    ['PUT', path, { transition: { kind: 'fade', ms: 500 } }],
    ['POST', `${path}/versions/1/return`],
  ];
  for (const [method, to, body] of edits) isRefused(await bea.call(method, to, body), `${method} ${to}`);
  must(await bea.call('PUT', path, { description: 'Nothing that screens show' }));
  // Any edit of the screen publishes the draft, so its content is in use.
  must(await cem.call('POST', `${path}/items`, { content_id: fresh }), 201);
  isRefused(await replace(bea, fresh), 'in the draft of a screen’s own');
});

test('a draft that was never published stays a draft when another member edits the screen that it is assigned to', async (t) => {
  const { shop, bea, cem, device } = await openGuarded(t);
  const [approved, fresh] = [await shop.image('approved.gif'), await shop.image('fresh.gif')];
  const { id: list } = must(await bea.call('POST', '/api/playlists', { name: 'New' }), 201);
  must(await bea.call('POST', `/api/playlists/${list}/items`, { content_id: fresh }), 201);
  must(await bea.call('POST', `/api/playlists/${list}/assign`, { device_id: device }));
  must(await cem.call('POST', `/api/assignments/device/${device}`, { content_id: approved }), 201);
  const { playlist_id } = await shop.get(`/api/devices/${device}`);
  const shown = await shop.get(`/api/playlists/${playlist_id}/published`);
  assert.deepEqual(
    shown.map((one: { content_id: string }) => one.content_id),
    [approved],
  );
  assert.equal((await shop.get(`/api/playlists/${list}/items`)).length, 1, 'the draft can still be asked for');
});
