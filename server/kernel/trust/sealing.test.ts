/**
 * Tests sealed (encrypted) streams: only the addressed server can read a stream, and only if the stream is complete, in
 * order and unchanged.
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { BadBytes } from '../../../shared/chain/bytes.ts';
import {
  FRAME_BYTES,
  FRAME_HEAD_BYTES,
  readTransferHeader,
  TAG_BYTES,
  transferBytes,
} from '../../../shared/chain/transfer-file.ts';
import { FrameSplitter } from '../../../shared/chain/transfer-stream.ts';
import { newKey } from '../../store-link/testing/journal.ts';
import { Opener, Sealer, sealingOf } from './sealing.ts';

const sealing = () => sealingOf(generateKeyPairSync('ed25519').privateKey);
const sender = newKey();
const MILL = { direction: 'down', store: 'mill', number: 1, made_ms: 1 } as const;

const sealed = async (to: string, pieces: readonly Uint8Array[]): Promise<Buffer> => {
  const sealer = new Sealer(MILL, { to, ...sender });
  const all: Buffer[] = [];
  const plain = async function* () {
    yield* pieces;
  };
  for await (const part of sealer.seal(plain())) all.push(part);
  return Buffer.concat(all);
};

const opened = (own: ReturnType<typeof sealing>, transferFile: Uint8Array, cut = transferFile.length): Buffer => {
  const splitter = new FrameSplitter();
  let opener: Opener | undefined;
  const plain: Buffer[] = [];
  for (let at = 0; at < transferFile.length; at += cut)
    for (const next of splitter.push(transferFile.subarray(at, at + cut))) {
      if (typeof next === 'string') opener = new Opener(next, readTransferHeader(next), own);
      else plain.push(opener!.open(next));
    }
  splitter.end();
  return Buffer.concat(plain);
};

const own = sealing();
const bytes = (length: number): Buffer => Buffer.from(Uint8Array.from({ length }, (_, i) => (i * 7) % 251));

test('opening a sealed stream returns the original bytes for any division into chunks, with the announced length', async () => {
  for (const length of [0, 1, FRAME_BYTES - 1, FRAME_BYTES, FRAME_BYTES + 1, 3 * FRAME_BYTES]) {
    const transferFile = await sealed(own.key, [bytes(length)]);
    assert.deepEqual(opened(own, transferFile), bytes(length));
    assert.deepEqual(opened(own, transferFile, 1_000), bytes(length));
    assert.equal(transferFile.length, transferBytes(transferFile.indexOf('\n') + 1, length));
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 10 }),
      fc.integer({ min: 1, max: 500 }),
      async (pieces, cut) => assert.deepEqual(opened(own, await sealed(own.key, pieces), cut), Buffer.concat(pieces)),
    ),
    { numRuns: 100 },
  );
});

test('opening a sealed stream fails when any byte is changed, missing or added', async () => {
  const transferFile = await sealed(own.key, [bytes(FRAME_BYTES + 500)]);
  const end = transferFile.indexOf('\n');
  const refused = (changed: Uint8Array) => assert.throws(() => opened(own, changed), BadBytes);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: transferFile.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const changed = Buffer.from(transferFile);
      changed[at]! ^= by;
      refused(changed);
    }),
    { numRuns: 300 },
  );
  for (let at = 0; at <= end; at++) {
    const changed = Buffer.from(transferFile);
    changed[at]! ^= 1;
    refused(changed);
  }
  fc.assert(
    fc.property(fc.integer({ min: 0, max: transferFile.length - 1 }), (length) =>
      refused(transferFile.subarray(0, length)),
    ),
    { numRuns: 200 },
  );
  refused(Buffer.concat([transferFile, Buffer.from([0])]));
  // Cuts the stream at the end of a frame, and marks this frame as the last.
  const first = end + 1;
  const short = Buffer.from(transferFile.subarray(0, first + FRAME_HEAD_BYTES + FRAME_BYTES + TAG_BYTES));
  refused(short);
  short[first]! |= 0x80;
  refused(short);
});

test('opening a sealed stream fails when frames are swapped, left out, repeated or from another transfer file', async () => {
  const transferFile = await sealed(own.key, [bytes(3 * FRAME_BYTES)]);
  const start = transferFile.indexOf('\n') + 1;
  const size = FRAME_HEAD_BYTES + FRAME_BYTES + TAG_BYTES;
  const head = transferFile.subarray(0, start);
  const [a, b, c] = [0, 1, 2].map((i) => transferFile.subarray(start + i * size, start + (i + 1) * size)) as [
    Buffer,
    Buffer,
    Buffer,
  ];
  assert.equal(opened(own, Buffer.concat([head, a, b, c])).length, 3 * FRAME_BYTES);
  for (const frames of [[b, a, c], [a, c], [a, a, b, c], [c]])
    assert.throws(() => opened(own, Buffer.concat([head, ...frames])), BadBytes);
  const other = await sealed(own.key, [bytes(3 * FRAME_BYTES)]);
  assert.throws(() => opened(own, Buffer.concat([other.subarray(0, other.indexOf('\n') + 1), a, b, c])), BadBytes);
});

test('sealed stream can be opened only by the addressed server, and sealing with an invalid key is refused', async () => {
  const transferFile = await sealed(own.key, [bytes(100)]);
  assert.throws(() => opened(sealing(), transferFile), /is for another server/);
  await assert.rejects(sealed('0'.repeat(64), [bytes(1)]));
  const text = transferFile.toString('latin1');
  const header = JSON.parse(text.slice(0, text.indexOf('\n')));
  const zero = Buffer.from(`${JSON.stringify({ ...header, ephemeral: '0'.repeat(64) })}\n`);
  assert.throws(
    () => opened(own, Buffer.concat([zero, transferFile.subarray(transferFile.indexOf('\n') + 1)])),
    BadBytes,
  );
});

test('key for sealing (encryption) is the same after each start and differs from the signing key', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  assert.equal(sealingOf(privateKey).key, sealingOf(privateKey).key);
  assert.notEqual(
    sealingOf(privateKey).key,
    publicKey.export({ format: 'der', type: 'spki' }).toString('hex').slice(-64),
  );
});
