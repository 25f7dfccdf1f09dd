import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressKind, filterOf } from './content.utils.ts';

test('address with an invalid kind or sort order shows all contents, newest first', () => {
  assert.deepEqual(filterOf({ q: 'autumn', type: 'films', sort: 'best' }), { q: 'autumn' });
  assert.deepEqual(filterOf({ type: 'all', sort: 'newest' }), {});
  assert.deepEqual(filterOf({ type: 'video', sort: 'name', folder: 'f1', label: 'Spring' }), {
    type: 'video',
    sort: 'name',
    folder_id: 'f1',
    folder: 'Spring',
  });
});

test('video of a video site is told apart from a page with a similar name', () => {
  assert.equal(addressKind(' https://youtu.be/abc '), 'video');
  assert.equal(addressKind('https://www.youtube.com/watch?v=abc'), 'video');
  assert.equal(addressKind('https://notyoutube.com/watch'), 'remote');
  assert.equal(addressKind('ftp://a.example/b'), undefined);
  assert.equal(addressKind('not an address'), undefined);
});
