/** The brand of a workspace over HTTP, and its way to the pages of designs on screens. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_BRAND, paletteOf } from '../../../shared/design/brand.ts';
import { templateDesign } from '../../../shared/design/templates/all.ts';
import { colleague, must, person } from '../../../test/people.ts';
import { nextProgram, openShops, type Shop } from '../../../test/shop.ts';

const shops = openShops();

const pathOf = ({ owner }: Shop) => `/api/workspaces/${owner.workspaceId}/brand`;
const designFile = (): Buffer =>
  Buffer.from(
    JSON.stringify(templateDesign('offer', 'bold', { language: 'en', currency: 'EUR', until: '2026-12-24T00:00' })),
  );
const errorOf = async (answer: Promise<{ status: number; body: any }>) => {
  const { status, body } = await answer;
  return `${status} ${body.error}`;
};

test('workspace without a brand has the default brand, its own name and a palette', async (t) => {
  const shop = await shops.open(t);
  must(await shop.call('PUT', `/api/workspaces/${shop.owner.workspaceId}`, { name: 'Corner Shop' }));
  assert.deepEqual(await shop.get(pathOf(shop)), {
    ...DEFAULT_BRAND,
    display_name: 'Corner Shop',
    palette: paletteOf(DEFAULT_BRAND),
  });
});

test('change of a brand keeps the fields that it does not contain, and is logged', async (t) => {
  const shop = await shops.open(t);
  const logo = await shop.image('logo.gif');
  must(await shop.call('PUT', pathOf(shop), { primary: '#7A1F3D', logo_content_id: logo, second: '#AABBCC' }));
  const changed = must(await shop.call('PUT', pathOf(shop), { tone: 'dark', name: ' Öztürk ', second: null }));
  const brand = { ...DEFAULT_BRAND, primary: '#7A1F3D', logo_content_id: logo, tone: 'dark', name: 'Öztürk' } as const;
  assert.deepEqual(changed, { ...brand, display_name: 'Öztürk', palette: paletteOf(brand) });
  assert.deepEqual(await shop.get(pathOf(shop)), changed);
  const [workspace] = (await shop.get('/api/workspaces')) as { logo_content_id: string }[];
  assert.equal(workspace!.logo_content_id, logo, 'the picture on reports');
  const [entry] = await shop.get('/api/activity?limit=1');
  assert.deepEqual([entry.action, entry.details], ['workspace.brand_changed', 'Default']);
});

test('error names the field of a brand that is wrong', async (t) => {
  const shop = await shops.open(t);
  const clip = await shop.video(1);
  const put = (body: object) => errorOf(shop.call('PUT', pathOf(shop), body));
  assert.equal(await put({ accent: 'red' }), '400 accent: must be a colour like #3B82F6');
  assert.match(await put({ heading_font: 'comic' }), /^400 heading_font: must be one of inter, /);
  assert.equal(await put({ radius: 121 }), '400 radius: must be 0 to 120');
  assert.equal(await put({ tone: 'pink' }), '400 tone: must be one of light, dark');
  assert.equal(await put({ name: 'x'.repeat(121) }), '400 name: must be at most 120 characters');
  assert.equal(
    await put({ logo_dark_content_id: clip }),
    '400 logo_dark_content_id: must be an image of this workspace',
  );
  assert.equal(await put({ logo_content_id: 'none' }), '404 logo_content_id: must be an image of this workspace');
  assert.deepEqual(await shop.get(pathOf(shop)).then(({ radius, tone }) => [radius, tone]), [24, 'light']);
});

test('colours without contrast to each other are accepted, and the palette has readable texts', async (t) => {
  const shop = await shops.open(t);
  const colors = { paper: '#777777', primary: '#787878', accent: '#767676' };
  const { palette } = must(await shop.call('PUT', pathOf(shop), colors));
  assert.deepEqual(palette, paletteOf({ ...DEFAULT_BRAND, ...colors }));
});

test('members read a brand, only administrators change it, and nobody else finds it', async (t) => {
  const shop = await shops.open(t);
  const { site, owner } = shop;
  const editor = await colleague(site, owner, `e${owner.id}@store.test`, 'workspace_editor');
  const stranger = await person(site, `s${owner.id}@store.test`);
  const ask = async (method: string, who: { token: string }) =>
    (await site.call(method, pathOf(shop), { token: who.token, ...(method === 'PUT' && { body: { radius: 0 } }) }))
      .status;
  assert.deepEqual([await ask('GET', editor), await ask('PUT', editor)], [200, 403]);
  assert.deepEqual([await ask('GET', stranger), await ask('PUT', stranger)], [404, 404]);
});

test('screen gets a new page of its design when the brand changes, with the logo as a file', async (t) => {
  const shop = await shops.open(t);
  const design = must(await shop.upload(designFile(), 'offer.design'), 201).id;
  const playlist = await shop.playlist([design]);
  const player = await shop.screen();
  must(await shop.call('POST', `/api/playlists/${playlist}/assign`, { device_id: player.deviceId }));
  const pageOf = async (program: any) => {
    const [item] = program.playlists[0].items;
    const html = await fetch(`${shop.site.origin}/api/player/assets/${item.asset}`, {
      headers: { Authorization: `Bearer ${player.credential}` },
    });
    return { html: await html.text(), files: item.files as Record<string, string> };
  };
  let program = await nextProgram(shop, player);
  while (!program.playlists?.[0]?.items?.length) program = await nextProgram(shop, player);
  const before = await pageOf(program);
  assert.ok(before.html.includes(DEFAULT_BRAND.primary));
  assert.deepEqual(before.files, {});

  const logo = await shop.image('logo.gif');
  must(await shop.call('PUT', pathOf(shop), { primary: '#7A1F3D', logo_dark_content_id: logo }));
  const after = await pageOf(await nextProgram(shop, player));
  assert.ok(after.html.includes('#7A1F3D') && !after.html.includes(DEFAULT_BRAND.primary));
  assert.deepEqual(Object.keys(after.files), [logo]);

  must(await shop.call('PUT', `/api/workspaces/${shop.owner.workspaceId}`, { name: 'Corner Shop' }));
  assert.ok((await pageOf(await nextProgram(shop, player))).html.includes('Corner Shop'), 'the name of the workspace');
});

test('deleted logo leaves the brand, and returns with its restore', async (t) => {
  const shop = await shops.open(t);
  const logo = await shop.image('logo.gif');
  must(await shop.call('PUT', pathOf(shop), { logo_dark_content_id: logo }));
  must(await shop.call('DELETE', `/api/content/${logo}`));
  assert.equal((await shop.get(pathOf(shop))).logo_dark_content_id, null);
  const [entry] = await shop.get('/api/bin');
  must(await shop.call('POST', `/api/bin/${entry.id}/restore`));
  assert.equal((await shop.get(pathOf(shop))).logo_dark_content_id, logo);
});
