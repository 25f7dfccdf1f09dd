/**
 * Computes how different the panels of a wall look to a person in front of it, from the pictures that the panels show
 * at the same instant. Pure. All times in milliseconds.
 */

/** A picture on a panel: visible from `at` on, and meant for the instant `meant`; both on the server clock. */
export interface Picture {
  readonly at: number;
  readonly meant: number;
  /** True for a frame of a clip; false for a still picture. */
  readonly moves: boolean;
}

/**
 * A time range of `lasted` milliseconds. During this time, the pictures of the panels were `apart` milliseconds apart.
 */
export interface Stretch {
  readonly apart: number;
  readonly lasted: number;
}

/** Tolerance in milliseconds, because clips often give the instants of their frames in whole milliseconds. */
const SAME_MS = 2;
/**
 * Distance in milliseconds from which on two pictures count as different items instead of different frames. Then their
 * distance is limited to the time for which the difference was visible.
 */
const ANOTHER_ITEM_MS = 500;

/**
 * Returns the time ranges between two instants, each with the age difference of the oldest and the newest visible
 * picture. Times in which the content of a panel is unknown are not compared.
 * @param panels pictures of each panel, in order of `at`
 */
export function stretchesOf(panels: readonly (readonly Picture[])[], from: number, to: number): Stretch[] {
  const begin = Math.max(from, ...panels.map((pictures) => pictures[0]?.at ?? Infinity));
  if (panels.length < 2) return [];
  const next = panels.map(() => 0);
  const found: { apart: number; lasted: number; isOther: boolean }[] = [];
  for (let at = begin; at < to; ) {
    let [oldest, newest, until] = [Infinity, -Infinity, to];
    for (const [panel, pictures] of panels.entries()) {
      let n = next[panel]!;
      while ((pictures[n + 1]?.at ?? Infinity) <= at) n++;
      next[panel] = n;
      const { meant } = pictures[n] as Picture;
      [oldest, newest, until] = [
        Math.min(oldest, meant),
        Math.max(newest, meant),
        Math.min(until, pictures[n + 1]?.at ?? Infinity),
      ];
    }
    const apart = newest - oldest <= SAME_MS ? 0 : newest - oldest;
    const isOther = apart >= ANOTHER_ITEM_MS;
    const last = found.at(-1);
    if (isOther && last?.isOther) last.lasted += until - at;
    else found.push({ apart, lasted: until - at, isOther });
    at = until;
  }
  return found.map(({ apart, lasted, isOther }) => ({ apart: isOther ? Math.min(apart, lasted) : apart, lasted }));
}

/**
 * Returns, for each still that all panels changed to, the time between the change of the first and of the last panel.
 */
export function changesOf(panels: readonly (readonly Picture[])[]): number[] {
  const seen = new Map<number, number[]>();
  for (const pictures of panels) {
    for (const [n, { at, meant, moves }] of pictures.entries()) {
      const isChange = n > 0 && !moves && Math.abs(meant - (pictures[n - 1] as Picture).meant) > SAME_MS;
      if (isChange) seen.set(Math.round(meant), [...(seen.get(Math.round(meant)) ?? []), at]);
    }
  }
  return [...seen.values()]
    .filter((times) => panels.length > 1 && times.length === panels.length)
    .map((times) => Math.max(...times) - Math.min(...times));
}

export interface InStep {
  /** Share of the time in which all panels showed the same picture, 0 to 1. */
  readonly share: number;
  /** Distance in milliseconds that is not exceeded for 50 % of the time. */
  readonly p50: number;
  /** Distance in milliseconds that is not exceeded for 99 % of the time. */
  readonly p99: number;
}

/** Summarizes the time ranges. Returns null if nothing was compared. */
export function inStep(stretches: readonly Stretch[]): InStep | null {
  const whole = stretches.reduce((sum, { lasted }) => sum + lasted, 0);
  if (!(whole > 0)) return null;
  const sorted = [...stretches].sort((a, b) => a.apart - b.apart);
  const within = (share: number): number => {
    let left = share * whole;
    return sorted.find(({ lasted }) => (left -= lasted) <= 0)!.apart;
  };
  const same = stretches.reduce((sum, { apart, lasted }) => sum + (apart === 0 ? lasted : 0), 0);
  return { share: same / whole, p50: within(0.5), p99: within(0.99) };
}
