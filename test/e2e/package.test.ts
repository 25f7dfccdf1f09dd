/**
 * Finds files that are missing in the package: the package is built with a stand-in for Electron, and its programs run
 * the main tasks with the packaged Node.
 */
// Suite: window
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { faultsIn } from '../../build/packaging/binaries.ts';
import { CannotPackage } from '../../build/packaging/options.ts';
import { requireOneMachine, requireWhole } from '../../build/packaging/parts.ts';
import { releaseKeysIn } from '../../shared/protocol/releases/release-signature.ts';
import { tempFolder } from '../harness.ts';
import { newPublisher } from '../publisher.ts';
import { STAND_IN, standInEnv } from '../try/stand-in.ts';
import { type Step, walk } from '../try/walk.ts';
import { type PackedApp, packedApp, packedUpdate } from './hosts/packed-app.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
const skip = process.platform !== 'linux' && 'the stand-in for Electron is one for Linux';
/** Files of the package that are started or read by their path, so that no import names them. */
const PROGRAMS = [
  'server/main.js',
  'server/cli/main.js',
  'dist/programs/server-media-media-worker.js',
  'player/main.js',
  'player/launcher.js',
  'build/windows-service.js',
  'vitrine',
  'package.json',
];
const NOTICES = ['LICENSE', 'licences.txt', 'sbom.cdx.json', 'dist/admin/licences.json'];
const PAGES = ['dist/admin/index.html', 'dist/pages/clock.js', 'dist/player/index.html', 'dist/screen/index.html'];

/**
 * A stub of Electron for the desktop code until it opens a window: the imported names, and the few functions of `app`
 * that it calls.
 */
const electronIn = (desktop: string) => {
  const folder = join(desktop, 'node_modules', 'electron');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"electron","type":"module","main":"index.js"}');
  const code = globSync('dist/programs/*.js', { cwd: desktop }).map((file) =>
    readFileSync(join(desktop, file), 'utf8'),
  );
  const names = new Set(
    code.flatMap((text) =>
      [...text.matchAll(/import\s*\{([^}]*)\}\s*from\s*["'`]electron["'`]/g)].flatMap((match) =>
        match[1]!.split(',').map((name) => name.trim().split(' ')[0]!),
      ),
    ),
  );
  const app =
    '{ isPackaged: false, getPath: () => process.cwd(), getVersion: () => "0.0.0", commandLine: { appendSwitch: () => {} }, exit: (code) => process.exit(code) }';
  writeFileSync(
    join(folder, 'index.js'),
    [...names].map((name) => `export const ${name} = ${name === 'app' ? app : '{}'};\n`).join(''),
  );
};

