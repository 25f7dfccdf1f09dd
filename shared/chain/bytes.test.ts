import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BadBytes, ByteReader, ByteWriter, bytesOfHex, hexOf } from './bytes.ts';

const value = fc.oneof(
  fc.record({ kind: fc.constant('whole' as const), value: fc.maxSafeNat() }),
  fc.record({ kind: fc.constant('signed' as const), value: fc.integer({ min: -(2 ** 52), max: 2 ** 52 - 1 }) }),
  fc.record({ kind: fc.constant('double' as const), value: fc.double({ noNaN: true }) }),
  fc.record({ kind: fc.constant('text' as const), value: fc.string({ unit: 'grapheme' }) }),
);

test('ByteReader returns the values that ByteWriter wrote, and uses all the bytes', () => {
  fc.assert(
    fc.property(fc.array(value), (values) => {
      const writer = new ByteWriter();
      for (const { kind, value } of values) (writer[kind] as (v: unknown) => void)(value);
      const bytes = writer.done();
      const reader = new ByteReader(bytes);
      assert.deepEqual(
        values.map(({ kind }) => reader[kind]()),
        values.map(({ value }) => value),
      );
      reader.end();
      assert.throws(() => new ByteReader(bytes).raw(bytes.length + 1), BadBytes);
    }),
  );
});

test('ByteReader reads any bytes or throws BadBytes', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 40 }),
      fc.array(fc.constantFrom('whole', 'signed', 'text', 'double')),
      (bytes, kinds) => {
        const reader = new ByteReader(bytes);
        try {
          for (const kind of kinds) reader[kind as 'whole']();
          reader.end();
        } catch (error) {
          assert.ok(error instanceof BadBytes, String(error));
        }
      },
    ),
  );
});

test('reading and writing a number throws when the number is out of range or cut off', () => {
  assert.throws(() => new ByteReader(new Uint8Array(8).fill(0xff)).whole(), /too large/);
  assert.throws(() => new ByteReader(new Uint8Array(3).fill(0xff)).whole(), /too early/);
  assert.throws(() => new ByteWriter().whole(-1), RangeError);
  assert.throws(() => new ByteWriter().whole(0.5), RangeError);
});

test('bytesOfHex returns the bytes from which hexOf made the text', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => assert.deepEqual(bytesOfHex(hexOf(bytes)), bytes)));
});
