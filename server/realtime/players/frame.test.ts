import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textFrame } from './frame.ts';

test('frame header contains the length as in RFC 6455, in bytes, not characters', () => {
  const head = (text: string) => [...textFrame(text).subarray(0, 10)];
  assert.deepEqual(head('hi'), [0x81, 2, 0x68, 0x69]);
  assert.deepEqual(head('x'.repeat(125)).slice(0, 3), [0x81, 125, 0x78]);
  assert.deepEqual(head('x'.repeat(126)).slice(0, 5), [0x81, 126, 0, 126, 0x78]);
  assert.deepEqual(head('ü'.repeat(63)).slice(0, 4), [0x81, 126, 0, 126]);
  assert.deepEqual(head('x'.repeat(65_535)).slice(0, 5), [0x81, 126, 255, 255, 0x78]);
  assert.deepEqual(head('x'.repeat(65_536)), [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]);
});
