import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProgramItem } from '../../../shared/program/program.ts';
import { resolve } from '../../../shared/program/resolve.ts';
import { changesAt, clipPosition, draftProgram } from './preview.utils.ts';

const item = (item_id: number, seconds: number, more: Partial<ProgramItem> = {}): ProgramItem =>
  ({
    item_id,
    content_id: `c${item_id}`,
    widget_id: null,
    zone_id: null,
    duration_ms: seconds * 1000,
    media_ms: null,
    muted: false,
    kind: 'image',
    blocks: [],
    ...more,
  }) as ProgramItem;

test('draft plays from its first item and repeats', () => {
  const anchor = Date.UTC(2026, 2, 10, 9);
  const program = draftProgram({ id: 'p', name: 'P', items: [item(1, 5), item(2, 10)] }, undefined, anchor);
  const at = (ms: number) => resolve(program, 'UTC', anchor + ms).zones[0]?.cue?.item.item_id;
  assert.deepEqual([at(0), at(4999), at(5000), at(14_999), at(15_000)], [1, 1, 2, 2, 1]);
});

test('item for the morning is skipped in the afternoon, as on a screen', () => {
  const anchor = Date.UTC(2026, 2, 10, 14);
  const morning = item(1, 5, {
    blocks: [{ days: [0, 1, 2, 3, 4, 5, 6], start: '06:00', end: '12:00', start_date: null, end_date: null }],
  });
  const program = draftProgram({ id: 'p', name: 'P', items: [morning, item(2, 10)] }, undefined, anchor);
  assert.equal(resolve(program, 'UTC', anchor).zones[0]?.cue?.item.item_id, 2);
});

test('item overlaps with the previous item during its transition, except the very first item', () => {
  const start = Date.UTC(2026, 2, 10, 9);
  const transition = { kind: 'push', ms: 1000 } as const;
  const items = [item(1, 5, { transition }), item(2, 10, { transition })];
  const program = draftProgram({ id: 'p', name: 'P', items }, undefined, start);
  const at = (ms: number) => {
    const scene = resolve(program, 'UTC', start + ms);
    const [change] = changesAt({ program, timezone: 'UTC', start }, scene, start + ms).values();
    return change && [change.from.item.item_id, change.meeting.right];
  };
  assert.deepEqual([at(300), at(5250), at(6000), at(15_750)], [undefined, [1, 0.75], undefined, [2, 0.25]]);
});

test('clip of 4 s that plays for 10 s is at second 1 after 9 s', () => {
  assert.equal(clipPosition(9000, 4000), 1);
  assert.equal(clipPosition(9000, null), 9);
});
