import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLAIN_ITEM } from './plain-item.ts';
import { titleOf } from './titles.ts';

test('titleOf returns the title, otherwise the name of the playlist, the content or the layout', () => {
  const playlists = [{ id: 'p', name: 'Offers', anchor_ms: 0, items: [] }];
  const layouts = [{ id: 'l', name: 'Two zones', width: 1, height: 1, zones: [] }];
  const bare = { title: '', playlist_id: null, item: null, layout_id: 'l' };
  const called = (more: object) => titleOf({ playlists, layouts }, { ...bare, ...more });
  const item = { ...PLAIN_ITEM, name: 'sale.gif' };
  assert.equal(called({ title: 'Sale', playlist_id: 'p', item }), 'Sale');
  assert.equal(called({ playlist_id: 'p', item }), 'Offers');
  assert.equal(called({ playlist_id: 'gone', item }), 'sale.gif');
  assert.equal(called({}), 'Two zones');
  assert.equal(called({ layout_id: null }), '');
});
