import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { messageStates } from '../../../shared/contract/screens/messages.ts';
import { countsOf, type Holding, type Mark, markAfter, stateOf } from './message-states.ts';

const said = fc.constantFrom('shown' as const, 'failed' as const, 'cleared' as const);

test('a message that was shown and cleared counts as seen, and a message cleared before it was shown as missed', () => {
  fc.assert(
    fc.property(fc.array(said), (all) => {
      const mark = all.reduce<Mark>(markAfter, '-');
      const last = all.at(-1);
      if (last === 'shown') assert.equal(mark, 's');
      if (last === 'failed') assert.equal(mark, 'f');
      if (last === 'cleared') assert.ok(mark !== 's' && mark !== '-');
      if (all.length > 0 && !all.includes('shown') && !all.includes('failed')) assert.equal(mark, 'x');
      if (all.join() === 'shown,cleared') assert.equal(mark, 'e');
    }),
  );
});

/** A screen in any state: its character in the stored states, and whether the screen still has the message. */
const screen = fc
  .record({ mark: fc.constantFrom<Mark>('-', 's', 'f', 'e', 'x'), holds: fc.boolean(), isOnline: fc.boolean() })
  .map(({ mark, holds, isOnline }) => {
    const status = ({ '-': 'waiting', s: 'shown', f: 'failed' } as const)[mark as '-' | 's' | 'f'];
    const holding: Holding | undefined = holds && status ? { status, isOnline } : undefined;
    return { mark, holding };
  });

test('countsOf equals the states of all screens, and adds up to the total', () => {
  fc.assert(
    fc.property(fc.array(screen), (screens) => {
      const counts = countsOf(
        screens.map(({ mark }) => mark).join(''),
        screens.flatMap(({ holding }) => holding ?? []),
      );
      const states = screens.map(({ mark, holding }) => stateOf(mark, holding));
      for (const state of messageStates)
        assert.equal(counts[state], states.filter((one) => one === state).length, state);
      assert.equal(
        messageStates.reduce((sum, state) => sum + counts[state], 0),
        counts.total,
      );
    }),
  );
});
