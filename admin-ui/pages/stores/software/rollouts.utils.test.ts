import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choiceOf, firstWaves, newWave, statesOf, storesIn, waveStateOf } from './rollouts.utils.ts';

test('default waves are one store, ten stores, a region if there are several, then all stores', () => {
  assert.deepEqual(
    firstWaves(['North', 'South']).map(({ which }) => which),
    ['named', 'count', 'region', 'rest'],
  );
  assert.deepEqual(
    firstWaves(['North']).map(({ which }) => which),
    ['named', 'count', 'rest'],
  );
});

test('incomplete wave is not sent', () => {
  assert.equal(choiceOf(newWave(0, 'named')), undefined);
  assert.deepEqual(choiceOf(newWave(0, 'named', { ids: ['a'] })), { which: 'named', ids: ['a'] });
  assert.equal(choiceOf(newWave(0, 'count', { count: null })), undefined);
  assert.deepEqual(choiceOf(newWave(0, 'count')), { which: 'count', count: 10 });
  assert.equal(choiceOf(newWave(0, 'region')), undefined);
  assert.equal(choiceOf(newWave(0, 'tag')), undefined);
  assert.deepEqual(choiceOf(newWave(0, 'rest', { tag: 'mall' })), { which: 'rest' });
});

test('counts of all waves are added', () => {
  const none = {
    unhealthy: 0,
    refused: 0,
    unreachable: 0,
    waiting: 0,
    told: 0,
    fetching: 0,
    installing: 0,
    healthy: 0,
  };
  const waves = [
    { name: 'a', states: { ...none, left_out: 0, healthy: 1 } },
    { name: 'b', states: { ...none, left_out: 2, healthy: 3 } },
  ];
  const states = statesOf({ waves });
  assert.deepEqual([states.healthy, states.left_out, storesIn(states)], [4, 2, 6]);
  assert.deepEqual([waveStateOf('told'), waveStateOf('constructor')], ['told', undefined]);
});
