import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Shell } from '../../shared/protocol/shell.ts';
import {
  asTheyStand,
  chooseScreens,
  displaysWanted,
  folderOf,
  type Seat,
  seatDisplays,
  type Wanted,
} from './displays.ts';
import type { Display } from './machine.ts';
import { PanelStates, panelsOf } from './panels.ts';
import { picturesOf } from './shell-pictures.ts';

const at = (id: number, x: number, label = `TV ${id}`): Display => ({
  id,
  label,
  internal: false,
  bounds: { x, y: 0, width: 1920, height: 1080 },
});
/** @param primary id of the primary display. @returns id and place of each display, and the remembered seats */
const seat = (displays: readonly Display[], known: readonly Seat[] = [], primary = displays[0]?.id) => {
  const standing = asTheyStand(
    displays,
    displays.find(({ id }) => id === primary),
  );
  const seated = seatDisplays(known, standing);
  return { ...seated, standing, ids: Object.fromEntries([...seated.places].map(([place, { id }]) => [place, id])) };
};
const [A, B, C] = [at(11, 0), at(22, 1920), at(33, 3840)];
const known = (...displays: Display[]): readonly Seat[] => seat(displays).remembered;

test('displays at the first start are numbered by position, with the primary display first', () => {
  assert.deepEqual(seat([at(70, 3840), at(50, 0), at(60, 1920)], [], 60).ids, { 1: 60, 2: 50, 3: 70 });
  assert.deepEqual([folderOf('/d', 1), folderOf('/d', 3)], ['/d', '/d-3']);
});

test('display that mirrors another display is not a separate screen', () => {
  assert.deepEqual(seat([A, { ...B, bounds: A.bounds }, C]).ids, { 1: 11, 2: 33 });
});

test('display that is connected again shows its previous screen, at any position and in any order', () => {
  const before = known(A, B, C);
  for (const there of [[A], [B], [C], [B, C], [C, A], [C, B, A]]) {
    const moved = there.map((display, i) => ({ ...display, bounds: { ...display.bounds, x: i * 1920 } }));
    const places = seat(moved, before).ids;
    for (const [place, id] of Object.entries(places))
      assert.equal(id, { 1: 11, 2: 22, 3: 33 }[place], there.map(({ id }) => id).join());
  }
});

test('TV that is connected to another output, or has a new id, is recognized by its model', () => {
  assert.deepEqual(seat([at(98, 0, 'TV 22'), at(99, 1920, 'TV 11')], known(A, B)).ids, { 1: 99, 2: 98 });
});

test('TVs of the same model are distinguished by their ids, and TVs with new ids by their positions', () => {
  const [left, right] = [at(1, 0, 'same'), at(2, 1920, 'same')];
  const before = known(left, right);
  assert.deepEqual(seat([at(2, 0, 'same')], before).ids, { 2: 2 });
  assert.deepEqual(seat([at(8, 1920, 'same'), at(9, 0, 'same')], before, 8).ids, { 1: 9, 2: 8 });
});

test('displays with the same id or without an id are distinguished by their positions', () => {
  for (const id of [5, -1]) {
    const before = known(at(id, 0, ''), at(id, 1920, ''));
    const [primary, other] = [at(id, 1920, ''), at(id, 0, '')];
    const seated = seatDisplays(before, [primary, other]);
    assert.deepEqual([seated.places.get(1)?.bounds.x, seated.places.get(2)?.bounds.x], [0, 1920]);
  }
});

test('unknown display shows the screen of a missing display only if its position clearly matches', () => {
  const before = known(A, B);
  assert.deepEqual(seat([A, at(99, 1920)], before).ids, { 1: 11, 2: 99 }, 'replaced');
  assert.deepEqual(seat([A, at(99, -1920)], before).ids, { 1: 11, 3: 99 }, 'elsewhere');
  assert.deepEqual(seat([A, B, at(99, 3840)], before).ids, { 1: 11, 2: 22, 3: 99 }, 'one more');
  assert.deepEqual(seat([A, at(99, 1920)], known(A, B, C)).ids, { 1: 11, 4: 99 }, 'too few to tell whose');
  assert.deepEqual(seat([at(99, 0)], known(A)).ids, { 1: 99 }, 'the only one');
  assert.deepEqual(
    seat([at(99, 0)], before).ids,
    { 1: 99 },
    'what Windows makes up while all are off makes no screen of its own',
  );
  assert.deepEqual(seat([A, at(22, 7000, 'other')], before).ids, { 1: 11, 2: 22 }, 'in the same socket');
});

test('TV of the same model at another output counts as moved, unless the previous TV is still connected', () => {
  const before = known(at(1, 0, 'same'), at(2, 1920, 'same'));
  const { ids, remembered } = seat([at(2, 0, 'same'), at(3, 1920, 'same')], before);
  assert.deepEqual(ids, { 1: 3, 2: 2 });
  assert.deepEqual(seat([at(1, 0, 'same'), at(2, 1920, 'same'), at(3, 3840, 'same')], remembered).ids, {
    1: 1,
    2: 2,
    3: 3,
  });
});

