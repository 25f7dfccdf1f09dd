import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cue, ProgramItem } from '../../../shared/program/program.ts';
import { resolve } from '../../../shared/program/resolve.ts';
import { item, NOON, program } from '../testing/programs.ts';
import { standIn } from './fallback.ts';
import { shownWhole, surfaceKey, turnKey } from './turn.ts';

const items = ['a', 'b', 'c'].map((letter, index) => item(index, { asset: letter.repeat(64) }));
const fallback = item(9, { asset: 'f'.repeat(64) });
const of = program(items, { fallback });
const cueAt = (instant: number): Cue | null => resolve(of, 'UTC', instant).zones[0]?.cue ?? null;
const line = (broken: readonly ProgramItem[]): Cue | null =>
  standIn({
    cue: cueAt(NOON),
    follow: ({ until }) => cueAt(until),
    fallback,
    usable: (i) => !broken.some((b) => surfaceKey(b) === surfaceKey(i)),
  });

test('standIn returns the current cue (planned play) when its item can be shown', () =>
  assert.equal(line([])?.item.item_id, 0));

test('standIn returns the next cue whose item can be shown, with the times of the failed cue', () => {
  const cue = line(items.slice(0, 2));
  assert.equal(cue?.item.item_id, 2);
  assert.deepEqual([cue?.since, cue?.until], [NOON, NOON + 10_000]);
});

test('standIn returns the fallback when no item can be shown, and null when the fallback fails too', () => {
  assert.equal(line(items)?.source.kind, 'fallback');
  assert.equal(line([...items, fallback]), null);
});

test('two plays of one file have the same key for loading, and different keys as plays', () => {
  const [first, again] = [cueAt(NOON), cueAt(NOON + 30_000)];
  assert.ok(first && again);
  assert.equal(surfaceKey(first.item), surfaceKey(again.item));
  assert.notEqual(turnKey(first), turnKey(again));
});

test('play counts as complete if less than half a second is missing at its start and at its end', () => {
  const turn = { since: 1_000, until: 11_000 };
  assert.equal(shownWhole(turn, 1_016, 11_016), true);
  assert.equal(shownWhole(turn, 1_600, 11_000), false);
  assert.equal(shownWhole(turn, 1_000, 10_000), false);
});
