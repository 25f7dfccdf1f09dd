/** Tests transfer files at headquarters: contents of written files, and checks of imported files. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  TransferDown,
  type TransferHeader,
  type TransferPiece,
  type TransferUp,
} from '../../../shared/chain/transfer-file.ts';
import { enrolText } from '../../../shared/chain/wire.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { addWorkspace } from '../../features/reports/testing/plays.ts';
import { Sealer, sealingOf } from '../../kernel/trust/sealing.ts';
import { SPKI } from '../../kernel/trust/signed-by.ts';
import { type Key, newKey } from '../../store-link/testing/journal.ts';
import { OutgoingTransferFiles } from '../../transfer/outgoing.ts';
import { TransferReader } from '../../transfer/transfer-reader.ts';
import { transferFileOf } from '../../transfer/transfer-writer.ts';
import type { KnownStore } from '../plays/segment-writer.ts';
import { HqIncidents } from '../stores/hq-incidents.ts';
import { Refused } from '../stores/refused.ts';
import { hashOfSecret, StoresService } from '../stores/stores.service.ts';
import { ANNA, actorOf, openCampaigns } from '../testing/campaigns.ts';
import { epochOf, NOON, playOf, segmentOf, sha256 } from '../testing/rig.ts';
import { FileEndpoints } from './file-endpoints.ts';
import { RequestHandlers } from './request-handlers.ts';
import { Sessions } from './sessions.ts';
import { TransferFilesService } from './transfer-files.service.ts';

const FINGERPRINT = 'ab'.repeat(32);
const EPOCH = epochOf(1);
const SECRET = '0123456789abcdef';
const newSealing = () => sealingOf(generateKeyPairSync('ed25519').privateKey);
const BOB = actorOf('bob', { workspaceId: 'other' });
const LOOKS = actorOf('lena', {
  workspaceRole: 'workspace_viewer',
  regions: [{ region: '', role: 'workspace_viewer' }],
});

const setUp = (t: TestContext) => {
  const hq = openCampaigns(t);
  const {
    parts,
    folder,
    stores: store,
    registry,
    segmentFiles,
    warehouse,
    desiredStates,
    desiredStatesStore,
    downlink,
    clock,
    key,
    db,
  } = hq;
  addWorkspace(db, 'other');
  const said: string[] = [];
  const activity = {
    add: ({ action, details }: { action: string; details: string }) => said.push(`${action} ${details}`),
  };
  const kernel = { ...parts, activity };
  const sealing = newSealing();
  const identity = { fingerprint: FINGERPRINT, publicKey: SPKI + key.key, sign: key.sign, sealing };
  const server = () => ({ name: 'HQ', fingerprint: FINGERPRINT });
  const incidents = new HqIncidents({ ...kernel, store, registry });
  let isBusy = false;
  const writer = {
    through: hq.writer.through.bind(hq.writer),
    idle: hq.writer.idle.bind(hq.writer),
    storeSegment: (known: KnownStore, file: Buffer) => {
      if (isBusy) throw new Refused('busy', 503, 'Headquarters is busy.');
      return hq.writer.storeSegment(known, file);
    },
  };
  const sessions = new Sessions({ ...kernel, registry, fingerprint: FINGERPRINT });
  const handlers = new RequestHandlers({
    ...{ ...kernel, store, registry, sessions, writer: hq.writer, incidents, downlink, desiredStates, server, sealing },
    offer: () => undefined,
  });
  const stores = new StoresService({
    ...{ ...kernel, store, registry, segmentFiles, writer, warehouse, identity, server },
    addresses: () => [],
  });
  const media = join(folder, 'media');
  mkdirSync(media);
  const blobs = new FileEndpoints({
    store: desiredStatesStore,
    desiredStates,
    media: { pathOf: (hash) => join(media, hash) },
  });
  for (const text of ['sale', 'logo']) writeFileSync(join(media, sha256(text)), text);
  /** The transfer file that was written last. */
  let kept: Parameters<OutgoingTransferFiles['offer']>[2] | undefined;
  const outgoing = new OutgoingTransferFiles(clock);
  const { offer } = outgoing;
  outgoing.offer = (place, number, transferFile) => offer.call(outgoing, place, number, (kept = transferFile));
  const room: number[] = [];
  const transferFiles = new TransferFilesService({
    ...{
      ...kernel,
      store,
      registry,
      stores,
      incidents,
      identity,
      handlers,
      writer,
      warehouse,
      desiredStates,
      blobs,
      outgoing,
    },
    folder: join(folder, 'sticks'),
    requireRoom: async (bytes) => {
      if (bytes > 1e9) throw new ApiError(507, 'No room.');
      room.push(bytes);
    },
  });
  const mill = hq.addStore('mill');
  const dock = hq.addStore('dock');
  const millSealing = newSealing();
  db.write(() => {
    store.setSealKey(mill.id, millSealing.key);
    registry.refresh(mill.id);
  });
  /** Reads the last written transfer file as the store does. */
  const read = async () => {
    let header: TransferHeader | undefined;
    const reader = await TransferReader.open({
      folder: join(folder, 'read'),
      sealing: millSealing,
      state: TransferDown,
      begins: (read) => {
        header = read;
      },
      told: () => {},
      refused: (error) => error,
    });
    let bytes = 0;
    for await (const chunk of await kept!.write()) {
      bytes += chunk.length;
      await reader.write(chunk);
    }
    const { state, pieces } = await reader.finish();
    return { header: header!, state, texts: pieces.map(({ path }) => readFileSync(path, 'utf8')), bytes };
  };
  const up = async (
    by: Key,
    {
      header = {},
      state = {},
      pieces = [],
    }: { header?: Partial<TransferHeader>; state?: Partial<TransferUp>; pieces?: readonly Buffer[] } = {},
  ): Promise<Buffer> => {
    const facts = { direction: 'up', store: 'mill', number: 1, made_ms: clock.now(), ...header } as const;
    const presence: TransferUp['presence'] = {
      ...{ version: '1.0.0', clock_ms: clock.now(), dark_names: [], disk: null, waiting: 0, incidents: [] },
      ...{ screens: { total: 2, online: 2, dark: 0, behind: 0 }, has: [] },
    };
    const sealer = new Sealer(facts, { to: sealing.key, key: by.key, sign: by.sign });
    const chunks: Buffer[] = [];
    const all: TransferUp = {
      what: 'up',
      taken: 0,
      presence,
      epochs: [{ epoch: EPOCH, first: 1 }],
      enrol: null,
      ...state,
    };
    const brought = pieces.map(
      (bytes) => [{ what: 'segment', bytes: bytes.length } as TransferPiece, [bytes]] as const,
    );
    for await (const chunk of transferFileOf(sealer, all, brought)) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const take = async (transferFile: Buffer, ref = 'mill') => {
    const coming = await transferFiles.receive(ANNA, ref, transferFile.length);
    await coming.write(transferFile).catch(() => {});
    return coming.finish();
  };
  const takenIn = () => store.find(mill.id)!.stick_in;
  const problems = () => store.incidents(mill.id, { limit: 99, offset: 0 }).map(({ kind, details }) => [kind, details]);
  return {
    ...{
      ...hq,
      transferFiles,
      said,
      read,
      up,
      take,
      takenIn,
      problems,
      mill,
      dock,
      room,
      media,
      sealing,
      millSealing,
      outgoing,
    },
    file: () => kept!,
    setBusy: (busy: boolean) => {
      isBusy = busy;
    },
  };
};

