/** The columns and the sort order of the screens table. */
import type { DEVICE_SORTS } from '../../../../shared/contract/screens/devices.ts';

export const screenColumns = [
  'name',
  'state',
  'playlist',
  'plan',
  'tags',
  'version',
  'address',
  'storage',
  'seen',
] as const;
export type ScreenColumn = (typeof screenColumns)[number];

/** The default columns. */
const USUAL: readonly ScreenColumn[] = ['name', 'state', 'playlist', 'tags', 'version', 'address', 'storage', 'seen'];

/** Sort key on the server for each column; null if the value is known only for visible rows. */
const SORTS = {
  name: 'name',
  state: 'status',
  playlist: 'playlist',
  plan: null,
  tags: 'tags',
  version: 'version',
  address: 'address',
  storage: 'storage',
  seen: 'last_seen',
} as const satisfies Record<ScreenColumn, (typeof DEVICE_SORTS)[number] | null>;

export interface ScreenOrder {
  readonly by: ScreenColumn;
  readonly down: boolean;
}

export const isSortable = (column: ScreenColumn): boolean => SORTS[column] !== null;

/** Parses the sort order in the address: `name`, or `-name` for descending. */
export const orderOf = (text: string | undefined): ScreenOrder | undefined => {
  const down = text?.startsWith('-') ?? false;
  const by = screenColumns.find((column) => column === (down ? text?.slice(1) : text));
  return by && isSortable(by) ? { by, down } : undefined;
};

/** Returns the order after a click on a column header: ascending, descending, then the default. */
export const nextOrder = (now: ScreenOrder | undefined, by: ScreenColumn): string | undefined => {
  if (now?.by !== by) return by;
  return now.down ? undefined : `-${by}`;
};

/** Returns the order in the form that the server expects. Without an order, problems come first. */
export const sortOf = (order: ScreenOrder | undefined): { sort: string; direction?: 'desc' } => ({
  sort: (order && SORTS[order.by]) ?? 'status',
  ...(order?.down && { direction: 'desc' }),
});

/** Parses the columns in the address. The name always comes first. */
export const columnsOf = (text: string | undefined): readonly ScreenColumn[] => {
  if (text === undefined) return USUAL;
  const named = text.split('.');
  return screenColumns.filter((column) => column === 'name' || named.includes(column));
};

/** Returns the columns as text for the address; undefined for the default columns. */
export const textOfColumns = (columns: readonly ScreenColumn[]): string | undefined => {
  const text = screenColumns.filter((column) => columns.includes(column)).join('.');
  return text === USUAL.join('.') ? undefined : text;
};
