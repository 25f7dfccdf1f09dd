/**
 * All included software has its licence notice. Tests the rules with fake packages, then the real programs and pages,
 * bundled as in a package.
 */
import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { build } from 'vite';
import { LicenceList } from '../../shared/protocol/releases/licences.ts';
import { objectionTo, parseExpression, requiresSource } from './accepted.ts';
import { collect, type Found, type Part } from './collect.ts';
import { LIST, listIn, packageOf, packagesInside } from './inside.ts';
import { installed } from './installed.ts';
import { knownOf, librariesOf } from './known.ts';
import { listOf, readable } from './notices.ts';
import { SBOM } from './sbom.rules.ts';
import { sbomOf } from './sbom.ts';
import { NoticeMissing, writeLicences } from './write.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const OWN = {
  name: 'vitrine',
  version: '1.2.3',
  licence: 'MIT',
  text: 'MIT License\n\nCopyright (c) The Vitrine authors',
};

const folderOf = (t: TestContext): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vitrine-')));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
const found = (more: Partial<Found> = {}): Found => ({
  folder: 'node_modules/kind',
  name: 'kind',
  version: '1.0.0',
  licence: 'MIT',
  texts: [{ title: 'LICENSE', text: 'Copyright (c) Kind' }],
  source: 'https://example.org/kind',
  integrity: undefined,
  needs: [],
  ...more,
});
const problemsOf = (more: Partial<Found>, known = {}) => collect([found(more)], () => known).problems;

test('SPDX expression is accepted if its licences are accepted, and reported otherwise', () => {
  assert.deepEqual(parseExpression('MIT OR (Apache-2.0 AND ISC)'), {
    op: 'OR',
    terms: [{ id: 'MIT' }, { op: 'AND', terms: [{ id: 'Apache-2.0' }, { id: 'ISC' }] }],
  });
  for (const licence of ['MIT', '(MIT OR GPL-2.0-only)', 'MIT AND ISC', 'AGPL-3.0-only OR BSD-3-Clause'])
    assert.equal(objectionTo(licence, 'kind'), undefined, licence);
  for (const licence of [
    'GPL-3.0-or-later',
    'LGPL-3.0-or-later',
    'AGPL-3.0-only',
    'MIT AND GPL-2.0-only',
    'CC-BY-NC-4.0',
    'UNLICENSED',
    'BUSL-1.1',
  ])
    assert.match(objectionTo(licence, 'kind')!, /does not accept/, licence);
  for (const licence of ['SEE LICENSE IN LICENSE.md', 'MIT OR', '(MIT', 'MIT/X11', 'MIT, ISC', ''])
    assert.match(objectionTo(licence, 'kind')!, /no expression of SPDX/, licence);
  assert.equal(
    objectionTo('LGPL-3.0-or-later', '@img/sharp-libvips-linux-x64'),
    undefined,
    'a library of its own that anybody may exchange',
  );
  assert.equal(objectionTo('GPL-3.0-or-later', 'ffmpeg'), undefined);
  assert.deepEqual([requiresSource('MIT AND MPL-2.0'), requiresSource('MIT')], [true, false]);
});

test('a package without text, without licence, or with an undecided licence is reported', () => {
  assert.deepEqual(problemsOf({}), []);
  assert.match(problemsOf({ texts: [] })[0]!, /^kind 1\.0\.0 brings no licence text/);
  assert.match(problemsOf({ texts: [{ title: 'LICENSE', text: ' \n' }] })[0]!, /brings no licence text/);
  assert.match(problemsOf({ licence: undefined })[0]!, /^kind 1\.0\.0 does not say its licence/);
  assert.match(problemsOf({ licence: 'AGPL-3.0-only' })[0]!, /^kind 1\.0\.0 is under AGPL-3\.0-only/);
  assert.match(problemsOf({ licence: 'MPL-2.0', source: undefined })[0]!, /nothing says where its source is/);
  assert.match(
    problemsOf({}, { version: '0.9.0' })[0]!,
    /looked up for 0\.9\.0/,
    'what was kept by hand is of another version',
  );
  const inner = { ...collect([found({ name: 'inner' })], () => ({})).parts[0]!, texts: [], purl: 'pkg:generic/inner' };
  assert.match(
    problemsOf({}, { contains: [inner] })[0]!,
    /^inner 1\.0\.0 brings no licence text/,
    'what is within a package too',
  );
});

