import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Folder } from '../../../../shared/contract/content/folders.ts';
import { flatten, isWithin, pathTo, reachOf, treeOf } from './folders.utils.ts';

const folder = (id: string, name: string, parent_id: string | null = null): Folder => ({
  id,
  name,
  parent_id,
  workspace_id: 'w',
  created_at: 0,
});
const folders = [
  folder('a', 'Season 10'),
  folder('b', 'Season 2'),
  folder('c', 'Window', 'b'),
  folder('d', 'Left', 'c'),
  folder('e', 'Lost', 'gone'),
];

test('folders are in natural number order under their parents, and a folder with an unknown parent is not lost', () => {
  assert.deepEqual(
    flatten(treeOf(folders, 'en')).map(({ folder: f, depth }) => `${depth} ${f.name}`),
    ['0 Lost', '0 Season 2', '1 Window', '2 Left', '0 Season 10'],
  );
});

test('path to a folder begins at the root', () => {
  assert.deepEqual(
    pathTo(folders, 'd').map((f) => f.id),
    ['b', 'c', 'd'],
  );
  assert.deepEqual(pathTo(folders, 'nowhere'), []);
  assert.equal(isWithin(folders, 'd', 'b'), true);
  assert.equal(isWithin(folders, 'b', 'd'), false);
});

test('rights for some folders cover their contents, but not the folders themselves, the root, or siblings', () => {
  const reach = reachOf({ duty: 'all', folder_ids: ['b'] }, true, folders);
  assert.deepEqual(
    folders.filter(({ id }) => reach.has(id)).map(({ id }) => id),
    ['b', 'c', 'd'],
  );
  assert.equal(reach.has(null), false);
  assert.deepEqual(
    folders.filter(reach.owns).map(({ id }) => id),
    ['c', 'd'],
  );
  assert.equal(reach.home, 'b');
  assert.deepEqual(reach.names, ['Season 2']);
});

test('user whose permitted folders are gone can add nothing, and a viewer can change nothing', () => {
  const gone = reachOf({ duty: 'all', folder_ids: ['x'] }, true, folders);
  assert.equal(gone.home, undefined);
  assert.ok(!folders.some(({ id }) => gone.has(id)) && !gone.has(null));
  const viewer = reachOf({ duty: 'all', folder_ids: null }, false, folders);
  assert.ok(!viewer.has(null) && !folders.some(viewer.owns) && viewer.home === undefined);
});

test('user who may only upload can add content anywhere, and cannot change folders', () => {
  const reach = reachOf({ duty: 'upload', folder_ids: null }, true, folders);
  assert.ok(reach.has(null) && folders.every(({ id }) => reach.has(id)));
  assert.ok(!folders.some(reach.owns));
  assert.equal(reach.home, null);
});
