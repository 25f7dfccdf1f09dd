/** Exports planned and shown plays for spreadsheets: the total, then by content, by screen and by day. */
import type { Delivery } from '../../../../shared/contract/server/reports.ts';
import { csvCell } from '../proof/csv.ts';
import { hasKnownDay } from './known-day.ts';

const HEADER = 'By,Name,Planned plays,Planned (sec),Plays,Played (sec),Delivered (%)\n';

type Row = NonNullable<Delivery['overall']>;

/** The column of the share stays empty until the plan of a whole day is known. */
export const deliveryCsv = (delivery: Delivery, question: Parameters<typeof hasKnownDay>[1]): string => {
  const { overall, by_content, by_device, by_day } = delivery;
  const hasDay = hasKnownDay(delivery, question);
  const line = (by: string, name: string, row: Row): string => {
    const { planned_plays, planned_seconds, plays, total_seconds, delivered_pct } = row;
    const share = hasDay ? (delivered_pct ?? '') : '';
    return `${by},${csvCell(name)},${[planned_plays, planned_seconds, plays, total_seconds, share].join(',')}\n`;
  };
  return [
    HEADER,
    ...(overall ? [line('Total', '', overall)] : []),
    ...by_content.map((row) => line('Content', row.content_name, row)),
    ...by_device.map((row) => line('Screen', row.device_name, row)),
    ...by_day.map((row) => line('Day', row.day, row)),
  ].join('');
};
