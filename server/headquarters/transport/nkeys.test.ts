/** Tests keys and credentials of NATS against NATS' own library and Node's signature verification. */
import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { nkeys } from '@nats-io/transport-node';
import { HUB_VERBS, MAX_MESSAGE_BYTES, storePermissions } from '../../../shared/chain/subjects.ts';
import { tempFolder } from '../../../test/harness.ts';
import { SPKI } from '../../kernel/trust/signed-by.ts';
import { newKey } from '../../store-link/testing/journal.ts';
import {
  ALL_KEYS,
  CREDENTIAL_SECONDS,
  earliestIssue,
  lastingOf,
  type RevokedKeys,
  withRevoked,
} from '../stores/revoked-keys.ts';
import { NatsSetup } from './nats-setup.ts';
import { accountJwt, nkeyOf, operatorJwt } from './nkeys.ts';

/** Example from NATS' documentation. */
const SEED = 'SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY';
const PUBLIC = 'UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const bytesOf = (text: string): Buffer => {
  const bits = [...text].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
};
const signerOf = (seed: Buffer) => {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const raw = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('hex').slice(-64);
  return { key: raw, sign: (text: string) => sign(null, Buffer.from(text), key) };
};
const partsOf = (jwt: string) => {
  const [head, body, signature] = jwt.split('.') as [string, string, string];
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  return {
    head: read(head),
    claims: read(body),
    text: `${head}.${body}`,
    signature: Buffer.from(signature, 'base64url'),
  };
};
/** Verifies the signature with the key of the issuer that the JWT names. */
const isSigned = (jwt: string): boolean => {
  const { claims, text, signature } = partsOf(jwt);
  const key = Buffer.from(SPKI + bytesOf(claims.iss).subarray(1, 33).toString('hex'), 'hex');
  return verify(null, Buffer.from(text), createPublicKey({ key, format: 'der', type: 'spki' }), signature);
};

test('nkey equals the output of NATS’ own tools', () => {
  const { key } = signerOf(bytesOf(SEED).subarray(2, 34));
  assert.equal(nkeyOf('user', key), PUBLIC);
  for (let i = 0; i < 50; i++) {
    const { key: other } = newKey();
    for (const [kind, letter] of [
      ['operator', 'O'],
      ['account', 'A'],
      ['user', 'U'],
    ] as const) {
      const text = nkeyOf(kind, other);
      assert.equal(text.length, 56);
      assert.equal(text[0], letter);
      // The library's fromPublic throws when the checksum of the key is wrong.
      assert.equal(nkeys.fromPublic(text).getPublicKey(), text);
      assert.equal(bytesOf(text).subarray(1, 33).toString('hex'), other);
    }
  }
});

test('credential is signed by the issuer that it names, and equal claims give an identical credential', () => {
  const [operator, account] = [signerOf(Buffer.alloc(32, 1)), signerOf(Buffer.alloc(32, 2))];
  const [first, second] = [operatorJwt(operator, 7), accountJwt(operator, { name: 'chain', key: account.key, at: 7 })];
  for (const jwt of [first, second]) {
    assert.deepEqual(partsOf(jwt).head, { typ: 'JWT', alg: 'ed25519-nkey' });
    assert.ok(isSigned(jwt));
    const forged = jwt.replace(
      /\.[^.]+\./,
      (body) => `.${Buffer.from(JSON.stringify({ ...partsOf(jwt).claims, body })).toString('base64url')}.`,
    );
    assert.ok(!isSigned(forged));
  }
  assert.equal(partsOf(second).claims.iss, nkeyOf('operator', operator.key));
  assert.equal(operatorJwt(operator, 7), first);
});

test('hub credential for a store permits only the subjects of this store, for at most a day', (t) => {
  const now = Date.UTC(2026, 10, 2);
  const setup = new NatsSetup({
    data: tempFolder(t),
    server: 'tls://hub.test:4222',
    clock: { now: () => now },
    revoked: () => ({}),
  });
  const whose = { store: '01a21638-baa3-7000-9bfe-5d8b0c927190', key: newKey().key };
  const { servers, jwt, ca } = setup.offer(whose, 'PEM')!;
  assert.deepEqual([servers, ca], [['tls://hub.test:4222'], 'PEM']);
  assert.ok(isSigned(jwt));
  // The hub limits the length of a line, which contains further text beside the JWT.
  assert.ok(jwt.length < 3_000, `${jwt.length}`);
  const { claims } = partsOf(jwt);
  assert.equal(claims.sub, nkeyOf('user', whose.key));
  assert.ok(claims.exp > now / 1_000 + 3_600 && claims.exp <= now / 1_000 + 86_400);
  const { publish, subscribe } = storePermissions(whose);
  assert.deepEqual([claims.nats.pub.allow, claims.nats.sub.allow], [publish, subscribe]);
  assert.equal(publish.length, HUB_VERBS.length + 1);
  for (const subject of [...publish, ...subscribe])
    assert.ok(subject.includes(`.${whose.store}.${whose.key}`), subject);
  assert.equal(claims.nats.payload, MAX_MESSAGE_BYTES);
  for (const store of ['*', '>', 'a.b', 'a b', ''])
    assert.equal(setup.offer({ ...whose, store }, ''), undefined, store);
});

