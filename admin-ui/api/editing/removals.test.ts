import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Removals } from './removals.ts';

const settle = () => new Promise<void>((done) => setImmediate(done));

test('undo in time shows the record again, and the server deletes nothing later', async () => {
  const removals = new Removals();
  let deleted = 0;
  const { commit, undo } = removals.begin('a', async () => void deleted++);
  assert.deepEqual([...removals.hidden()], ['a']);
  undo();
  commit();
  await settle();
  assert.deepEqual([...removals.hidden()], []);
  assert.equal(deleted, 0);
});

test('record stays hidden until its deletion is complete, and is deleted only once', async () => {
  const removals = new Removals();
  let deleted = 0;
  let through = () => {};
  const { commit, undo } = removals.begin('a', () => {
    deleted++;
    return new Promise((done) => (through = done));
  });
  commit();
  commit();
  undo();
  assert.deepEqual([...removals.hidden()], ['a']);
  through();
  await settle();
  assert.deepEqual([...removals.hidden()], []);
  assert.equal(deleted, 1);
});

test('closing the window carries out all deletions that could still be undone', () => {
  const removals = new Removals();
  const deleted: string[] = [];
  removals.begin('a', async () => void deleted.push('a'));
  removals.begin('b', async () => void deleted.push('b')).undo();
  removals.begin('c', async () => void deleted.push('c'));
  removals.commitAll();
  assert.deepEqual(deleted, ['a', 'c']);
});
