import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterOf, stemOf } from './content.utils.ts';

test('an address with nonsense in it shows everything, newest first', () => {
  assert.deepEqual(filterOf({ type: 'hologram', sort: 'colour' }), {});
  assert.deepEqual(filterOf({ type: 'all', sort: 'newest' }), {});
  assert.deepEqual(filterOf({ q: 'sale', type: 'video', sort: 'name' }), { q: 'sale', type: 'video', sort: 'name' });
});

test('the stem of a name leaves the last ending out, and nothing where there is none', () => {
  assert.equal(stemOf('photo.final.JPG'), 'photo.final');
  assert.equal(stemOf('Sale'), 'Sale');
  assert.equal(stemOf('.jpg'), '.jpg');
});
