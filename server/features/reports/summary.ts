/** Converts the sums of a period to the format of the report. Has no side effects. */
import type { Summary } from '../../../shared/contract/server/reports.ts';
import { dayOf, formatDate, mod } from '../../../shared/program/civil.ts';
import type { Zone } from '../../../shared/program/zones.ts';
import { collate } from '../../kernel/collate.ts';
import { QUARTER_MS } from './ingest/sums.ts';
import type { Amount, NamedAmount, QuarterAmount } from './summary.store.ts';

export type GroupBy = 'content' | 'device' | 'hour' | 'day';

const HOUR_MS = 3_600_000;

export const summarize = (
  sums: { contents: readonly NamedAmount[]; devices: readonly NamedAmount[]; quarters: readonly QuarterAmount[] },
  zone: Zone,
  groupBy?: GroupBy,
): Summary => {
  const wants = (group: GroupBy) => groupBy === undefined || groupBy === group;
  return {
    overall: overall(sums.contents, sums.devices),
    by_content: wants('content') ? [...sums.contents].sort(mostPlayed).map(contentRow) : [],
    by_device: wants('device')
      ? [...sums.devices].sort(mostPlayed).map((sum) => ({ device_id: sum.ref, device_name: sum.name, ...amount(sum) }))
      : [],
    by_hour: wants('hour') ? byHour(sums.quarters, zone) : [],
    by_day: wants('day') ? byDay(sums.quarters, zone) : [],
  };
};

/**
 * Rounds whole milliseconds and divides once, so that halves are rounded exactly. More digits would be noise of the
 * division.
 */
const thousandths = (value: number): number => Math.round(value) / 1000;
const amount = ({ plays, ms }: Amount) => ({ plays, total_seconds: ms / 1000 });
const mostPlayed = (a: NamedAmount, b: NamedAmount): number =>
  b.plays - a.plays || b.ms - a.ms || collate(a.name, b.name) || (a.ref < b.ref ? -1 : 1);

const overall = (contents: readonly NamedAmount[], devices: readonly NamedAmount[]): Summary['overall'] => {
  const { plays, ms } = devices.reduce<Amount>(
    (sum, each) => ({ plays: sum.plays + each.plays, ms: sum.ms + each.ms }),
    { plays: 0, ms: 0 },
  );
  return {
    total_plays: plays,
    total_seconds: ms / 1000,
    total_hours: thousandths(ms / (HOUR_MS / 1000)),
    unique_content: contents.length,
    unique_devices: devices.length,
    avg_duration_sec: plays === 0 ? 0 : thousandths(ms / plays),
  };
};

const contentRow = (sum: NamedAmount): Summary['by_content'][number] => ({
  content_id: sum.kind === 'content' ? sum.ref : null,
  widget_id: sum.kind === 'widget' ? sum.ref : null,
  content_name: sum.name,
  ...amount(sum),
});

const byHour = (quarters: readonly QuarterAmount[], zone: Zone): Summary['by_hour'] => {
  const hours = Array.from({ length: 24 }, () => ({ plays: 0, ms: 0 }));
  for (const { quarter, plays, ms } of quarters) {
    const sum = hours[mod(Math.floor(zone.toLocal(quarter * QUARTER_MS) / HOUR_MS), 24)]!;
    sum.plays += plays;
    sum.ms += ms;
  }
  return hours.map((sum, hour) => ({ hour, ...amount(sum) }));
};

/** Returns days with plays, oldest first. */
const byDay = (quarters: readonly QuarterAmount[], zone: Zone): Summary['by_day'] => {
  const days = new Map<number, { plays: number; ms: number }>();
  for (const { quarter, plays, ms } of quarters) {
    const day = dayOf(zone.toLocal(quarter * QUARTER_MS));
    const sum = days.get(day) ?? { plays: 0, ms: 0 };
    days.set(day, { plays: sum.plays + plays, ms: sum.ms + ms });
  }
  return [...days].sort(([a], [b]) => a - b).map(([day, sum]) => ({ day: formatDate(day), ...amount(sum) }));
};
