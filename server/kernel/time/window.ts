/**
 * Rules for time windows with a fixed length: locks, codes and limits. The remaining time never exceeds the length,
 * even if the clock was set back. All fields have the same unit.
 */
interface Window {
  readonly end: number;
  readonly now: number;
  readonly length: number;
}

/** Returns the remaining time, at most `length`. */
export const leftOf = ({ end, now, length }: Window): number => Math.max(0, Math.min(end - now, length));

/**
 * Returns whether the time window is over. A time window that would last longer than its length was created by a clock
 * that was ahead, and counts as over.
 */
export const isOver = ({ end, now, length }: Window): boolean => end <= now || end - now > length;
