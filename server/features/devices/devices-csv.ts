/** Exports the list of devices as CSV for spreadsheets. */
import type { CsvLanguage, Device } from '../../../shared/contract/screens/devices.ts';
import { csvCell } from '../reports/proof/csv.ts';

type Cell = string | number | null;
type Head = Readonly<Record<CsvLanguage, string>>;

const time = (epoch: number | null): string => (epoch === null ? '' : new Date(epoch * 1000).toISOString());

const COLUMNS: readonly (readonly [head: Head, of: (device: Device) => Cell])[] = [
  [{ en: 'Name', de: 'Name' }, (device) => device.name],
  [{ en: 'Status', de: 'Status' }, (device) => device.status],
  [{ en: 'Tags', de: 'Tags' }, (device) => device.tags.join(', ')],
  [{ en: 'Version', de: 'Version' }, (device) => device.version],
  [{ en: 'Platform', de: 'Plattform' }, (device) => device.platform],
  [{ en: 'Address', de: 'Adresse' }, (device) => device.local_ip ?? device.ip_address],
  [{ en: 'Last seen', de: 'Zuletzt gesehen' }, (device) => time(device.last_heartbeat)],
  [{ en: 'Storage free (MB)', de: 'Speicherplatz frei (MB)' }, (device) => device.storage_free_mb],
  [{ en: 'Storage (MB)', de: 'Speicherplatz (MB)' }, (device) => device.storage_total_mb],
  [{ en: 'Memory free (MB)', de: 'Arbeitsspeicher frei (MB)' }, (device) => device.ram_free_mb],
  [{ en: 'Processor (%)', de: 'Prozessor (%)' }, (device) => device.cpu_usage],
  [{ en: 'Width', de: 'Breite' }, (device) => device.screen_width],
  [{ en: 'Height', de: 'Höhe' }, (device) => device.screen_height],
  [{ en: 'Orientation', de: 'Ausrichtung' }, (device) => device.orientation],
  [{ en: 'Time zone', de: 'Zeitzone' }, (device) => device.timezone],
  [{ en: 'Notes', de: 'Notizen' }, (device) => device.notes],
  [{ en: 'Connected', de: 'Verbunden' }, (device) => time(device.created_at)],
  [{ en: 'Id', de: 'Id' }, (device) => device.id],
];

export const devicesCsvHeader = (language: CsvLanguage): string =>
  `${COLUMNS.map(([head]) => head[language]).join(',')}\n`;

export const deviceCsvLine = (device: Device): string =>
  `${COLUMNS.map(([, of]) => csvCell(String(of(device) ?? ''))).join(',')}\n`;
