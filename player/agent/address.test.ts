/** A kiosk with two networks: the server's network, and another network with the default route. */
import assert from 'node:assert/strict';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { twoHosts, whyNoNamespaces } from '../../test/netns.ts';
import { folderFor } from './testing/folder.ts';

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const piped: SpawnOptions = { stdio: ['ignore', 'pipe', 'inherit'] };
const linesOf = ({ stdout }: ChildProcess) => createInterface({ input: stdout! })[Symbol.asyncIterator]();

test("telemetry reports the address on the server's network, not the address of the default route", {
  skip: whyNoNamespaces() ?? false,
  timeout: 30_000,
}, async (t) => {
  const { a: store, b: kiosk } = twoHosts(t);
  kiosk.run('ip', 'link', 'add', 'elsewhere', 'type', 'veth', 'peer', 'name', 'far-end');
  kiosk.run('ip', 'address', 'add', '10.88.0.5/24', 'dev', 'elsewhere');
  for (const end of ['elsewhere', 'far-end']) kiosk.run('ip', 'link', 'set', end, 'up');
  kiosk.run('ip', 'route', 'add', 'default', 'via', '10.88.0.1');
  const said = linesOf(store.start(process.execPath, [pathOf('./testing/site-elsewhere.ts'), store.address], piped));
  const origin = (await said.next()).value as string;
  const data = join(folderFor(t), 'data');
  kiosk.start(
    process.execPath,
    [pathOf('../main.ts'), '--server', origin, '--data', data, '--no-window', '--name', 'kiosk'],
    { stdio: 'ignore' },
  );
  assert.equal((await said.next()).value, kiosk.address);
});
