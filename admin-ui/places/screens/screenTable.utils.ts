/** The columns of the table of screens, and its order. */
import type { Device } from '../../../shared/contract/devices.ts';

export const screenColumns = ['name', 'state', 'playlist', 'tags', 'version', 'address', 'storage', 'seen'] as const;
export type ScreenColumn = (typeof screenColumns)[number];

export interface ScreenOrder {
  readonly by: ScreenColumn;
  readonly down: boolean;
}

/** As it stands in the address of the page: `name`, or `-name` for the other way round. */
export const orderOf = (text: string | undefined): ScreenOrder | undefined => {
  const down = text?.startsWith('-') ?? false;
  const by = screenColumns.find((column) => column === (down ? text?.slice(1) : text));
  return by && { by, down };
};

/** What a press of a column's head asks for: up, then down, then the order of the wall again. */
export const nextOrder = (now: ScreenOrder | undefined, by: ScreenColumn): string | undefined => {
  if (now?.by !== by) return by;
  return now.down ? undefined : `-${by}`;
};

type Key = string | number | null;

const keyOf = (screen: Device, by: ScreenColumn, nameOf: (playlist: string) => string | undefined): Key => {
  switch (by) {
    case 'name':
      return screen.name;
    case 'state':
      return screen.status;
    case 'playlist':
      return (screen.playlist_id && nameOf(screen.playlist_id)) || null;
    case 'tags':
      return screen.tags.join(' ') || null;
    case 'version':
      return screen.version || null;
    case 'address':
      return screen.local_ip ?? screen.ip_address;
    case 'storage':
      return screen.storage_free_mb;
    case 'seen':
      return screen.last_heartbeat;
  }
};

/** Without an order as they come, problems first. What is not known comes last, whichever way it is sorted. */
export const sortedBy = (
  screens: readonly Device[],
  order: ScreenOrder | undefined,
  { locale, nameOf }: { locale: string; nameOf: (playlist: string) => string | undefined },
): readonly Device[] => {
  if (!order) return screens;
  const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  const sign = order.down ? -1 : 1;
  const compare = (one: Key, other: Key): number => {
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    if (typeof one === 'number' && typeof other === 'number') return sign * (one - other);
    return sign * collator.compare(String(one), String(other));
  };
  return screens
    .map((screen) => ({ screen, key: keyOf(screen, order.by, nameOf) }))
    .sort((a, b) => compare(a.key, b.key) || collator.compare(a.screen.name, b.screen.name))
    .map(({ screen }) => screen);
};
