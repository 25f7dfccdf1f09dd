/** Tests how stores fetch documents and files of campaigns: access, ranges and limits. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { BLOB_PATH, SESSION_MINUTES, sessionText } from '../../../shared/chain/wire.ts';
import { MediaStore } from '../../media/media-store.ts';
import { newKey } from '../../store-link/testing/journal.ts';
import { ANNA, addContent, addPlaylist, EVERYWHERE, openCampaigns } from '../testing/campaigns.ts';
import { sha256 } from '../testing/rig.ts';
import { FileEndpoints } from './file-endpoints.ts';
import { RequestPipeline } from './request-pipeline.ts';
import { Sessions } from './sessions.ts';
import { createStoreEndpoints } from './store-endpoints.ts';

const FINGERPRINT = 'ab'.repeat(32);
/** Size of the test file in bytes: larger than the buffers of sockets. */
const LARGE = 'x'.repeat(32 * 1024 * 1024);

const setUp = async (t: TestContext, { most }: { most?: number } = {}) => {
  const hq = openCampaigns(t);
  const { folder, db, parts, registry, desiredStates, desiredStatesStore, addStore } = hq;
  const media = new MediaStore(join(folder, 'media'));
  const write = (text: string): string => {
    const hash = sha256(text);
    mkdirSync(dirname(media.pathOf(hash)), { recursive: true });
    writeFileSync(media.pathOf(hash), text);
    return hash;
  };
  for (const text of ['sale', 'logo', 'secret', LARGE]) write(text);
  db.write(() => {
    addContent(db, 'secret');
    addContent(db, 'large', LARGE);
    addPlaylist(db, 'hidden', ['secret']);
    addPlaylist(db, 'heavy', ['large']);
  });
  const sessions = new Sessions({ ...parts, registry, fingerprint: FINGERPRINT });
  const blobs = new FileEndpoints({
    store: desiredStatesStore,
    desiredStates,
    media,
    ...(most !== undefined && { most }),
  });
  registry.onGone((id) => blobs.drop(id));
  const door = createStoreEndpoints({
    sessions,
    pipeline: new RequestPipeline({ ...parts, handlers: undefined as never }),
    downlink: undefined as never,
    tunnels: undefined as never,
    blobs,
    addressOf: () => 'a',
  });
  const http = createServer((req, res) => {
    if (!door.request(req, res)) res.writeHead(418).end();
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  t.after(() => http.close());
  t.after(() => http.closeAllConnections());
  const { port } = http.address() as { port: number };
  const signIn = ({ ref, of }: ReturnType<typeof addStore>): string => {
    const nonce = sessions.challenge(ref);
    return sessions.open({ store: ref, nonce, signature: of.sign(sessionText(ref, nonce, FINGERPRINT)) });
  };
  const ask = async (hash: string, token: string, headers: Record<string, string> = {}, method = 'GET') => {
    const reply = await fetch(`http://127.0.0.1:${port}${BLOB_PATH}${hash}`, {
      method,
      headers: { ...(token && { Authorization: `Bearer ${token}` }), ...headers },
    });
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  };
  /** Sends a request and does not read the answer. */
  const hold = async (hash: string, token: string): Promise<IncomingMessage> => {
    const req = get(`http://127.0.0.1:${port}${BLOB_PATH}${hash}`, {
      headers: { Authorization: `Bearer ${token}` },
      agent: false,
    });
    req.on('error', () => {});
    const [res] = (await once(req, 'response')) as [IncomingMessage];
    res.on('error', () => {});
    return res;
  };
  return { ...hq, media, signIn, ask, hold };
};

const [SALE, SECRET] = [sha256('sale'), sha256('secret')];

test('store fetches its document and each file in it, whole and by ranges', async (t) => {
  const { addStore, running, signIn, ask, desiredOf } = await setUp(t);
  const mill = addStore('mill');
  await running();
  const token = signIn(mill);
  const { sha256: hash, bytes } = desiredOf(mill)!.campaigns[0]!;
  const doc = await ask(hash, token);
  assert.deepEqual([doc.status, sha256(doc.text), Buffer.byteLength(doc.text)], [200, hash, bytes]);
  const file = await ask(SALE, token);
  assert.deepEqual([file.status, file.text, file.headers.get('etag')], [200, 'sale', `"${SALE}"`]);
  for (const { headers } of [doc, file]) {
    assert.match(headers.get('cache-control')!, /immutable/);
    assert.equal(headers.get('accept-ranges'), 'bytes');
  }
  const part = await ask(SALE, token, { Range: 'bytes=1-2' });
  assert.deepEqual([part.status, part.text, part.headers.get('content-range')], [206, 'al', 'bytes 1-2/4']);
  const rest = await ask(hash, token, { Range: `bytes=${bytes - 5}-` });
  assert.deepEqual([rest.status, rest.text], [206, doc.text.slice(-5)]);
  for (const [of, size] of [
    [SALE, 4],
    [hash, bytes],
  ] as const) {
    const beyond = await ask(of, token, { Range: `bytes=${size}-` });
    assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, `bytes */${size}`]);
    assert.equal(typeof JSON.parse(beyond.text).error, 'string');
  }
});

