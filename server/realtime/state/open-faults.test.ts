import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OpenFaults } from './open-faults.ts';

const MINUTE = 60_000;
const ASSET = 'a'.repeat(64);
const always = () => true;

const start = () => {
  const time = { now: 1_000_000 };
  const faults = new OpenFaults(() => time.now);
  const fail = (item_id: number | null, message = `item ${item_id} fails`, asset: string | null = null) =>
    faults.open('d', { level: 'error', message, subject: { item_id, asset } });
  const open = (isShown: (item: { item_id: number | null }) => boolean = always) =>
    faults.list('d', isShown).map(({ message }) => message);
  const show = (item_id: number, since: number) =>
    faults.shows('d', [{ zone_id: null, item_id, content_id: null, widget_id: null, since }]);
  const play = (item_id: number, started_at: number, completed = true) =>
    faults.played('d', [{ item_id, started_at, completed } as never]);
  return { time, faults, fail, open, show, play };
};

test('fault of an item stays open for hours while its screen reports what it shows', () => {
  const { time, fail, open, show } = start();
  fail(1);
  show(2, time.now);
  time.now += 600 * MINUTE;
  assert.deepEqual(open(), ['item 1 fails']);
});

test('fault of an item ends when its player reports that the item plays again', () => {
  const { faults, fail, open } = start();
  fail(1);
  fail(2);
  faults.end('d', { item_id: 1, asset: null });
  assert.deepEqual(open(), ['item 2 fails']);
  faults.end('d', { item_id: 2, asset: null });
  assert.deepEqual([open(), faults.deviceIds()], [[], []]);
});

test('report about a file ends the faults of all items with that file', () => {
  const { faults, fail, open } = start();
  fail(1, 'one', ASSET);
  fail(2, 'two', 'b'.repeat(64));
  fail(null, 'fallback', ASSET);
  faults.end('d', { item_id: 3, asset: ASSET });
  assert.deepEqual(open(), ['two']);
});

test('fault of an item ends when the item is on the screen for 15 s after the fault', () => {
  const { time, fail, open, show } = start();
  const before = time.now - 1;
  fail(1);
  time.now += 20_000;
  show(1, before);
  show(2, time.now - 15_000);
  show(1, time.now - 14_999);
  assert.deepEqual(open(), ['item 1 fails']);
  show(1, time.now - 15_000);
  assert.deepEqual(open(), []);
});

test('fault of an item ends when a later play of this item is complete', () => {
  const { time, fail, open, play } = start();
  fail(1);
  play(1, time.now);
  play(1, time.now + 1, false);
  play(2, time.now + 1);
  assert.deepEqual(open(), ['item 1 fails']);
  play(1, time.now + 1);
  assert.deepEqual(open(), []);
});

test('fault of an item that failed twice lasts until a play after the second failure', () => {
  const { time, fail, open, play } = start();
  fail(1);
  time.now += 1_000;
  fail(1);
  play(1, time.now);
  assert.deepEqual(open(), ['item 1 fails']);
  play(1, time.now + 1);
  assert.deepEqual(open(), []);
});

test('fault of a page with a frozen image ends when the page plays more than 30 minutes after the last report', () => {
  // The second sentence is from players before December 2026.
  for (const end of ['the last image stays on the screen', 'its last image stays']) {
    const { time, faults, fail, open, play } = start();
    fail(1, `Page: the address does not answer; ${end}`);
    const from = time.now;
    time.now += 31 * MINUTE;
    play(1, from + 30 * MINUTE);
    faults.shows('d', []);
    assert.equal(open().length, 1);
    play(1, from + 30 * MINUTE + 1);
    assert.equal(open().length, 0);
  }
});

test('fault of an item ends when the screen’s program no longer contains the item', () => {
  const { fail, open } = start();
  fail(1);
  fail(2);
  assert.deepEqual(
    open(({ item_id }) => item_id !== 1),
    ['item 2 fails'],
  );
});

test('fault of an item ends after 30 minutes when its player never reports what it shows', () => {
  const { time, faults, fail, open, show } = start();
  fail(1);
  faults.open('d', { level: 'warn', message: 'The disk is full', subject: undefined });
  time.now += 30 * MINUTE;
  assert.equal(open().length, 2);
  show(2, time.now);
  time.now += 1;
  assert.deepEqual(open(), ['item 1 fails'], 'nothing reports the end of a full disk');
  const old = start();
  old.fail(1);
  old.time.now += 30 * MINUTE + 1;
  assert.deepEqual(old.open(), []);
});

test('screen has at most 50 open faults, and other faults are dropped before faults of items', () => {
  const { faults, fail, open } = start();
  for (let n = 0; n < 60; n++) faults.open('d', { level: 'warn', message: `sentence ${n}`, subject: undefined });
  assert.deepEqual([open().length, open()[0]], [50, 'sentence 10']);
  for (let n = 0; n < 60; n++) fail(n);
  assert.deepEqual([open().length, open()[0], open().at(-1)], [50, 'item 0 fails', 'item 49 fails']);
});

test('fault restored from an open alert stays for hours while its screen is offline, and ends when the item plays', () => {
  const { time, faults, open, play } = start();
  const since = time.now - 600 * MINUTE;
  faults.open('d', {
    level: 'error',
    message: 'item 1',
    subject: { item_id: 1, asset: null },
    at: since,
    isRestored: true,
  });
  time.now += 600 * MINUTE;
  assert.deepEqual(open(), ['item 1']);
  play(1, time.now);
  assert.deepEqual(open(), []);
});

test('fault restored after a restart that names no item gets the whole time limit again', () => {
  const { time, faults, open } = start();
  const since = time.now - 600 * MINUTE;
  faults.open('d', { level: 'error', message: 'full disk', subject: undefined, at: since, isRestored: true });
  time.now += 29 * MINUTE;
  assert.deepEqual(open(), ['full disk']);
  time.now += 2 * MINUTE;
  assert.deepEqual(open(), []);
});