const IMPORTED =
  /(?:^|[;}])\s*(?:import|export)\s*(?:[\w$*{}\s,]+?\s*from\s*)?["']([^"'.][^"']*)["']|\bimport\(\s*["']([^"'.][^"']*)["']/g;

/** Changes a file of the package, returns the error message of the check, and undoes the change. */
const refusal = async (app: PackedApp, file: string, change: (path: string) => void): Promise<string> => {
  const path = join(app.folder, file);
  const aside = `${app.folder}.aside`;
  const wasThere = existsSync(path);
  if (wasThere) renameSync(path, aside);
  change(path);
  try {
    requireOneMachine(app.folder, process);
    await requireWhole({ ...app, ffmpeg: file.includes('ffmpeg') ? path : null, packages: ['systeminformation'] });
    return 'nothing';
  } catch (error) {
    assert.ok(error instanceof CannotPackage, String(error));
    assert.equal(error.message.split('\n').length, 1);
    return error.message;
  } finally {
    rmSync(path, { recursive: true, force: true });
    if (wasThere) renameSync(aside, path);
  }
};

test('package is built for this machine', { timeout: 400_000, skip }, async (t) => {
  const publisher = newPublisher();
  const options = { releaseKey: publisher.pem, windows: STAND_IN };
  const app = await packedApp(tempFolder(t), options);
  const within = (file: string) => join(app.programs, file);

  await t.test("Electron's archive contains only the desktop code, and Node and the programs lie beside it", () => {
    assert.deepEqual(
      readdirSync(app.resources).toSorted(),
      ['app.asar', 'node', 'vitrine'],
      'nothing unpacked, nothing for updaters',
    );
    assert.deepEqual(readdirSync(app.desktop).toSorted(), ['dist', 'icons', 'package.json']);
    assert.ok(existsSync(join(app.desktop, 'icons/tray.png')));
    const code = globSync('**/*.js', { cwd: app.desktop }).map((file) => readFileSync(join(app.desktop, file), 'utf8'));
    const imported = new Set(
      code
        .flatMap((text) => [...text.matchAll(IMPORTED)].map((match) => match[1] ?? match[2]!))
        .filter((name) => !name.startsWith('node:')),
    );
    assert.deepEqual(
      [...imported].filter((name) => !isBuiltin(name)),
      ['electron'],
    );
    accessSync(app.node, constants.X_OK);
    assert.deepEqual(
      [...PROGRAMS, ...NOTICES, ...PAGES].filter((file) => !existsSync(within(file))),
      [],
    );
    for (const manifest of [within('package.json'), join(app.desktop, 'package.json')])
      assert.deepEqual(releaseKeysIn(JSON.parse(readFileSync(manifest, 'utf8'))), [publisher.publicKey], manifest);
  });

  await t.test('package contains only files for this machine, and no files for building or testing', () => {
    assert.deepEqual(faultsIn(app.folder, process), []);
    assert.equal(globSync('node_modules/{argon2,better-sqlite3}/prebuilds/**/*.node', { cwd: app.programs }).length, 2);
    const building = globSync(
      ['**/*.{ts,tsx}', '**/*.test.*', 'node_modules/{electron,vite,react,typescript,playwright}/**'],
      { cwd: app.programs },
    );
    assert.deepEqual(building, []);
    assert.match(app.said, /without ffmpeg/);
  });

  await t.test('check refuses missing, foreign, damaged and unpacked files with a message', async () => {
    const sqlite = dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json'));
    const modules = 'resources/vitrine/node_modules';
    const take = () => {};
    const cases: readonly (readonly [string, (path: string) => void, RegExp])[] = [
      ...PAGES.map((page) => [`resources/vitrine/${page}`, take, /lacks the page .* npm run build/] as const),
      [`${modules}/argon2/prebuilds`, take, /argon2 does not run .*No native build/],
      [`${modules}/better-sqlite3/prebuilds`, take, /better-sqlite3 does not run/],
      [`${modules}/@img`, take, /sharp does not run/],
      // Puts the module into a folder outside of the package in which Node would find it, as in a source checkout.
      [
        `${modules}/@phc`,
        () => cpSync(`${app.folder}.aside`, join(app.resources, 'node_modules/@phc'), { recursive: true }),
        /argon2 does not run .*@phc\/format is not in the package/,
      ],
      [`${modules}/systeminformation`, take, /lacks node_modules\/systeminformation: npm ci/],
      ['resources/node/node', take, /Node does not run/],
      ['resources/node/node', (path) => writeFileSync(path, ''), /Node does not run/],
      ['resources/vitrine/dist/programs', take, /server\/main\.js does not run/],
      [
        `${modules}/foreign.node`,
        (path) => copyFileSync(join(sqlite, 'prebuilds/win32-x64.node'), path),
        /foreign\.node is for win32-x64/,
      ],
      [
        `${modules}/muslc.node`,
        (path) => copyFileSync(join(sqlite, `prebuilds/linuxmusl-${process.arch}.node`), path),
        /muslc\.node is for linux-\w+ \(musl\)/,
      ],
      ['libcut.so.1', (path) => writeFileSync(path, ''), /libcut\.so\.1 is no program/],
      ['resources/vitrine/ffmpeg', take, /ffmpeg does not run .*--ffmpeg FILE/],
    ];
    for (const [file, change, expected] of cases) assert.match(await refusal(app, file, change), expected, file);
    rmSync(join(app.resources, 'node_modules'), { recursive: true });
    assert.equal(await refusal(app, 'nothing-of-the-kind', take), 'nothing');
  });

  await t.test('packaged commands run with the packaged Node from any folder and with an empty PATH', async () => {
    const bin = tempFolder(t);
    symlinkSync(within('vitrine'), join(bin, 'vitrine'));
    const options = { cwd: '/', env: { PATH: '/usr/bin:/bin', HOME: bin } };
    const { stdout } = await run(join(bin, 'vitrine'), ['--help'], options);
    assert.match(stdout, /vitrine <command>/);
    const doctor = await run(
      join(bin, 'vitrine'),
      ['doctor', '--json', '--data', join(bin, 'no-such-folder')],
      options,
    ).catch((error: { stdout: string }) => error);
    assert.ok(JSON.parse(doctor.stdout));
  });

  await t.test('the part of the package that runs in Electron can be loaded', async () => {
    electronIn(app.desktop);
    const where = `data:text/javascript,process.resourcesPath=${encodeURIComponent(JSON.stringify(app.resources))}`;
    const desktop = { cwd: app.desktop };
    const doctor = await run(
      app.node,
      [
        '--import',
        where,
        'dist/programs/build-desktop-main.js',
        'doctor',
        '--json',
        '--data',
        join(app.folder, 'no-such-folder'),
      ],
      desktop,
    ).catch((error: { stdout: string }) => error);
    assert.ok(JSON.parse(doctor.stdout), 'and hands commands on to the Node beside it');
    const parts = globSync('dist/programs/*.js', desktop).filter((file) => !file.includes('build-desktop-main'));
    await run(app.node, ['--input-type=module', '-e', parts.map((file) => `import './${file}';`).join('\n')], desktop);
  });

  await t.test('no program imports node:http, which makes Node load undici', () => {
    const folder = join(app.programs, 'dist/programs');
    const importing = readdirSync(folder).filter(
      (file) => file.endsWith('.js') && /\bfrom\s*["']node:http["']/.test(readFileSync(join(folder, file), 'utf8')),
    );
    assert.deepEqual(importing, []);
  });

  await t.test('packaged server and screen do the work of a store, including an update', async (t) => {
    const version = '99.0.0';
    const [work, file] = [tempFolder(t), await packedUpdate(tempFolder(t), { ...options, version })];
    const updates = join(work, 'updates');
    const step: Step = async (what, take) => {
      const done: Awaited<ReturnType<typeof take>>[] = [];
      await t.test(what, async () => void done.push(await take()));
      assert.equal(done.length, 1, what);
      return done[0]!;
    };
    await walk(
      t,
      { app, next: { version, file }, work, options: [`--updates=${updates}`], env: standInEnv(work), updates },
      step,
    );
  });
});

test('packaging refuses wrong options with a message and an exit code', { timeout: 120_000 }, (t) => {
  const out = tempFolder(t);
  const npmRunPackage = (...args: readonly string[]) => {
    const { status, stderr } = spawnSync(process.execPath, ['build/package.mjs', '--dir', ...args], {
      cwd: ROOT,
      encoding: 'utf8',
      // The address of a package registry without a server: npm cannot fetch anything that is missing.
      env: {
        ...process.env,
        VITRINE_RELEASE_KEY: '',
        FFMPEG_BINARIES_URL: 'http://127.0.0.1:9',
        ELECTRON_MIRROR: 'http://127.0.0.1:9/',
        VITRINE_PACKAGE_OUTPUT: out,
      },
    });
    assert.equal(status, 1, stderr);
    assert.doesNotMatch(stderr, /^ +at /m);
    return stderr.trimEnd();
  };
  const other = process.arch === 'x64' ? 'arm64' : 'x64';
  assert.match(
    npmRunPackage('--arch', other),
    new RegExp(`built on a machine of that architecture: package ${other} on one that is ${other}\\.$`),
  );
  assert.match(npmRunPackage('--relase-key', 'x'), /--relase-key.*--help/);
  assert.match(
    npmRunPackage('--ffmpeg', join(ROOT, 'no-such-file')),
    /no such file\. Give one that is linked statically with --ffmpeg FILE, or do without/,
  );
  const hasOne = existsSync(join(ROOT, 'node_modules/ffmpeg-static/ffmpeg'));
  assert.match(
    npmRunPackage('--without-ffmpeg'),
    /^Electron [\d.]+ for \S+ could not be fetched \(.*\)\. This computer needs .*VITRINE_ELECTRON_DIST/m,
  );
  if (!hasOne) assert.match(npmRunPackage(), /There is no ffmpeg to pack.*--without-ffmpeg/);
});
