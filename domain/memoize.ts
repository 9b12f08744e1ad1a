/** Longer texts rarely repeat. */
const MAX_KEY = 80;

/** Caches results for texts that repeat in feeds and searches. A full cache is cleared. */
export function memoize<Value>(compute: (text: string) => Value, limit = 20_000): (text: string) => Value {
  const table = new Map<string, Value>();
  return (text) => {
    if (text.length > MAX_KEY) return compute(text);
    const known = table.get(text);
    if (known !== undefined || table.has(text)) return known as Value;
    const value = compute(text);
    if (table.size >= limit) table.clear();
    table.set(text, value);
    return value;
  };
}
