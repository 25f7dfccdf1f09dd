/** Tests the chain service: enrolment, rights, transfer files and leaving. The link itself has its own tests. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { enrolmentText } from '../../../shared/chain/enrolment-code.ts';
import { enrolText } from '../../../shared/chain/wire.ts';
import { TestClock, tempFolder } from '../../../test/harness.ts';
import { openDatabase } from '../../db/open.ts';
import { addWorkspace } from '../../features/reports/testing/plays.ts';
import { actorOf } from '../../headquarters/testing/campaigns.ts';
import { Bus } from '../../kernel/bus.ts';
import { fingerprintOf } from '../../kernel/trust/fingerprint.ts';
import { sealingOf } from '../../kernel/trust/sealing.ts';
import { SPKI } from '../../kernel/trust/signed-by.ts';
import { OutgoingTransferFiles } from '../../transfer/outgoing.ts';
import { newKey } from '../testing/journal.ts';
import { ChainService, type ChainWorks } from './chain.service.ts';
import { ChainStore, type LinkRow } from './chain.store.ts';

const SECRET = '0123456789abcdef';
const OLGA = actorOf('olga', { workspaceId: 'our' });
const ADMIN = actorOf('admin', { workspaceId: 'our', platformRole: 'platform_admin' });
const NOWHERE = actorOf('nora', { workspaceId: null });

const setUp = (t: TestContext) => {
  const db = openDatabase(join(tempFolder(t), 'vitrine.db'));
  t.after(() => db.close());
  for (const workspace of ['our', 'their']) addWorkspace(db, workspace);
  const clock = new TestClock(Date.UTC(2026, 10, 2, 12));
  const store = new ChainStore(db);
  const said: string[] = [];
  const told: string[] = [];
  const bus = new Bus(() => {});
  bus.on('changed', ({ workspaceId, topic }) => told.push(`${workspaceId} ${topic}`));
  const [own, hq] = [newKey(), newKey()];
  const print = fingerprintOf(Buffer.from(SPKI + hq.key, 'hex'));
  const sealing = sealingOf(generateKeyPairSync('ed25519').privateKey);
  const outgoing = new OutgoingTransferFiles(clock);
  const did: string[] = [];
  let isThere = true;
  /** Fakes of the parts that are loaded on demand, and of a headquarters that answers. */
  const works = {
    visitors: {
      endSessions: (workspaceId: string) => did.push(`expel ${workspaceId}`),
      forget: (workspaceId: string) => did.push(`forget visitors ${workspaceId}`),
    },
    link: ({ workspace_id: id, fetch_rate }: LinkRow) => {
      did.push(`make ${id} ${fetch_rate}`);
      const act = (what: string) => () => void did.push(`${what} ${id}`);
      const link = {
        ...{ start: act('start'), stop: async () => act('stop')(), hurry: act('hurry') },
        limit: (limits: object) => did.push(`limit ${id} ${JSON.stringify(limits)}`),
        leave: async () => {
          if (!isThere) throw new Error('gone');
          act('leave')();
        },
        readiness: [{ id: 'sale' }],
        view: { line: 'up', trouble: null, heard_at: 7, waiting: 1, delivered: 2 },
      };
      const transferFiles = {
        coming: undefined as object | undefined,
        write: async (number: number) => `stick ${number}`,
        receive: async (expected: number) => ({ write: () => {}, finish: async () => expected, abort: () => {} }),
      };
      made.set(id, transferFiles);
      return { link, transferFiles };
    },
    forget: async (workspaceId: string) => void did.push(`forget files ${workspaceId}`),
    addressOf: (given: string) => `https://${given}`,
    enrol: async ({ address, isIt, ask }: Parameters<ChainWorks['enrol']>[0]) => {
      asked.push(ask(print));
      if (!isIt(print)) throw new Error('another headquarters');
      const met = { store: 'mill-ref', name: 'Mill', headquarters: 'HQ', key: SPKI + hq.key, seal_key: null };
      return { ...met, address, certificate: 'c', stick_in: 0, stick_out: 0 };
    },
  };
  const made = new Map<string, { coming: object | undefined }>();
  const asked: object[] = [];
  const open = () => {
    const chain = new ChainService({
      ...{ db, bus, clock, store, outgoing },
      log: { debug() {}, info() {}, warn() {}, error() {} },
      activity: { add: ({ action, details }) => void said.push(`${action} ${details}`) },
      identity: { publicKey: SPKI + own.key, fingerprint: 'own', sign: own.sign, sealing },
      server: () => ({ name: 'PC', version: '1.0.0' }),
      works: async () => works as unknown as ChainWorks,
    });
    t.after(() => chain.stop());
    return chain;
  };
  const code = enrolmentText({ secret: SECRET, fingerprint: print });
  const file = {
    ...{ address: 'hq:8711', code, store: 'mill-ref', name: 'Mill', headquarters: 'HQ', key: hq.key },
    ...{ seal_key: 'cd'.repeat(32), sticks: { taken: 4, written: 9 }, may: 'workspace_editor' as const },
  };
  const enrol = (chain: ChainService, actor = OLGA, more: { lets_update?: boolean } = {}) =>
    chain.enrol(actor, { address: 'hq:8711', code, may: null, ...more });
  return {
    ...{
      db,
      clock,
      bus,
      store,
      said,
      told,
      did,
      asked,
      made,
      own,
      hq,
      print,
      sealing,
      file,
      code,
      open,
      enrol,
      outgoing,
    },
    lose: () => {
      isThere = false;
    },
  };
};

