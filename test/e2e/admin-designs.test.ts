/** Previews of designs in the admin window, in a real browser. */
// Suite: window
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { DESIGN_VERSION } from '../../shared/design/design.ts';
import { Element } from '../../shared/design/elements.ts';
import { textOf } from '../../shared/design/rich-text.ts';
import { ownedSite } from '../harness.ts';
import { must } from '../people.ts';
import { until } from '../until.ts';
import { upload } from '../uploads.ts';
import { openAdmin } from './hosts/admin-window.ts';

/** Pixels of the strokes of an icon. */
const MIN_DARK = 100;

/** Returns the number of dark pixels of a picture. The drawing is in a closed shadow root, so that only pixels show it. */
const darkPixels = async (picture: Buffer): Promise<number> => {
  const gray = await sharp(picture).grayscale().raw().toBuffer();
  return gray.filter((value) => value < 128).length;
};

test('preview of a design shows its icon, and loads only the fonts that its words need', async (t) => {
  const { site, token } = await ownedSite(t);
  const place = { horizontal: 'center', vertical: 'middle', dx: 0, dy: 0, width: 800, height: 300 } as const;
  const elements = [
    Element.parse({ type: 'text', id: 'text', place, size: 100, text: textOf('Świeży żurek') }),
    Element.parse({
      type: 'icon',
      id: 'icon',
      place: { ...place, horizontal: 'left', vertical: 'top' },
      icon: 'coffee',
    }),
  ];
  const page = { id: 'page', layout: null, arrangements: {}, duration_ms: null, elements };
  const design = {
    ...{ format: 'vitrine-design', version: DESIGN_VERSION, template: false, style: null },
    pages: [{ ...page, background: { kind: 'color', color: '#FFFFFF' } }],
  };
  const { id } = must(await upload(site, token, Buffer.from(JSON.stringify(design)), 'soup.design'), 201);
  const window = await openAdmin(t, site, token);
  const fonts = new Set<string>();
  window.page.on('request', (request) => {
    const [, name] = /([a-z]+-[a-z-]+)-wght-normal/.exec(request.url()) ?? [];
    if (name !== undefined) fonts.add(name);
  });
  await window.go(`/content/${id}/design`);
  const icon = window.page.locator('.design-element[data-element=icon]');
  await until('the icon is drawn', 20_000, async () => (await darkPixels(await icon.screenshot())) > MIN_DARK);
  await window.page.waitForFunction(() =>
    [...document.fonts].some(({ family, status, unicodeRange }) => {
      const isOwn = family.replaceAll('"', '') === 'Inter' && unicodeRange.includes('U+100-');
      return isOwn && status === 'loaded';
    }),
  );
  assert.deepEqual(
    [...fonts].filter((name) => !name.startsWith('inter')),
    [],
  );
});
