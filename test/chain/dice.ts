/** Chance that can be had again: the seed is said. */

export const seedOf = (): number => Number(process.env['VITRINE_CHAOS_SEED'] ?? Date.now() % 1_000_000);

/** Returns what gives a whole number below another, the same ones for the same seed. */
export const dice = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 1 | state) + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 7), 61 | state);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};
