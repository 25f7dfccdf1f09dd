import { LRUCache } from 'lru-cache';

/** Lets a value go this many milliseconds after it was set, by this clock. */
interface Lifetime {
  readonly ttl: number;
  readonly perf: { now(): number };
}

/** Keeps this many values at most; beyond that, the one that was not used for the longest time goes. */
export const recent = <K extends {}, V extends {}>(most: number, lifetime?: Lifetime): LRUCache<K, V> =>
  // `max` would take the memory for all of them at once: a megabyte for 50,000.
  new LRUCache({ maxSize: most, sizeCalculation: () => 1, ttlResolution: 0, ...lifetime });
