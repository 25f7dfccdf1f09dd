import type { Token } from '../../../shared/contract/people/tokens.ts';

export const lives = ['forever', 'd30', 'd90', 'd365'] as const;
export type Life = (typeof lives)[number];

const DAYS: Record<Life, number | null> = { forever: null, d30: 30, d90: 90, d365: 365 };

/** Returns the time in epoch seconds when a token expires; null for a token that is valid until it is revoked. */
export const expiryOf = (life: Life, now: number): number | null => {
  const days = DAYS[life];
  return days === null ? null : now + days * 86_400;
};

export const inForce = (token: Pick<Token, 'revoked_at' | 'expires_at'>, now: number): boolean =>
  token.revoked_at === null && (token.expires_at === null || token.expires_at > now);
