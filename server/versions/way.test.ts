import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unpackerOf } from '../../shared/desktop/unpacker.ts';
import { commandFor, fileFor, type Installed, nodeFor, wayOf } from './way.ts';

const service: Installed = {
  platform: 'linux',
  arch: 'x64',
  root: '/srv/Vitrine/resources/vitrine',
  keys: ['k'],
  isService: true,
  isPackage: false,
  isCheckout: false,
};

test('service installs a release by itself, and other installations show a command for a person to run', () => {
  for (const [installed, how, kind] of [
    [{}, 'trial', 'tar.gz'],
    [{ platform: 'win32' }, 'trial', 'zip'],
    [{ platform: 'darwin' }, 'trial', 'zip'],
    [{ isPackage: true }, 'command', 'deb'],
    [{ isService: false }, 'command', 'tar.gz'],
    [{ isService: false, platform: 'win32' }, 'command', 'exe'],
    [{ isService: false, platform: 'darwin' }, 'command', 'dmg'],
  ] as const) {
    const way = wayOf({ ...service, ...installed });
    assert.deepEqual([way.how, way.how === 'none' ? '' : way.kind], [how, kind], JSON.stringify(installed));
  }
});

test('unsigned package accepts no release, and a checkout says how to update it', () => {
  const none = wayOf({ ...service, keys: [] });
  assert.deepEqual([none.how, 'command' in none && none.command], ['none', null]);
  const checkout = wayOf({ ...service, keys: [], isCheckout: true, root: '/home/a b/vitrine' });
  assert.equal('command' in checkout && checkout.command, "git -C '/home/a b/vitrine' pull");
});

test('update commands quote file names correctly', () => {
  const deb = '/var/lib/vitrine/programs/files/a/Vitrine-2.0.0-linux-amd64.deb';
  assert.equal(commandFor('deb', deb, service), `sudo apt-get install ${deb}`);
  assert.equal(
    commandFor('tar.gz', "/it's/V.tar.gz", { root: '/srv/a b/resources/vitrine' }),
    "tar -xzf '/it'\\''s/V.tar.gz' --strip-components=1 -C '/srv/a b'",
  );
  assert.equal(commandFor('exe', 'C:\\P D\\V.exe', service), '"C:\\P D\\V.exe"');
  assert.equal(commandFor('dmg', '/d/V.dmg', service), 'open /d/V.dmg');
});

test('release file for this server is chosen from the signed files, and never a file for screens only', () => {
  const files = [
    ['Vitrine-2.0.0-linux-arm64.tar.gz', 's'],
    ['Vitrine-player-2.0.0-linux-x64.tar.gz', 's'],
    ['Vitrine-2.0.0-win-x64.zip', 's'],
    ['Vitrine-2.0.0-linux-amd64.deb', 's'],
    ['Vitrine-both-2.0.0-linux-x64.tar.gz', null],
    ['Vitrine-server-2.0.0-linux-x64.tar.gz', 's'],
  ].map(([name, signature]) => ({ name: name!, signature: signature! }));
  const nameFor = (kind: 'tar.gz' | 'deb' | 'zip', installed: Partial<Installed> = {}) =>
    fileFor(files, kind, { ...service, ...installed })?.name;
  assert.equal(nameFor('tar.gz'), 'Vitrine-server-2.0.0-linux-x64.tar.gz');
  assert.equal(nameFor('tar.gz', { arch: 'arm64' }), 'Vitrine-2.0.0-linux-arm64.tar.gz');
  assert.equal(nameFor('deb'), 'Vitrine-2.0.0-linux-amd64.deb');
  assert.equal(nameFor('zip', { platform: 'win32' }), 'Vitrine-2.0.0-win-x64.zip');
  assert.equal(nameFor('zip', { platform: 'darwin', arch: 'arm64' }), undefined);
});

test('version runs only with the installed Node on systems whose firewall allows programs by path', () => {
  const [installed, its] = [
    { path: '/installed', version: 'v24.21.0' },
    { path: '/its', version: 'v24.3.1' },
  ];
  assert.equal(nodeFor('linux', installed, { ...its, version: 'v30.0.0' }), '/its');
  for (const platform of ['win32', 'darwin'] as const) {
    assert.equal(nodeFor(platform, installed, its), '/installed');
    assert.equal(nodeFor(platform, installed, { ...its, version: 'v26.0.0' }), undefined);
    assert.equal(nodeFor(platform, installed, { ...its, version: '' }), undefined);
  }
});

test('release is unpacked by a program of the system, which Windows starts by its full path', () => {
  assert.equal(
    unpackerOf('f', 'zip', 'to', { platform: 'win32', env: { SystemRoot: 'D:\\W' } }).program,
    'D:\\W\\System32\\tar.exe',
  );
  assert.equal(unpackerOf('f', 'zip', 'to', { platform: 'darwin', env: {} }).program, '/usr/bin/ditto');
  assert.deepEqual(unpackerOf('f', 'tar.gz', 'to', { platform: 'linux', env: {} }).args, [
    '-xzf',
    'f',
    '-C',
    'to',
    '--no-same-owner',
  ]);
});
