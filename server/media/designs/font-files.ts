/** Font files of thumbnails: for each font of a brand the files of its package, split by script. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { FONTS, isBrandFont, packageFileOf } from '../../../shared/design/fonts.ts';

/** Returns the path of a file of an installed package; undefined: it is not installed. */
const fileOf = (file: string): string | undefined => {
  try {
    const found = createRequire(import.meta.url).resolve(file);
    return existsSync(found) ? found : undefined;
  } catch {
    return undefined;
  }
};

const known = new Map<string, readonly string[]>();

/** Returns the existing files of a family. An unknown family, or one that was uploaded, has the files of Inter. */
export const fontFiles = (family: string): readonly string[] => {
  const font = isBrandFont(family) ? family : 'inter';
  let files = known.get(font);
  if (!files) {
    files = FONTS[font].subsets.flatMap((subset) => fileOf(packageFileOf(font, subset)) ?? []);
    known.set(font, files);
  }
  return files;
};

let emoji: { readonly file: string | undefined } | undefined;

/** Returns the file of the colour emoji; undefined: the package is not installed. */
export const emojiFile = (): string | undefined => (emoji ??= { file: fileOf('twemoji-colr-font/twemoji.woff2') }).file;
