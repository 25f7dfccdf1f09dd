import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldersOf } from './uploadInto.utils.ts';

test('dropped folders are listed once each, outer folders before inner folders', () => {
  assert.deepEqual(foldersOf([['Summer', 'Window'], [], ['Summer'], ['Winter']]), [
    ['Summer'],
    ['Winter'],
    ['Summer', 'Window'],
  ]);
});
