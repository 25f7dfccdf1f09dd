import assert from 'node:assert/strict';
import { test } from 'node:test';
import { added, bodyOf, duplicated, type LayoutDraft, raised, removed, stacked } from './layout.utils.ts';

const empty: LayoutDraft = { name: 'L', width: 1920, height: 1080, zones: [] };
const one = added(empty, 'Main');
const two = added(one.draft, 'Side');

test('first zone is the whole picture, and later zones are in front of it, in the middle', () => {
  assert.deepEqual(
    [two.draft.zones[0]?.width_percent, two.draft.zones[1]?.x_percent, two.draft.zones[1]?.z_index],
    [100, 33, 1],
  );
  assert.notEqual(one.id, two.id);
});

test('new zones are sent without an id, and stored zones keep their ids', () => {
  const known: LayoutDraft = { ...two.draft, zones: two.draft.zones.map((z, i) => (i === 0 ? { ...z, id: 'z1' } : z)) };
  assert.deepEqual(
    bodyOf(known).zones.map((z) => z.id),
    ['z1', undefined],
  );
});

test('raised zone swaps its level with the next zone, and no two zones keep the same level', () => {
  const flat: LayoutDraft = { ...two.draft, zones: two.draft.zones.map((z) => ({ ...z, z_index: 0 })) };
  assert.deepEqual(
    stacked(raised(flat, one.id, 1).zones).map((z) => [z.name, z.z_index]),
    [
      ['Side', 0],
      ['Main', 1],
    ],
  );
  assert.equal(raised(flat, two.id, 1), flat, 'the foremost stays');
});

test('copy of a zone is beside the original inside the picture', () => {
  const copy = duplicated(one.draft, one.id, 'Main (copy)');
  assert.deepEqual([copy.draft.zones[1]?.x_percent, copy.draft.zones[1]?.width_percent], [0, 100]);
  assert.equal(removed(copy.draft, copy.id).zones.length, 1);
});
