/** The list of devices for spreadsheets. */
import type { Device } from '../../../shared/contract/devices.ts';
import { csvCell } from '../reports/csv.ts';

type Cell = string | number | null;

const time = (epoch: number | null): string => (epoch === null ? '' : new Date(epoch * 1000).toISOString());

const COLUMNS: readonly (readonly [head: string, of: (device: Device) => Cell])[] = [
  ['Name', (device) => device.name],
  ['Status', (device) => device.status],
  ['Tags', (device) => device.tags.join(', ')],
  ['Version', (device) => device.version],
  ['Platform', (device) => device.platform],
  ['Address', (device) => device.local_ip ?? device.ip_address],
  ['Last heard', (device) => time(device.last_heartbeat)],
  ['Storage free (MB)', (device) => device.storage_free_mb],
  ['Storage (MB)', (device) => device.storage_total_mb],
  ['Memory free (MB)', (device) => device.ram_free_mb],
  ['Processor (%)', (device) => device.cpu_usage],
  ['Width', (device) => device.screen_width],
  ['Height', (device) => device.screen_height],
  ['Orientation', (device) => device.orientation],
  ['Time zone', (device) => device.timezone],
  ['Notes', (device) => device.notes],
  ['Connected', (device) => time(device.created_at)],
  ['Id', (device) => device.id],
];

export const DEVICES_CSV_HEADER = `${COLUMNS.map(([head]) => head).join(',')}\n`;

export const deviceCsvLine = (device: Device): string =>
  `${COLUMNS.map(([, of]) => csvCell(String(of(device) ?? ''))).join(',')}\n`;
