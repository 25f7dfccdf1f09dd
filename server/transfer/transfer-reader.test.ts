/**
 * Tests that a transfer file is accepted only if it is complete, however it is divided into chunks. A faulty file is
 * refused with a sentence and leaves no file behind.
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { z } from 'zod';
import { BadBytes } from '../../shared/chain/bytes.ts';
import type { TransferHeader } from '../../shared/chain/transfer-file.ts';
import { tempFolder } from '../../test/harness.ts';
import { Sealer, sealingOf } from '../kernel/trust/sealing.ts';
import { newKey } from '../store-link/testing/journal.ts';
import { TransferReader } from './transfer-reader.ts';

const sender = newKey();
const sealing = sealingOf(generateKeyPairSync('ed25519').privateKey);
const STATE = '{"what":"up","name":"Mill"}\n';

const stickOf = async (plain: readonly (string | Buffer)[], sign = sender.sign): Promise<Buffer> => {
  const facts = { direction: 'up', store: 'mill', number: 1, made_ms: 1 } as const;
  const sealer = new Sealer(facts, { to: sealing.key, key: sender.key, sign });
  const parts: Buffer[] = [];
  const bytes = async function* () {
    for (const one of plain) yield Buffer.from(one);
  };
  for await (const part of sealer.seal(bytes())) parts.push(part);
  return Buffer.concat(parts);
};

const open = async (t: TestContext, begins: (header: TransferHeader) => void = () => {}) => {
  const folder = join(tempFolder(t), 'stick');
  const reader = await TransferReader.open({
    folder,
    sealing,
    state: z.object({ what: z.literal('up'), name: z.string() }),
    begins,
    told: () => {},
    refused: (error) => error,
  });
  return { reader, folder };
};

/** Simulates an upload: the upload ends while its last chunk is still being written. */
const send = <S>(reader: TransferReader<S>, transferFile: Buffer, chunk = 50_000) => {
  for (let at = 0; at < transferFile.length; at += chunk)
    void reader.write(transferFile.subarray(at, at + chunk)).catch(() => {});
  return reader.finish();
};

const blob = (name: string, bytes: number) => `{"what":"blob","sha256":"${name.repeat(64)}","bytes":${bytes}}\n`;

test('pieces are written to files completely, even if the upload ends while the last piece is being written', async (t) => {
  const { reader, folder } = await open(t);
  const film = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, i) => i % 251));
  const transferFile = await stickOf([STATE, blob('a', film.length), film, blob('b', 0), blob('c', 3), 'abc']);
  const { header, state, pieces } = await send(reader, transferFile);
  assert.deepEqual([header.number, state], [1, { what: 'up', name: 'Mill' }]);
  assert.deepEqual(
    pieces.map(({ path }) => readFileSync(path)),
    [film, Buffer.alloc(0), Buffer.from('abc')],
  );
  assert.equal(reader.bytes, transferFile.length);
  await reader.abort();
  assert.ok(!existsSync(folder));
});

test('invalid entries and a truncated transfer file are refused with a message', async (t) => {
  for (const [plain, why] of [
    [[], /contains no entries/],
    [['{"what":"up"}\n'], /an entry whose name is wrong/],
    [[blob('a', 1), 'x'], /an entry whose what is wrong/],
    [[STATE, '{"what":"other","bytes":1}\n'], /an entry whose what is wrong/],
    [[STATE, '{"what":"blob","sha256":"../../x","bytes":1}\n'], /an entry whose sha256 is wrong/],
    [[STATE, blob('a', -1)], /an entry whose bytes is wrong/],
    [[STATE, '{"what":"segment","bytes":99999999}\n'], /an entry whose bytes is wrong/],
    [[STATE, blob('a', 3), 'ab'], /ends in the middle/],
    [[STATE, '{"what"'], /ends in the middle/],
  ] as const) {
    const { reader, folder } = await open(t);
    await assert.rejects(send(reader, await stickOf(plain)), (error: Error) => {
      assert.ok(error instanceof BadBytes);
      assert.match(error.message, why);
      return true;
    });
    assert.ok(!existsSync(folder));
  }
});

test('transfer file with a wrong signature or for another store is refused before it is decrypted', async (t) => {
  const forged = await open(t);
  await assert.rejects(send(forged.reader, await stickOf([STATE], newKey().sign)), /was changed after it was written/);
  const strange = await open(t, () => {
    throw new BadBytes('is for another store');
  });
  await assert.rejects(send(strange.reader, await stickOf([STATE])), /is for another store/);
});
