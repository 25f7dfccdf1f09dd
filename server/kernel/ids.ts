import { randomFillSync } from 'node:crypto';

/** Holds random bytes for 512 ids: asking for eight at a time was an eighth of a small answer. */
const pool = Buffer.allocUnsafe(8 * 512);
let used = pool.length;
const randomBytes8 = (): Buffer => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 8;
  return pool.subarray(used - 8, used);
};

let lastMs = 0;
let counter = 0;
let time: () => number = Date.now;
const DAY_MS = 86_400_000;

/**
 * Sets the clock of new ids. Records are deleted by the age that their ids tell, so those of a server go by the time
 * that it trusts.
 */
export const idsFollow = (now: () => number): void => {
  time = now;
};

/**
 * Returns a UUIDv7: 128 bits, lower-case, sortable by creation time. Within one millisecond a 12-bit counter keeps the
 * order, so that records made in one transaction list in the order in which they were made.
 */
export const newId = (now = time()): string => {
  // A clock that was years ahead and is right again must not keep ids there until then.
  if (now > lastMs || now < lastMs - DAY_MS) {
    lastMs = now;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastMs++;
    counter = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const random = randomBytes8();
  random[0] = (random[0]! & 0x3f) | 0x80;
  const tail = random.toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${tail.slice(0, 4)}-${tail.slice(4)}`;
};

/** Returns the least UUIDv7 of an instant (epoch milliseconds): older records sort before it. */
export const firstIdAt = (ms: number): string => {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
};
