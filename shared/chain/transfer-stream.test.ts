import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BadBytes } from './bytes.ts';
import {
  MAX_ENTRY_LINE_BYTES,
  MAX_TRANSFER_HEADER_BYTES,
  NoTransferFile,
  readTransferHeader,
  type TransferHeader,
} from './transfer-file.ts';
import { EntrySplitter, FrameSplitter, frameHead } from './transfer-stream.ts';

const utf8 = new TextEncoder();

/** Reads the entries of a transfer file that arrives in pieces of `cut` bytes. */
const read = (bytes: Uint8Array, cut: number): { line: string; bytes: number[] }[] => {
  const splitter = new EntrySplitter();
  const entries: { line: string; bytes: number[] }[] = [];
  for (let at = 0; at < bytes.length; at += cut)
    for (const coming of splitter.push(bytes.subarray(at, at + cut))) {
      if ('bytes' in coming) entries.at(-1)!.bytes.push(...coming.bytes);
      else {
        entries.push({ line: coming.line, bytes: [] });
        splitter.expect(JSON.parse(coming.line).bytes);
      }
    }
  splitter.end();
  return entries;
};

test('splitter returns the entries for pieces of any size, and detects a truncated end', () => {
  const Entry = fc.record({ name: fc.string(), own: fc.uint8Array({ maxLength: 40 }) });
  fc.assert(
    fc.property(fc.array(Entry, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 60 }), (all, cut) => {
      const lines = all.map(({ name, own }) => JSON.stringify({ name, bytes: own.length }));
      const parts = all.flatMap(({ own }, i) => [...utf8.encode(`${lines[i]}\n`), ...own]);
      const bytes = Uint8Array.from(parts);
      assert.deepEqual(
        read(bytes, cut),
        all.map(({ own }, i) => ({ line: lines[i], bytes: [...own] })),
      );
      assert.throws(() => read(bytes.subarray(0, -1), cut), BadBytes);
    }),
  );
});

test('splitter refuses a line without an end when the line reaches its maximum length', () => {
  const long = new Uint8Array(MAX_ENTRY_LINE_BYTES).fill(65);
  assert.throws(() => [...new EntrySplitter().push(long)], /line that is too long/);
  assert.throws(() => [...new EntrySplitter().push(Uint8Array.from([0xff, 10]))], /not text/);
  assert.throws(
    () => [...new FrameSplitter().push(new Uint8Array(MAX_TRANSFER_HEADER_BYTES).fill(65))],
    NoTransferFile,
  );
  assert.throws(() => new FrameSplitter().end(), NoTransferFile);
});

test('frame with an invalid length is refused before its bytes arrive', () => {
  for (const length of [0, 15, 64 * 1024 + 17, 0x7fff_ffff]) {
    const splitter = new FrameSplitter();
    assert.deepEqual([...splitter.push(utf8.encode('{}\n'))], ['{}']);
    assert.throws(() => [...splitter.push(frameHead(length, false))], BadBytes);
  }
});

const HEADER: TransferHeader = {
  ...{ vitrine: 'stick', version: 1, direction: 'down', store: 'mill', number: 1, made_ms: 1 },
  ...{ ephemeral: '0'.repeat(64), key: '0'.repeat(64), signature: '0'.repeat(128) },
};

test('error about an invalid header line names the invalid field', () => {
  const line = (more: object) => () => readTransferHeader(JSON.stringify({ ...HEADER, ...more }));
  assert.deepEqual(line({ more: 1 })(), HEADER);
  assert.throws(line({ vitrine: 'enrolment' }), NoTransferFile);
  assert.throws(() => readTransferHeader('GIF89a'), NoTransferFile);
  assert.throws(line({ version: 2 }), /newer version/);
  for (const number of [0, -1, 1.5, 2 ** 60]) assert.throws(line({ number }), /header whose number is wrong/);
  assert.throws(line({ key: 'x' }), /header whose key is wrong/);
  assert.throws(line({ direction: 'left' }), /header whose direction is wrong/);
});
