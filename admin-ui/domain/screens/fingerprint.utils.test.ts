import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readableFingerprint } from './fingerprint.utils.ts';

test('fingerprint is shown in groups of four', () => {
  assert.equal(readableFingerprint('0123456789ab'), '0123 4567 89ab');
});
