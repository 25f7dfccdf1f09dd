import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitsServerName, longEnough, looksLikeEmail, normalizeCode } from './validation.ts';

test('e-mail address in a network without domains is valid', () => {
  assert.equal(looksLikeEmail(' owner@store '), true);
  assert.equal(looksLikeEmail('owner'), false);
});

test('eight emoji are a password of eight characters', () => {
  assert.equal(longEnough('🍎🍐🍊🍋🍌🍉🍇🍓'), true);
  assert.equal(longEnough('1234567'), false);
});

test('store name of 63 bytes fits, and one with 32 umlauts does not', () => {
  assert.equal(fitsServerName('x'.repeat(63)), true);
  assert.equal(fitsServerName('ü'.repeat(32)), false);
});

test('code may be typed with the space that authenticator apps show', () => {
  assert.equal(normalizeCode('123 456'), '123456');
});
