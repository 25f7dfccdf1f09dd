import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Shell } from '../../shared/protocol/shell.ts';
import { chooseDisplays, displaysWanted } from './displays.ts';
import { PanelWishes, panelsOf } from './panels.ts';
import { picturesOf } from './shell-pictures.ts';

const at = (id: number, x: number, y = 0) => ({ id, bounds: { x, y } });
const THREE = [at(70, 3840), at(50, 0), at(60, 1920)];
const chosen = (wanted: Parameters<typeof chooseDisplays>[2], primary = 60) => chooseDisplays(THREE, primary, wanted, '/d').map(({ display, data }) => [display.id, data]);

test('each chosen display is a screen with a folder of its own, by where it stands and not by its id', () => {
  assert.deepEqual(chosen('all'), [
    [60, '/d'],
    [50, '/d-2'],
    [70, '/d-3'],
  ]);
  assert.deepEqual(chosen('primary'), [[60, '/d']]);
  assert.deepEqual(chosen([3, 1]), [
    [60, '/d'],
    [70, '/d-3'],
  ]);
  assert.deepEqual(chosen([9]), [[60, '/d']], 'one that is unplugged must not leave the others dark');
});

test('what is wanted is all, primary, or places', () => {
  assert.equal(displaysWanted('all'), 'all');
  assert.deepEqual(displaysWanted('1,3,3'), [1, 3]);
  for (const nonsense of [undefined, '', '0', 'x', '1,', '1;2']) assert.equal(displaysWanted(nonsense), undefined);
});

test('the shell’s picture reaches whoever asked for it', async () => {
  const asked: number[] = [];
  let hear: Parameters<Shell['hear']>[0] = () => {};
  const picture = picturesOf({ say: (message) => message.type === 'shoot' && asked.push(message.id), hear: (listener) => (hear = listener) });
  const [first, second] = [picture(), picture()];
  hear({ type: 'picture', id: asked[1]!, data: 'QQ==' });
  hear({ type: 'picture', id: asked[0]!, data: null });
  assert.deepEqual(await second, { mime: 'image/jpeg', data: 'QQ==' });
  assert.deepEqual(await first, { error: 'the window could not be pictured' });
});

test('the panels of a computer go off with the last of its screens, and on with the first', () => {
  const wishes = new PanelWishes();
  const places = [1, 2];
  assert.equal(wishes.say(1, false, places), true, 'the other has said nothing: it plays');
  assert.equal(wishes.say(2, false, places), false);
  assert.equal(wishes.say(1, true, places), true);
  assert.equal(wishes.say(1, false, [1]), false, 'a display that was pulled has no say');
});

test('a screen leaves the panels alone while another needs them', async () => {
  let hear: Parameters<Shell['hear']>[0] = () => {};
  const answers = [true, false];
  const panels = panelsOf({
    say: (message) => message.type === 'panel' && queueMicrotask(() => hear({ type: 'panel', id: message.id, on: answers.shift()! })),
    hear: (listener) => (hear = listener),
  });
  assert.equal(await panels(false), false);
  assert.equal(await panels(false), true);
});
