import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expiryOf, inForce } from './tokens.utils.ts';

test('token is valid until the second in which it expires or is revoked', () => {
  assert.equal(inForce({ revoked_at: null, expires_at: null }, 100), true);
  assert.equal(inForce({ revoked_at: null, expires_at: 101 }, 100), true);
  assert.equal(inForce({ revoked_at: null, expires_at: 100 }, 100), false);
  assert.equal(inForce({ revoked_at: 50, expires_at: null }, 100), false);
});

test('thirty days count from now, and a token without expiry has no date', () => {
  assert.equal(expiryOf('d30', 1000), 1000 + 30 * 86_400);
  assert.equal(expiryOf('forever', 1000), null);
});
