import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OwnEdits } from './ownEdits.ts';

test('announcement counts as an echo while this window edits its topic, and for 1.5 s afterwards', () => {
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

test('with two edits at once, announcements of the topic count as echoes until both are answered', () => {
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

test('change by another window or program of the same user does not count as an echo', () => {
  const edits = new OwnEdits('mine', () => 0);
  edits.begin(['plans']);
  assert.equal(edits.isEcho({ topic: 'plans', window: 'mine' }), true);
  assert.equal(edits.isEcho({ topic: 'plans', window: 'theirs' }), false);
  assert.equal(edits.isEcho({ topic: 'plans' }), false);
});
