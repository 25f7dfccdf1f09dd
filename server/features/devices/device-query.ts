/** Filters and sorts the devices of a workspace in memory: 2,000 devices take three milliseconds. */
import { type DeviceState, isAmong, stateOf, URGENCY } from '../../../shared/contract/screens/device-state.ts';
import type { DEVICE_SORTS, DeviceQuery } from '../../../shared/contract/screens/devices.ts';
import { collate } from '../../kernel/collate.ts';
import type { DeviceRow } from './devices.store.ts';
import type { LiveState } from './devices.view.ts';

/** A device row with its searchable text. */
export interface Listed {
  readonly row: DeviceRow;
  /** Searchable text, made by {@link textOf}. */
  readonly text: string;
}

interface Known {
  readonly live: (deviceId: string) => LiveState | undefined;
  /** Members of the group in the query. */
  readonly members: ReadonlySet<string> | undefined;
  /** Members of the group that the query excludes. */
  readonly others: ReadonlySet<string> | undefined;
  /** Name of a playlist by id; needed only to sort by playlist. */
  readonly playlistName: (id: string) => string | undefined;
}

const folded = (text: string): string => text.toLowerCase();

/**
 * Returns the searchable text of the fields that stay the same while the device plays, in lower case. Line breaks
 * between fields keep a search from matching across two fields.
 */
export const textOf = ({ name, notes, tags }: DeviceRow): string => folded([name, notes, ...tags].join('\n'));

/** Returns the current state of a device. */
export const stateNow = (live: LiveState | undefined): DeviceState =>
  live
    ? stateOf({ status: live.status, program: live.program, showing: live.showing, screen_on: live.screenOn })
    : 'offline';

/** Sort keys by field. Devices with an unknown value come last. */
const KEYS: Record<(typeof DEVICE_SORTS)[number], (row: DeviceRow, live: LiveState | undefined, known: Known) => Key> =
  {
    name: () => 0,
    status: (_row, live) => URGENCY[stateNow(live)],
    playlist: (row, _live, { playlistName }) => (row.playlist_id && playlistName(row.playlist_id)) || null,
    tags: (row) => row.tags.join(' ') || null,
    address: (row, live) => {
      const [seen, own] = addressesOf(row, live);
      return own ?? seen ?? null;
    },
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
  return sign * collate(String(one), String(other));
};

/** Returns the devices that match the query. @param all is sorted by name, the default order */
export const findDevices = <T extends Listed>(all: readonly T[], query: DeviceQuery, known: Known): readonly T[] => {
  const found = all.filter(wantedBy(query, known));
  return query.sort ? sorted(found, query.sort, query.direction === 'desc' ? -1 : 1, known) : found;
};

const wantedBy = (
  { ids, q, status, tag, version, layout_id }: DeviceQuery,
  { live, members, others }: Known,
): ((one: Listed) => boolean) => {
  const [text, wantedTag] = [q && folded(q.trim()), tag && folded(tag)];
  const named = ids && new Set(ids);
  return ({ row, text: own }) => {
    if (named && !named.has(row.id)) return false;
    if ((members && !members.has(row.id)) || others?.has(row.id)) return false;
    if (layout_id && row.layout_id !== layout_id) return false;
    if (wantedTag && !row.tags.some((one) => folded(one) === wantedTag)) return false;
    if (!text && !status && !version) return true;
    const now = live(row.id);
    if (version && (now?.info.version ?? row.version) !== version) return false;
    if (status && !isAmong(stateNow(now), status)) return false;
    return !text || own.includes(text) || addressesOf(row, now).some((address) => address?.includes(text));
  };
};

const addressesOf = (row: DeviceRow, live: LiveState | undefined): (string | null)[] => [
  live?.info.ip_address ?? row.ip_address,
  live ? live.telemetry.local_ip : row.local_ip,
];

const sorted = <T extends Listed>(
  found: readonly T[],
  sort: NonNullable<DeviceQuery['sort']>,
  sign: 1 | -1,
  known: Known,
): T[] => {
  const keyOf = KEYS[sort];
  const byName = sort === 'name' ? sign : 1;
  return found
    .map((one) => ({ one, key: keyOf(one.row, known.live(one.row.id), known) }))
    .sort((a, b) => compareKeys(a.key, b.key, sign) || byName * collate(a.one.row.name, b.one.row.name))
    .map(({ one }) => one);
};
