export function addTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const held = map.get(key);
  if (held) held.push(value);
  else map.set(key, [value]);
}
