import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { DESIGN_VERSION } from '../../../shared/design/design.ts';
import { must } from '../../../test/people.ts';
import { openShops, type Shop } from '../../../test/shop.ts';
import { until } from '../../../test/until.ts';
import { upload } from '../../../test/uploads.ts';

const shops = openShops();
/** Time in milliseconds in which the thumbnail of a changed design must be there. */
const WITHIN_MS = 10_000;

type Rgb = readonly [number, number, number];
const RED: Rgb = [220, 30, 40];
const GREEN: Rgb = [20, 170, 70];

const hex = (colour: Rgb): string => `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
const designOf = (background: object): Buffer =>
  Buffer.from(
    JSON.stringify({
      ...{ format: 'vitrine-design', version: DESIGN_VERSION, template: false, style: null },
      pages: [{ ...{ id: 'page', layout: null, arrangements: {}, duration_ms: null }, background, elements: [] }],
    }),
  );
const plainDesign = (colour: Rgb): Buffer => designOf({ kind: 'color', color: hex(colour) });
const pictureDesign = (contentId: string): Buffer =>
  designOf({
    kind: 'media',
    media: {
      ...{ content_id: contentId, fit: 'fill', focus: { x: 0.5, y: 0.5 } },
      ...{ overlay: null, overlay_opacity: 0, zoom: false },
    },
  });
const plainPicture = ([r, g, b]: Rgb): Promise<Buffer> =>
  sharp({ create: { width: 320, height: 180, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer();

/** Returns the colour in the middle of the thumbnail, and its size; undefined: no thumbnail. */
const thumbnailOf = async ({ site, owner }: Shop, id: string) => {
  const answer = await fetch(`${site.origin}/api/content/${id}/thumbnail`, {
    headers: { Authorization: `Bearer ${owner.token}` },
  });
  if (answer.status !== 200) return undefined;
  const { data, info } = await sharp(Buffer.from(await answer.arrayBuffer()))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
  return { colour: [...data.subarray(at, at + 3)], width: info.width, height: info.height };
};
const isNear = (colour: readonly number[], wanted: Rgb): boolean =>
  colour.every((value, i) => Math.abs(value - wanted[i]!) < 12);
const shows = (shop: Shop, id: string, colour: Rgb): Promise<unknown> =>
  until(`the thumbnail shows ${hex(colour)}`, WITHIN_MS, async () => {
    const found = await thumbnailOf(shop, id);
    return found && isNear(found.colour, colour);
  });
const replace = (shop: Shop, id: string, bytes: Buffer, name: string) =>
  upload(shop.site, shop.owner.token, bytes, name, { method: 'PUT', path: `/api/content/${id}/replace` });

test('design has a thumbnail of its first page within 10 s after the upload', async (t) => {
  const shop = await shops.open(t);
  const { id } = must(await shop.upload(plainDesign(RED), 'offer.design'), 201);
  await shows(shop, id, RED);
  const found = await thumbnailOf(shop, id);
  assert.deepEqual([found?.width, found?.height], [480, 270]);
  assert.equal((await shop.get(`/api/content/${id}`)).thumbnail_path, `/api/content/${id}/thumbnail`);
});

test('design has a new thumbnail within 10 s after its document was replaced', async (t) => {
  const shop = await shops.open(t);
  const { id } = must(await shop.upload(plainDesign(RED), 'offer.design'), 201);
  await shows(shop, id, RED);
  must(await replace(shop, id, plainDesign(GREEN), 'offer.design'), 200);
  await shows(shop, id, GREEN);
});

test('design has a new thumbnail within 10 s after a picture that it shows was replaced', async (t) => {
  const shop = await shops.open(t);
  const picture = must(await shop.upload(await plainPicture(RED), 'photo.png'), 201);
  const { id } = must(await shop.upload(pictureDesign(picture.id), 'offer.design'), 201);
  await shows(shop, id, RED);
  must(await replace(shop, picture.id, await plainPicture(GREEN), 'photo.png'), 200);
  await shows(shop, id, GREEN);
});

test('design with the document of another workspace does not show pictures of that workspace', async (t) => {
  const [shop, other] = [await shops.open(t), await shops.open(t)];
  const picture = must(await shop.upload(await plainPicture(RED), 'photo.png'), 201);
  const mine = must(await shop.upload(pictureDesign(picture.id), 'offer.design'), 201);
  await shows(shop, mine.id, RED);
  const copied = must(await other.upload(pictureDesign(picture.id), 'offer.design'), 201);
  assert.equal(copied.thumbnail_path, null);
  const found = await until('the other workspace has a thumbnail', WITHIN_MS, () => thumbnailOf(other, copied.id));
  assert.ok(!isNear(found!.colour, RED), `the thumbnail shows ${found!.colour.join(' ')}`);
});
