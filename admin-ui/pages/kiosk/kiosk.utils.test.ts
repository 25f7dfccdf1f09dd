import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buttonsIn, deadEnd, newButton, newPageId, pagesIn, styleIn, swapped } from './kiosk.utils.ts';

test('button without an action gets the action of the field that is set', () => {
  const actions = buttonsIn({
    buttons: [{ url: 'http://a' }, { page: 'p' }, {}, { action: 'page', url: 'http://a' }, 'odd'],
  }).map(({ action }) => action);
  assert.deepEqual(actions, ['url', 'page', 'back', 'page']);
});

test('new page has a unique id', () => {
  const pages = pagesIn({ pages: [{ id: 'page-2' }] });
  assert.equal(newPageId(pages), 'page-3');
  assert.equal(newPageId([]), 'page-1');
});

test('button that leads to a missing page or has no address is reported', () => {
  const pages = pagesIn({ pages: [{ id: 'rooms' }] });
  assert.equal(deadEnd({ ...newButton, action: 'page', page: 'rooms' }, pages), undefined);
  assert.equal(deadEnd({ ...newButton, action: 'page', page: 'gone' }, pages), 'noPage');
  assert.equal(deadEnd({ ...newButton, url: 'intranet' }, pages), 'noUrl');
  assert.equal(deadEnd({ ...newButton, action: 'back' }, pages), undefined);
});

test('entry swaps places with its neighbour only inside the list', () => {
  assert.deepEqual(swapped(['a', 'b', 'c'], 1, 0), ['b', 'a', 'c']);
  assert.deepEqual(swapped(['a', 'b'], 1, 2), ['a', 'b']);
  assert.deepEqual(styleIn({ style: 'blue' }), {});
});