test('enrolment with a valid code starts the link, and the link starts again with the server', async (t) => {
  const { open, enrol, store, said, told, did, asked, own, print, sealing, clock, db, bus } = setUp(t);
  const chain = open();
  await chain.start();
  assert.deepEqual([chain.state(OLGA), chain.state(NOWHERE)], Array(2).fill({ link: null, fingerprint: 'own' }));
  assert.equal(chain.readiness('our'), undefined);
  const wrong = { address: 'hq', may: null };
  await assert.rejects(chain.enrol(OLGA, { ...wrong, code: 'ABCD' }), {
    status: 400,
    message: /^code: is not an enrolment code/,
  });
  const other = enrolmentText({ secret: SECRET, fingerprint: '00'.repeat(32) });
  await assert.rejects(chain.enrol(OLGA, { ...wrong, code: other }), /another headquarters/);
  await assert.rejects(enrol(chain, NOWHERE), { status: 400 });
  await assert.rejects(enrol(chain, OLGA, { lets_update: true }), { status: 403 });
  assert.deepEqual([said, did, store.links()], [[], [], []]);
  const [first, second] = [enrol(chain), enrol(chain)];
  await assert.rejects(second, { status: 409, message: /is already being enrolled/ });
  const { link } = await first;
  const connection = { line: 'up', trouble: null, heard_at: 7, waiting: 1, delivered: 2 };
  assert.deepEqual(link, {
    ...{ name: 'Mill', headquarters: 'HQ', fingerprint: print, address: 'hq:8711', by_file: false, ...connection },
    ...{ enrolled_at: clock.now() / 1000, enrolled_by: 'olga', may: null, lets_update: 0 },
    ...{ rate_kb: null, hours: [], incidents: [] },
  });
  assert.deepEqual(asked.at(-1), {
    ...{ secret: SECRET, key: own.key, signature: own.sign(enrolText(SECRET, own.key, print)) },
    ...{ server_name: 'PC', workspace_name: 'our', version: '1.0.0', seal_key: sealing.key },
  });
  await db.durable();
  assert.deepEqual([said, told, did], [['chain.enrolled HQ'], ['our chain'], ['make our null', 'start our']]);
  await assert.rejects(enrol(chain), { status: 409, message: /already belongs to a headquarters/ });
  assert.deepEqual([chain.readiness('our')?.length, chain.readiness('their')], [1, undefined]);
  chain.hurry();
  await chain.stop();
  assert.deepEqual(did.slice(2), ['hurry our', 'stop our']);
  const { heard_at, line: state } = chain.state(OLGA).link!;
  assert.deepEqual([heard_at, state], [null, 'starting']);
  assert.throws(() => chain.writeTransferFile(OLGA), { status: 404 }, 'nothing runs');
  const proof = { secret: SECRET } as never;
  db.write(() => store.setProof('their', proof));
  bus.emit('workspaceGone', 'their');
  assert.deepEqual(store.proof('their'), proof, 'a stopped server hears nothing');
  did.length = 0;
  const again = open();
  await again.start();
  assert.deepEqual(did, ['make our null', 'start our']);
  // Deleting a workspace also stops and deletes its link.
  for (const gone of ['their', 'our']) bus.emit('workspaceGone', gone);
  await new Promise(setImmediate);
  assert.deepEqual([did.slice(2), store.proof('their')], [['stop our', 'forget files our'], undefined]);
});

test('only a platform administrator can allow updates from headquarters, and their enrolment allows them by default', async (t) => {
  const { open, enrol } = setUp(t);
  const chain = open();
  for (const [actor, more, lets] of [
    [OLGA, {}, 0],
    [OLGA, { lets_update: false }, 0],
    [ADMIN, {}, 1],
    [ADMIN, { lets_update: true }, 1],
    [ADMIN, { lets_update: false }, 0],
  ] as const) {
    assert.equal((await enrol(chain, actor, more)).link!.lets_update, lets);
    await chain.leave(actor);
  }
});

