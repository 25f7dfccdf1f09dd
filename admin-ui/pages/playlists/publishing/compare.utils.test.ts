import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlaylistItem } from '../../../../shared/contract/content/playlists.ts';
import { compare, countChanges, transitionChange } from './compare.utils.ts';

const item = (id: number, more: Partial<PlaylistItem> = {}): PlaylistItem =>
  ({ id, duration_sec: 10, zone_id: null, schedules: [], ...more }) as PlaylistItem;
const said = (published: PlaylistItem[], draft: PlaylistItem[]) =>
  compare(published, draft).map((c) => `${c.kind} ${c.item.id}${c.kind === 'changed' ? ` ${c.what.join('+')}` : ''}`);
const [a, b, c, d] = [item(1), item(2), item(3), item(4)];

test('equal lists have no differences', () => assert.deepEqual(said([a, b, c], [a, b, c]), []));

test('last item dragged to the front counts as one move, not as three', () => {
  assert.deepEqual(said([a, b, c, d], [d, a, b, c]), ['moved 4']);
  assert.deepEqual(said([a, b, c, d], [b, c, d, a]), ['moved 1']);
});

test('added and removed items do not count as moves of other items', () => {
  assert.deepEqual(said([a, b, c], [d, a, c]), ['added 4', 'removed 2']);
});

test('item with another duration, zone and times has three differences', () => {
  const changed = item(2, {
    duration_sec: 30,
    zone_id: 'z',
    schedules: [{ days: [1], start: '08:00', end: '12:00', start_date: null, end_date: null }],
  });
  assert.deepEqual(said([a, b], [changed, a]), ['moved 2', 'changed 2 duration+zone+times']);
  assert.deepEqual(countChanges(compare([a, b], [a, changed, d])), { added: 1, removed: 0, moved: 0, changed: 1 });
});

test('transition counts as a change only if it differs from the published transition', () => {
  const fade = { kind: 'fade', ms: 600 } as const;
  assert.deepEqual(said([a], [item(1, { transition: fade })]), ['changed 1 transition']);
  assert.deepEqual(said([item(1, { transition: fade })], [item(1, { transition: { ...fade } })]), []);
  assert.deepEqual(said([item(1, { transition: fade })], [item(1, { transition: { ...fade, ms: 900 } })]), [
    'changed 1 transition',
  ]);
  assert.equal(transitionChange({ transition: { ...fade }, published_transition: fade }), null);
  assert.deepEqual(transitionChange({ transition: null, published_transition: fade }), { before: fade, after: null });
});

test('muting is not a change to publish, because it takes effect at once', () =>
  assert.deepEqual(said([a], [item(1, { muted: true })]), []));
