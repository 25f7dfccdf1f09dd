/**
 * Tests updates that headquarters orders: an update is accepted or refused with a reason, fetched, installed and
 * reported, also across restarts of the server.
 */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ReleaseFile, UpdateOrder } from '../../../shared/chain/wire.ts';
import { conflict, diskFull } from '../../../shared/contract/errors.ts';
import { TestClock, tempFolder } from '../../../test/harness.ts';
import { openDatabase } from '../../db/open.ts';
import { ChainStore } from '../membership/chain.store.ts';
import { enrolled } from '../testing/store.ts';
import { type OwnServer, SoftwareCommands } from './software-commands.ts';

const FILE: ReleaseFile = {
  name: 'Vitrine-2.0.0-linux-x64.tar.gz',
  size: 9,
  sha256: 'a'.repeat(64),
  signature: 'b'.repeat(128),
};
const OTHER: ReleaseFile = { ...FILE, name: 'Vitrine-2.0.0-win-x64.zip', sha256: 'c'.repeat(64) };
const ORDER: UpdateOrder = {
  id: 'r.1',
  visitor: { id: 'anna', name: 'Anna', role: 'workspace_admin' },
  version: '2.0.0',
  files: [FILE, OTHER],
  notes: null,
};

const setUp = (t: TestContext, more: Partial<OwnServer> = {}) => {
  const folder = tempFolder(t);
  const db = openDatabase(join(folder, 'store.db'));
  t.after(() => db.close());
  enrolled(db, 'w');
  const store = new ChainStore(db);
  const let_ = (lets: 0 | 1) => db.write(() => store.setLetsUpdate('w', lets));
  let_(1);
  const clock = new TestClock();
  const [did, here] = [[] as string[], new Set<string>()];
  let outcome: ReturnType<OwnServer['outcome']>;
  const server: OwnServer = {
    needed: async () => [FILE],
    has: (_version, { sha256 }) => here.has(sha256),
    storeRelease: async ({ userName }, { name, sha256 }) => {
      did.push(`${userName} takes ${name}`);
      here.add(sha256);
    },
    storeNotes: () => did.push('notes'),
    install: async ({ userName }, version) => void did.push(`${userName} installs ${version}`),
    outcome: () => outcome,
    ...more,
  };
  const open = () =>
    new SoftwareCommands({
      db,
      clock,
      log: { debug() {}, info() {}, warn() {}, error() {} },
      store,
      workspaceId: 'w',
      server,
      hurry: () => did.push('fetch'),
      troubleWith: () => undefined,
      changed: () => did.push('tell'),
    });
  /** Simulates that the file of the release has been received. */
  const come = async (orders: SoftwareCommands) => {
    const path = join(folder, 'part');
    writeFileSync(path, 'a release');
    await orders.adopt({ path, sha256: FILE.sha256 });
    orders.fileCame();
    await orders.stop();
    return path;
  };
  const becomes = (status: string, reason: string | null = null) => {
    outcome = { version: '2.0.0', at: clock.now(), status, reason };
  };
  return { open, come, becomes, did, clock, let: let_ };
};

const phase = (orders: SoftwareCommands) => [orders.report?.phase, orders.report?.why];

test('update order is accepted at once, its missing files are fetched, and the visitor is logged as the installer', async (t) => {
  const { open, come, did, becomes } = setUp(t);
  const orders = open();
  assert.equal(orders.report, undefined);
  assert.deepEqual(await orders.accept(ORDER), {});
  assert.deepEqual(did.splice(0), ['fetch', 'tell']);
  assert.deepEqual(orders.report, { id: 'r.1', version: '2.0.0', phase: 'fetching', why: '' });
  assert.deepEqual(
    orders.missing().map(({ file }) => file.sha256),
    [FILE.sha256],
    'not what no screen here runs',
  );
  const path = await come(orders);
  assert.deepEqual(did, ['Anna (HQ) takes Vitrine-2.0.0-linux-x64.tar.gz', 'tell', 'Anna (HQ) installs 2.0.0']);
  assert.equal(existsSync(path), false);
  assert.deepEqual(phase(orders), ['installing', '']);
  becomes('trying');
  assert.deepEqual(phase(open()), ['installing', ''], 'also when it was started anew');
  becomes('done');
  assert.deepEqual(phase(open()), ['done', '']);
});

test('repeated update order is executed once, and a new order replaces a finished order', async (t) => {
  const { open, come, did, becomes, clock } = setUp(t);
  const orders = open();
  await orders.accept(ORDER);
  await orders.accept(ORDER);
  await come(orders);
  await open().accept(ORDER);
  assert.equal(did.filter((one) => one.includes('installs')).length, 1);
  becomes('failed', 'the program ended with 3');
  const again = open();
  assert.deepEqual(phase(again), ['went_back', 'the program ended with 3']);
  clock.advance(1);
  await again.accept({ ...ORDER, id: 'r.2' });
  assert.equal(again.report?.id, 'r.2');
  await again.stop();
  assert.equal(did.filter((one) => one.includes('installs')).length, 2);
  assert.deepEqual(phase(again), ['installing', ''], 'what became of the first is not the second’s');
});

test('update order without permission is refused, also when the permission is withdrawn during the download', async (t) => {
  const { open, come, did, let: lets } = setUp(t);
  lets(0);
  const orders = open();
  await assert.rejects(orders.accept(ORDER), {
    code: 'not_allowed',
    message: /does not allow updates from headquarters/,
  });
  assert.equal(orders.report, undefined);
  lets(1);
  await orders.accept(ORDER);
  lets(0);
  await come(orders);
  assert.deepEqual(phase(orders), ['failed', 'This store does not allow updates from headquarters.']);
  assert.ok(!did.some((one) => one.includes('installs')));
});

test('update that cannot be installed reports the reason, before or after the download', async (t) => {
  const refuses = setUp(t, { needed: () => Promise.reject(conflict('It is a package of the system.')) });
  await assert.rejects(refuses.open().accept(ORDER), { code: 'failed', message: 'It is a package of the system.' });
  const fails = setUp(t, { install: () => Promise.reject(diskFull()) });
  const orders = fails.open();
  await orders.accept(ORDER);
  await fails.come(orders);
  assert.deepEqual(phase(orders), ['failed', diskFull().message]);
});

test('update order fails when headquarters sends wrong bytes, and is retried when the disk is full', async (t) => {
  const { open } = setUp(t);
  const orders = open();
  await orders.accept(ORDER);
  orders.addIncident('r.1', 'A file of it cannot be fetched.');
  assert.deepEqual(phase(orders), ['failed', 'A file of it cannot be fetched.']);
  const full = setUp(t, { storeRelease: () => Promise.reject(diskFull()) });
  const tries = full.open();
  await tries.accept(ORDER);
  await assert.rejects(full.come(tries), { status: 507 });
  assert.equal(tries.report?.phase, 'fetching', 'it is tried again');
});

test('download of an update continues after a restart, and an interrupted installation is reported as failed', async (t) => {
  const { open, did, come } = setUp(t);
  await open().accept(ORDER);
  const again = open();
  again.start();
  assert.deepEqual([again.report?.phase, again.missing().length], ['fetching', 1]);
  await come(again);
  const third = open();
  third.start();
  assert.deepEqual(phase(third), ['failed', 'The server was stopped while the version was being installed.']);
  assert.equal(did.filter((one) => one.includes('installs')).length, 1, 'nothing is begun by itself');
});
