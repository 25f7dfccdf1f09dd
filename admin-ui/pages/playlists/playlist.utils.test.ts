import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Zone } from '../../../shared/contract/content/layouts.ts';
import type { PlaylistItem, PlaylistWithItems } from '../../../shared/contract/content/playlists.ts';
import {
  changed,
  defaultSeconds,
  inserted,
  moved,
  publishStateOf,
  totalSeconds,
  without,
  zoneLengths,
} from './playlist.utils.ts';

const item = (id: number, sort_order: number): PlaylistItem =>
  ({ id, sort_order, duration_sec: 10, muted: false }) as PlaylistItem;
const playlist = {
  status: 'published',
  published_at: 5,
  item_count: 3,
  items: [item(1, 0), item(2, 1), item(3, 2)],
} as PlaylistWithItems;
const ids = (p: PlaylistWithItems) => p.items.map((i) => i.id);

test('moving the first item to the end renumbers the items and makes the playlist a draft', () => {
  const after = moved(playlist, 1, 2);
  assert.deepEqual(ids(after), [2, 3, 1]);
  assert.deepEqual(
    after.items.map((i) => i.sort_order),
    [0, 1, 2],
  );
  assert.equal(after.status, 'draft');
});

test('item inserted at position 1 moves the later items down, and removing it restores the list', () => {
  const more = inserted(playlist, item(9, 0), 1);
  assert.deepEqual(ids(more), [1, 9, 2, 3]);
  assert.equal(more.item_count, 4);
  assert.deepEqual(ids(without(more, 9)), [1, 2, 3]);
});

test('new duration makes the playlist a draft, and muting does not', () => {
  assert.equal(changed(playlist, 2, { duration_sec: 30 }).status, 'draft');
  assert.equal(changed(playlist, 2, { muted: true }).status, 'published');
});

test('default duration is the length of the clip rounded up, or 10 s without a length', () => {
  assert.equal(defaultSeconds({ kind: 'video', duration_sec: 61.01 }), 62);
  assert.equal(defaultSeconds({ kind: 'image', duration_sec: null }), 10);
  assert.equal(defaultSeconds({ kind: 'video', duration_sec: null }), 10);
  assert.equal(totalSeconds(playlist.items), 30);
});

test('playlist that was never published has the state "never", not "changed"', () => {
  assert.equal(publishStateOf({ status: 'draft', published_at: null }), 'never');
  assert.equal(publishStateOf({ status: 'draft', published_at: 5 }), 'changed');
  assert.equal(publishStateOf({ status: 'published', published_at: 5 }), 'published');
});

test('playlist with zones is as long as its longest zone, and items without a zone count for the largest zone', () => {
  const zone = (id: string, width_percent: number) => ({ id, width_percent, height_percent: 100 }) as Zone;
  const item = (zone_id: string | null, duration_sec: number) => ({ zone_id, duration_sec });
  const zones = [zone('small', 30), zone('big', 70)];
  const lengths = (items: ReturnType<typeof item>[]) =>
    zoneLengths(items, zones).map((one) => [one.zone.id, one.seconds]);
  assert.deepEqual(lengths([item('small', 60), item(null, 10), item('gone', 20)]), [
    ['small', 60],
    ['big', 30],
  ]);
  assert.deepEqual(lengths([item(null, 10)]), [['big', 10]]);
  assert.deepEqual(zoneLengths([item('small', 5)], []), []);
});
