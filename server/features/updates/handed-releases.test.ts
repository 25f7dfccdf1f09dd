/**
 * Tests releases that headquarters sends to a server: the files that the server accepts, and the reasons for a refusal.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { tempFolder } from '../../../test/harness.ts';
import { newPublisher } from '../../../test/publisher.ts';
import type { Installed } from '../../versions/way.ts';
import { HandedReleases } from './handed-releases.ts';
import { OwnUpdateService } from './own-update.service.ts';

const publisher = newPublisher();
const BYTES = Buffer.from('a release');
const signed = (name: string, by = publisher) => ({
  name,
  size: BYTES.length,
  sha256: name.length.toString(16).padStart(64, '0'),
  signature: by.sign(name, BYTES, { sha256: name.length.toString(16).padStart(64, '0') }),
});
const FILES = [
  signed('Vitrine-2.0.0-linux-x64.tar.gz'),
  signed('Vitrine-2.0.0-linux-amd64.deb'),
  signed('Vitrine-player-2.0.0-win-x64.zip'),
  signed('Vitrine-player-2.0.0-mac-arm64.zip'),
];

const setUp = (t: TestContext, installed: Partial<Installed> = {}, screens: readonly string[] = []) => {
  const own = new OwnUpdateService({
    data: tempFolder(t),
    version: '1.0.0',
    installed: {
      platform: 'linux',
      arch: 'x64',
      root: '/opt/elsewhere',
      keys: [publisher.publicKey],
      isService: true,
      isPackage: false,
      isCheckout: false,
      ...installed,
    },
    relaunch: () => {},
    releases: { list: () => [] },
  } as unknown as ConstructorParameters<typeof OwnUpdateService>[0]);
  return new HandedReleases({
    own,
    releases: { has: () => false, bring: async () => {}, bringNotes() {} },
    store: { screensByPlatform: () => [...screens] },
  });
};
const namesOf = (files: readonly { name: string }[]) => files.map(({ name }) => name);

test('a server accepts the file for itself and the files for the systems of its screens', async (t) => {
  const none = await setUp(t).needed('2.0.0', FILES);
  assert.deepEqual(namesOf(none), ['Vitrine-2.0.0-linux-x64.tar.gz']);
  const screens = ['Windows_NT 10.0.22631 x64', 'Linux 6.12.9 x64', 'Browser (Firefox)', ''];
  assert.deepEqual(namesOf(await setUp(t, {}, screens).needed('2.0.0', FILES)), [
    'Vitrine-2.0.0-linux-x64.tar.gz',
    'Vitrine-player-2.0.0-win-x64.zip',
  ]);
});

test('a release is refused with a reason if it is from another publisher, not newer, or cannot be installed here', async (t) => {
  const refuses = (installed: Partial<Installed>, files: typeof FILES, version: string, words: RegExp) =>
    assert.rejects(setUp(t, installed).needed(version, files), { message: words });
  await refuses({ keys: [] }, FILES, '2.0.0', /unsigned development build/);
  await refuses(
    { keys: [newPublisher().publicKey] },
    FILES,
    '2.0.0',
    /does not match the signature of this server’s publisher/,
  );
  await refuses(
    {},
    [FILES[0]!, signed('Vitrine-2.0.0-win-x64.zip', newPublisher())],
    '2.0.0',
    /does not match the signature of this server’s publisher/,
  );
  await refuses({}, [{ ...FILES[0]!, size: 8 }], '2.0.0', /does not match the signature of this server’s publisher/);
  await refuses(
    {},
    [signed('Vitrine-2.1.0-linux-x64.tar.gz')],
    '2.0.0',
    /has no signed file|does not match the signature of this server’s publisher/,
  );
  await refuses({}, [signed('Vitrine-1.0.0-linux-x64.tar.gz')], '1.0.0', /is not newer than the running version/);
  await refuses({ arch: 'arm64' }, FILES, '2.0.0', /has no signed file for this server/);
  const typed =
    /system package\..* enter this command there: sudo apt-get install \.\/Vitrine-2\.0\.0-linux-amd64\.deb/;
  await refuses({ isPackage: true }, FILES, '2.0.0', typed);
});
