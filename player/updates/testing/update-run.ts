/**
 * A version's life on a real disk, as a program that can be cut off: `node update-run.ts <updates folder> <release>`.
 * Version 1.5.0 takes 2.0.0 in, the launcher chooses it, it comes up, and what is not needed any more is removed.
 */
import { readFileSync } from 'node:fs';
import { newPublisher } from '../../../test/publisher.ts';
import { nodeCrypto } from '../../agent/node-ports.ts';
import { MemoryLog, sha256 } from '../../core/testing/fakes.ts';
import { UpdateFiles } from '../update-files.ts';
import { choose } from '../update-state.ts';
import { Updater } from '../updater.ts';

const [folder = '', release = ''] = process.argv.slice(2);
const bytes = readFileSync(release);
const publisher = newPublisher();
const name = 'Vitrine-2.0.0-linux-x64.tar.gz';
const file = {
  name,
  platform: 'linux',
  arch: 'x64',
  kind: 'tar.gz',
  size: bytes.length,
  sha256: sha256(bytes),
  sha512: '',
  signature: publisher.sign(name, bytes),
};

const after = (_ms: number, run: () => void) => {
  setImmediate(run);
  return () => {};
};
const updater = (version: string) =>
  new Updater({
    folder,
    version,
    platform: 'linux',
    arch: 'x64',
    keys: [publisher.publicKey],
    verify: nodeCrypto.verify,
    get: async (path) => {
      const body = path.includes('offer') ? Buffer.from(JSON.stringify({ update: { version: '2.0.0', file } })) : bytes;
      return {
        status: 200,
        header: () => null,
        body: (async function* () {
          yield body;
        })(),
      };
    },
    restart: () => {},
    time: { mono: () => 0, wall: () => 0, after },
    log: new MemoryLog(),
  });

const outcome = await updater('1.5.0').update('2.0.0');
if (outcome.status !== 'done') throw new Error(JSON.stringify(outcome));
const files = new UpdateFiles(folder);
await files.write(choose(await files.read(), '1.0.0').state);
const fresh = updater('2.0.0');
fresh.showing();
fresh.start();
while ((await files.read()).current !== '2.0.0') await new Promise((next) => setTimeout(next, 2));
// It may still be tidying up: this program ends when nothing is left to do.
