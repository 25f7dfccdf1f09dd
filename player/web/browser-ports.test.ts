import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeCrypto } from '../agent/node-ports.ts';
import { browserCrypto, chunksOf } from './browser-ports.ts';

const SPKI = '302a300506032b6570032100';

test('browser and Node compute the same hashes of texts, bytes and hex', () => {
  for (const text of ['', 'Grüße aus der Vitrine 🪟', 'x'.repeat(100_000)])
    assert.equal(browserCrypto.sha256(text), nodeCrypto.sha256(text));
  const bytes = new Uint8Array(1_000_003).map((_, i) => i % 251);
  assert.equal(browserCrypto.sha256(bytes), nodeCrypto.sha256(bytes));
  const hex = browserCrypto.randomHex(32);
  assert.match(hex, /^[0-9a-f]{64}$/);
  assert.equal(browserCrypto.sha256OfHex(hex), nodeCrypto.sha256OfHex(hex));
});

test('signatures made in a browser are valid in Node, and those made in Node are valid in a browser', () => {
  const own = browserCrypto.newSigningKey()!;
  const signature = browserCrypto.sign(own, 'vitrine.seal.1:7:ü');
  assert.equal(nodeCrypto.verify(SPKI + browserCrypto.publicKey(own), 'vitrine.seal.1:7:ü', signature), true);
  assert.equal(nodeCrypto.verify(SPKI + browserCrypto.publicKey(own), 'vitrine.seal.1:8:ü', signature), false);

  const other = nodeCrypto.newSigningKey()!;
  const key = SPKI + nodeCrypto.publicKey(other);
  const proof = nodeCrypto.sign(other, 'vitrine identity\nabc');
  assert.equal(browserCrypto.verify(key, 'vitrine identity\nabc', proof), true);
  assert.equal(browserCrypto.verify(key, 'vitrine identity\nabd', proof), false);
  assert.equal(browserCrypto.verify(key, 'vitrine identity\nabc', 'ff'.repeat(64)), false);
});

test('invalid keys and signatures are refused', () => {
  assert.equal(browserCrypto.verify('ab'.repeat(44), 'text', '00'.repeat(64)), false);
  assert.equal(browserCrypto.verify(SPKI, 'text', '00'.repeat(64)), false);
  assert.equal(browserCrypto.verify(`${SPKI}${'00'.repeat(32)}`, 'text', 'zz'), false);
});

test('uuid returns ids of version 4, each only once', () => {
  const ids = Array.from({ length: 100 }, () => browserCrypto.uuid());
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(new Set(ids).size, 100);
});

test('chunksOf returns the chunks of a body, and cancels the body when the reader stops early', async () => {
  let cancelled = false;
  const stream = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array([1, 2])),
      cancel: () => {
        cancelled = true;
      },
    });
  let seen = 0;
  for await (const chunk of chunksOf(stream())) {
    seen += chunk.length;
    if (seen >= 6) break;
  }
  assert.equal(seen, 6);
  assert.equal(cancelled, true);
  for await (const _ of chunksOf(null)) assert.fail('there is nothing in no body');
});