test('transfer file contains what the store needs and does not have, and its length equals the announced length', async (t) => {
  const {
    transferFiles,
    running,
    read,
    file,
    mill,
    said,
    told,
    key,
    sealing,
    desiredOf,
    registry,
    stores,
    db,
    settled,
    clock,
  } = setUp(t);
  await running();
  db.write(() => stores.addIncident(mill.id, { id: 'i1', kind: 'forked', details: '', at: 1 }));
  told.length = 0;
  const made = await transferFiles.write(ANNA, 'mill');
  await settled();
  const { header, state, texts, bytes } = await read();
  const { number, filename } = made;
  assert.deepEqual(made, { number: 1, filename: 'mill-1.vitrine-stick', bytes, expires_at: NOON / 1000 + 600 });
  assert.deepEqual([file().filename, file().bytes], [filename, bytes]);
  assert.deepEqual(
    [header.direction, header.store, header.number, header.made_ms, header.key],
    ['down', 'mill', number, NOON, key.key],
  );
  const { desired, ...rest } = state;
  assert.deepEqual(JSON.parse(desired!.text), desiredOf(mill));
  assert.deepEqual(rest, {
    ...{ what: 'down', taken: 0, cursors: [], incidents: ['i1'], name: 'mill', headquarters: 'HQ' },
    ...{ clock_ms: NOON, desired_rev: desiredOf(mill)!.rev, seal_key: sealing.key },
  });
  const [document, ...files] = texts as [string];
  assert.equal(sha256(document), desiredOf(mill)!.campaigns[0]!.sha256);
  assert.deepEqual(files.toSorted(), ['logo', 'sale']);
  assert.deepEqual([said, told], [['store.stick_written mill (1)'], ['hq stores']]);
  assert.deepEqual(transferFiles.state(ANNA, 'mill'), { written: 1, taken: 0, can: true, under_way: null });
  registry.record(
    mill.id,
    { ...presenceOf(registry, mill.id), has: [sha256('sale'), sha256(document)] } as never,
    null,
  );
  clock.advance(1_000);
  assert.equal((await transferFiles.write(ANNA, 'mill')).number, 2);
  assert.deepEqual((await read()).texts, ['logo']);
});

