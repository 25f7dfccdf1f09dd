import assert from 'node:assert/strict';
import { test } from 'node:test';
import { artefactOf, type ReleaseFacts, releaseText } from './release-format.ts';
import {
  filesForScreens,
  isSignedBy,
  ReleaseArch,
  ReleaseFileName,
  ReleaseHash,
  ReleaseKey,
  ReleaseKind,
  ReleasePlatform,
  ReleaseSignature,
  ReleaseSize,
  ReleaseVersion,
  rankForScreens,
  releaseKeysIn,
} from './release-signature.ts';

const FACTS: ReleaseFacts = {
  version: '2.0.0',
  platform: 'linux',
  arch: 'x64',
  kind: 'tar.gz',
  part: null,
  size: 5,
  sha256: 'a'.repeat(64),
};

test('version format accepts semantic versions, and refuses text that could be a path', () => {
  for (const version of ['0.1.0', '1.10.0', '2.0.0-beta', '2.0.0-beta.10', '2.0.0-rc1.x'])
    assert.ok(ReleaseVersion.safeParse(version).success, version);
  const wrong = [
    ...[
      '',
      '.',
      '..',
      '../../x',
      '1.0',
      '1.0.0/../../etc',
      '1.0.0\\..\\x',
      '1.0.0\0',
      '1.0.0\n',
      '\n1.0.0',
      ' 1.0.0',
      '1.0.0 ',
      'v1.0.0',
      '1.0.0-',
      '1.0.0-.',
      '1.0.0-..',
    ],
    ...[
      '1.0.0-a.',
      '1.0.0-a..b',
      '1.0.0-a/b',
      '1.0.0+build',
      '01.0.0',
      '1.0.0-ä',
      '1.0.0:x',
      `1.0.${'1'.repeat(10_000)}`,
      `1.0.0-${'a'.repeat(10_000)}`,
      `1.0.0-${'a'.repeat(59)}`,
    ],
  ];
  for (const version of wrong)
    assert.ok(!ReleaseVersion.safeParse(version).success, JSON.stringify(version.slice(0, 40)));
});

test('hash must have 64 lower-case hex digits, and a file size has a maximum', () => {
  assert.ok(ReleaseHash.safeParse('0f'.repeat(32)).success);
  for (const hash of [
    '',
    '../../state.json',
    '0F'.repeat(32),
    `${'0f'.repeat(32)}\n`,
    '0f'.repeat(33),
    `../${'0'.repeat(61)}`,
  ])
    assert.ok(!ReleaseHash.safeParse(hash).success, hash);
  for (const size of [0, 8 * 1024 ** 3]) assert.ok(ReleaseSize.safeParse(size).success, String(size));
  for (const size of [-1, 1.5, Number.NaN, 8 * 1024 ** 3 + 1, Number.POSITIVE_INFINITY])
    assert.ok(!ReleaseSize.safeParse(size).success, String(size));
});

test('artefactOf reads the facts from a valid name and refuses other names', () => {
  assert.deepEqual(artefactOf('Vitrine-1.2.0-linux-x86_64.AppImage'), {
    version: '1.2.0',
    platform: 'linux',
    arch: 'x64',
    kind: 'AppImage',
    part: null,
  });
  assert.deepEqual(artefactOf('Vitrine-player-1.2.0-beta.1-win-arm64.zip'), {
    version: '1.2.0-beta.1',
    platform: 'win',
    arch: 'arm64',
    kind: 'zip',
    part: 'player',
  });
  const arches = { x64: 'x64', x86_64: 'x64', amd64: 'x64', arm64: 'arm64', aarch64: 'arm64' };
  for (const platform of ReleasePlatform.options)
    for (const kind of ReleaseKind.options)
      for (const [named, arch] of Object.entries(arches)) {
        const { version: _, ...facts } = artefactOf(`V-1.0.0-${platform}-${named}.${kind}`)!;
        assert.deepEqual(facts, { platform, arch: ReleaseArch.parse(arch), kind, part: null });
      }
  const long = `${'V'.repeat(180)}-1.0.0-win-x64.zip`;
  assert.deepEqual([long.length, artefactOf(`VV${long}`)?.kind, artefactOf(`VVV${long}`)], [198, 'zip', undefined]);
  assert.ok(ReleaseFileName.safeParse(long).success);
  const wrong = [
    ...[
      'Vitrine-dev-unsigned-1.2.0-linux-x64.tar.gz',
      'Vitrine-player-dev-unsigned-1.2.0-linux-x64.tar.gz',
      'Vitrine-1.2.0-dev-unsigned-linux-x64.tar.gz',
    ],
    ...[
      'latest.yml',
      'Vitrine-1.2-linux-x64.zip',
      'Vitrine-1.2.0-beos-x64.zip',
      '../Vitrine-1.2.0-win-x64.zip',
      'Vitrine-1.2.0-win-x64.zip\n',
      'Vitrine-1.2.0-win-x64.tarzgz',
    ],
    ...[
      'Vitrine-1.2.0-win-x64.zip.sig',
      `${'V'.repeat(300)}-1.2.0-win-x64.zip`,
      `Vitrine-1.2.0-${'a'.repeat(64)}-win-x64.zip`,
    ],
  ];
  for (const name of wrong) assert.equal(artefactOf(name), undefined, name);
});

