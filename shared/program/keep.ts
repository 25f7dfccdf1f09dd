/** Adds a value to a map. When the map has `limit` entries, the oldest entry is removed first. */
export function addBounded<K, V>(map: Map<K, V>, limit: number, key: K, value: V): V {
  if (map.size >= limit) map.delete(map.keys().next().value as K);
  map.set(key, value);
  return value;
}