const presenceOf = (registry: ReturnType<typeof setUp>['registry'], id: number): object =>
  registry.byId(id)?.presence ?? {};

test('transfer file is not written if the store’s key is invalid, rights are missing, or a needed file is damaged', async (t) => {
  const { transferFiles, running, stores, registry, db, mill, media, outgoing } = setUp(t);
  await running();
  const refused = (ref: string, how: object, actor = ANNA) => assert.rejects(transferFiles.write(actor, ref), how);
  await refused('dock', { status: 409, message: /^dock has not sent its key for sticks/ });
  assert.equal(transferFiles.state(ANNA, 'dock').can, false);
  await refused('mill', { status: 404 }, BOB);
  await refused('mill', { status: 403 }, LOOKS);
  assert.throws(() => transferFiles.requireEdited(LOOKS, 'mill'), { status: 403 });
  assert.equal(transferFiles.state(LOOKS, 'mill').written, 0);
  assert.throws(() => transferFiles.state(BOB, 'mill'), { status: 404 });
  const logo = join(media, sha256('logo'));
  writeFileSync(logo, 'longer');
  await refused('mill', { status: 503, message: /A file of a campaign is missing/ });
  rmSync(logo);
  await refused('mill', { status: 503, message: /A file of a campaign is missing/ });
  assert.equal(transferFiles.state(ANNA, 'mill').written, 0, 'no number is used up');
  writeFileSync(logo, 'logo');
  outgoing.requireFree = () => {
    throw new ApiError(409, 'One is being written.');
  };
  await refused('mill', { status: 409, message: 'One is being written.' });
  outgoing.requireFree = () => {};
  const change = (work: () => void) =>
    db.write(() => {
      work();
      registry.refresh(mill.id);
    });
  change(() => stores.setSealKey(mill.id, '00'.repeat(32)));
  await refused('mill', { status: 409, message: /sent an encryption key that is not valid/ });
  change(() => stores.leave(mill.id, 1));
  await refused('mill', { status: 409, message: /^mill is not enrolled/ });
  assert.equal(transferFiles.state(ANNA, 'mill').can, false);
});

