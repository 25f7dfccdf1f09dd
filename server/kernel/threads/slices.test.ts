import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Slices, Turns } from './slices.ts';

const committing = () => new Promise<void>((done) => setImmediate(done));
const { signal } = new AbortController();

test('slice of work ends after some milliseconds', async () => {
  const slices = new Slices({ durable: () => undefined, signal });
  const began = performance.now();
  let end = slices.next();
  while (!end) end = slices.next();
  assert.ok(performance.now() - began >= 9);
  await end;
  const another = new Slices({ durable: () => undefined, signal }).next();
  assert.equal(another, undefined);
});

test('event loop does a whole turn of other work between two slices, after the commit', async () => {
  const order: string[] = [];
  const durable = async () => {
    await committing();
    order.push('committed');
  };
  const slices = new Slices({ durable, signal });
  setImmediate(() => setImmediate(() => order.push('others')));
  await slices.end();
  assert.deepEqual(order, ['committed', 'others']);
});

test('work in slices stops when a commit fails or when its signal is aborted', async () => {
  const full = new Error('full');
  await assert.rejects(new Slices({ durable: () => Promise.reject(full), signal }).end(), full);
  const gone = new Error('gone');
  await assert.rejects(new Slices({ durable: () => undefined, signal: AbortSignal.abort(gone) }).end(), gone);
});

test('queued reads run in order, and the event loop does other work between them', async () => {
  const turns = new Turns();
  const order: (number | 'others')[] = [];
  const all = [1, 2, 3].map(async (n) => {
    await turns.next();
    order.push(n);
  });
  let isDone = false;
  const others = () => {
    order.push('others');
    if (!isDone) setImmediate(others);
  };
  setImmediate(others);
  await Promise.all(all);
  isDone = true;
  assert.deepEqual(order.slice(0, 1), [1]);
  for (const [at, entry] of order.entries()) if (entry !== 'others' && at > 0) assert.equal(order[at - 1], 'others');
  assert.deepEqual(
    order.filter((entry) => entry !== 'others'),
    [1, 2, 3],
  );
  // When no read has run for a while, the next read starts at once.
  await turns.next();
});
