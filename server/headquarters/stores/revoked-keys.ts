/**
 * Keys of servers whose NATS credentials are revoked, with the time of the revocation in epoch seconds. A credential
 * that was issued at or before this time is refused.
 */
export type RevokedKeys = Readonly<Record<string, number>>;

/** Longest validity of a credential. A revocation that is older is not needed, because the credential has expired. */
export const CREDENTIAL_SECONDS = 24 * 3600;
/**
 * Word that means “all users” in a list of NATS. It replaces the list of revoked keys when more than the maximum number
 * of keys was revoked within a day, so that the account JWT stays below 100 KB. All stores are then disconnected once
 * and fetch new credentials over HTTPS.
 */
export const ALL_KEYS = '*';
const MAX_KEYS = 1_000;

/** Returns the revocations that are still needed. */
export const lastingOf = (all: RevokedKeys, now: number): RevokedKeys =>
  Object.fromEntries(Object.entries(all).filter(([, at]) => now - at <= CREDENTIAL_SECONDS));

/** Returns the revocations with one more revoked key added. */
export const withRevoked = (all: RevokedKeys, key: string, now: number): RevokedKeys => {
  const lasting = { ...lastingOf(all, now), [key]: now };
  return Object.keys(lasting).length <= MAX_KEYS ? lasting : { [ALL_KEYS]: Math.max(...Object.values(lasting)) };
};

/** Returns the earliest issue time (epoch seconds) of a credential that is not refused. */
export const earliestIssue = (all: RevokedKeys, key: string): number => 1 + Math.max(all[key] ?? 0, all[ALL_KEYS] ?? 0);
