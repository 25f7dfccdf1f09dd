/**
 * Sends signs of life from the upkeep process. A disk that hangs blocks the call that accesses it, so the server
 * detects a hang by missing signs. In a command of `vitrine`, there is no server that reads the signs.
 */

/** Time limit in milliseconds for the first access to a folder. A sleeping disk starts within this time. */
export const LOOK_MS = 15_000;
/** Time limit in milliseconds for one piece of work. The slowest USB stick writes 64 MB within this time. */
const WORK_MS = 180_000;
/**
 * Time limit in milliseconds for work on the server's own disk that cannot be divided, such as reading a database of
 * many gigabytes.
 */
const UNDIVIDED_MS = 3_600_000;
const EVERY_MS = 1_000;

let tell: (nextMs: number) => void = () => {};
let patience = WORK_MS;
let toldAt = Number.NEGATIVE_INFINITY;

/** @param listener called with the maximum number of milliseconds until the next sign */
export const listenForSigns = (listener: (nextMs: number) => void): void => {
  tell = listener;
};

/** Sends a sign of life. Called between any two pieces of work. */
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

/** Number of bytes that a slow disk reads per millisecond (2 MB/s). Used to compute time limits. */
const SLOWEST = 2_000;

/**
 * Runs work that sends no sign of life until the work is done.
 * @param bytes size of the data to read, which determines
 * the time limit; absent: the longest limit
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
