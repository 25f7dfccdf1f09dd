import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fontkit from 'fontkit';
import { type BrandFont, FONTS } from '../../../shared/design/fonts.ts';
import { brandFontFile, brandFontPath } from './brand-fonts.ts';

/** Letters of languages of Europe beyond ASCII: Czech, German, Polish, French, Turkish, Romanian, Hungarian, and euro. */
const LETTERS = 'ěščřžýůťďňÄÖÜßąćęłńóśźżœÇğışİțșőűŁŹŽŘ€';

const families = Object.entries(FONTS) as [BrandFont, (typeof FONTS)[BrandFont]][];
const packageOf = (font: BrandFont): string =>
  join(createRequire(import.meta.url).resolve(`@fontsource-variable/${font}/package.json`), '..');

test('table of fonts has the weights and the licence of the packages', () => {
  for (const [font, { weights, licence, name }] of families) {
    const read = (file: string) => JSON.parse(readFileSync(join(packageOf(font), file), 'utf8'));
    const { variable, family } = read('metadata.json');
    assert.equal(family, name);
    assert.deepEqual(weights, [Number(variable.wght.min), Number(variable.wght.max)], font);
    assert.equal(read('package.json').license, licence, font);
  }
});

test('every file of a font exists and is served by its hash', () => {
  for (const [font, { subsets }] of families)
    for (const subset of subsets) {
      const found = brandFontFile(font, subset);
      assert.ok(found && existsSync(found.path), `${font} ${subset}`);
      assert.equal(brandFontPath(found.asset.sha256), found.path);
    }
  assert.equal(brandFontPath('0'.repeat(64)), undefined);
});

test('every font has the letters of European languages with the Latin script', () => {
  for (const [font] of families) {
    const files = (['latin', 'latin-ext'] as const).map((subset) =>
      fontkit.openSync(brandFontFile(font, subset)!.path),
    );
    const missing = [...LETTERS].filter(
      (letter) => !files.some((file) => (file as fontkit.Font).hasGlyphForCodePoint(letter.codePointAt(0)!)),
    );
    assert.deepEqual(missing, [], font);
  }
});
