import type { Storage } from '../../../shared/contract/server/upkeep.ts';

export type DiskPart = { key: 'media' | 'backups' | 'database' | 'logs' | 'aside' | 'others' | 'free'; bytes: number };

/**
 * Returns the parts of the disk: Vitrine's parts, then the rest of the used space, which belongs to other programs,
 * then the free space.
 */
export const diskParts = (storage: Storage): DiskPart[] => {
  const ours =
    storage.media_bytes + storage.backups_bytes + storage.database_bytes + storage.logs_bytes + storage.aside_bytes;
  return [
    { key: 'media', bytes: storage.media_bytes },
    { key: 'backups', bytes: storage.backups_bytes },
    { key: 'database', bytes: storage.database_bytes },
    { key: 'logs', bytes: storage.logs_bytes },
    ...(storage.aside_bytes > 0 ? [{ key: 'aside', bytes: storage.aside_bytes } as const] : []),
    { key: 'others', bytes: Math.max(0, storage.total_bytes - storage.free_bytes - ours) },
    { key: 'free', bytes: storage.free_bytes },
  ];
};

const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((one, i) => one === b[i]));

/** Returns the values of `draft` that differ from the stored values. */
export const changesOf = <T extends object>(draft: Partial<T>, stored: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(draft).filter(([key, value]) => value !== undefined && !isSame(value, stored[key as keyof T])),
  ) as Partial<T>;

/** Parses a list of hosts that are separated by lines, spaces or commas. */
export const hostsIn = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

export type MailSecurity = 'tls' | 'starttls' | 'none';
const usualPorts: Record<MailSecurity, number> = { tls: 465, starttls: 587, none: 25 };

/** Returns the usual port for a security setting. A port that the user has chosen stays. */
export const portFor = (security: MailSecurity, port: number): number =>
  Object.values(usualPorts).includes(port) || Number.isNaN(port) ? usualPorts[security] : port;

/**
 * Returns the host name for HTTPS addresses, which the certificate must cover: preferably the host of a known
 * address, then a name that needs no DNS server (.local), then any name that other machines can reach.
 */
export const encryptedHost = (names: readonly string[], addresses: readonly string[]): string | undefined => {
  const hosts = addresses.flatMap((address) => (URL.canParse(address) ? [new URL(address).hostname] : []));
  const isOwn = (name: string) => name === 'localhost' || name === '::1' || name.startsWith('127.');
  const others = names.filter((name) => !isOwn(name));
  return (
    hosts.find((host) => others.includes(host)) ??
    others.find((name) => name.endsWith('.local')) ??
    others[0] ??
    names[0]
  );
};

/** Parses a whole number within the limits; undefined for other text. */
export const wholeIn = (text: string, [min, max]: readonly [number, number]): number | undefined => {
  if (!/^\d{1,6}$/.test(text.trim())) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
};

/** Minimum and maximum of each setting, as in the contract (shared/contract/server/upkeep.ts). */
export const limits = {
  plays_days: [30, 3650],
  telemetry_days: [1, 30],
  activity_days: [7, 3650],
  logs_days: [1, 365],
  backup_keep: [1, 60],
  dark_minutes: [0, 10_080],
} as const satisfies Record<string, readonly [number, number]>;
