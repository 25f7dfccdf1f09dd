import { useCallback, useSyncExternalStore } from 'react';
import type { DevicePatch } from '../../../shared/protocol/live.ts';
import { type Connection, liveStore } from './store.ts';

export const useConnection = (): Connection => useSyncExternalStore(liveStore.subscribe, liveStore.connection);

export const useLiveStatuses = (): ReadonlyMap<string, 'online' | 'offline'> =>
  useSyncExternalStore(liveStore.subscribe, liveStore.statuses);

/**
 * Returns a part of the live state of one screen. `pick` must return a primitive value or an existing object, not a
 * new object.
 */
export const useLiveDevice = <T>(id: string, pick: (device: DevicePatch) => T): T => {
  const subscribe = useCallback((listener: () => void) => liveStore.subscribeDevice(id, listener), [id]);
  return useSyncExternalStore(subscribe, () => pick(liveStore.device(id)));
};
