/** base, 2·base, 4·base … up to ceiling: a pure sequence, since one page talks to one host and one file on one disk. */
export const backoff = (attempt: number, baseMs: number, ceilingMs: number): number =>
  Math.min(baseMs * 2 ** attempt, ceilingMs);
