import { LRUCache } from 'lru-cache';

/** Lifetime of a value in milliseconds after it was set, by the given clock. */
interface Lifetime {
  readonly ttl: number;
  readonly perf: { now(): number };
}

/** Returns an LRU cache with at most this number of values. */
export const recent = <K extends {}, V extends {}>(most: number, lifetime?: Lifetime): LRUCache<K, V> =>
  // `max` would allocate the memory for all entries at once: a megabyte for 50,000.
  new LRUCache({ maxSize: most, sizeCalculation: () => 1, ttlResolution: 0, ...lifetime });
