import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDate } from '../../../../shared/program/civil.ts';
import { PLAIN_ITEM } from '../../../../shared/program/plain-item.ts';
import type { Program, ProgramItem, ProgramSchedule } from '../../../../shared/program/program.ts';
import {
  closedItems,
  emptyBecause,
  instantOf,
  momentOf,
  momentText,
  parseMoment,
  pictureSize,
  stretchesOf,
  waitingOf,
} from './playbackPreview.utils.ts';

const item: ProgramItem = { ...PLAIN_ITEM, item_id: 1, content_id: 'c', name: 'Bread' };
const sale: ProgramSchedule = {
  id: 's',
  title: 'Sale',
  target: 'device',
  priority: 0,
  created_at: 0,
  start: '2026-11-20T17:00:00',
  end: '2026-11-20T18:00:00',
  timezone: 'Europe/Berlin',
  recurrence: null,
  recurrence_end: null,
  zone_id: null,
  item: null,
  playlist_id: 'q',
  layout_id: null,
};
const breakfast = {
  ...item,
  item_id: 2,
  name: 'Breakfast',
  blocks: [{ days: [0, 1, 2, 3, 4, 5, 6], start: '07:00', end: '10:00', start_date: null, end_date: null }],
};
const program: Program = {
  format: 1,
  base: { layout_id: null, playlist_id: 'p', item: null, source: 'device' },
  fallback: null,
  layouts: [],
  playlists: [
    { id: 'p', name: 'Window', anchor_ms: 0, items: [item, breakfast] },
    { id: 'q', name: 'Sale', anchor_ms: 0, items: [item] },
  ],
  schedules: [sale],
  assets: [],
};
const zone = 'Europe/Berlin';
const day = parseDate('2026-11-20');
const at = (hour: number, minute = 0) => instantOf({ day, minute: hour * 60 + minute }, zone);

test("instant by the screen's clock is unchanged after being written to the address and read again", () => {
  const moment = momentOf(at(17, 5), zone);
  assert.deepEqual(moment, { day, minute: 1025 });
  assert.equal(momentText(moment), '2026-11-20T17:05');
  assert.deepEqual(parseMoment('2026-11-20T17:05'), moment);
  assert.equal(parseMoment('soon'), undefined);
});

test('day consists of playlist periods around the plan', () => {
  assert.deepEqual(
    stretchesOf(program, zone, day).map(({ schedule, from, to }) => [
      schedule?.title ?? null,
      Math.round(from * 24),
      Math.round(to * 24),
    ]),
    [
      [null, 0, 17],
      ['Sale', 17, 18],
      [null, 18, 24],
    ],
  );
});

test("screen's own playlist is reported as waiting while a plan plays", () => {
  assert.deepEqual(waitingOf(program, zone, at(17, 5)), { source: 'device', name: 'Window' });
  assert.equal(waitingOf(program, zone, at(16)), null);
});

test('items that do not play at this hour are named', () => {
  assert.deepEqual(
    closedItems(program, zone, at(16)).map((i) => i.name),
    ['Breakfast'],
  );
  assert.deepEqual(closedItems(program, zone, at(8)), []);
});

test('instant without content names the plan or playlist that has no content', () => {
  assert.deepEqual(emptyBecause(program, 'Europe/Berlin', at(17, 5)), { why: 'plan', name: 'Sale' });
  assert.deepEqual(emptyBecause(program, 'Europe/Berlin', at(16)), { why: 'playlist', name: 'Window' });
  assert.equal(
    emptyBecause({ ...program, base: { ...program.base, playlist_id: null } }, 'Europe/Berlin', at(16)),
    null,
  );
});

test('picture is upright as on the wall, and the whole picture for a video wall', () => {
  const screen = { screen_width: 1920, screen_height: 1080 };
  assert.deepEqual(pictureSize(screen, { orientation: '90', wall: null }), { width: 1080, height: 1920 });
  assert.deepEqual(pictureSize(screen, { orientation: '0', wall: { canvas: { width: 800, height: 400 } } }), {
    width: 1920,
    height: 960,
  });
});
