import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAmong, stateOf, URGENCY } from './device-state.ts';

const shown = [{}];

test('screen that cannot show its new program has the state `attention`, also while it plays the old program', () => {
  assert.equal(
    stateOf({
      status: 'online',
      screen_on: true,
      showing: shown,
      program: { state: 'failed' },
    }),
    'attention',
  );
  assert.equal(stateOf({ status: 'online', screen_on: true, showing: shown, program: { state: 'ready' } }), 'online');
  assert.equal(stateOf({ status: 'online', screen_on: true, showing: [], program: null }), 'idle');
  assert.equal(stateOf({ status: 'online', screen_on: true, showing: [], program: { state: 'waiting' } }), 'online');
  assert.equal(stateOf({ status: 'online', screen_on: false, showing: [], program: { state: 'ready' } }), 'off');
  assert.equal(stateOf({ status: 'offline', screen_on: null, showing: [], program: null }), 'offline');
});

test('states are ordered by urgency, and states in which a person must act come first', () => {
  const ordered = (['off', 'online', 'idle', 'attention', 'offline'] as const).toSorted(
    (a, b) => URGENCY[a] - URGENCY[b],
  );
  assert.deepEqual(ordered, ['offline', 'attention', 'idle', 'off', 'online']);
});

test('filters `problems` and `online` both include a connected screen that cannot show its program', () => {
  assert.deepEqual(
    (['problems', 'online', 'offline'] as const).map((wanted) => isAmong('attention', wanted)),
    [true, true, false],
  );
  assert.deepEqual(
    [isAmong('offline', 'problems'), isAmong('idle', 'problems'), isAmong('off', 'online'), isAmong('idle', 'online')],
    [true, false, true, true],
  );
});
