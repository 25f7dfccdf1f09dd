import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUnderWay, stateOf, storesOf } from './remoteCommands.utils.ts';

const NONE = { refused: 0, expired: 0, taken_back: 0, waiting: 0, told: 0, done: 0 };

test('number of stores of a command is the sum over all states, and the command runs until all stores have answered', () => {
  assert.equal(storesOf({ states: { refused: 1, expired: 2, taken_back: 3, waiting: 4, told: 5, done: 6 } }), 21);
  assert.deepEqual(
    [{ waiting: 1 }, { told: 1 }, { done: 1, refused: 1, expired: 1, taken_back: 1 }].map((some) =>
      isUnderWay({ states: { ...NONE, ...some } }),
    ),
    [true, true, false],
  );
});

test('unknown state in the address is ignored', () => {
  assert.deepEqual(['refused', 'lost', undefined].map(stateOf), ['refused', undefined, undefined]);
});
