import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toProgramLayout, toProgramSchedule } from './from-records.ts';
import { FULL_ZONE } from './full-zone.ts';
import { PLAIN_ITEM } from './plain-item.ts';

const zone = (id: string, playlist_id: string | null) => ({
  id,
  name: 'Left',
  x_percent: 1,
  y_percent: 2,
  width_percent: 3,
  height_percent: 4,
  z_index: 5,
  zone_type: 'content',
  fit_mode: 'cover' as const,
  background_color: '#ffffff',
  playlist_id,
  content_id: null,
  widget_id: null,
  sort_order: 0,
});

test('zone of a layout shows its playlist, otherwise its item, otherwise no content of its own', () => {
  const layout = { id: 'l', name: 'Two', width: 1920, height: 1080 };
  const item = { ...PLAIN_ITEM, name: 'logo' };
  const zones = [zone('both', 'p'), zone('item', null), zone('none', null)];
  const fills = (of: Parameters<typeof toProgramLayout>[1]) =>
    toProgramLayout({ ...layout, zones }, of).zones.map(({ fill }) => fill);
  assert.deepEqual(
    fills(({ id }) => (id === 'none' ? null : item)),
    [{ playlist_id: 'p', item: null }, { playlist_id: null, item }, undefined],
  );
  assert.deepEqual(fills(undefined), [{ playlist_id: 'p', item: null }, undefined, undefined]);
  const { zones: made, ...whole } = toProgramLayout({ ...layout, zones: [zone('none', null)] });
  assert.deepEqual(whole, layout);
  assert.deepEqual(made, [
    {
      ...FULL_ZONE,
      id: 'none',
      name: 'Left',
      x: 1,
      y: 2,
      width: 3,
      height: 4,
      z_index: 5,
      fit: 'cover',
      background: '#ffffff',
    },
  ]);
});

test('schedule that names a device is for that device, and any other schedule is for its group', () => {
  const of = (device_id: string | null) => {
    const record = {
      id: 's',
      title: 'Sale',
      device_id,
      priority: 3,
      created_at: 4,
      start_time: '2026-05-04T12:00:00',
      end_time: '2026-05-04T14:00:00',
      timezone: 'UTC',
      recurrence: null,
      recurrence_end: null,
      zone_id: null,
      playlist_id: 'p',
      layout_id: null,
    };
    const { start, end, target } = toProgramSchedule(record, null);
    return [start, end, target];
  };
  const [start, end] = ['2026-05-04T12:00:00', '2026-05-04T14:00:00'];
  assert.deepEqual(
    [of('d'), of(null)],
    [
      [start, end, 'device'],
      [start, end, 'group'],
    ],
  );
});
