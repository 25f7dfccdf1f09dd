import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitsServerName, longEnough, looksLikeEmail, normalizeCode } from './validation.ts';

test('e-mail address with a host name without a dot is valid', () => {
  assert.equal(looksLikeEmail(' owner@store '), true);
  assert.equal(looksLikeEmail('owner'), false);
});

test('password of eight emoji is long enough, because each emoji counts as one character', () => {
  assert.equal(longEnough('🍎🍐🍊🍋🍌🍉🍇🍓'), true);
  assert.equal(longEnough('1234567'), false);
});

test('store name of 63 bytes fits, and a name of 32 umlauts (64 bytes) does not', () => {
  assert.equal(fitsServerName('x'.repeat(63)), true);
  assert.equal(fitsServerName('ü'.repeat(32)), false);
});

test('sign-in code may be typed with the space that authenticator apps show', () => {
  assert.equal(normalizeCode('123 456'), '123456');
});
