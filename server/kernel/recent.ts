import { LRUCache } from 'lru-cache';

/** A value goes so many milliseconds after it was set, by this clock. */
interface Lifetime {
  readonly ttl: number;
  readonly perf: { now(): number };
}

/** Keeps so many values at most: beyond that, the one that was not used the longest goes. */
export const recent = <K extends {}, V extends {}>(most: number, lifetime?: Lifetime): LRUCache<K, V> =>
  // With `max` instead, the memory for all of them is taken at once: a megabyte for 50,000.
  new LRUCache({ maxSize: most, sizeCalculation: () => 1, ttlResolution: 0, ...lifetime });
