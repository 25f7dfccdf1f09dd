/** Tests updates with real files and real processes. A version is a script that behaves like a version. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import manifest from '../../package.json' with { type: 'json' };
import { unpackerOf } from '../../shared/desktop/unpacker.ts';
import {
  broken,
  choose,
  compareVersions,
  healthy,
  NOTHING_YET,
  optionsOf,
  staged,
  withOptions,
} from '../../shared/desktop/update-state.ts';
import { newPublisher } from '../../test/publisher.ts';
import { until } from '../../test/until.ts';
import { folderFor } from '../agent/testing/folder.ts';
import { sha256 } from '../core/testing/fakes.ts';
import { NAME, offerOf, releaseOf, updaterOf } from './testing/offers.ts';
import { unpack } from './unpack.ts';
import { UpdateFiles } from './update-files.ts';

const skip = process.platform === 'win32' && 'the versions of this test are shell scripts';

// Tests of the state of the versions.

test('prepared version is tried and stays in use once it is healthy, and the state names the previous version', () => {
  const first = choose(staged(NOTHING_YET, '2.0.0'), '1.0.0');
  assert.deepEqual([first.run, first.trial], ['2.0.0', true]);
  const settled = healthy(first.state, '2.0.0');
  assert.deepEqual([settled.current, settled.trial], ['2.0.0', null]);
  const next = healthy(choose(staged(settled, '3.0.0'), '1.0.0').state, '3.0.0');
  assert.deepEqual([next.current, next.previous], ['3.0.0', '2.0.0']);
  assert.equal(choose(next, '1.0.0').run, '3.0.0');
});

test('version on trial may start twice, and then the previous version runs and stays', () => {
  let { state } = choose(staged(NOTHING_YET, '2.0.0'), '1.0.0');
  ({ state } = choose(state, '1.0.0'));
  const third = choose(state, '1.0.0');
  assert.deepEqual(
    [third.run, third.trial, third.state.failed],
    [null, false, [{ version: '2.0.0', reason: 'the version did not start' }]],
  );
  assert.equal(choose(third.state, '1.0.0').run, null);
});

test('broken version that is in use is replaced by the previous version', () => {
  const state = { ...NOTHING_YET, current: '3.0.0', previous: '2.0.0' };
  assert.equal(choose(broken(state, '3.0.0', 'x'), '1.0.0').run, '2.0.0');
  assert.equal(choose(broken(broken(state, '3.0.0', 'x'), '2.0.0', 'x'), '1.0.0').run, null);
});

test('program that a person installs is used instead of an update, unless the installed program is older', () => {
  const state = { ...NOTHING_YET, current: '2.0.0' };
  assert.equal(choose(state, '1.9.9').run, '2.0.0');
  assert.equal(choose(state, '2.0.0').run, null);
  assert.equal(choose(state, '2.1.0').run, null);
});

test('version of this source code is newer than 0.1.0, which the first stores run', () => {
  assert.ok(compareVersions(manifest.version, '0.1.0') > 0);
});

test('versions are compared as numbers, and a pre-release is before its release', () => {
  const sorted = ['1.10.0', '1.2.0', '2.0.0-beta.10', '2.0.0', '2.0.0-beta.2'].toSorted(compareVersions);
  assert.deepEqual(sorted, ['1.2.0', '1.10.0', '2.0.0-beta.2', '2.0.0-beta.10', '2.0.0']);
});

const scene = (t: TestContext) => {
  const folder = join(folderFor(t), 'updates');
  mkdirSync(folder, { recursive: true });
  return { files: new UpdateFiles(folder) };
};

test('options that a version requests apply to this version only, and their number is limited', () => {
  const state = withOptions(NOTHING_YET, '1.0.0', ['--disable-gpu'])!;
  assert.deepEqual([optionsOf(state, '1.0.0'), optionsOf(state, '2.0.0')], [['--disable-gpu'], []]);
  assert.equal(withOptions(state, '1.0.0', ['--disable-gpu']), undefined, 'it has that already');
  assert.deepEqual(optionsOf(withOptions(state, '1.0.0', ['--x'])!, '1.0.0'), ['--disable-gpu', '--x']);
  assert.deepEqual(optionsOf(withOptions(state, '2.0.0', ['--x'])!, '2.0.0'), ['--x']);
  assert.equal(
    withOptions(
      state,
      '1.0.0',
      Array.from({ length: 8 }, (_, i) => `--x${i}`),
    ),
    undefined,
  );
});

// Tests of the installation of a version.

const shop = (t: TestContext, { version = '1.0.0', keys = 1 } = {}) => {
  const folder = folderFor(t);
  const bytes = releaseOf(folder, '2.0.0');
  const [publisher, before] = [newPublisher(), newPublisher()];
  const server = { bytes, offer: offerOf(publisher, bytes) as unknown, asked: [] as string[] };
  const offer = (change: object, more: object = {}) => {
    server.offer = offerOf(publisher, bytes, change, more);
  };
  const later: (() => void)[] = [];
  const after = (_ms: number, run: () => void) => {
    later.push(run);
    return () => {};
  };
  let restarts = 0;
  const another = () =>
    updaterOf(
      {
        folder: join(folder, 'updates'),
        version,
        keys: [before.publicKey, publisher.publicKey].slice(2 - keys),
        restart: () => restarts++,
      },
      (path) => {
        server.asked.push(path);
        return path.includes('offer') ? Buffer.from(JSON.stringify(server.offer)) : server.bytes;
      },
      after,
    );
  return {
    updater: another(),
    again: another,
    publisher,
    before,
    server,
    offer,
    folder,
    files: new UpdateFiles(join(folder, 'updates')),
    later,
    restarts: () => restarts,
  };
};

test('update command installs the offered version and restarts the program', { skip }, async (t) => {
  const { updater, files, later, restarts, server } = shop(t);
  assert.deepEqual(await updater.update('2.0.0'), { status: 'done' });
  assert.equal(execFileSync(files.program('2.0.0', 'linux')!, { encoding: 'utf8' }), '2.0.0\n');
  assert.deepEqual((await files.read()).trial, { version: '2.0.0', starts: 0 });
  assert.equal(restarts(), 0, 'the result goes out first');
  later.shift()!();
  assert.equal(restarts(), 1);
  assert.deepEqual(server.asked[0], '/api/updates/offer?platform=linux&arch=x64');
});

test('downloaded bytes that differ from the signed release are discarded', async (t) => {
  const { updater, server, files } = shop(t);
  const { bytes } = server;
  for (const other of [
    Buffer.from(bytes).fill(0, 10, 20),
    bytes.subarray(0, 20),
    Buffer.concat([bytes, Buffer.from('more')]),
    Buffer.alloc(0),
  ]) {
    server.bytes = other;
    assert.deepEqual(await updater.update(null), {
      status: 'failed',
      error: 'the new version did not arrive as a whole',
    });
    assert.deepEqual(
      [await files.read(), existsSync(files.versionFolder('2.0.0')), readdirSync(files.downloads)],
      [NOTHING_YET, false, []],
    );
  }
});

const UNSIGNED = /^version 2\.0\.0 is not as the publisher of this program has signed it$/;
const OTHER_FILE = /which screens do not start from$/;

/**
 * Offers that the publisher did not make. Each has the expected error, the changes to the file, and the changes to the
 * offer.
 */
