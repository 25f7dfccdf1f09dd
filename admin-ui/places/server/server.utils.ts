import type { Storage } from '../../../shared/contract/upkeep.ts';

export type DiskPart = { key: 'media' | 'backups' | 'database' | 'logs' | 'others' | 'free'; bytes: number };

/** What fills the disk, ours first. What others have on it is the rest of what is not free. */
export const diskParts = (storage: Storage): DiskPart[] => {
  const ours = storage.media_bytes + storage.backups_bytes + storage.database_bytes + storage.logs_bytes;
  return [
    { key: 'media', bytes: storage.media_bytes },
    { key: 'backups', bytes: storage.backups_bytes },
    { key: 'database', bytes: storage.database_bytes },
    { key: 'logs', bytes: storage.logs_bytes },
    { key: 'others', bytes: Math.max(0, storage.total_bytes - storage.free_bytes - ours) },
    { key: 'free', bytes: storage.free_bytes },
  ];
};

/** The members of `draft` that differ from what is stored. */
export const changesOf = <T extends object>(draft: Partial<T>, stored: T): Partial<T> =>
  Object.fromEntries(Object.entries(draft).filter(([key, value]) => value !== undefined && value !== stored[key as keyof T])) as Partial<T>;

/** A whole number in the limits, or undefined while something else is typed. */
export const wholeIn = (text: string, [min, max]: readonly [number, number]): number | undefined => {
  if (!/^\d{1,6}$/.test(text.trim())) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
};

/** As the contract has them (shared/contract/upkeep.ts). */
export const limits = {
  plays_days: [30, 3650],
  telemetry_days: [1, 30],
  activity_days: [7, 3650],
  logs_days: [1, 365],
  backup_keep: [1, 60],
  dark_minutes: [0, 10_080],
} as const satisfies Record<string, readonly [number, number]>;
