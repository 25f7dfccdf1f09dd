/**
 * Reads the export of screentinker (formats `screentinker-export-v1` and `-v2`): flat tables by name, and media in a
 * ZIP under `files/<content id>/<original_filepath>`. Has no side effects.
 */
import { z } from 'zod';
import { shapeOf } from '../../kernel/json-shape.ts';
import { Exchange, FORMAT } from './exchange-format.ts';
import { MAX_DEPTH, MAX_VALUES } from './exchange-limits.ts';

export const MANIFEST_NAME = 'export.json';

const Row = z.looseObject({});
type Row = z.infer<typeof Row>;
const rows = z
  .array(Row)
  .nullish()
  .transform((found) => found ?? []);

const Export = z.looseObject({
  format: z.string().startsWith('screentinker-export'),
  devices: rows,
  content: rows,
  widgets: rows,
  kiosk_pages: rows,
  layouts: rows,
  layout_zones: rows,
  playlists: rows,
  playlist_items: rows,
  device_groups: rows,
  schedules: rows,
});

const byOrder = (a: Row, b: Row): number => Number(a['sort_order'] ?? 0) - Number(b['sort_order'] ?? 0);
/**
 * Parses JSON text in columns. The parsed values count towards the limit of values. Text above the limit stays text,
 * which no widget accepts.
 */
const documents = () => {
  let room = MAX_VALUES;
  return (value: unknown): unknown => {
    if (typeof value !== 'string') return value ?? {};
    const { depth, values } = shapeOf(Buffer.from(value));
    room -= values;
    if (depth > MAX_DEPTH || room < 0) return value;
    try {
      return JSON.parse(value);
    } catch {
      return {};
    }
  };
};
/**
 * Returns a function that returns the rows of a record in order. Each list is returned once: a second record with the
 * same id gets no rows.
 */
const grouped = (all: readonly Row[], column: string): ((id: unknown) => Row[]) => {
  const groups = Map.groupBy(all, (row) => String(row[column]));
  return (id) => {
    const group = groups.get(String(id)) ?? [];
    groups.delete(String(id));
    return group.sort(byOrder);
  };
};

/** @param entries names in the ZIP; empty when only the JSON was sent. @throws ZodError */
export const fromScreentinker = (json: unknown, entries: Pick<ReadonlySet<string>, 'has'>): Exchange => {
  const data = Export.parse(json);
  const document = documents();
  const zonesOf = grouped(data.layout_zones, 'layout_id');
  const itemsOf = grouped(data.playlist_items, 'playlist_id');
  const deviceNames = new Map(data.devices.map((row) => [String(row['id']), row['name']]));
  const fileOf = (row: Row): string | null => {
    const name = `files/${String(row['id'])}/${String(row['original_filepath'] ?? '')}`;
    return entries.has(name) ? name : null;
  };
  return Exchange.parse({
    format: FORMAT,
    version: 1,
    contents: data.content.map((row) => ({ ...row, file: fileOf(row) })),
    widgets: data.widgets.map((row) => ({ ...row, config: document(row['config']) })),
    kiosk_pages: data.kiosk_pages.map((row) => ({ ...row, config: document(row['config']) })),
    layouts: data.layouts.map((row) => ({ ...row, zones: zonesOf(row['id']) })),
    // Screentinker exports only published playlists, not their drafts.
    playlists: data.playlists.map((row) => ({ ...row, published: true, items: itemsOf(row['id']) })),
    groups: data.device_groups,
    schedules: data.schedules.map((row) => ({
      ...row,
      device_name: deviceNames.get(String(row['device_id'])) ?? null,
    })),
  });
};

export const isScreentinker = (json: unknown): boolean =>
  typeof json === 'object' &&
  json !== null &&
  String((json as { format?: unknown }).format ?? '').startsWith('screentinker-export');