type Forged = readonly [refusal: RegExp, change: (scene: ReturnType<typeof shop>) => object, more?: object];
const signedAs =
  (name: string, more: object): Forged[1] =>
  ({ publisher, server }) => ({
    name,
    ...more,
    signature: publisher.sign(name, server.bytes),
  });
const forged: Record<string, Forged> = {
  'no signature': [/^version 2\.0\.0 is not signed by its publisher$/, () => ({ signature: null })],
  'no word of a signature, as from a server before them': [/update\.file\.signature/, () => ({ signature: undefined })],
  'what is no signature': [/update\.file\.signature must be a signature/, () => ({ signature: 'x'.repeat(128) })],
  'an empty signature': [/update\.file\.signature must be a signature/, () => ({ signature: '' })],
  'a signature of noughts': [UNSIGNED, () => ({ signature: '0'.repeat(128) })],
  'the signature of another publisher': [
    UNSIGNED,
    ({ server }) => ({ signature: newPublisher().sign(NAME, server.bytes) }),
  ],
  ...Object.fromEntries(
    [
      { version: '1.9.0' },
      { platform: 'mac' as const },
      { arch: 'arm64' as const },
      { kind: 'AppImage' as const },
      { part: 'player' as const },
      { size: 7 },
      { sha256: 'a'.repeat(64) },
    ].map((other): [string, Forged] => [
      `the signature of another ${Object.keys(other)}`,
      [UNSIGNED, ({ server, publisher }) => ({ signature: publisher.sign(NAME, server.bytes, other) })],
    ]),
  ),
  'other bytes, said to be what was signed': [
    UNSIGNED,
    ({ server }) => {
      server.bytes = Buffer.from(server.bytes).fill(0, 10, 20);
      return { sha256: sha256(server.bytes) };
    },
  ],
  'a higher version, of a signed file': [/^version 9\.0\.0 is not as the publisher/, () => ({}), { version: '9.0.0' }],
  'a signed file for another system': [
    /for win x64, which is not this machine$/,
    signedAs('Vitrine-2.0.0-win-x64.zip', { platform: 'win', kind: 'zip' }),
  ],
  'a signed file for another architecture': [
    /for linux arm64, which is not this machine$/,
    signedAs('Vitrine-2.0.0-linux-arm64.tar.gz', { arch: 'arm64' }),
  ],
  'a signed installer': [OTHER_FILE, signedAs('Vitrine-2.0.0-linux-x64.deb', { kind: 'deb' })],
  'a signed server': [OTHER_FILE, signedAs('Vitrine-server-2.0.0-linux-x64.tar.gz', {})],
  'more than an offer can be': [/longer than an offer can be$/, () => ({ more: 'x'.repeat(100_000) })],
};

