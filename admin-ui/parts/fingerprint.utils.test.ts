import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readableFingerprint } from './fingerprint.utils.ts';

test('a fingerprint is shown in fours', () => {
  assert.equal(readableFingerprint('0123456789ab'), '0123 4567 89ab');
});
