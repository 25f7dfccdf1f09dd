import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScreenReport } from '../screen/host/host.ts';
import { ScreenSide } from './screen-side.ts';
import { MemoryLog } from './testing/fakes.ts';

const NOW = 1_700_000_000_000;
const refresh = { at: NOW, period_ms: 16.7 };

/** Creates a ScreenSide that records the calls to other parts. */
function start() {
  const told: unknown[][] = [];
  const tell =
    (what: string) =>
    (...given: unknown[]) =>
      void told.push([what, ...given]);
  const log = new MemoryLog();
  const part = (...methods: string[]): never =>
    Object.fromEntries(methods.map((method) => [method, tell(method)])) as never;
  const side = new ScreenSide({
    journal: part('alive', 'shown', 'ended', 'closeOpen', 'endOpen'),
    overlay: part('reported'),
    assets: part('check'),
    remoteLog: part('send'),
    log,
    now: () => NOW,
    switched: tell('switched'),
    shown: tell('something shows'),
    formats: tell('formats'),
    sized: tell('sized'),
  });
  return { side, told, log };
}
const shown = (turn: string, zone_id: string): Extract<ScreenReport, { type: 'shown' }> => ({
  type: 'shown',
  turn,
  zone_id,
  item_id: 7,
  playlist_id: 'playlist-1',
  content_id: 'content-1',
  widget_id: null,
  content_name: 'photo.jpg',
  started_at: NOW - 5,
  late_ms: 3,
  planned_end: NOW + 10_000,
});
const showing = (zone_id: string | null) => ({
  zone_id,
  item_id: 7,
  content_id: 'content-1',
  widget_id: null,
  since: NOW - 5,
});

test('visible items are reported to the journal, and an item in the zone `full` as an item without a zone', async () => {
  const { side, told } = start();
  await side.receive(shown('a', 'full'));
  await side.receive(shown('b', 'left'));
  const { type: _, late_ms: _late, ...play } = shown('a', 'full');
  assert.deepEqual(told.slice(0, 2), [['something shows'], ['shown', { ...play, zone_id: null }]]);
  assert.deepEqual(side.showing, [showing(null), showing('left')]);
  await side.receive({ type: 'ended', turn: 'a', ended_at: NOW, completed: true });
  assert.deepEqual(told.at(-1), ['ended', { turn: 'a', ended_at: NOW, completed: true }]);
  assert.deepEqual(side.showing, [showing('left')]);
});

test('no content counts as visible after the panel went off or the page was reloaded', async () => {
  const { side, told } = start();
  await side.receive(shown('a', 'full'));
  await side.darkened();
  assert.deepEqual([side.showing, told.at(-1)], [[], ['endOpen', NOW]]);

  await side.receive(shown('a', 'full'));
  await side.receive({ type: 'sync', error_p50_ms: 1, error_p99_ms: 2 });
  await side.receive({ type: 'alive', width: 2, height: 1, frames: 60, refresh });
  await side.receive({ type: 'glimpses', glimpses: [{ at: 1 }] } as never);
  assert.deepEqual(side.sync, { error_p50_ms: 1, error_p99_ms: 2, refresh });
  await side.reset();
  assert.deepEqual([side.showing, side.sync, side.collectGlimpses(), told.at(-1)], [[], {}, [], ['closeOpen']]);
});

test('size and touch support of the screen are reported once the page paints', async () => {
  const { side, told } = start();
  await side.receive({ type: 'alive', width: 2, height: 1, frames: 60 });
  await side.receive({ type: 'alive', width: 2, height: 1, frames: 60, touch: true });
  assert.deepEqual(told, [
    ['sized', { width: 2, height: 1, touch: false }],
    ['alive', NOW],
    ['sized', { width: 2, height: 1, touch: true }],
    ['alive', NOW],
  ]);
  assert.deepEqual(side.sync, {});
});

test('faults and their ends are sent to the operator, and the file of a fault is checked', async () => {
  const { side, told, log } = start();
  await side.receive({ type: 'fault', item_id: 7, asset: 'abc', message: 'cannot decode' });
  await side.receive({ type: 'fault', item_id: null, asset: null, message: 'cannot load' });
  await side.receive({ type: 'mended', item_id: null, asset: null, message: 'loads again' });
  await side.receive({ type: 'mended', item_id: 7, asset: 'abc', message: 'decodes again' });
  assert.deepEqual(told, [
    ['send', 'error', 'cannot decode', { item_id: 7, asset: 'abc' }],
    ['check', 'abc'],
    ['send', 'error', 'cannot load', { item_id: null, asset: null }],
    ['send', 'info', 'loads again', { item_id: null, asset: null }],
    ['send', 'info', 'decodes again', { item_id: 7, asset: 'abc' }],
  ]);
  assert.deepEqual(log.lines, [
    'item 7 could not be shown: cannot decode',
    'item ? could not be shown: cannot load',
    'item ?: loads again',
    'item 7: decodes again',
  ]);
});

test('at most eight glimpses (samples of the picture) wait to be fetched, and older ones are dropped', async () => {
  const { side, told } = start();
  const glimpses = Array.from({ length: 10 }, (_, at) => ({ at }));
  for (const part of [glimpses.slice(0, 4), glimpses.slice(4)])
    await side.receive({ type: 'glimpses', glimpses: part } as never);
  assert.deepEqual([side.collectGlimpses(), side.collectGlimpses()], [glimpses.slice(2), []]);
  await side.receive({ type: 'switched', program_id: 'p', placement_id: 'q' });
  await side.receive({ type: 'overlay', pip_id: 'o', status: 'shown' });
  assert.deepEqual(told, [
    ['switched', { program_id: 'p', placement_id: 'q' }],
    ['reported', { type: 'overlay', pip_id: 'o', status: 'shown' }],
  ]);
});

test('report of the page that cannot be processed is logged', async () => {
  const { side, log } = start();
  await side.receive({ type: 'glimpses', glimpses: null } as never);
  assert.match(log.lines.join(), /what the screen said \(glimpses\) could not be kept/);
});