for (const [what, [refusal, change, more]] of Object.entries(forged)) {
  test(`updater refuses before any download: ${what}`, async (t) => {
    const scene = shop(t);
    scene.offer(change(scene), more);
    const before = readdirSync(scene.folder);
    const outcome = await scene.updater.update(null);
    assert.equal(outcome.status, 'failed');
    assert.match((outcome as { error: string }).error, refusal);
    assert.deepEqual(scene.server.asked, ['/api/updates/offer?platform=linux&arch=x64']);
    assert.deepEqual(
      [readdirSync(scene.folder), await scene.files.read(), scene.later.length],
      [before, NOTHING_YET, 0],
    );
  });
}

test('file that is signed with either of two trusted keys is accepted, so that a key can be replaced', {
  skip,
}, async (t) => {
  const { updater, offer, before, server } = shop(t, { keys: 2 });
  offer({ signature: before.sign(NAME, server.bytes) });
  assert.deepEqual(await updater.update(null), { status: 'done' });
});

test('development build refuses every update', async (t) => {
  const { updater, server, files } = shop(t, { keys: 0 });
  for (const version of [null, '2.0.0']) {
    const outcome = await updater.update(version);
    assert.equal(outcome.status, 'unsupported');
    assert.match((outcome as { error: string }).error, /development build, which no publisher has signed/);
  }
  assert.deepEqual([server.asked, existsSync(files.folder)], [[], false]);
  assert.ok(updater.refusal !== null, 'and does not claim to');
});

const PATHS = [
  '../../x',
  '..',
  '.',
  '',
  '1.0.0/../../etc',
  '1.0.0\\..\\x',
  '1.0.0\0',
  '2.0.0\n',
  'C:1.0.0',
  '1.0.0-..',
  `2.0.${'0'.repeat(10_000)}`,
  `2.0.0-${'a'.repeat(10_000)}`,
];
const HASHES = [
  '../../state.json',
  '..',
  '',
  `../${'a'.repeat(61)}`,
  'A'.repeat(64),
  'a'.repeat(63),
  `${'a'.repeat(64)}\0`,
  'a'.repeat(10_000),
];

test('offer whose version or hash could be a path is refused although it is signed', { skip }, async (t) => {
  const scene = shop(t);
  const { updater, publisher, server, folder, offer } = scene;
  mkdirSync(join(folder, 'updates'));
  writeFileSync(join(folder, 'updates', 'keep'), '');
  const before = readdirSync(folder, { recursive: true }).toSorted();
  const hostile = [
    ...PATHS.map((version) => ({ version, file: { signature: publisher.sign(NAME, server.bytes, { version }) } })),
    ...HASHES.map((sha256) => ({
      version: '2.0.0',
      file: { sha256, signature: publisher.sign(NAME, server.bytes, { sha256 }) },
    })),
  ];
  for (const { version, file } of hostile) {
    offer(file, { version });
    const outcome = await updater.update(null);
    assert.equal(outcome.status, 'failed');
    assert.match(
      (outcome as { error: string }).error,
      /^the server’s offer is none that can be taken: update\./,
      JSON.stringify([version, file]).slice(0, 200),
    );
  }
  assert.deepEqual(readdirSync(folder, { recursive: true }).toSorted(), before);
  assert.ok(server.asked.every((path) => path.startsWith('/api/updates/offer?')));
});

