import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrowserStore } from '../../../components/hooks/browserStore.ts';
import { countRows, headAt, OPEN_UP_TO, placeAt, readFolds, sectionsOf, storeFold } from './folds.utils.ts';

const group = (group_id: string | null, screens: number) => ({ group_id, name: group_id ?? '', color: null, screens });
const GROUPS = [group('tills', 3), group('windows', 2), group(null, 1)];

test('open group has a row for its head and for each screen, and a folded group only for its head', () => {
  const sections = sectionsOf(GROUPS, 2000, new Map([['windows', true]]));
  assert.equal(countRows(sections), 5);
  const rows = Array.from({ length: 6 }, (_, index) => placeAt(sections, index));
  assert.deepEqual(
    rows.map((place) => place && [place.section.group.group_id, place.screen]),
    [['tills', null], ['windows', null], ['windows', 0], ['windows', 1], [null, null], undefined],
  );
  assert.deepEqual(
    ['tills', 'windows', null, 'gone'].map((id) => headAt(sections, id)),
    [0, 1, 4, undefined],
  );
});

test('calendar with few screens starts open, and one with many screens starts folded', () => {
  const opened = (screens: number) => sectionsOf(GROUPS, screens, new Map()).map(({ isOpen }) => isOpen);
  assert.deepEqual(opened(OPEN_UP_TO), [true, true, true]);
  assert.deepEqual(opened(OPEN_UP_TO + 1), [false, false, false]);
});

test('fold state is stored for the last 500 groups, and a damaged stored value is ignored', () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  } as Storage;
  const store = new BrowserStore(() => storage);
  let folds = readFolds(store);
  for (let nth = 0; nth <= 500; nth++) folds = storeFold(folds, `group ${nth}`, nth % 2 === 0, store);
  const again = readFolds(store);
  assert.deepEqual(again, folds);
  assert.equal(again.size, 500);
  assert.deepEqual([again.get('group 0'), again.get('group 1'), again.get('group 500')], [undefined, false, true]);
  kept.set('vitrine.calendar.folds', '{');
  assert.equal(readFolds(store).size, 0);
});