test('signed text differs for each changed fact', () => {
  assert.equal(releaseText(FACTS), `vitrine release\n2.0.0\nlinux\nx64\ntar.gz\nany\n5\n${'a'.repeat(64)}`);
  const others: Partial<ReleaseFacts>[] = [
    { version: '2.0.1' },
    { platform: 'mac' },
    { arch: 'arm64' },
    { kind: 'zip' },
    { part: 'player' },
    { size: 6 },
    { sha256: 'b'.repeat(64) },
  ];
  assert.deepEqual(
    Object.keys(FACTS).toSorted(),
    others.flatMap((other) => Object.keys(other)).toSorted(),
    'no fact is left out here',
  );
  assert.equal(
    new Set([FACTS, ...others.map((other) => ({ ...FACTS, ...other }))].map(releaseText)).size,
    others.length + 1,
  );
});

test('releaseKeysIn returns the keys in package.json, and no keys if one entry is invalid', () => {
  const key = (digit: string) => `302a300506032b6570032100${digit.repeat(64)}`;
  assert.deepEqual(releaseKeysIn({ vitrineReleaseKeys: [key('a'), key('b')] }), [key('a'), key('b')]);
  assert.equal(releaseKeysIn({ vitrineReleaseKeys: Array.from({ length: 10 }, () => key('a')) }).length, 10);
  const wrong = [
    [key('a'), 'x'],
    [key('A')],
    key('a'),
    [key('a').slice(24)],
    Array.from({ length: 11 }, () => key('a')),
    null,
  ];
  for (const keys of [undefined, ...wrong])
    assert.deepEqual(releaseKeysIn({ name: 'vitrine', vitrineReleaseKeys: keys }), []);
  assert.deepEqual(releaseKeysIn(null), []);
});

test('screens accept only files that can run beside their current version, and no file of a server', () => {
  const rank = (name: string) => rankForScreens(artefactOf(name)!);
  assert.deepEqual(
    ['linux-x64.tar.gz', 'linux-x64.AppImage', 'win-x64.zip', 'mac-arm64.zip'].map((end) =>
      rank(`V-both-1.0.0-${end}`),
    ),
    [0, 1, 0, 0],
  );
  const file = (name: string, signature: string | null = 's') => ({ name, signature, ...artefactOf(name)! });
  const files = ['AppImage', 'deb', 'tar.gz'].map((kind) => file(`V-1.0.0-linux-x64.${kind}`));
  const more = [file('V-server-1.0.0-linux-x64.tar.gz'), file('V-1.0.0-win-x64.zip', null)];
  assert.deepEqual(filesForScreens([...files, ...more]), [files[2], files[0]]);
  for (const name of [
    'V-1.0.0-linux-x64.deb',
    'V-1.0.0-linux-x64.zip',
    'V-1.0.0-win-x64.exe',
    'V-1.0.0-mac-x64.dmg',
    'V-server-1.0.0-linux-x64.tar.gz',
  ])
    assert.equal(rank(name), undefined, name);
});

test('signature is valid if it matches any one of the publisher’s keys', () => {
  const verify = (key: string, text: string, signature: string) =>
    key === 'broken' ? null : `${key} ${text}` === signature;
  const signed = (...keys: string[]) => isSignedBy(verify, keys, FACTS, `right ${releaseText(FACTS)}`);
  assert.deepEqual(
    [signed('wrong', 'right'), signed('right', 'wrong'), signed('wrong', 'broken'), signed()],
    [true, true, false, false],
  );
});

test('error about an invalid version, hash, signature, key or name says what the value must be', () => {
  for (const schema of [ReleaseVersion, ReleaseHash, ReleaseSignature, ReleaseKey, ReleaseFileName])
    assert.match(schema.safeParse('x').error?.issues[0]?.message ?? '', /^must \w/);
  assert.match(ReleaseVersion.safeParse(`1.0.0-${'a'.repeat(60)}`).error?.issues[0]?.message ?? '', /64 characters/);
});
