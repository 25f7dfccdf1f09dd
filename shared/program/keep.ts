/** Keeps a new value; beyond `limit` of them the oldest goes. */
export function keep<K, V>(map: Map<K, V>, limit: number, key: K, value: V): V {
  if (map.size >= limit) map.delete(map.keys().next().value as K);
  map.set(key, value);
  return value;
}
