/**
 * A lock, a code or a limit that lasts for so long and no longer, whatever the clock did since it was made. All
 * members have the same unit.
 */
interface Window {
  readonly end: number;
  readonly now: number;
  readonly length: number;
}

/** Returns what is left of it, which is never more than its length. */
export const leftOf = ({ end, now, length }: Window): number => Math.max(0, Math.min(end - now, length));

/**
 * Says whether it is over. What would last for longer than it can was made by a clock that was ahead, and is over too.
 */
export const isOver = ({ end, now, length }: Window): boolean => end <= now || end - now > length;
