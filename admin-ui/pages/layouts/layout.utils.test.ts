import assert from 'node:assert/strict';
import { test } from 'node:test';
import { added, bodyOf, duplicated, type LayoutDraft, raised, removed, stacked } from './layout.utils.ts';

const empty: LayoutDraft = { name: 'L', width: 1920, height: 1080, zones: [] };
const one = added(empty, 'Main');
const two = added(one.draft, 'Side');

test('first zone is the whole picture, and the next ones are in front, in the middle', () => {
  assert.deepEqual(
    [two.draft.zones[0]?.width_percent, two.draft.zones[1]?.x_percent, two.draft.zones[1]?.z_index],
    [100, 33, 1],
  );
  assert.notEqual(one.id, two.id);
});

test('zones unknown to the server are sent without an id, and the others keep theirs', () => {
  const known: LayoutDraft = { ...two.draft, zones: two.draft.zones.map((z, i) => (i === 0 ? { ...z, id: 'z1' } : z)) };
  assert.deepEqual(
    bodyOf(known).zones.map((z) => z.id),
    ['z1', undefined],
  );
});

test('raising a zone swaps it with the next one, and leaves no two at the same level', () => {
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

test('copy is beside the original, inside the picture, and a removed zone is gone', () => {
  const copy = duplicated(one.draft, one.id, 'Main (copy)');
  assert.deepEqual([copy.draft.zones[1]?.x_percent, copy.draft.zones[1]?.width_percent], [0, 100]);
  assert.equal(removed(copy.draft, copy.id).zones.length, 1);
});