test('state file with an invalid version counts as empty', async (t) => {
  const { files } = scene(t);
  const { files: good } = scene(t);
  const states = (version: string) => [
    { ...NOTHING_YET, current: version },
    { ...NOTHING_YET, previous: version },
    { ...NOTHING_YET, trial: { version, starts: 0 } },
    { ...NOTHING_YET, failed: [{ version, reason: 'x' }] },
  ];
  for (const state of PATHS.flatMap(states)) {
    writeFileSync(join(files.folder, 'state.json'), JSON.stringify(state));
    assert.deepEqual(await files.read(), NOTHING_YET, JSON.stringify(state).slice(0, 100));
  }
  for (const state of states('2.0.0-beta.1')) {
    await good.write(state);
    assert.deepEqual(await good.read(), state);
  }
});

test('path functions refuse every name outside of the folder', async (t) => {
  const { files } = scene(t);
  for (const hostile of [
    '..',
    '../x',
    '../../x',
    '.',
    '',
    '...',
    '/etc',
    '/',
    'a/b',
    'a/',
    'a\\b',
    'c:x',
    'x.',
    'x ',
    'x\0',
    '\n',
  ]) {
    for (const make of [files.versionFolder, files.download])
      assert.throws(() => make.call(files, hostile), /outside of the updates’ folder/, JSON.stringify(hostile));
  }
  for (const hostile of ['../x', 'a/b', '/x', 'a\\b', 'x\0']) assert.throws(() => files.unpacked(hostile), /outside/);
  assert.equal(files.versionFolder('2.0.0-beta.1'), join(files.folder, 'versions', '2.0.0-beta.1'));
});

test('update command fails with one sentence if the server offers nothing, another version, or an older one', async (t) => {
  const newer = shop(t, { version: '3.0.0' });
  assert.deepEqual(await newer.updater.update(null), {
    status: 'failed',
    error: 'this screen runs 3.0.0, which is newer than 2.0.0',
  });
  const { updater, server } = shop(t);
  assert.deepEqual(await updater.update('2.5.0'), { status: 'failed', error: 'the server offers 2.0.0, not 2.5.0' });
  server.offer = { update: null };
  assert.deepEqual(await updater.update(null), {
    status: 'failed',
    error: 'the server offers no version for this machine',
  });
  assert.deepEqual(await updater.update('1.0.0'), { status: 'done' }, 'what runs already');
});

test('version on trial reports healthy once its page paints and the server accepts it', async (t) => {
  const { updater, files, later } = shop(t, { version: '2.0.0' });
  await files.write(staged({ ...NOTHING_YET, current: '1.5.0' }, '2.0.0'));
  mkdirSync(files.versionFolder('1.0.0'), { recursive: true });
  updater.start();
  await until('it looks later', 10_000, () => later.length > 0);
  later.shift()!();
  await until('it looks later', 10_000, () => later.length > 0);
  assert.equal((await files.read()).current, '1.5.0', 'nothing is painted yet');
  updater.showing();
  later.shift()!();
  await until(
    'it stays, and the rest is gone',
    10_000,
    async () => (await files.read()).current === '2.0.0' && !existsSync(files.versionFolder('1.0.0')),
  );
  assert.deepEqual([(await files.read()).previous, (await files.read()).trial], ['1.5.0', null]);
});

test('version that is on disk already is not downloaded again, unless it is damaged', {
  skip,
}, async (t) => {
  const { updater, files, server } = shop(t);
  const fetched = () => server.asked.filter((path) => path.includes('/files/')).length;
  assert.deepEqual(await updater.update(null), { status: 'done' });
  assert.deepEqual(await updater.update(null), { status: 'done' });
  assert.equal(fetched(), 1);
  const program = files.program('2.0.0', 'linux')!;
  writeFileSync(program, readFileSync(program).fill('x'));
  assert.equal(await files.damage('2.0.0', { byBytes: false }), undefined);
  assert.match((await files.damage('2.0.0', { byBytes: true })) ?? '', /vitrine of the version is damaged$/);
  assert.deepEqual(await updater.update(null), { status: 'done' });
  assert.deepEqual([fetched(), await files.damage('2.0.0', { byBytes: true })], [2, undefined]);
});

