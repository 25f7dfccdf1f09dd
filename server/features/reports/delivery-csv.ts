/** Exports planned and shown plays for spreadsheets: the total, then by content, by screen and by day. */
import type { Delivery } from '../../../shared/contract/reports.ts';
import { csvCell } from './csv.ts';

const HEADER = 'By,Name,Planned plays,Planned (sec),Plays,Played (sec),Delivered (%)\n';

type Row = NonNullable<Delivery['overall']>;

const line = (by: string, name: string, row: Row): string => {
  const { planned_plays, planned_seconds, plays, total_seconds, delivered_pct } = row;
  const amounts = [planned_plays, planned_seconds, plays, total_seconds, delivered_pct ?? ''];
  return `${by},${csvCell(name)},${amounts.join(',')}\n`;
};

export const deliveryCsv = ({ overall, by_content, by_device, by_day }: Delivery): string =>
  [
    HEADER,
    ...(overall ? [line('Total', '', overall)] : []),
    ...by_content.map((row) => line('Content', row.content_name, row)),
    ...by_device.map((row) => line('Screen', row.device_name, row)),
    ...by_day.map((row) => line('Day', row.day, row)),
  ].join('');
