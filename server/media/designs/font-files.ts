/** Font files of thumbnails: for each family of a brand the package that contains the files, split by script. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Name of each family in its package. Each package is `@fontsource-variable/NAME`, in WOFF2 with a weight axis. */
const FAMILIES: Readonly<Record<string, string>> = { inter: 'inter' };
const DEFAULT_FAMILY = 'inter';

/** Parts of a family in the order in which they are searched: the most frequent characters first. */
const SCRIPTS = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese', 'cyrillic-ext', 'greek-ext'];

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

/** Returns the existing files of a family. An unknown family has the files of the default family. */
export const fontFiles = (family: string): readonly string[] => {
  const name = Object.hasOwn(FAMILIES, family) ? FAMILIES[family]! : FAMILIES[DEFAULT_FAMILY]!;
  let files = known.get(name);
  if (!files) {
    files = SCRIPTS.flatMap(
      (script) => fileOf(`@fontsource-variable/${name}/files/${name}-${script}-wght-normal.woff2`) ?? [],
    );
    known.set(name, files);
  }
  return files;
};

let emoji: { readonly file: string | undefined } | undefined;

/** Returns the file of the colour emoji; undefined: the package is not installed. */
export const emojiFile = (): string | undefined => (emoji ??= { file: fileOf('twemoji-colr-font/twemoji.woff2') }).file;
