/**
 * Gives signs of life of the upkeep process. A disk that hangs holds up the call that touches it and all that follows,
 * so the server notices by their absence. In a command nobody listens.
 */

/** A sleeping disk can start in this time, before the first look at a folder. */
export const LOOK_MS = 15_000;
/** One piece of longer work ends in this time: the slowest USB stick writes 64 MB. */
const WORK_MS = 180_000;
/**
 * Work on the server's own disk that cannot be divided, such as reading a database of many gigabytes, ends in this
 * time.
 */
const UNDIVIDED_MS = 3_600_000;
const EVERY_MS = 1_000;

let tell: (nextMs: number) => void = () => {};
let patience = WORK_MS;
let toldAt = Number.NEGATIVE_INFINITY;

/** @param listener hears how many milliseconds it may take until the next sign */
export const hearSigns = (listener: (nextMs: number) => void): void => {
  tell = listener;
};

/** Gives a sign. Called between any two pieces of work. */
export const alive = (): void => {
  const now = performance.now();
  if (now - toldAt < EVERY_MS) return;
  toldAt = now;
  tell(patience);
};

const expect = (ms: number): void => {
  patience = ms;
  toldAt = performance.now();
  tell(ms);
};

export const looking = (): void => expect(LOOK_MS);
export const working = (): void => expect(WORK_MS);

/** A slow disk reads this many bytes in a millisecond: 2 MB/s. */
const SLOWEST = 2_000;

/**
 * Does work that gives no sign until it is done.
 * @param bytes bounds the time by the size of what is read, for a file from elsewhere
 */
export const undivided = <T>(work: () => T, bytes = Number.POSITIVE_INFINITY): T => {
  const before = patience;
  expect(Math.min(UNDIVIDED_MS, WORK_MS + bytes / SLOWEST));
  try {
    return work();
  } finally {
    expect(before);
  }
};
