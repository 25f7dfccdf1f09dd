import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScreenReport } from './host.ts';
import { MAX_REPORTS, ReportQueue } from './report-queue.ts';

const ended = (turn: string): ScreenReport => ({ type: 'ended', turn, ended_at: 0, completed: true });
const alive: ScreenReport = { type: 'alive', width: 1, height: 1, frames: 0 };

test('ReportQueue keeps reports in order until they are delivered', () => {
  const queue = new ReportQueue();
  for (const turn of ['a', 'b', 'c']) queue.add(ended(turn));
  const batch = queue.batch(2);
  queue.add(ended('d'));
  queue.delivered(batch);
  assert.deepEqual(queue.batch(9), [ended('c'), ended('d')]);
});

test('when more than 1,000 reports wait, the oldest report that the page paints is dropped before any play', () => {
  const queue = new ReportQueue();
  queue.add(ended('first'));
  queue.add({ ...alive });
  for (let n = 2; n < MAX_REPORTS; n++) queue.add(ended(String(n)));
  queue.add(ended('last'));
  const kept = queue.batch(MAX_REPORTS + 1);
  assert.equal(kept.length, MAX_REPORTS);
  assert.deepEqual(kept[0], ended('first'));
  assert.equal(
    kept.some(({ type }) => type === 'alive'),
    false,
  );
});

test('`delivered` removes only reports that were sent, also when some of them were dropped meanwhile', () => {
  const queue = new ReportQueue();
  queue.add({ ...alive });
  const batch = queue.batch(1);
  for (let n = 0; n < MAX_REPORTS; n++) queue.add(ended(String(n)));
  queue.delivered(batch);
  assert.equal(queue.size, MAX_REPORTS);
});
