/**
 * Files of the fonts that come with Vitrine (shared/design/fonts.ts), as players and thumbnails get them. The files stay
 * in their packages; they are named by their hash like all files of players.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type BrandFont, FONTS, type FontSubset, packageFileOf } from '../../../shared/design/fonts.ts';
import type { Asset } from '../../../shared/program/program.ts';

interface FontOnDisk {
  readonly path: string;
  readonly asset: Asset;
}

const keyOf = (font: BrandFont, subset: FontSubset): string => `${font} ${subset}`;

/** Reads 26 files of together 900 kB, once. A file that is missing is left out, so its characters use other fonts. */
const readAll = (): { byKey: Map<string, FontOnDisk>; byHash: Map<string, FontOnDisk> } => {
  const { resolve } = createRequire(import.meta.url);
  const [byKey, byHash] = [new Map<string, FontOnDisk>(), new Map<string, FontOnDisk>()];
  for (const [font, { subsets }] of Object.entries(FONTS) as [BrandFont, (typeof FONTS)[BrandFont]][])
    for (const subset of subsets)
      try {
        const path = resolve(packageFileOf(font, subset));
        const bytes = readFileSync(path);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        const found = { path, asset: { sha256, size: bytes.length, mime: 'font/woff2' } };
        byKey.set(keyOf(font, subset), found);
        byHash.set(sha256, found);
      } catch {}
  return { byKey, byHash };
};

let read: ReturnType<typeof readAll> | undefined;
const all = (): ReturnType<typeof readAll> => (read ??= readAll());

/** Returns a file of a font: path and asset. Undefined when the package is missing. */
export const brandFontFile = (font: BrandFont, subset: FontSubset): FontOnDisk | undefined =>
  all().byKey.get(keyOf(font, subset));

/** Returns the path of the font file with this hash; undefined: no font that comes along has it. */
export const brandFontPath = (sha256: string): string | undefined => all().byHash.get(sha256)?.path;
