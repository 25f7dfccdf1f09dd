import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TelemetryRow } from '../../../../shared/contract/screens/devices.ts';
import { extremes, gapOf, nearest, pathOf, seriesOf } from '../chart.utils.ts';

const row = (reported_at: number, part: Partial<TelemetryRow>) =>
  ({
    reported_at,
    cpu_usage: null,
    ram_free_mb: null,
    ram_total_mb: null,
    storage_free_mb: null,
    storage_total_mb: null,
    wifi_rssi: null,
    battery_level: null,
    ...part,
  }) as TelemetryRow;

test('only reported values become a series, and memory is the share in use', () => {
  const series = seriesOf([
    row(0, { ram_free_mb: 1000, ram_total_mb: 4000 }),
    row(60, { ram_free_mb: 4000, ram_total_mb: 4000 }),
    row(90, { ram_free_mb: 1, ram_total_mb: 0 }),
  ]);
  assert.deepEqual(series, [
    {
      name: 'memory',
      points: [
        { at: 0, value: 75 },
        { at: 60, value: 0 },
      ],
    },
  ]);
});

test('line breaks where two or more reports in a row are missing', () => {
  const frame = { from: 0, until: 10_000, min: 0, max: 100 };
  const path = pathOf(
    [
      { at: 0, value: 0 },
      { at: 300, value: 50 },
      { at: 5000, value: 100 },
    ],
    frame,
    gapOf(24),
  );
  assert.equal(path, 'M0 100h0.01L3 50M50 0h0.01');
});

test('point nearest to an instant, smallest value and largest value are found', () => {
  const points = [
    { at: 0, value: 5 },
    { at: 10, value: 9 },
  ];
  assert.equal(nearest(points, 6)?.value, 9);
  assert.equal(nearest([], 6), undefined);
  assert.deepEqual(extremes(points), { min: 5, max: 9 });
});
