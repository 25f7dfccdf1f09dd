/**
 * Runs an update on a real disk, in a process that can be killed: `node update-run.ts <updates folder> <release>`.
 * Version 1.5.0 installs 2.0.0, the launcher chooses it, it starts, and unneeded files are removed.
 */
import { readFileSync } from 'node:fs';
import { choose } from '../../../shared/desktop/update-state.ts';
import { newPublisher } from '../../../test/publisher.ts';
import { UpdateFiles } from '../update-files.ts';
import { offerOf, updaterOf } from './offers.ts';

const [folder = '', release = ''] = process.argv.slice(2);
const bytes = readFileSync(release);
const publisher = newPublisher();
const offer = Buffer.from(JSON.stringify(offerOf(publisher, bytes)));
const updater = (version: string) =>
  updaterOf(
    { folder, version, keys: [publisher.publicKey] },
    (path) => (path.includes('offer') ? offer : bytes),
    (_ms, run) => {
      setImmediate(run);
      return () => {};
    },
  );

const outcome = await updater('1.5.0').update('2.0.0');
if (outcome.status !== 'done') throw new Error(JSON.stringify(outcome));
const files = new UpdateFiles(folder);
await files.write(choose(await files.read(), '1.0.0').state);
const fresh = updater('2.0.0');
fresh.showing();
fresh.start();
while ((await files.read()).current !== '2.0.0') await new Promise((next) => setTimeout(next, 2));
// The updater may still be cleaning up. This process ends when no work is left.