test('workspace enrolled by file works without a connection, and the first transfer file proves the enrolment code', async (t) => {
  const { open, file, store, own, print, made, outgoing, said, clock, db, code } = setUp(t);
  const chain = open();
  assert.deepEqual(chain.transferState(OLGA), { written: 0, taken: 0, can: false, under_way: null });
  assert.deepEqual(chain.transferState(NOWHERE), chain.transferState(OLGA));
  assert.throws(() => chain.writeTransferFile(OLGA), { status: 404 });
  await assert.rejects(chain.receiveTransferFile(OLGA, 1), { status: 404 });
  const stranger = { ...file, key: newKey().key };
  await assert.rejects(chain.enrolByFile(OLGA, stranger), {
    status: 400,
    message: /another headquarters than the file/,
  });
  const { link } = await chain.enrolByFile(OLGA, file);
  assert.deepEqual([link!.by_file, link!.address, link!.may], [true, 'https://hq:8711', 'workspace_editor']);
  const { key, secret, signature } = store.proof('our')!;
  assert.deepEqual([key, secret, signature], [own.key, SECRET, own.sign(enrolText(SECRET, own.key, print))]);
  assert.deepEqual(chain.transferState(OLGA), { written: 4, taken: 9, can: true, under_way: null });
  assert.equal(chain.transferState(actorOf('bob', { workspaceId: 'their' })).can, false);
  const { expires_at, ...written } = chain.writeTransferFile(OLGA);
  assert.deepEqual(written, { number: 5, filename: 'Mill-back-5.vitrine-stick', bytes: null });
  assert.equal(expires_at, clock.now() / 1000 + 600);
  const coming = await chain.receiveTransferFile(OLGA, 10);
  assert.equal(await coming.finish(), 10);
  assert.deepEqual(said.slice(1), ['chain.stick_written HQ (5)', 'chain.stick_taken HQ (10)']);
  made.get('our')!.coming = { what: 'in', bytes: 1, total: 2 };
  assert.deepEqual(chain.transferState(OLGA).under_way, { what: 'in', bytes: 1, total: 2 });
  outgoing.requireFree = () => {
    throw new Error('one is being written');
  };
  assert.throws(() => chain.writeTransferFile(OLGA), /one is being written/);
  outgoing.requireFree = () => {};
  db.write(() => db.raw.exec('UPDATE chain_links SET seal_key = NULL'));
  assert.equal(chain.transferState(OLGA).can, false);
  assert.throws(() => chain.writeTransferFile(OLGA), {
    status: 409,
    message: /has not sent its encryption key for USB sticks/,
  });
  assert.equal(chain.transferState(OLGA).written, 5, 'no number is used up');
  await assert.rejects(chain.enrolByFile(OLGA, { ...file, code: `${code}0` }), { status: 400 });
});

test('store can set the highest role of visitors, the permission for updates, and its download limits', async (t) => {
  const { open, enrol, said, told, did, store, db } = setUp(t);
  const chain = open();
  const hours = [{ from: '22:00', to: '05:00' }] as never;
  const bob = actorOf('bob', { workspaceId: 'their' });
  for (const actor of [OLGA, bob]) {
    await assert.rejects(chain.setMay(actor, null), { status: 404 });
    assert.throws(() => chain.setLetsUpdate(actor, true), { status: 404 });
    assert.throws(() => chain.limitFetching(actor, { rate_kb: 1, hours }), { status: 404 });
    await assert.rejects(chain.leave(actor), { status: 404 });
    if (actor === OLGA) await enrol(chain, bob).then(() => chain.leave(bob));
  }
  await enrol(chain);
  await db.durable();
  for (const list of [said, told, did]) list.length = 0;
  assert.equal((await chain.setMay(OLGA, 'workspace_viewer')).link!.may, 'workspace_viewer');
  assert.deepEqual(did, ['expel our']);
  await chain.setMay(OLGA, 'workspace_viewer');
  assert.deepEqual([did, said], [['expel our'], ['chain.rights_changed HQ']]);
  for (const lets of [true, false]) assert.equal(chain.setLetsUpdate(ADMIN, lets).link!.lets_update, lets ? 1 : 0);
  const limited = chain.limitFetching(OLGA, { rate_kb: 9, hours }).link!;
  assert.deepEqual([limited.rate_kb, limited.hours], [9, hours]);
  assert.deepEqual(did.slice(1), [`limit our ${JSON.stringify({ fetch_rate: 9, fetch_hours: hours })}`]);
  const RIGHTS = 'chain.rights_changed HQ';
  assert.deepEqual(said, [RIGHTS, RIGHTS, RIGHTS, 'chain.fetching_changed HQ']);
  await db.durable();
  assert.deepEqual(told, Array(4).fill('our chain'));
  assert.equal(store.find('our')!.fetch_rate, 9);
});

test('store can leave its headquarters whether headquarters answers or not', async (t) => {
  for (const isHeard of [true, false]) {
    const { open, file, lose, store, said, did } = setUp(t);
    const chain = open();
    await chain.enrolByFile(OLGA, file);
    if (!isHeard) lose();
    did.length = 0;
    await chain.leave(OLGA);
    assert.deepEqual(did, [
      ...(isHeard ? ['leave our'] : []),
      ...['stop our', 'forget files our', 'forget visitors our'],
    ]);
    assert.deepEqual([store.find('our'), store.proof('our'), chain.state(OLGA).link], [undefined, undefined, null]);
    assert.deepEqual([said.at(-1), chain.readiness('our')], ['chain.left HQ', undefined]);
  }
});
