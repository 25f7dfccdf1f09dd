import assert from 'node:assert/strict';
import { test } from 'node:test';
import { added, bodyOf, duplicated, type LayoutDraft, raised, removed, stacked } from './layout.utils.ts';

const empty: LayoutDraft = { name: 'L', width: 1920, height: 1080, zones: [] };
const one = added(empty, 'Main');
const two = added(one.draft, 'Side');

test('the first zone is the whole picture, the next ones lie on top in the middle', () => {
  assert.deepEqual(
    [two.draft.zones[0]?.width_percent, two.draft.zones[1]?.x_percent, two.draft.zones[1]?.z_index],
    [100, 33, 1],
  );
  assert.notEqual(one.id, two.id);
});

test('zones that the server does not know are sent without an id, the others keep theirs', () => {
  const known: LayoutDraft = { ...two.draft, zones: two.draft.zones.map((z, i) => (i === 0 ? { ...z, id: 'z1' } : z)) };
  assert.deepEqual(
    bodyOf(known).zones.map((z) => z.id),
    ['z1', undefined],
  );
});

test('raising a zone changes places with the one before it, and leaves no two at the same height', () => {
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

test('a copy lies beside, inside the picture; what is removed is gone', () => {
  const copy = duplicated(one.draft, one.id, 'Main (copy)');
  assert.deepEqual([copy.draft.zones[1]?.x_percent, copy.draft.zones[1]?.width_percent], [0, 100]);
  assert.equal(removed(copy.draft, copy.id).zones.length, 1);
});
