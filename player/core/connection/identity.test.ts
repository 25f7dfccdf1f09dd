import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeCrypto, MemoryDocuments, MemoryLog, sha256 } from '../testing/fakes.ts';
import { IdentityKeeper, type Paired } from './identity.ts';

const paired: Paired = {
  device_id: 'd',
  name: 'Window',
  workspace_id: 'ws',
  server: { id: 'server-1', name: 'Store', fingerprint: 'f' },
  origin: 'http://10.0.0.1:8710',
  tls: null,
};

async function boot(documents = new MemoryDocuments(), crypto = new FakeCrypto()) {
  const log = new MemoryLog();
  const identity = new IdentityKeeper({ documents, crypto, log });
  await identity.start();
  return { identity, documents, crypto, log };
}
const all = ({ paired, secret, signingKey, believed }: IdentityKeeper) => ({ paired, secret, signingKey, believed });

test('identity creates secret and key at the first start and keeps them', async () => {
  const { identity, documents } = await boot();
  assert.match(identity.secret, /^[0-9a-f]{64}$/);
  assert.equal(identity.secretHash, sha256(Buffer.from(identity.secret, 'hex')));
  assert.deepEqual([identity.paired, identity.believed, identity.authorization], [null, null, undefined]);
  assert.deepEqual([identity.signingKey, identity.signingPublicKey], ['key', 'public']);
  assert.deepEqual(all((await boot(documents)).identity), all(identity));
});

test("identity stores which server proved the player's code, and deletes this once the player is paired", async () => {
  const { identity, documents } = await boot();
  await identity.trust('f');
  assert.equal((await boot(documents)).identity.believed, 'f');
  await identity.pair(paired);
  const next = (await boot(documents)).identity;
  assert.deepEqual(all(next), { ...all(identity), paired, believed: null });
  assert.equal(next.authorization, `Bearer d.${identity.secret}`);
});

test('identity file of an older version, in which the fields for TLS and the own code are missing, is read', async () => {
  const documents = new MemoryDocuments();
  const { tls: _, ...before } = paired;
  const secret = 'ab'.repeat(32);
  documents.all.set('identity', JSON.stringify({ format: 1, secret, signing_key: null, paired: before }));
  const { identity } = await boot(documents);
  assert.deepEqual(all(identity), { paired, secret, signingKey: null, believed: null });
  assert.equal(identity.signingPublicKey, null);
});

test('identity keeps new server data in memory when the disk refuses the write', async () => {
  const { identity, documents, log } = await boot();
  await identity.pair(paired);
  const moved = { ...paired, name: 'Window', origin: 'http://10.0.0.9:8710' };
  documents.write = () => Promise.reject(new Error('disk full'));
  await identity.renew(moved);
  assert.deepEqual([identity.paired, (await boot(documents)).identity.paired], [moved, paired]);
  assert.match(log.lines.join(), /what is new of the server could not be saved/);
  documents.write = MemoryDocuments.prototype.write;
  await identity.renew(moved);
  assert.deepEqual((await boot(documents)).identity.paired, moved);
});

test('unpairing or damage gives the player a new secret and key, and a refused write leaves both as they are', async () => {
  const { identity, documents, crypto } = await boot();
  await identity.pair(paired);
  const { secret } = identity;
  crypto.newSigningKey = () => 'another key';
  documents.write = () => Promise.reject(new Error('disk full'));
  await assert.rejects(identity.forget());
  assert.deepEqual([identity.paired, identity.secret], [paired, secret]);
  documents.write = MemoryDocuments.prototype.write;
  await identity.forget();
  assert.deepEqual([identity.paired, identity.signingKey], [null, 'another key']);
  assert.notEqual(identity.secret, secret);
  documents.all.set('identity', '{"format":1,"secret":"short"}');
  const again = await boot(documents);
  assert.match(again.log.lines.join(), /identity is damaged and was set aside/);
  assert.match(again.identity.secret, /^[0-9a-f]{64}$/);
});
