/**
 * Facts that packages do not state themselves: licence texts that the packages lack, and third-party parts in the
 * packages. Maintained by hand and checked against the versions for which they were looked up.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Found, Known, Part, Text } from './collect.ts';

const kept = (...files: readonly string[]): Text[] =>
  files.map((title) => ({ title, text: readFileSync(join(import.meta.dirname, 'texts', title), 'utf8') }));

type Other = Pick<Part, 'name' | 'licence' | 'texts' | 'source'> & Partial<Part>;
/** Returns a part of the notices for software that is in no package registry. */
const other = ({ name, version, ...rest }: Other): Part => ({
  name,
  version,
  kind: 'library',
  note: undefined,
  integrity: undefined,
  needs: [],
  purl: `pkg:generic/${name.toLowerCase().replaceAll(' ', '-')}${version === undefined ? '' : `@${version}`}`,
  ...rest,
});

/** Licence terms as written in libvips' packages, with their SPDX names. Any other wording is reported as a problem. */
const TERMS: readonly (readonly [says: RegExp, licence: string])[] = [
  [/^BSD 2-Clause \+ \[Alliance/, 'BSD-2-Clause'],
  [/^\[?BSD 2-Clause/, 'BSD-2-Clause'],
  [/^(BSD 3-Clause|New BSD License)/, 'BSD-3-Clause'],
  [/^MIT Licen[cs]e/, 'MIT'],
  [/^LGPLv3/, 'LGPL-3.0-or-later'],
  [/^Mozilla Public License 1\.1/, 'MPL-1.1'],
  [/^\[fontconfig Licen[cs]e/, 'HPND'],
  [/^\[freetype Licen[cs]e/, 'FTL'],
  [/^\[libpng Licen[cs]e/, 'libpng-2.0'],
  [/^\[libtiff Licen[cs]e/, 'libtiff'],
  [/^\[zlib Licen[cs]e, IJG Licen[cs]e, BSD 3-Clause/, 'IJG AND BSD-3-Clause AND Zlib'],
  [/^\[zlib Licen[cs]e/, 'Zlib'],
];
/** Name of the licence text for a library, when the two names differ by more than a "lib" prefix. */
const TEXT_OF: Readonly<Record<string, string>> = { cairo: 'cairo-MPL-1.1' };

/**
 * Part that is reported as a problem when no libraries are found in libvips, because libvips always contains other
 * libraries.
 */
const nameless = other({ name: 'What is within libvips', licence: '', texts: [], source: undefined });

/** @param readme README of a package with libvips, whose table lists its libraries @param versions its versions.json */
export const librariesOf = (readme: string, versions: Readonly<Record<string, string>>): Part[] => {
  const rows = [...readme.matchAll(/^\|\s*([\w-]+)\s*\|\s*(.+?)\s*\|\s*$/gm)]
    .map(([, name = '', terms = '']) => ({ name, terms }))
    .filter(({ name }) => !/^(Library|-+)$/.test(name));
  if (rows.length === 0) return [nameless];
  return rows.map(({ name, terms }) => {
    const short = name.replace(/^lib(?=\w)/, '').replace(/^ultrahdr$/, 'uhdr');
    const licence = TERMS.find(([says]) => says.test(terms))?.[1] ?? terms;
    const file = `libvips/${TEXT_OF[short] ?? short}.txt`;
    const isLesser = licence.startsWith('LGPL');
    return other({
      name,
      version: versions[short],
      licence,
      texts: isLesser
        ? kept('LGPL-3.0.txt', 'GPL-3.0.txt', 'source-libvips.txt')
        : existsSync(join(import.meta.dirname, 'texts', file))
          ? kept(file)
          : [],
      source: 'https://github.com/lovell/sharp-libvips',
    });
  });
};

/**
 * Files that the player copies from pdf.js (player/screen/pdf-files.vite.ts): fonts and tables for documents without
 * their own, and two decoders.
 */
const pdf = ({ texts }: Found): Known => {
  const those = (files: RegExp) => texts.filter(({ title }) => files.test(title));
  return {
    texts: those(/^LICENSE/),
    contains: [
      other({
        name: 'Adobe CMaps',
        licence: 'BSD-3-Clause',
        texts: those(/^cmaps\//),
        source: 'https://github.com/adobe-type-tools/cmap-resources',
      }),
      other({
        name: 'Foxit fonts',
        kind: 'font',
        licence: 'BSD-3-Clause',
        texts: those(/_FOXIT$/),
        source: 'https://pdfium.googlesource.com/pdfium',
      }),
      other({
        name: 'Liberation Sans',
        kind: 'font',
        licence: 'LicenseRef-Liberation',
        texts: those(/_LIBERATION$/),
        source: 'https://github.com/liberationfonts/liberation-1.7-fonts',
      }),
      other({
        name: 'OpenJPEG',
        licence: 'BSD-2-Clause',
        texts: those(/_(PDFJS_)?OPENJPEG$/),
        source: 'https://github.com/uclouvain/openjpeg',
      }),
      other({
        name: 'PDFium JBIG2',
        licence: 'BSD-3-Clause',
        texts: those(/_(PDFJS_)?JBIG2$/),
        source: 'https://pdfium.googlesource.com/pdfium',
      }),
    ],
  };
};

const SQLITE = /^#define SQLITE_VERSION\s+"([\d.]+)"/m;

/** Node itself, because the package `node` contains only the program. */
const NODE = (found: Found): Known => ({
  version: '24.21.0',
  kind: 'program',
  texts: kept('node-24.21.0.txt'),
  source: `https://nodejs.org/dist/v${found.version}/`,
  note: 'Runs everything but the windows. The text names what is inside of it: V8, OpenSSL, ICU, libuv and others.',
});

const ELECTRON: Known = {
  kind: 'program',
  note: 'Shows the windows.',
  contains: [
    other({
      name: 'Chromium',
      kind: 'program',
      licence: 'BSD-3-Clause',
      texts: kept('electron.txt'),
      source: 'https://chromium.googlesource.com/chromium/src',
    }),
  ],
};

const IS_OF_PROGRAM = /^ffmpeg(\.exe)?\./;
/** @param manifest its package.json, which names the release that it downloads */
const ffmpeg = ({ texts }: Found, manifest: string): Known => ({
  texts: texts.filter(({ title }) => !IS_OF_PROGRAM.test(title)),
  kind: 'program',
  note: 'Brings the program ffmpeg, which looks at films.',
  source: 'https://github.com/eugeneware/ffmpeg-static',
  contains: [
    other({
      name: 'ffmpeg',
      version: /"binary-release-tag": "b([\d.]+)"/.exec(manifest)?.[1],
      kind: 'program',
      licence: 'GPL-3.0-or-later',
      texts: [...kept('GPL-3.0.txt', 'source-ffmpeg.txt'), ...texts.filter(({ title }) => IS_OF_PROGRAM.test(title))],
      source: 'https://ffmpeg.org/releases/',
    }),
  ],
});

/** @param root folder with node_modules */
export const knownOf =
  (root: string) =>
  (found: Found): Known => {
    const folder = join(root, found.folder);
    const read = (file: string) => readFileSync(join(folder, file), 'utf8');
    switch (found.name) {
      case 'drizzle-orm':
        return { texts: kept('drizzle-orm.txt') };
      case 'fontkit':
      case 'dfa':
        return { texts: kept('devon-govett.txt') };
      case 'pg-types':
        return { texts: kept('pg-types.txt') };
      case 'pgpass':
        return { texts: kept('pgpass.txt') };
      case 'png-js':
        return { licence: 'MIT' };
      // The files of this package state that they are a port of Google's decoder, so Google's licence applies, too.
      case 'brotli':
        return {
          licence: 'MIT AND Apache-2.0',
          note: 'Its decoder: Copyright 2013 Google Inc.',
          texts: kept('devon-govett.txt', 'Apache-2.0.txt'),
        };
      case '@nodable/entities':
        return { texts: kept('nodable-entities.txt') };
      // Only a helper of each tool is in the output. Their licence texts also list everything that the tools themselves
      // contain.
      case 'vite':
        return { upTo: '# Licenses of bundled dependencies' };
      case '@fontsource-variable/inter':
        return { note: 'Inter, the letters of the window and of the screens’ own pages.' };
      case '@fontsource-variable/bitter':
      case '@fontsource-variable/caveat':
      case '@fontsource-variable/fraunces':
      case '@fontsource-variable/nunito':
      case '@fontsource-variable/oswald':
        return { note: 'A font for the designs of a shop.' };
      case 'twemoji-colr-font':
        return {
          licence: 'OFL-1.1 AND CC-BY-4.0',
          note: 'Drawings: Twemoji, © Twitter, Inc and other contributors, CC-BY 4.0; as a font they are unchanged.',
        };
      case 'better-sqlite3':
        return {
          contains: [
            other({
              name: 'SQLite',
              version: SQLITE.exec(read('deps/sqlite3/sqlite3.h'))?.[1],
              licence: 'blessing',
              texts: kept('sqlite.txt'),
              source: 'https://sqlite.org/src',
            }),
          ],
        };
      case 'argon2':
        return {
          texts: found.texts.filter(({ title }) => title === 'LICENSE'),
          contains: [
            other({
              name: 'Argon2',
              licence: 'CC0-1.0 OR Apache-2.0',
              texts: [{ title: 'argon2/LICENSE', text: read('argon2/LICENSE') }],
              source: 'https://github.com/P-H-C/phc-winner-argon2',
            }),
          ],
        };
      case 'pdfjs-dist':
        return pdf(found);
      case 'node':
        return NODE(found);
      case 'electron':
        return ELECTRON;
      case 'ffmpeg-static':
        return ffmpeg(found, read('package.json'));
    }
    if (/LGPL/.test(found.licence ?? ''))
      return {
        kind: 'library',
        ...(found.name.startsWith('@img/sharp-libvips-') && {
          texts: [
            ...kept('LGPL-3.0.txt', 'GPL-3.0.txt', 'source-libvips.txt'),
            { title: 'README.md', text: read('README.md') },
          ],
        }),
        contains: existsSync(join(folder, 'versions.json'))
          ? librariesOf(read('README.md'), JSON.parse(read('versions.json')) as Record<string, string>)
          : [nameless],
      };
    return {};
  };