test('several screens of one computer can install the same version at once', { skip }, async (t) => {
  // In each run, the screens do their steps in another order.
  for (let times = 0; times < 10; times++) {
    const { updater, files, again } = shop(t);
    const all = [updater, again(), again()];
    assert.deepEqual(
      await Promise.all(all.map((each) => each.update(null))),
      all.map(() => ({ status: 'done' })),
    );
    assert.equal(await files.damage('2.0.0', { byBytes: true }), undefined);
  }
});

// Tests of unpacking.

test('tar of Windows is started by its full path, whatever the environment contains', () => {
  const program = (env: NodeJS.ProcessEnv) => unpackerOf('f', 'zip', 'i', { platform: 'win32', env }).program;
  assert.equal(program({ SystemRoot: 'D:\\Windows' }), 'D:\\Windows\\System32\\tar.exe');
  assert.equal(program({ SYSTEMROOT: 'C:\\WINNT\\' }), 'C:\\WINNT\\System32\\tar.exe');
  for (const SystemRoot of [undefined, '', '.', 'Windows', '\\\\other\\share', '..\\x'])
    assert.equal(program({ SystemRoot }), 'C:\\Windows\\System32\\tar.exe', SystemRoot);
});

test('unpackerOf refuses a kind of file that the machine cannot unpack', () => {
  for (const [kind, platform] of [
    ['deb', 'linux'],
    ['zip', 'linux'],
    ['exe', 'win32'],
    ['tar.gz', 'win32'],
    ['dmg', 'darwin'],
  ] as const)
    assert.throws(
      () => unpackerOf('f', kind, 'i', { platform, env: {} }),
      new RegExp(`^Error: A ${kind} file cannot be used on this machine$`),
    );
});

test('unpacking writes nothing outside of the folder, whatever names and links the archive contains', {
  skip: process.platform !== 'linux' && 'the tar of Linux is asked',
}, async (t) => {
  const folder = folderFor(t);
  const into = join(folder, 'deep', 'into');
  const make = (name: string, ...entries: { name: string; link?: string; text?: string }[]) => {
    writeFileSync(join(folder, name), gzipSync(tarOf(entries)));
    return join(folder, name);
  };
  mkdirSync(join(folder, 'elsewhere'));
  const files = [
    make('names.tar.gz', { name: '../escaped', text: 'x' }, { name: 'in/../../escaped', text: 'x' }),
    make('absolute.tar.gz', { name: join(folder, 'elsewhere', 'escaped'), text: 'x' }),
    make('link.tar.gz', { name: 'link', link: '../../elsewhere' }, { name: 'link/escaped', text: 'x' }),
    make(
      'absolute-link.tar.gz',
      { name: 'link', link: join(folder, 'elsewhere') },
      { name: 'link/escaped', text: 'x' },
    ),
  ];
  const around = () => [readdirSync(folder), readdirSync(join(folder, 'deep')), readdirSync(join(folder, 'elsewhere'))];
  mkdirSync(into, { recursive: true });
  const before = around();
  for (const file of files) {
    await unpack(file, 'tar.gz', into).catch(() => {});
    assert.deepEqual(around(), before, file);
  }
});

/** Entries that a normal tar would not put into an archive. */
const tarOf = (entries: readonly { name: string; link?: string; text?: string }[]): Buffer =>
  Buffer.concat([
    ...entries.map(({ name, link = '', text = '' }) => {
      const head = Buffer.alloc(512);
      const put = (at: number, value: string) => head.write(value, at, 'latin1');
      const octal = (at: number, length: number, value: number) =>
        put(at, `${value.toString(8).padStart(length - 1, '0')}\0`);
      put(0, name);
      octal(100, 8, 0o755);
      octal(108, 8, 0);
      octal(116, 8, 0);
      octal(124, 12, text.length);
      octal(136, 12, 0);
      put(148, '        ');
      put(156, link ? '2' : '0');
      put(157, link);
      put(257, 'ustar\x0000');
      octal(
        148,
        7,
        head.reduce((sum, byte) => sum + byte, 0),
      );
      return Buffer.concat([head, Buffer.from(text.padEnd(Math.ceil(text.length / 512) * 512, '\0'), 'latin1')]);
    }),
    Buffer.alloc(1024),
  ]);
