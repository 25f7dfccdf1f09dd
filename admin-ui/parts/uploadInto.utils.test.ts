import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldersOf } from './uploadInto.utils.ts';

test('dropped folders are created from the outside in, each once', () => {
  assert.deepEqual(foldersOf([['Summer', 'Window'], [], ['Summer'], ['Winter']]), [
    ['Summer'],
    ['Winter'],
    ['Summer', 'Window'],
  ]);
});