test('account JWT revokes keys of removed servers, and a key that enrols again gets a credential with a later time', (t) => {
  const now = Date.UTC(2026, 10, 2);
  const at = now / 1_000;
  const [gone, other] = [newKey().key, newKey().key];
  let revoked: RevokedKeys = {};
  const setup = new NatsSetup({
    data: tempFolder(t),
    server: 'tls://hub.test:4222',
    clock: { now: () => now },
    revoked: () => revoked,
  });
  const issuedAt = (key: string): number => partsOf(setup.offer({ store: 'mill', key }, '')!.jwt).claims.iat;
  assert.equal(partsOf(setup.update.message).claims.nats.revocations, undefined);
  assert.equal(issuedAt(gone), at);

  revoked = withRevoked(revoked, gone, at);
  const { claims } = partsOf(setup.update.message);
  assert.deepEqual(claims.nats.revocations, { [nkeyOf('user', gone)]: at });
  assert.equal(setup.update.subject, `$SYS.REQ.ACCOUNT.${claims.sub}.CLAIMS.UPDATE`);
  assert.equal(setup.update.message, setup.update.message);
  assert.deepEqual([issuedAt(gone), issuedAt(other)], [at + 1, at]);
  // Checks that the credential for the hub's own account permits only this message.
  const { nats } = partsOf(setup.system.jwt).claims;
  assert.deepEqual([nats.pub.allow, nats.sub.allow], [[setup.update.subject], ['_INBOX.>']]);
});

test('revocations are dropped when the credentials have expired, and more than 1,000 become one for all keys', () => {
  let revoked = withRevoked({}, 'a', 100);
  assert.deepEqual(lastingOf(revoked, 100 + CREDENTIAL_SECONDS), { a: 100 });
  assert.deepEqual(lastingOf(revoked, 101 + CREDENTIAL_SECONDS), {});
  assert.deepEqual(withRevoked(revoked, 'b', 101 + CREDENTIAL_SECONDS), { b: 101 + CREDENTIAL_SECONDS });
  for (let i = 1; i < 1_000; i++) revoked = withRevoked(revoked, `key ${i}`, 100 + i);
  assert.equal(Object.keys(revoked).length, 1_000);
  revoked = withRevoked(revoked, 'one more', 2_000);
  assert.deepEqual(revoked, { [ALL_KEYS]: 2_000 });
  assert.equal(earliestIssue(revoked, 'a'), 2_001);
  assert.deepEqual(withRevoked(revoked, 'b', 3_000), { [ALL_KEYS]: 2_000, b: 3_000 });
  assert.equal(earliestIssue({}, 'a'), 1);
});

test('keys that an earlier version created stay unchanged, and setup says that the hub must be restarted', (t) => {
  const data = tempFolder(t);
  const made = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  const stored = JSON.stringify({ operator: made(), account: made(), user: made() });
  mkdirSync(join(data, 'keys'));
  writeFileSync(join(data, 'keys', 'nats.json'), stored);
  let revoked: RevokedKeys = {};
  const open = () =>
    new NatsSetup({ data, server: 'tls://hub.test:4222', clock: { now: () => 0 }, revoked: () => revoked });
  const shown = { certificate: 'C', private_key: 'K' };
  assert.equal(open().write(shown), 'start');
  const conf = readFileSync(open().file, 'utf8');
  // The key file as an earlier version wrote it.
  const earlier = conf.split('\n').filter((line) => !line.startsWith('system_account:'));
  writeFileSync(open().file, earlier.join('\n'));
  assert.equal(open().write(shown), 'restart');
  assert.equal(readFileSync(open().file, 'utf8'), conf);
  assert.equal(readFileSync(join(data, 'keys', 'nats.json'), 'utf8'), stored);

  assert.equal(open().write({ ...shown, certificate: 'D' }), 'reload');
  revoked = { [newKey().key]: 7 };
  assert.equal(open().write({ ...shown, certificate: 'D' }), 'nothing');
  assert.ok(readFileSync(open().file, 'utf8').includes(open().update.message));
});
