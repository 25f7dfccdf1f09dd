/**
 * Fonts of brands in the admin window, for everything that draws designs. The browser loads a file only when text with
 * its characters is drawn.
 */
import type { Brand } from '../../../shared/design/brand.ts';
import type { Page } from '../../../shared/design/design.ts';
import { type FontFile, fontFilesOf, packageFileOf } from '../../../shared/design/fonts.ts';

/** Addresses of the files by their path below `node_modules`. */
const ADDRESSES = new Map(
  Object.entries(
    import.meta.glob<string>(
      '../../../node_modules/@fontsource-variable/{inter,fraunces,bitter,oswald,nunito,caveat}/files/*-wght-normal.woff2',
      { eager: true, query: '?url', import: 'default' },
    ),
  ).map(([path, address]) => [path.slice(path.indexOf('@fontsource-variable')), address]),
);

const added = new Map<string, FontFace>();

const faceOf = ({ key, family, weight, range, source }: FontFile): FontFace | undefined => {
  const known = added.get(key);
  if (known || 'uploaded' in source) return known;
  const address = ADDRESSES.get(packageFileOf(source.font, source.subset));
  if (address === undefined) return undefined;
  const face = new FontFace(family, `url(${address})`, { weight, unicodeRange: range });
  added.set(key, face);
  document.fonts.add(face);
  return face;
};

/**
 * Loads the fonts that pages need with the words that they have now. Resolves when text can be measured; a font that
 * cannot be loaded is left out. Call it again after an edit: files that are loaded already cost nothing.
 */
export const loadFontsOf = async (pages: readonly Pick<Page, 'elements'>[], brand: Brand): Promise<void> => {
  await Promise.allSettled(fontFilesOf(pages, brand).map((file) => faceOf(file)?.load()));
};