test('transfer file from the store’s server is imported once, with the presence and the plays in it', async (t) => {
  const {
    told,
    db,
    transferFiles,
    up,
    take,
    takenIn,
    mill,
    said,
    all,
    registry,
    room,
    clock,
    folder,
    desiredStates,
    problems,
  } = setUp(t);
  const { file } = segmentOf(mill.of, 'mill', { epoch: EPOCH, first: 1, last: 1, plays: [playOf(1, 1)] });
  const made_ms = clock.now() - 60_000;
  const state = { taken: 7 };
  const transferFile = await up(mill.of, { header: { number: 3, made_ms }, state, pieces: [file] });
  const coming = await transferFiles.receive(ANNA, 'mill', transferFile.length);
  const progress = () => transferFiles.state(ANNA, 'mill').under_way;
  assert.deepEqual({ ...progress() }, { what: 'in', bytes: 0, total: transferFile.length });
  await coming.write(transferFile.subarray(0, 100));
  assert.equal(progress()!.bytes, 100);
  await coming.write(transferFile.subarray(100));
  assert.deepEqual(await coming.finish(), { number: 3, trouble: null });
  assert.deepEqual(
    [progress(), room, existsSync(join(folder, 'sticks', 'mill'))],
    [null, [transferFile.length], false],
  );
  assert.equal((await all()).length, 1);
  const { heard_at, presence, line } = registry.byRef('mill')!;
  assert.deepEqual([heard_at, presence!.screens.total, line], [made_ms / 1000, 2, 'down']);
  assert.deepEqual(transferFiles.state(ANNA, 'mill'), { written: 7, taken: 3, can: true, under_way: null });
  assert.deepEqual(said, ['store.stick_taken mill (3)']);
  await db.durable();
  assert.deepEqual(told, ['hq stores']);
  const why =
    /The file on the USB stick was not imported: the file has the number 3, but the file with the number 3 was already imported\. Nothing was changed/;
  await assert.rejects(take(transferFile), { status: 400, message: why });
  assert.deepEqual(
    problems().map(([kind]) => kind),
    ['stick_refused'],
  );
  // The clock of the store is ahead. The time of its presence must not be in the future.
  const ahead = await up(mill.of, { header: { number: 4, made_ms: clock.now() + 60_000 } });
  assert.deepEqual(
    [await take(ahead), registry.byRef('mill')!.heard_at],
    [{ number: 4, trouble: null }, clock.now() / 1000],
  );
  assert.equal(takenIn(), 4);
  await desiredStates.idle();
});

test('invalid transfer file is refused with a reason and changes nothing, and a forged file causes an incident', async (t) => {
  const { up, take, takenIn, mill, dock, problems, said } = setUp(t);
  const wrong: [Buffer, RegExp][] = [
    [Buffer.from('{"vitrine":"other"}\n'), /the file is not a Vitrine file for a USB stick/],
    [await up(mill.of, { header: { direction: 'down' } }), /it goes to a store, not to headquarters/],
    [await up(mill.of, { header: { store: 'dock' } }), /it is of another store/],
    [await up(dock.of), /the file comes from a server that does not belong to this store/],
    [(await up(mill.of)).subarray(0, -1), /it /],
  ];
  for (const [transferFile, message] of wrong) await assert.rejects(take(transferFile), { status: 400, message });
  assert.deepEqual([takenIn(), said], [0, []]);
  assert.deepEqual(
    problems().map(([kind, details]) => [kind, /: it goes to a store/.test(details!)]),
    [['stick_refused', true]],
    'once, until somebody has looked',
  );
});

