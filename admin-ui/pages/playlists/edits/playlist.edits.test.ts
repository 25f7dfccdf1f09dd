import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlaylistWithItems } from '../../../../shared/contract/content/playlists.ts';
import { PlaylistEdits, type PlaylistState } from './playlist.edits.ts';

const setUp = () => {
  let state: PlaylistState = { playlist: { name: 'a' } as PlaylistWithItems, etag: '"1"' };
  const failures: unknown[] = [];
  let reloads = 0;
  const edits = new PlaylistEdits({
    get: () => state,
    set: (next) => (state = next),
    reload: async () => {
      reloads++;
      state = { playlist: { name: 'as stored' } as PlaylistWithItems, etag: '"9"' };
    },
    onFailure: (error) => failures.push(error),
  });
  const rename = (name: string, etag: string | Error, sent: (string | undefined)[]) =>
    edits.run({
      apply: (p) => ({ ...p, name }),
      send: async (with_) => {
        sent.push(with_);
        if (etag instanceof Error) throw etag;
        return { data: name, etag };
      },
    });
  return { edits, rename, failures, state: () => state, reloads: () => reloads };
};

test('second edit is shown at once and sent with the ETag of the first answer', async () => {
  const { rename, state } = setUp();
  const sent: (string | undefined)[] = [];
  const first = rename('b', '"2"', sent);
  const second = rename('c', '"3"', sent);
  assert.equal(state().playlist.name, 'c');
  await Promise.all([first, second]);
  assert.deepEqual(sent, ['"1"', '"2"']);
  assert.deepEqual(state(), { playlist: { name: 'c' }, etag: '"3"' });
});

test('after a conflict, the playlist is reloaded, the user is notified once, and edits of the old version are not sent', async () => {
  const { rename, state, failures, reloads } = setUp();
  const sent: (string | undefined)[] = [];
  const results = await Promise.all([rename('b', new Error('412'), sent), rename('c', '"3"', sent)]);
  assert.deepEqual(results, [undefined, undefined]);
  assert.equal(sent.length, 1);
  assert.equal(failures.length, 1);
  assert.equal(reloads(), 1);
  assert.equal(state().playlist.name, 'as stored');
});

test('edit after a failure is sent with the ETag of the reloaded playlist', async () => {
  const { rename, edits } = setUp();
  const sent: (string | undefined)[] = [];
  await rename('b', new Error('412'), sent);
  await rename('c', '"10"', sent);
  assert.deepEqual(sent, ['"1"', '"9"']);
  assert.equal(edits.busy, false);
});