test('the statements of installed packages are read, including old forms', (t) => {
  const root = folderOf(t);
  const put = (folder: string, manifest: object, files: Record<string, string> = {}) => {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, 'package.json'), JSON.stringify(manifest));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, folder, name)), { recursive: true });
      writeFileSync(join(root, folder, name), text);
    }
  };
  put(
    'node_modules/old',
    { name: 'old', version: '1.0.0', licenses: [{ type: 'MIT' }], repository: 'a/old' },
    { 'LICENSE-MIT': 'x', 'lib/license.js': 'no', 'wasm/LICENSE_X': 'y', 'test/LICENSE': 'no' },
  );
  put(
    'node_modules/@a/b',
    { name: '@a/b', version: '2.0.0', license: 'ISC', repository: { url: 'git+ssh://git@github.com/a/b.git' } },
    { 'license.md': 'z', 'dist/node_modules/within/index.js': '' },
  );
  const [old, other] = installed(
    root,
    ['node_modules/old', 'node_modules/@a/b', 'node_modules/@a/b/dist/node_modules/within'],
    {
      'node_modules/old': { integrity: 'sha512-AAAA' },
    },
  );
  assert.deepEqual(
    [old!.licence, old!.source, old!.integrity, old!.texts.map(({ title }) => title)],
    ['MIT', 'https://github.com/a/old', 'sha512-AAAA', ['LICENSE-MIT', 'wasm/LICENSE_X']],
  );
  assert.deepEqual([other!.name, other!.licence, other!.source], ['@a/b', 'ISC', 'https://github.com/a/b']);
  assert.equal(
    installed(root, ['node_modules/@a/b/dist/node_modules/within'], {})[0]!.name,
    '@a/b',
    'what a package has swallowed is its own',
  );
  assert.throws(() => installed(root, ['node_modules/none'], {}), /node_modules\/none has no package\.json/);
});

test('licence and README beside ffmpeg are included, also with the Windows names ffmpeg.exe.LICENSE and .README', (t) => {
  for (const name of ['ffmpeg', 'ffmpeg.exe']) {
    const root = folderOf(t);
    const folder = join(root, 'node_modules/ffmpeg-static');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'package.json'),
      '{"name":"ffmpeg-static","version":"5.3.0","license":"GPL-3.0-or-later","repository":"a/b","ffmpeg-static":{"binary-release-tag": "b6.1.1"}}',
    );
    for (const [file, text] of [
      ['LICENSE', 'GPL'],
      [`${name}.README`, 'built with x264'],
      [`${name}.LICENSE`, 'GPL of the program'],
      [name, 'a program'],
    ] as const)
      writeFileSync(join(folder, file), text);
    const { parts, problems } = collect(installed(root, ['node_modules/ffmpeg-static'], {}), knownOf(root));
    assert.deepEqual(problems, []);
    const [program, itsPackage] = parts;
    assert.deepEqual(
      [program!.name, program!.version, program!.texts.map(({ title }) => title)],
      ['ffmpeg', '6.1.1', ['GPL-3.0.txt', 'source-ffmpeg.txt', `${name}.LICENSE`, `${name}.README`]],
    );
    assert.deepEqual(
      itsPackage!.texts.map(({ text }) => text),
      ['GPL'],
    );
  }
});

test('libraries in libvips are read from its package, and unknown terms or a missing licence text is reported', () => {
  const table = (rows: string) => `| Library | Used under the terms of |\n|---|---|\n${rows}`;
  const [vips, hdr] = librariesOf(table('| libvips | LGPLv3 |\n| libultrahdr | MIT Licence |\n'), {
    vips: '8.1',
    uhdr: '2.0',
  });
  assert.deepEqual(
    [vips!.version, vips!.licence, vips!.texts.length, hdr!.version, hdr!.texts.length],
    ['8.1', 'LGPL-3.0-or-later', 3, '2.0', 1],
  );
  const strangers = collect([found()], () => ({
    contains: librariesOf(table('| libnew | MIT License |\n| cgif | Its own terms |\n'), { new: '1', cgif: '2' }),
  })).problems;
  assert.equal(strangers.length, 2);
  assert.match(
    collect([found()], () => ({ contains: librariesOf('No table', {}) })).problems[0]!,
    /^What is within libvips does not say its licence/,
  );
  assert.match(strangers.join(), /cgif 2 says of its licence "Its own terms".*libnew 1 brings no licence text/);
});

