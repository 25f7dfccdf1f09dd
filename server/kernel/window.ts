/**
 * A lock, a code or a limit that lasts for so long and no longer, whatever the clock did since it was made. All in the
 * same unit.
 */
interface Window {
  readonly end: number;
  readonly now: number;
  readonly length: number;
}

/** What is left of it: never more than its length. */
export const leftOf = ({ end, now, length }: Window): number => Math.max(0, Math.min(end - now, length));

/** It is over; also when it would last for longer than it can: then it was made by a clock that was ahead. */
export const isOver = ({ end, now, length }: Window): boolean => end <= now || end - now > length;
