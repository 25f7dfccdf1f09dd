import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OwnEdits } from './ownEdits.ts';

test('a hint is an echo while my edit of the topic runs and 1.5 s after, not before and not later', () => {
  let now = 0;
  const edits = new OwnEdits('mine', () => now);
  assert.equal(edits.isEcho({ topic: 'playlists', window: 'mine' }), false);
  const end = edits.begin(['playlists']);
  now = 60_000;
  assert.equal(edits.isEcho({ topic: 'playlists', window: 'mine' }), true);
  assert.equal(edits.isEcho({ topic: 'content', window: 'mine' }), false);
  end();
  now += 1499;
  assert.equal(edits.isEcho({ topic: 'playlists', window: 'mine' }), true);
  now += 1;
  assert.equal(edits.isEcho({ topic: 'playlists', window: 'mine' }), false);
});

test('two edits at once: the topic stays mine until both have been answered', () => {
  let now = 0;
  const edits = new OwnEdits('mine', () => now);
  const first = edits.begin(['content']);
  const second = edits.begin(['content']);
  first();
  first();
  now = 10_000;
  assert.equal(edits.isEcho({ topic: 'content', window: 'mine' }), true);
  second();
  now = 20_000;
  assert.equal(edits.isEcho({ topic: 'content', window: 'mine' }), false);
});

test('what another window or another program of the same person does is news', () => {
  const edits = new OwnEdits('mine', () => 0);
  edits.begin(['plans']);
  assert.equal(edits.isEcho({ topic: 'plans', window: 'mine' }), true);
  assert.equal(edits.isEcho({ topic: 'plans', window: 'theirs' }), false);
  assert.equal(edits.isEcho({ topic: 'plans' }), false);
});
