/** The columns of the table of screens, and its order. */
import type { DEVICE_SORTS } from '../../../shared/contract/devices.ts';

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

/** Without a choice: what tells most. */
const USUAL: readonly ScreenColumn[] = ['name', 'state', 'playlist', 'tags', 'version', 'address', 'storage', 'seen'];

/** By what the server sorts a column; null: what is in it is known for what is seen only. */
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

/** As it stands in the address of the page: `name`, or `-name` for the other way round. */
export const orderOf = (text: string | undefined): ScreenOrder | undefined => {
  const down = text?.startsWith('-') ?? false;
  const by = screenColumns.find((column) => column === (down ? text?.slice(1) : text));
  return by && isSortable(by) ? { by, down } : undefined;
};

/** What a press of a column's head asks for: up, then down, then the order of the wall again. */
export const nextOrder = (now: ScreenOrder | undefined, by: ScreenColumn): string | undefined => {
  if (now?.by !== by) return by;
  return now.down ? undefined : `-${by}`;
};

/** As the server is asked; without an order problems come first. */
export const sortOf = (order: ScreenOrder | undefined): { sort: string; direction?: 'desc' } => ({
  sort: (order && SORTS[order.by]) ?? 'status',
  ...(order?.down && { direction: 'desc' }),
});

/** The columns that an address names; the name is always among them, and first. */
export const columnsOf = (text: string | undefined): readonly ScreenColumn[] => {
  if (text === undefined) return USUAL;
  const named = text.split('.');
  return screenColumns.filter((column) => column === 'name' || named.includes(column));
};

/** How an address names them; undefined: the usual ones. */
export const textOfColumns = (columns: readonly ScreenColumn[]): string | undefined => {
  const text = screenColumns.filter((column) => columns.includes(column)).join('.');
  return text === USUAL.join('.') ? undefined : text;
};
