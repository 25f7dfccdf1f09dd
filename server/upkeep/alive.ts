/**
 * Signs of life of the upkeep process: a disk that hangs holds up the call that touches it and everything after it, so
 * that silence is how the server notices. One process does one task, therefore they need no name; in a command nobody
 * listens.
 */

/** For one look at a folder: a disk that slept has turned up by then. */
export const LOOK_MS = 15_000;
/** For the next piece of work that takes many: the slowest stick has written 64 MB by then. */
const WORK_MS = 180_000;
/** For work on the server's own disk that cannot be divided, as reading through a database of many gigabytes. */
const UNDIVIDED_MS = 3_600_000;
const EVERY_MS = 1_000;

let tell: (nextMs: number) => void = () => {};
let patience = WORK_MS;
let toldAt = Number.NEGATIVE_INFINITY;

/** @param listener hears how many milliseconds it may take until the next sign */
export const hearSigns = (listener: (nextMs: number) => void): void => {
  tell = listener;
};

/** Called between any two pieces of work. */
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

/** Something that gives no sign until it is done. */
export const undivided = <T>(work: () => T): T => {
  const before = patience;
  expect(UNDIVIDED_MS);
  try {
    return work();
  } finally {
    expect(before);
  }
};
