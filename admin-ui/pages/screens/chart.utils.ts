/** Charts of telemetry values over time, as SVG paths in a drawing of 100 by 100. */
import type { TelemetryRow } from '../../../shared/contract/screens/devices.ts';

export type Point = { readonly at: number; readonly value: number };

export type SeriesName = 'cpu' | 'memory' | 'storage' | 'wifi' | 'battery';
/** Range of each value that its chart shows. */
export const rangeOf: Readonly<Record<SeriesName, readonly [min: number, max: number]>> = {
  cpu: [0, 100],
  memory: [0, 100],
  storage: [0, 100],
  wifi: [-95, -30],
  battery: [0, 100],
};

const used = (free: number | null, total: number | null): number | null =>
  free === null || !total ? null : (1 - free / total) * 100;
const readers: Readonly<Record<SeriesName, (row: TelemetryRow) => number | null>> = {
  cpu: (row) => row.cpu_usage,
  memory: (row) => used(row.ram_free_mb, row.ram_total_mb),
  storage: (row) => used(row.storage_free_mb, row.storage_total_mb),
  wifi: (row) => row.wifi_rssi,
  battery: (row) => row.battery_level,
};

/** Returns the series of values that this player reports. */
export const seriesOf = (rows: readonly TelemetryRow[]): { name: SeriesName; points: Point[] }[] =>
  (Object.keys(readers) as SeriesName[])
    .map((name) => ({
      name,
      points: rows.flatMap((row) => {
        const value = readers[name](row);
        return value === null ? [] : [{ at: row.reported_at, value }];
      }),
    }))
    .filter(({ points }) => points.length > 0);

/**
 * Returns the time in seconds without a report that counts as a gap: a little more than twice the interval of stored
 * reports. The server stores a report every 5 minutes within the last day, and every hour before that.
 */
export const gapOf = (hours: number): number => (hours > 24 ? 2 * 3600 + 60 : 2 * 300 + 60);

export type Frame = { readonly from: number; readonly until: number; readonly min: number; readonly max: number };

export const xOf = (at: number, { from, until }: Frame): number => ((at - from) / Math.max(1, until - from)) * 100;
export const yOf = (value: number, { min, max }: Frame): number =>
  100 - ((Math.min(max, Math.max(min, value)) - min) / (max - min)) * 100;

const round = (n: number) => Math.round(n * 100) / 100;

/** Returns the SVG path of a series, with a separate line between gaps. A single report is a dot. */
export const pathOf = (points: readonly Point[], frame: Frame, gap: number): string => {
  let last: Point | undefined;
  let path = '';
  for (const point of points) {
    const at = `${round(xOf(point.at, frame))} ${round(yOf(point.value, frame))}`;
    path += last && point.at - last.at <= gap ? `L${at}` : `M${at}h0.01`;
    last = point;
  }
  return path;
};

/** Returns the point that is nearest in time; undefined if there is none. */
export const nearest = (points: readonly Point[], at: number): Point | undefined => {
  let best: Point | undefined;
  for (const point of points) if (!best || Math.abs(point.at - at) < Math.abs(best.at - at)) best = point;
  return best;
};

export const extremes = (points: readonly Point[]): { min: number; max: number } => ({
  min: points.reduce((low, { value }) => Math.min(low, value), Number.POSITIVE_INFINITY),
  max: points.reduce((high, { value }) => Math.max(high, value), Number.NEGATIVE_INFINITY),
});
