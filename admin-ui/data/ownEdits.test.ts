import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OwnEdits } from './ownEdits.ts';

test('a hint is an echo while my edit of the topic runs and 1.5 s after, not before and not later', () => {
  let now = 0;
  const edits = new OwnEdits(() => now);
  assert.equal(edits.isEcho('playlists'), false);
  const end = edits.begin(['playlists']);
  now = 60_000;
  assert.equal(edits.isEcho('playlists'), true);
  assert.equal(edits.isEcho('content'), false);
  end();
  now += 1499;
  assert.equal(edits.isEcho('playlists'), true);
  now += 1;
  assert.equal(edits.isEcho('playlists'), false);
});

test('two edits at once: the topic stays mine until both have been answered', () => {
  let now = 0;
  const edits = new OwnEdits(() => now);
  const first = edits.begin(['content']);
  const second = edits.begin(['content']);
  first();
  first();
  now = 10_000;
  assert.equal(edits.isEcho('content'), true);
  second();
  now = 20_000;
  assert.equal(edits.isEcho('content'), false);
});