test('module belongs to the package whose folder contains the module', () => {
  const of = (id: string) => packageOf(id, '/r');
  assert.equal(of('/r/node_modules/a/index.js'), 'node_modules/a');
  assert.equal(of('\0/r/node_modules/@s/b/x/y.js?commonjs-proxy'), 'node_modules/@s/b');
  assert.equal(of('/r/node_modules/a/node_modules/@s/c/x.js'), 'node_modules/a/node_modules/@s/c');
  assert.equal(packageOf('C:\\r\\node_modules\\a\\x.js', 'C:\\r'), 'node_modules/a');
  assert.equal(of('\0vite/preload-helper.js'), 'node_modules/vite');
  assert.equal(of('\0rolldown/runtime.js'), 'node_modules/rolldown');
  assert.equal(of('/r/server/main.ts'), undefined);
});

const part = (name: string, more: Partial<Part> = {}): Part => ({
  ...collect([found({ name })], () => ({})).parts[0]!,
  ...more,
});

test('notices list every part, and contain each licence text once', () => {
  const list = listOf(OWN, [
    part('a'),
    part('b'),
    part('Fonts', {
      kind: 'font',
      version: undefined,
      texts: [{ title: 'x', text: 'Other words\r\n' }],
      note: 'As they are.',
    }),
  ]);
  assert.deepEqual(LicenceList.parse(list), list);
  assert.equal(Object.keys(list.texts).length, 2);
  const text = readable(list);
  assert.match(text, /^Vitrine 1\.2\.3\n\nMIT License/);
  assert.match(text, /Fonts {2}\(MIT\)\n {4}As they are\./);
  assert.match(text, /a 1\.0\.0\nb 1\.0\.0\n-+\n\nCopyright \(c\) Kind\n/);
  assert.equal(text.match(/Copyright \(c\) Kind/g)!.length, 1);
});

test('bill of materials follows CycloneDX 1.6, and the same packages give the same bytes', () => {
  const parts = [
    part('@a/b', {
      purl: 'pkg:npm/%40a/b@1.0.0',
      integrity: `sha512-${Buffer.alloc(64, 7).toString('base64')}`,
      needs: ['c', 'none'],
    }),
    part('c', { purl: 'pkg:npm/c@1.0.0', licence: 'MIT OR ISC', source: undefined }),
    part('Font', {
      purl: 'pkg:generic/font',
      version: undefined,
      kind: 'font',
      licence: 'LicenseRef-Liberation',
      note: 'A font',
    }),
    part('odd', { purl: 'pkg:npm/odd@1.0.0', licence: 'See the file' }),
  ];
  const sbom = SBOM.parse(sbomOf(OWN, parts));
  assert.deepEqual(sbomOf(OWN, parts), sbomOf(OWN, parts));
  assert.notEqual(sbomOf(OWN, parts.slice(1)).serialNumber, sbom.serialNumber);
  assert.deepEqual(sbom.components[0]!.hashes, [{ alg: 'SHA-512', content: '07'.repeat(64) }]);
  assert.deepEqual(sbom.dependencies, [
    { ref: 'pkg:npm/vitrine@1.2.3', dependsOn: ['pkg:npm/%40a/b@1.0.0', 'pkg:generic/font', 'pkg:npm/odd@1.0.0'] },
    { ref: 'pkg:npm/%40a/b@1.0.0', dependsOn: ['pkg:npm/c@1.0.0'] },
  ]);
  assert.equal(
    SBOM.safeParse({ ...sbom, components: [sbom.components[0], sbom.components[0]] }).success,
    false,
    'the rules find what is wrong',
  );
});

/** Imports packaging code in plain JavaScript. */
const plain = async <T>(file: string): Promise<T> => (await import(new URL(file, import.meta.url).href)) as T;