test('display that is connected again gets its screen back, and its replacement gets another screen', () => {
  const before = known(A, B);
  const stranger = at(99, 1920);
  const { remembered } = seat([A, stranger], before);
  assert.deepEqual(seat([A, stranger], remembered).ids, { 1: 11, 2: 99 }, 'it is known from now on');
  const all = seat([A, stranger, { ...B, bounds: { ...B.bounds, x: 3840 } }], remembered);
  assert.deepEqual(all.ids, { 1: 11, 2: 22, 3: 99 });
  assert.deepEqual(seat([A, stranger], all.remembered).ids, { 1: 11, 3: 99 }, 'and keeps that');
});

test('each display has one screen, and no screen has two displays, after any changes of displays', () => {
  const display = fc.record({
    id: fc.constantFrom(-1, 0, 1, 2),
    label: fc.constantFrom('', 'a', 'b'),
    x: fc.constantFrom(0, 1920, 3840),
  });
  const displays = fc.array(display, { maxLength: 4 }).map((all) => all.map(({ id, label, x }) => at(id, x, label)));
  fc.assert(
    fc.property(fc.array(displays, { maxLength: 4 }), (history) => {
      let seats: readonly Seat[] = [];
      for (const there of history) {
        const { places, remembered, standing } = seat(there, seats);
        assert.equal(places.size, standing.length);
        assert.equal(new Set(places.values()).size, standing.length);
        assert.equal(new Set(remembered.map(({ place }) => place)).size, remembered.length);
        assert.ok(seats.every(({ place }) => remembered.some((each) => each.place === place)));
        seats = remembered;
      }
    }),
  );
});

test('chooseScreens returns all screens, screens with given numbers, the other screens, or the primary screen', () => {
  const choose = (wanted: Wanted, there = [A, B, C], before: readonly Seat[] = []) => {
    const seated = seat(there, before);
    return [...chooseScreens(seated, seated.standing[0], wanted)].map(([place, display]) => [place, display?.id]);
  };
  assert.deepEqual(choose('all'), [
    [1, 11],
    [2, 22],
    [3, 33],
  ]);
  assert.deepEqual(choose([3, 1], [B, C], known(A, B, C)), [
    [1, undefined],
    [3, 33],
  ]);
  assert.deepEqual(choose('others'), [
    [2, 22],
    [3, 33],
  ]);
  assert.deepEqual(choose('others', [A]), [[1, 11]]);
  assert.deepEqual(choose('primary', [B, A]), [[1, 22]]);
  assert.deepEqual(choose('primary', [C], known(A, B, C)), [[1, 33]]);
  assert.deepEqual(choose([9]), [[1, 11]], 'what was never there must not leave the others dark');
});

test('displaysWanted accepts `all`, `primary`, `others`, or a list of screen numbers', () => {
  for (const word of ['all', 'primary', 'others'] as const) assert.equal(displaysWanted(word), word);
  assert.deepEqual(displaysWanted('1,3,3'), [1, 3]);
  for (const nonsense of [undefined, '', '0', 'x', '1,', '1;2']) assert.equal(displaysWanted(nonsense), undefined);
});

test('picture of the shell’s window is returned to the caller that requested it', async () => {
  const asked: number[] = [];
  let hear: Parameters<Shell['listen']>[0] = () => {};
  const picture = picturesOf({
    send: (message) => message.type === 'shoot' && asked.push(message.id),
    listen: (listener) => (hear = listener),
  });
  const [first, second] = [picture(), picture()];
  hear({ type: 'picture', id: asked[1]!, data: 'QQ==' });
  hear({ type: 'picture', id: asked[0]!, data: null });
  assert.deepEqual(await second, { mime: 'image/jpeg', data: 'QQ==' });
  assert.deepEqual(await first, { error: 'the window could not be pictured' });
});

test('panels of a computer go off when its last screen is switched off, and on when its first is switched on', () => {
  const wishes = new PanelStates();
  const places = [1, 2];
  assert.equal(wishes.wantsPanelsOn(1, false, places), true, 'the other has said nothing: it plays');
  assert.equal(wishes.wantsPanelsOn(2, false, places), false);
  assert.equal(wishes.wantsPanelsOn(1, true, places), true);
  assert.equal(wishes.wantsPanelsOn(1, false, [1]), false, 'a display that was pulled has no say');
});

test('panelsOf does not switch the panels off while another screen needs them', async () => {
  let hear: Parameters<Shell['listen']>[0] = () => {};
  const answers = [true, false];
  const panels = panelsOf({
    send: (message) =>
      message.type === 'panel' && queueMicrotask(() => hear({ type: 'panel', id: message.id, on: answers.shift()! })),
    listen: (listener) => (hear = listener),
  });
  assert.equal(await panels(false), false);
  assert.equal(await panels(false), true);
});