test('new server of a store enrols by transfer file with the code of that store', async (t) => {
  const { up, take, takenIn, mill, dock, stores, registry, db, clock, said } = setUp(t);
  const server = newKey();
  const enrol = (more: object = {}, by = server) => ({
    ...{ secret: SECRET, key: by.key, signature: by.sign(enrolText(SECRET, by.key, FINGERPRINT)) },
    ...{ server_name: 'PC', workspace_name: 'W', version: '1.0.0', ...more },
  });
  const code = (of: { id: number }, until: number) =>
    db.write(() => stores.setCode(of.id, hashOfSecret(SECRET), until));
  const now = clock.now() / 1000;
  const bad = { status: 400, message: /it proves a code that is not good now/ };
  await assert.rejects(take(await up(server, { state: { enrol: enrol() } })), bad, 'none was made');
  code(dock, now + 9);
  await assert.rejects(take(await up(server, { state: { enrol: enrol() } })), bad, 'it is another store’s');
  db.write(() => stores.setCode(dock.id, 'another', now + 9));
  code(mill, now);
  await assert.rejects(take(await up(server, { state: { enrol: enrol() } })), bad, 'it is too old');
  code(mill, now + 9);
  const foreign = { status: 400, message: /the file comes from a server that does not belong to this store/ };
  await assert.rejects(take(await up(server, { state: { enrol: enrol({}, newKey()) } })), foreign);
  assert.equal(registry.byRef('mill')!.key, mill.of.key);
  // Numbers of transfer files are counted per server.
  db.write(() => {
    stores.setStickTaken(mill.id, 5, 0);
    registry.refresh(mill.id);
  });
  assert.deepEqual(await take(await up(server, { state: { enrol: enrol() } })), { number: 1, trouble: null });
  assert.deepEqual([registry.byRef('mill')!.key, takenIn()], [server.key, 1]);
  assert.match(said.join('\n'), /^store.enrolled mill.*\nstore.stick_taken mill \(1\)$/);
  const again = await up(server, { header: { number: 2 }, state: { enrol: enrol() } });
  assert.deepEqual(await take(again), { number: 2, trouble: null }, 'it is known by now, whatever its code');
});

test('answer names refused plays of a transfer file, and a busy headquarters accepts the same file at a second try', async (t) => {
  const { up, take, takenIn, mill, setBusy, all, said } = setUp(t);
  const pieces = [segmentOf(mill.of, 'mill', { epoch: EPOCH, first: 1, last: 1, plays: [playOf(1, 1)] }).file];
  const transferFile = await up(mill.of, { pieces });
  setBusy(true);
  await assert.rejects(take(transferFile), {
    status: 503,
    message: 'Headquarters is busy. Then import the USB stick again.',
  });
  assert.deepEqual([takenIn(), said], [0, []]);
  setBusy(false);
  assert.deepEqual(await take(transferFile), { number: 1, trouble: null });
  assert.equal((await all()).length, 1);
  const odd = await up(mill.of, { header: { number: 2 }, pieces: [Buffer.from('{}\n')] });
  const { number, trouble } = await take(odd);
  assert.deepEqual([number, takenIn()], [2, 2]);
  assert.match(trouble!, /did not accept some plays/);
});

test('imports of transfer files are limited to one per store and four in all', async (t) => {
  const { transferFiles, addStore, up, mill, take } = setUp(t);
  const transferFile = await up(mill.of);
  await assert.rejects(transferFiles.receive(LOOKS, 'mill', 1), { status: 403 });
  await assert.rejects(transferFiles.receive(BOB, 'mill', 1), { status: 404 });
  await assert.rejects(transferFiles.receive(ANNA, 'mill', 2e9), { status: 507 });
  const first = await transferFiles.receive(ANNA, 'mill', transferFile.length);
  await assert.rejects(transferFiles.receive(ANNA, 'mill', 1), { status: 409, message: /^Another USB stick/ });
  const others = ['a', 'b', 'c'].map((ref) => addStore(ref).ref);
  const coming = await Promise.all(others.map((ref) => transferFiles.receive(ANNA, ref, 1)));
  await assert.rejects(transferFiles.receive(ANNA, 'dock', 1), { status: 409, message: /^Too many USB sticks/ });
  await first.abort();
  await (await transferFiles.receive(ANNA, 'dock', 1)).abort();
  assert.equal((await take(transferFile)).number, 1);
  for (const one of coming) await one.abort();
});
