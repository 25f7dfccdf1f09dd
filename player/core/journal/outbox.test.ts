import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Outbox } from './outbox.ts';

const answer = (id: number) => ({ type: 'program.ready' as const, id: String(id) });
const idsOf = (outbox: Outbox, most = Number.POSITIVE_INFINITY) => {
  const ids: number[] = [];
  outbox.flush((message) => ids.length < most && ids.push(Number((message as ReturnType<typeof answer>).id)) > 0);
  return ids;
};

test('answers are sent once and in order, unsent answers stay, and an answer with the same key is replaced', () => {
  const outbox = new Outbox();
  for (const [key, id] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['c', 4],
  ] as const)
    outbox.put(key, answer(id));
  assert.deepEqual([idsOf(outbox, 2), idsOf(outbox), idsOf(outbox)], [[2, 3], [4], []]);
  outbox.put('d', answer(5));
  outbox.clear();
  assert.deepEqual(idsOf(outbox), []);
});

test('Outbox drops the oldest answers beyond 200', () => {
  const outbox = new Outbox();
  for (let id = 1; id <= 203; id++) outbox.put(String(id), answer(id));
  const ids = idsOf(outbox);
  assert.deepEqual([ids.length, ids[0]], [200, 4]);
});
