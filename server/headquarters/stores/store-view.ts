/** A store as the admin window shows it, with the problems that need a person. Pure functions. */
import { STORE_TROUBLES, type Store, type StoreTrouble } from '../../../shared/contract/headquarters/stores.ts';
import { fingerprintOf } from '../../kernel/trust/fingerprint.ts';
import { SPKI } from '../../kernel/trust/signed-by.ts';
import type { StoreNow } from './store-registry.ts';

const DISK = { share: 0.05, bytes: 2 * 1024 ** 3 };
const CLOCK_MS = 2_000;
/**
 * Number of unsent plays above which a store has a problem. A small store makes so many plays in a day, a large store
 * in a quarter of a day.
 */
const WAITING = 20_000;

/**
 * Returns whether a store has lost its connection. False for a store that is reached by transfer files only, because
 * such a store has no connection.
 */
export const isAway = ({ line, presence }: Pick<StoreNow, 'line' | 'presence'>): boolean =>
  line === 'down' && presence?.has === undefined;

export const troublesOf = (store: StoreNow): StoreTrouble[] => {
  const { presence, line, incidents, clock_ms, missed } = store;
  const isKnown = presence !== null && (line === 'up' || line === 'down');
  const has: Record<StoreTrouble, boolean> = {
    incidents: incidents > 0,
    line_down: isAway(store),
    screens_dark: isKnown && line === 'up' && presence.screens.dark > 0,
    campaign_refused: missed.refused > 0,
    // While the store has no connection, a late campaign is not listed as a separate problem.
    campaign_late: missed.late > 0 && !isAway(store),
    disk_low:
      isKnown &&
      presence.disk !== null &&
      presence.disk.free_bytes < Math.max(DISK.bytes, presence.disk.total_bytes * DISK.share),
    clock_apart: isKnown && line === 'up' && clock_ms !== null && Math.abs(clock_ms) > CLOCK_MS,
    screens_behind: isKnown && line === 'up' && presence.screens.behind > 0,
    plays_waiting: isKnown && presence.waiting > WAITING,
  };
  return STORE_TROUBLES.filter((trouble) => has[trouble]);
};

export const viewOf = (store: StoreNow): Store => {
  const { presence } = store;
  return {
    id: store.ref,
    name: store.name,
    region: store.region,
    tags: [...store.tags],
    note: store.note,
    latitude: store.latitude,
    longitude: store.longitude,
    line: store.line,
    heard_at: store.heard_at,
    enrolled_at: store.enrolled_at,
    left_at: store.left_at,
    code_expires_at: store.expires_at,
    server_name: store.server_name,
    workspace_name: store.workspace_name,
    fingerprint: store.key === null ? null : fingerprintOf(Buffer.from(SPKI + store.key, 'hex')),
    version: presence?.version ?? null,
    screens_total: presence?.screens.total ?? null,
    screens_online: presence?.screens.online ?? null,
    screens_dark: presence?.screens.dark ?? null,
    screens_behind: presence?.screens.behind ?? null,
    dark_names: presence?.dark_names ?? [],
    disk_free_bytes: presence?.disk?.free_bytes ?? null,
    disk_total_bytes: presence?.disk?.total_bytes ?? null,
    clock_seconds: store.clock_ms === null ? null : store.clock_ms / 1000,
    waiting: presence?.waiting ?? null,
    incidents: store.incidents,
    campaigns_late: store.missed.late,
    campaigns_refused: store.missed.refused,
    campaigns_missed: store.missed.named,
    troubles: troublesOf(store),
    created_at: store.created_at,
  };
};
