import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Folder } from '../../../shared/contract/folders.ts';
import { flatten, isWithin, pathTo, treeOf } from './folders.utils.ts';

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

test('folders stand as people count, each beneath its parent; one without a parent is not lost', () => {
  assert.deepEqual(
    flatten(treeOf(folders, 'en')).map(({ folder: f, depth }) => `${depth} ${f.name}`),
    ['0 Lost', '0 Season 2', '1 Window', '2 Left', '0 Season 10'],
  );
});

test('the way to a folder begins at the root', () => {
  assert.deepEqual(
    pathTo(folders, 'd').map((f) => f.id),
    ['b', 'c', 'd'],
  );
  assert.deepEqual(pathTo(folders, 'nowhere'), []);
  assert.equal(isWithin(folders, 'd', 'b'), true);
  assert.equal(isWithin(folders, 'b', 'd'), false);
});