test('GET of a file that the store does not need has the same 404 as an unknown file', async (t) => {
  const { addStore, running, signIn, ask, campaigns, settled, desiredOf } = await setUp(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  const mine = await running({ where: { ...EVERYWHERE, store_ids: ['mill'] } });
  await running({ name: 'other', playlist_id: 'hidden', where: { ...EVERYWHERE, store_ids: ['dock'] } });
  const theirs = desiredOf(dock)!.campaigns[0]!.sha256;
  const own = desiredOf(mill)!.campaigns[0]!.sha256;
  const token = signIn(mill);
  const none = await ask('0'.repeat(64), token);
  assert.deepEqual([none.status, JSON.parse(none.text).code], [404, 'bad_request']);
  for (const hash of [SECRET, theirs])
    assert.deepEqual([(await ask(hash, token)).status, (await ask(hash, token)).text], [404, none.text]);
  assert.equal((await ask(SECRET, signIn(dock))).status, 200);
  assert.equal((await ask(own, token)).status, 200);
  campaigns.stop(ANNA, mine, undefined);
  await settled();
  for (const hash of [own, SALE]) assert.equal((await ask(hash, token)).text, none.text);
});

test('GET of a file is refused without a valid session, and for stores that were removed or replaced', async (t) => {
  const { addStore, running, signIn, ask, clock, db, stores, registry } = await setUp(t);
  const [mill, dock, pier] = [addStore('mill'), addStore('dock'), addStore('pier')];
  await running();
  const [atMill, atDock, atPier] = [signIn(mill), signIn(dock), signIn(pier)];
  assert.equal((await ask(SALE, atMill)).status, 200);
  assert.equal((await ask(SALE, '')).status, 401);
  assert.equal((await ask(SALE, '0'.repeat(64))).status, 401);
  db.write(() => {
    stores.delete(dock.id);
    registry.refresh(dock.id);
    stores.enrol(pier.id, { key: newKey().key, server_name: 'S', workspace_name: 'W', at: 1 });
    registry.refresh(pier.id);
  });
  assert.deepEqual([(await ask(SALE, atDock)).status, (await ask(SALE, atPier)).status], [403, 403]);
  clock.advance(SESSION_MINUTES * 60_000);
  assert.equal((await ask(SALE, atMill)).status, 401);
});

test('file endpoint ignores other methods and paths without a valid hash', async (t) => {
  const { addStore, signIn, ask, running } = await setUp(t);
  const token = signIn(addStore('mill'));
  await running();
  for (const path of ['', 'x', SALE.toUpperCase(), `${SALE}0`, `${SALE}?a`, `../${SALE}`, `${SALE}/..`])
    assert.equal((await ask(path, token)).status, 418, path);
  for (const method of ['POST', 'HEAD', 'DELETE'])
    assert.equal((await ask(SALE, token, {}, method)).status, 418, method);
});

test('GET of a file answers 404 while the file is missing on the disk, and succeeds when the file exists again', async (t) => {
  const { addStore, running, signIn, ask, media } = await setUp(t);
  const token = signIn(addStore('mill'));
  await running();
  rmSync(media.pathOf(SALE));
  const gone = await ask(SALE, token);
  assert.deepEqual([gone.status, typeof JSON.parse(gone.text).error], [404, 'string']);
  writeFileSync(media.pathOf(SALE), 'sale');
  assert.equal((await ask(SALE, token)).status, 200);
});

test('store gets at most four files at once, and may request another when a download ends', async (t) => {
  const { addStore, running, signIn, ask, hold } = await setUp(t);
  const [mill, dock] = [addStore('mill'), addStore('dock')];
  await running({ playlist_id: 'heavy' });
  const [atMill, atDock] = [signIn(mill), signIn(dock)];
  const large = sha256(LARGE);
  const held = await Promise.all([1, 2, 3, 4].map(() => hold(large, atMill)));
  const fifth = await ask(large, atMill, { Range: 'bytes=0-0' });
  assert.deepEqual(
    [fifth.status, JSON.parse(fifth.text).code, fifth.headers.get('retry-after')],
    [429, 'too_many', '5'],
  );
  assert.equal((await ask(large, atDock, { Range: 'bytes=0-0' })).status, 206);
  held[0]!.destroy();
  const isFree = async () => (await ask(large, atMill, { Range: 'bytes=0-0' })).status === 206;
  for (let i = 0; !(await isFree()); i++) assert.ok(i < 1_000, 'its place is never free');
});

test('download of a document counts against the limit until the store has received all of it', async (t) => {
  const { addStore, running, signIn, ask, hold, db, desiredOf } = await setUp(t);
  const mill = addStore('mill');
  db.write(() => {
    const config = JSON.stringify({ html: 'x'.repeat(4_000_000) });
    db.raw
      .prepare(
        "INSERT INTO widgets (id, workspace_id, widget_type, name, config, created_at, updated_at) VALUES ('w', 'hq', 'text', 'W', ?, 0, 0)",
      )
      .run(config);
    db.raw.exec("UPDATE published_items SET content_id = NULL, widget_id = 'w' WHERE playlist_id = 'heavy'");
  });
  await running({ playlist_id: 'heavy' });
  const { sha256: hash } = desiredOf(mill)!.campaigns[0]!;
  const token = signIn(mill);
  for (let i = 0; i < 4; i++) await hold(hash, token);
  assert.equal((await ask(hash, token)).status, 429);
});

test('file endpoint answers 503 with Retry-After above the limit for all stores', async (t) => {
  const { addStore, running, signIn, ask, hold } = await setUp(t, { most: 2 });
  const stores = ['mill', 'dock', 'pier'].map((ref) => addStore(ref));
  await running({ playlist_id: 'heavy' });
  const large = sha256(LARGE);
  for (const store of stores.slice(0, 2)) await hold(large, signIn(store));
  const third = await ask(large, signIn(stores[2]!));
  assert.deepEqual([third.status, JSON.parse(third.text).code, third.headers.get('retry-after')], [503, 'busy', '5']);
});

test('download ends when its store is removed, and a store that reads slowly does not fill the memory', async (t) => {
  const { addStore, running, signIn, hold, db, stores, registry } = await setUp(t);
  const mill = addStore('mill');
  await running({ playlist_id: 'heavy' });
  const before = process.memoryUsage().arrayBuffers;
  const res = await hold(sha256(LARGE), signIn(mill));
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.ok(process.memoryUsage().arrayBuffers - before < LARGE.length / 2);
  db.write(() => {
    stores.delete(mill.id);
    registry.refresh(mill.id);
  });
  let bytes = 0;
  res.on('data', (part: Buffer) => {
    bytes += part.length;
  });
  await new Promise((resolve) => res.once('close', resolve));
  assert.ok(bytes < LARGE.length, `${bytes} bytes`);
});
