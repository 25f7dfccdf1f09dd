import type { StatusRow } from '../../../shared/contract/screens/devices.ts';

const DAY_S = 86_400;

/**
 * Returns the last 24 hours of a status log as shares of the day, 0 to 1. Times without a known status are left out.
 * `now`: epoch seconds.
 */
export const dayOf = (log: readonly StatusRow[], now: number) => {
  const start = now - DAY_S;
  const parts = log
    .map(({ status, since, until }) => ({
      status,
      from: Math.max(0, (since - start) / DAY_S),
      to: Math.min(1, ((until ?? now) - start) / DAY_S),
    }))
    .filter(({ from, to }) => to > from);
  const lengthOf = (all: typeof parts) => all.reduce((sum, { from, to }) => sum + to - from, 0);
  const known = lengthOf(parts);
  const offline = parts.filter(({ status }) => status === 'offline');
  return { parts, onlineShare: known === 0 ? 0 : 1 - lengthOf(offline) / known, outages: offline.length };
};
