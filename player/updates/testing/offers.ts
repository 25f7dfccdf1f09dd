/** Makes a release of one version for Linux, and updaters to which a server offers it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { newPublisher } from '../../../test/publisher.ts';
import { nodeCrypto } from '../../agent/node-ports.ts';
import { MemoryLog, sha256 } from '../../core/testing/fakes.ts';
import { Updater } from '../updater.ts';

type Publisher = ReturnType<typeof newPublisher>;
type Deps = ConstructorParameters<typeof Updater>[0];

export const NAME = 'Vitrine-2.0.0-linux-x64.tar.gz';

/** Makes the file of a release: a folder with a program that prints its version. */
export const releaseOf = (folder: string, version: string): Buffer => {
  const top = join(folder, `Vitrine-${version}`);
  mkdirSync(top, { recursive: true });
  writeFileSync(join(top, 'vitrine'), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
  const file = join(folder, 'release.tar.gz');
  execFileSync('tar', ['-czf', file, '-C', folder, `Vitrine-${version}`]);
  return readFileSync(file);
};

/** Returns the offer of a server: version 2.0.0, with changes to its file and to the offer. */
export const offerOf = (publisher: Publisher, bytes: Buffer, change: object = {}, more: object = {}) => ({
  update: {
    version: '2.0.0',
    ...more,
    file: {
      name: NAME,
      platform: 'linux',
      arch: 'x64',
      kind: 'tar.gz',
      size: bytes.length,
      sha256: sha256(bytes),
      sha512: '',
      signature: publisher.sign(NAME, bytes),
      ...change,
    },
  },
});

/** Returns the updater of a screen whose server answers each path with the bytes of `answer`. */
export const updaterOf = (
  deps: Pick<Deps, 'folder' | 'version' | 'keys'> & Partial<Deps>,
  answer: (path: string) => Buffer,
  after: Deps['time']['after'],
): Updater =>
  new Updater({
    platform: 'linux',
    arch: 'x64',
    verify: nodeCrypto.verify,
    get: async (path) => ({
      status: 200,
      header: () => null,
      body: (async function* () {
        const body = answer(path);
        for (let at = 0; at < body.length; at += 100) yield body.subarray(at, at + 100);
      })(),
    }),
    restart: () => {},
    time: { mono: () => 0, wall: () => 0, after },
    log: new MemoryLog(),
    ...deps,
  });
