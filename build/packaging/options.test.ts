import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CannotPackage, electronOf, optionsIn, sentenceOfDownload, toolsFor, USAGE } from './options.ts';

const X64 = { platform: 'linux', arch: 'x64' };
const refused = (pattern: RegExp, ...args: readonly string[]) =>
  assert.throws(
    () => optionsIn(args, X64),
    (error: Error) => error instanceof CannotPackage && pattern.test(error.message) && !error.message.includes('\n'),
    args.join(' '),
  );

test('options of npm run package may have a blank or an equals sign, and without options everything is packaged', () => {
  assert.deepEqual(optionsIn([], X64), {
    form: undefined,
    role: undefined,
    releaseKey: undefined,
    alsoTrust: '',
    version: undefined,
    ffmpeg: undefined,
  });
  const all = [
    '--target=deb',
    '--role',
    'player',
    '--release-key',
    'key.pem',
    '--also-trust=a,b',
    '--as-version=2.0.0',
    '--ffmpeg',
    '/x/ffmpeg',
    '--arch=x64',
  ];
  assert.deepEqual(optionsIn(all, X64), {
    form: 'deb',
    role: 'player',
    releaseKey: 'key.pem',
    alsoTrust: 'a,b',
    version: '2.0.0',
    ffmpeg: { file: '/x/ffmpeg' },
  });
  assert.deepEqual(
    [optionsIn(['--dir'], X64).form, optionsIn(['--without-ffmpeg', '--x64'], X64).ffmpeg],
    ['dir', 'none'],
  );
});

test('unknown options are refused, so that a typo creates no unsigned package', () => {
  refused(/--relase-key.*--help/, '--relase-key', 'x');
  refused(/argument missing/, '--release-key');
  refused(/--help/, 'deb');
  refused(/--as-version is a version/, '--as-version', 'next');
  refused(/--role is/, '--role', 'king');
  refused(/either/, '--ffmpeg', 'x', '--without-ffmpeg');
});

test('a package for another architecture than this machine’s is refused', () => {
  for (const args of [['--arch', 'arm64'], ['--arm64'], ['--universal']])
    refused(
      /This machine is linux-x64, and the parts of one architecture are built on a machine of that architecture/,
      ...args,
    );
  assert.ok(optionsIn(['--arm64'], { platform: 'darwin', arch: 'arm64' }));
});

test('help of npm run package lists every option', () => {
  const words: Readonly<Record<string, string>> = { ARCH: 'x64', ROLE: 'both', VERSION: '1.0.0' };
  const named = [...USAGE.matchAll(/^ {2}(--[\w-]+)(?: ([A-Z]\S*))?/gm)];
  for (const [, option, word] of named)
    assert.ok(optionsIn([option!, ...(word ? [words[word] ?? word] : [])], X64), option);
  assert.equal(named.length, 9);
});

test('failed download is reported as a sentence, and other errors keep their stack trace', () => {
  const inner = Object.assign(new Error('getaddrinfo ENOTFOUND example.com'), { code: 'ENOTFOUND' });
  const faults = [
    inner,
    new Error('fetch failed', { cause: inner }),
    Object.assign(new Error('Response code 403 (Forbidden)'), { name: 'HTTPError' }),
    new Error('x', { cause: inner }),
  ];
  const electron = /^Electron 1\.2\.3 for linux-x64 could not be fetched \(.*\)\. .*VITRINE_ELECTRON_DIST/;
  for (const fault of faults) assert.match(sentenceOfDownload(fault, electronOf('1.2.3', X64)) ?? '', electron);
  assert.match(
    sentenceOfDownload(inner, toolsFor('deb')) ?? '',
    /makes a deb with could not be fetched .*ELECTRON_BUILDER_BINARIES_MIRROR/,
  );
  assert.equal(sentenceOfDownload(new TypeError('x is not a function'), toolsFor(undefined)), undefined);
  assert.equal(sentenceOfDownload('no error', toolsFor(undefined)), undefined);
});