/** Bundles the programs as build/package.mjs does, without Electron's part. */
const packed = async (t: TestContext): Promise<string> => {
  const app = join(folderOf(t), 'app');
  const { ensureBuilt } = await plain<{ ensureBuilt: (node: string) => Promise<void> }>('../ensure-built.mjs');
  const { bundlePrograms } = await plain<{ bundlePrograms: (folder: string) => Promise<void> }>('../bundle.mjs');
  await ensureBuilt(process.execPath);
  await bundlePrograms(join(app, 'dist', 'programs'));
  for (const pages of ['admin', 'player', 'screen'])
    cpSync(join(ROOT, 'dist', pages), join(app, 'dist', pages), {
      recursive: true,
      filter: (path) => !/\.(js|br|gz)$|[\\/]pdf$/.test(path),
    });
  const packages = [
    'argon2',
    'better-sqlite3',
    'ffmpeg-static',
    'sharp',
    'systeminformation',
    ...['bitter', 'caveat', 'fraunces', 'inter', 'nunito', 'oswald'].map((font) => `@fontsource-variable/${font}`),
    'twemoji-colr-font',
  ];
  for (const folder of [...packages, ...globSync('@img/*', { cwd: join(ROOT, 'node_modules') })].map((name) =>
    join('node_modules', name),
  )) {
    if (!existsSync(join(ROOT, folder, 'package.json'))) continue;
    mkdirSync(join(app, folder), { recursive: true });
    cpSync(join(ROOT, folder, 'package.json'), join(app, folder, 'package.json'));
  }
  return app;
};

test('everything in the programs and pages of this checkout has its licence notice', async (t) => {
  const app = await packed(t);
  // These packages are included through style sheets instead of imports.
  for (const name of ['@fontsource-variable/inter', 'twemoji-colr-font', 'pdfjs-dist'])
    assert.ok(listIn(join(app, 'dist/screen')).includes(`node_modules/${name}`), name);
  writeLicences(ROOT, app);
  const text = readFileSync(join(app, 'licences.txt'), 'utf8');
  const list = LicenceList.parse(
    JSON.parse(brotliDecompressSync(readFileSync(join(app, 'dist/admin/licences.json.br'))).toString()),
  );
  const sbom = SBOM.parse(JSON.parse(readFileSync(join(app, 'sbom.cdx.json'), 'utf8')));
  assert.deepEqual(sbom.components.length, list.parts.length);
  assert.match(readFileSync(join(app, 'LICENSE'), 'utf8'), /^MIT License/);
  const inside = new Set(list.parts.map(({ name }) => name));
  for (const name of [
    'express',
    'react',
    'vite',
    'rolldown',
    'pdfjs-dist',
    'Liberation Sans',
    '@fontsource-variable/inter',
    '@fontsource-variable/caveat',
    'twemoji-colr-font',
    'better-sqlite3',
    'SQLite',
    'Argon2',
    'node',
    'electron',
    'Chromium',
  ])
    assert.ok(inside.has(name), name);
  if (existsSync(join(ROOT, 'node_modules/ffmpeg-static')))
    assert.match(text, /ffmpeg 6\.1\.1 {2}\(GPL-3\.0-or-later\)[\s\S]+https:\/\/ffmpeg\.org\/releases/);
  assert.match(
    text,
    /libvips 8\.\d+\.\d+ {2}\(LGPL-3\.0-or-later\)[\s\S]+Whoever gives you this program also owes you that source/,
  );
  for (const name of ['typescript', 'playwright', 'fast-check', '@biomejs/biome'])
    assert.ok(!inside.has(name), `${name} is in no package`);
  assert.deepEqual(globSync(`**/${LIST}`, { cwd: app }), [], 'the lists have done their work');
  const missing = list.parts.filter(({ texts }) => texts.length === 0 || texts.some((key) => !list.texts[key]));
  assert.deepEqual(missing, []);
});

