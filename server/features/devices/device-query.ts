/** Finds and orders devices among those of a workspace that are in memory anyway: 2,000 take three milliseconds. */
import type { DEVICE_SORTS, DeviceQuery } from '../../../shared/contract/devices.ts';
import type { DeviceRow } from './devices.store.ts';
import type { LiveState } from './devices.view.ts';

/** A device by its row, with what people look for in it. */
export interface Listed {
  readonly row: DeviceRow;
  /** As {@link textOf} says. */
  readonly text: string;
}

interface Known {
  readonly live: (deviceId: string) => LiveState | undefined;
  /** Of the group that is asked for. */
  readonly members: ReadonlySet<string> | undefined;
}

const folded = (text: string): string => text.toLowerCase();

/** What does not change while the device plays, in lower case. Line ends keep a search from reaching over two of them. */
export const textOf = ({ name, notes, tags }: DeviceRow): string => folded([name, notes, ...tags].join('\n'));

/** Screen 2 before Screen 10. */
const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const URGENCY = { offline: 0, attention: 1, online: 2 } as const;
const stateOf = (live: LiveState | undefined): keyof typeof URGENCY => {
  if (live?.status !== 'online') return 'offline';
  return live.program?.state === 'failed' ? 'attention' : 'online';
};

/** What a device is sorted by; what is not known comes last. */
const KEYS: Record<(typeof DEVICE_SORTS)[number], (row: DeviceRow, live: LiveState | undefined) => Key> = {
  name: () => 0,
  status: (_row, live) => URGENCY[stateOf(live)],
  last_seen: (row, live) => (live ? live.lastHeartbeat : row.last_heartbeat),
  storage: (row, live) => (live ? live.telemetry.storage_free_mb : row.storage_free_mb),
  version: (row, live) => (live?.info.version ?? row.version) || null,
  created: (row) => row.created_at,
};
type Key = number | string | null;

const compareKeys = (one: Key, other: Key, sign: 1 | -1): number => {
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  if (typeof one === 'number' && typeof other === 'number') return sign * (one - other);
  return sign * names.compare(String(one), String(other));
};

/** Returns those that are asked for. @param all are by name already, as lists have always been */
export const findDevices = <T extends Listed>(all: readonly T[], query: DeviceQuery, known: Known): readonly T[] => {
  const found = all.filter(wantedBy(query, known));
  return query.sort ? sorted(found, query.sort, query.direction === 'desc' ? -1 : 1, known) : found;
};

const wantedBy = ({ q, status, tag, version }: DeviceQuery, { live, members }: Known): ((one: Listed) => boolean) => {
  const [text, wantedTag] = [q && folded(q.trim()), tag && folded(tag)];
  return ({ row, text: own }) => {
    if (members && !members.has(row.id)) return false;
    if (wantedTag && !row.tags.some((one) => folded(one) === wantedTag)) return false;
    if (!text && !status && !version) return true;
    const now = live(row.id);
    if (version && (now?.info.version ?? row.version) !== version) return false;
    if (status && !isIn(status, stateOf(now))) return false;
    return !text || own.includes(text) || addressesOf(row, now).some((address) => address?.includes(text));
  };
};

const isIn = (wanted: NonNullable<DeviceQuery['status']>, state: keyof typeof URGENCY): boolean => {
  if (wanted === 'problems') return state !== 'online';
  return (state === 'offline') === (wanted === 'offline');
};

const addressesOf = (row: DeviceRow, live: LiveState | undefined): (string | null)[] => [
  live?.info.ip_address ?? row.ip_address,
  live ? live.telemetry.local_ip : row.local_ip,
];

const sorted = <T extends Listed>(
  found: readonly T[],
  sort: NonNullable<DeviceQuery['sort']>,
  sign: 1 | -1,
  { live }: Known,
): T[] => {
  const keyOf = KEYS[sort];
  const byName = sort === 'name' ? sign : 1;
  return found
    .map((one) => ({ one, key: keyOf(one.row, live(one.row.id)) }))
    .sort((a, b) => compareKeys(a.key, b.key, sign) || byName * names.compare(a.one.row.name, b.one.row.name))
    .map(({ one }) => one);
};
