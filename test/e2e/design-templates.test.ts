/**
 * All templates in all formats, in a real browser: no text is cut, overlaps another text, leaves its page, is too small
 * or has too little contrast, with words of other lengths and languages and in the colours of other brands.
 */
// Suite: window
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { build } from 'vite';
import { MIN_CONTRAST } from '../../shared/design/contrast.ts';
import { TEMPLATE_TASKS } from '../../shared/design/templates/tasks.ts';
import { TEMPLATE_STYLES } from '../../shared/design/templates/template.ts';
import type * as draw from './design-templates/draw.ts';
import { sharedBrowser } from './hosts/browser.ts';

declare const templates: typeof draw;

const FONT = createRequire(import.meta.url).resolve(
  '@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2',
);
const fontFace = (path: string, range: string): string =>
  `@font-face{font-family:Inter;font-weight:100 900;src:url(data:font/woff2;base64,${readFileSync(path).toString('base64')});unicode-range:${range}}`;

let script = '';
before(async () => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'chrome120',
      lib: { entry: join(import.meta.dirname, 'design-templates/draw.ts'), formats: ['iife'], name: 'templates' },
    },
  });
  const [{ output }] = built as unknown as [{ output: { code: string }[] }];
  script = output[0]!.code;
});

/** Opens an empty page with the script and the font. */
const open = async (): Promise<Page> => {
  const context = await (await sharedBrowser()).newContext({ viewport: { width: 1200, height: 1000 } });
  const page = await context.newPage();
  const latin = FONT.replace('-ext', '');
  await page.setContent(
    `<!doctype html><meta charset="utf-8"><style>${fontFace(latin, 'U+0000-00FF,U+2010-2044,U+20AC,U+2022,U+2605')}${fontFace(FONT, 'U+0100-02FF')}*{box-sizing:border-box;margin:0;padding:0}body{font-family:Inter;line-height:1.25}</style><body></body>`,
  );
  await page.addScriptTag({ content: script });
  await page.evaluate(async () => {
    await Promise.all(['A', 'ą'].map((text) => document.fonts.load('700 40px Inter', text)));
  });
  return page;
};

for (const style of TEMPLATE_STYLES)
  test(`templates in the style ${style} are drawn without faults in every format and language`, {
    timeout: 240_000,
  }, async (t) => {
    const page = await open();
    t.after(() => page.context().close());
    const faults: string[] = [];
    for (const language of ['en', 'de'])
      faults.push(...(await page.evaluate(([s, l]) => templates.faultsWith(s, 'as', l), [style, language] as const)));
    for (const words of ['half', 'longer', 'polish', 'arabic', 'chinese', 'emoji'])
      faults.push(...(await page.evaluate(([s, w]) => templates.faultsWith(s, w, 'en'), [style, words] as const)));
    assert.deepEqual(faults, []);
  });

/** Share of a line's pixels that may have too little contrast: edges of areas, and rounding of the small picture. */
const WEAK_SHARE = 0.12;

type Rgb = readonly [red: number, green: number, blue: number];
/** Light of each channel value by WCAG 2, computed once, because a sheet has a million pixels of text. */
const LIGHT = Array.from({ length: 256 }, (_, value) => {
  const share = value / 255;
  return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});
const luminance = ([r, g, b]: Rgb): number =>
  0.2126 * LIGHT[Math.round(r)]! + 0.7152 * LIGHT[Math.round(g)]! + 0.0722 * LIGHT[Math.round(b)]!;
const contrast = (one: number, other: number): number => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

test('text of every template has enough contrast in three brands, light and dark', { timeout: 240_000 }, async (t) => {
  const page = await open();
  t.after(() => page.context().close());
  const folder = process.env['VITRINE_TEST_ARTEFACTS'];
  const faults: string[] = [];
  for (const style of TEMPLATE_STYLES)
    for (const brand of [0, 1, 2])
      for (const tone of ['light', 'dark'] as const) {
        const lines = await page.evaluate(([s, b, o]) => templates.drawSheet(s, b, o, 'en'), [
          style,
          brand,
          tone,
        ] as const);
        if (folder) {
          mkdirSync(folder, { recursive: true });
          writeFileSync(
            join(folder, `templates-${style}-${brand}-${tone}.png`),
            await page.screenshot({ fullPage: true }),
          );
        }
        await page.evaluate(() => templates.hideText());
        const { data, info } = await sharp(await page.screenshot({ fullPage: true }))
          .removeAlpha()
          .raw()
          .toBuffer({ resolveWithObject: true });
        for (const { x, y, width, height, color, text, page: name } of lines) {
          const front = luminance(color.match(/\d+(\.\d+)?/g)!.map(Number) as unknown as Rgb);
          let weak = 0;
          let all = 0;
          for (let py = Math.ceil(y); py < y + height - 1; py++)
            for (let px = Math.ceil(x); px < x + width - 1; px++) {
              const at = (py * info.width + px) * 3;
              all++;
              if (contrast(front, luminance([data[at]!, data[at + 1]!, data[at + 2]!])) < MIN_CONTRAST - 0.1) weak++;
            }
          if (weak > all * WEAK_SHARE) faults.push(`${name} brand ${brand} ${tone}: “${text}”`);
        }
      }
  assert.deepEqual(faults, []);
});

test('there are at least 36 templates in each style', () => {
  assert.ok(TEMPLATE_TASKS.length >= 36, String(TEMPLATE_TASKS.length));
});