test('software without a notice or with an undecided licence is not packaged', async (t) => {
  const root = folderOf(t);
  const put = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  for (const name of ['node', 'electron'])
    cpSync(join(ROOT, 'node_modules', name, 'package.json'), join(root, 'node_modules', name, 'package.json'));
  put('node_modules/electron/LICENSE', 'MIT');
  put('package.json', '{"name":"vitrine","version":"1.0.0","license":"MIT"}');
  put('LICENSE', 'MIT License');
  put('package-lock.json', '{"packages":{}}');
  put('node_modules/bare/package.json', '{"name":"bare","version":"1.0.0","license":"MIT","main":"index.js"}');
  put('node_modules/bare/index.js', 'export const bare = () => console.log("bare");');
  put(
    'node_modules/strict/package.json',
    '{"name":"strict","version":"2.0.0","license":"AGPL-3.0-only","main":"index.js"}',
  );
  put('node_modules/strict/LICENSE', 'GNU AFFERO …');
  put('node_modules/strict/index.js', 'export const strict = () => console.log("strict");');
  put('node_modules/unused/package.json', '{"name":"unused","version":"3.0.0","main":"index.js"}');
  put('node_modules/unused/index.js', 'export const unused = 1;');
  put('node_modules/lettered/package.json', '{"name":"lettered","version":"4.0.0","license":"ISC"}');
  put('node_modules/lettered/letters.woff2', 'letters '.repeat(1000));
  put('node_modules/lettered/LICENSE', 'Copyright (c) Lettered');
  put('main.css', '@font-face { font-family: a; src: url("lettered/letters.woff2"); }');
  put(
    'main.js',
    'import "./main.css"; import { bare } from "bare"; import { strict } from "strict"; bare(); strict();',
  );
  const app = join(root, 'app');
  const built = () =>
    build({
      root,
      configFile: false,
      logLevel: 'error',
      plugins: [packagesInside(root)],
      build: { outDir: join(app, 'bundle'), rolldownOptions: { input: join(root, 'main.js') } },
    });
  await built();
  assert.deepEqual(
    listIn(join(app, 'bundle')).filter((folder) => !/vite|rolldown/.test(folder)),
    ['node_modules/bare', 'node_modules/lettered', 'node_modules/strict'],
  );
  assert.throws(
    () => writeLicences(root, app),
    (error: Error) =>
      error instanceof NoticeMissing &&
      /bare 1\.0\.0 brings no licence text/.test(error.message) &&
      /strict 2\.0\.0 is under AGPL-3\.0-only/.test(error.message) &&
      !/unused/.test(error.message),
  );
  assert.equal(existsSync(join(app, 'licences.txt')), false);
  put('node_modules/bare/LICENSE', 'Copyright (c) Bare');
  put('node_modules/strict/package.json', '{"name":"strict","version":"2.0.0","license":"ISC","main":"index.js"}');
  writeLicences(root, app);
  assert.match(readFileSync(join(app, 'licences.txt'), 'utf8'), /Copyright \(c\) Bare/);
  put('app/node_modules/unused/package.json', '{"name":"unused"}');
  await built();
  assert.throws(
    () => writeLicences(root, app),
    /unused 3\.0\.0 does not say its licence/,
    'what lies there as a package as well',
  );
  rmSync(join(app, 'bundle'), { recursive: true });
  assert.throws(() => writeLicences(root, app), /says what was bundled/);
});

test('each stored licence text is used, and drizzle-orm and @nodable/entities have no text of their own', () => {
  const texts = globSync('**/*.txt', { cwd: join(import.meta.dirname, 'texts') }).map((file) =>
    file.replaceAll('\\', '/'),
  );
  const source = readFileSync(join(import.meta.dirname, 'known.ts'), 'utf8');
  const libvips = new Set(
    globSync('@img/sharp-libvips-*/versions.json', { cwd: join(ROOT, 'node_modules') })
      .flatMap((file) => Object.keys(JSON.parse(readFileSync(join(ROOT, 'node_modules', file), 'utf8'))))
      .concat('nsgif'),
  );
  const unused = texts.filter(
    (file) =>
      !source.includes(`'${file}'`) &&
      !(
        dirname(file) === 'libvips' &&
        (libvips.size === 1 || libvips.has(basename(file, '.txt').replace(/-MPL-1\.1$/, '')))
      ),
  );
  assert.deepEqual(unused, []);
  const known = knownOf(ROOT);
  for (const name of ['drizzle-orm', '@nodable/entities']) {
    const [one] = installed(ROOT, [`node_modules/${name}`]);
    assert.ok(known(one!).texts && one!.texts.length === 0, name);
  }
});

test('our own folders contain no third-party files', () => {
  const files = globSync(
    '{admin-ui,build,player,server,shared,test}/**/*.{woff,woff2,ttf,otf,pfb,wasm,mp4,webm,mp3,bin,node,exe,dll,png,jpg,gif,svg,min.js}',
    { cwd: ROOT },
  ).map((file) => file.replaceAll('\\', '/'));
  // Our drawings are allowed. Anything else has a licence and needs an entry in known.ts.
  assert.deepEqual(files.filter((file) => !/^admin-ui\/drawings\/[\w-]+\.svg$/.test(file)).sort(), [
    'admin-ui/public/favicon.svg',
    'build/icons/icon.png',
    'build/icons/icon.svg',
    'build/icons/tray.png',
    'build/pictures/vitrine-dark.png',
    'build/pictures/vitrine.png',
  ]);
});
