/** Longer texts are not worth a place in the table: they seldom come twice. */
const LONGEST_KEY = 80;

/**
 * A pure function of a text that remembers its answers: the same few hundred words, names and amounts fill a feed.
 * The table is emptied when it is full, so that memory does not grow with the feed.
 */
export function remember<Value>(compute: (text: string) => Value, limit = 20_000): (text: string) => Value {
  const table = new Map<string, Value>();
  return (text) => {
    if (text.length > LONGEST_KEY) return compute(text);
    const known = table.get(text);
    if (known !== undefined || table.has(text)) return known as Value;
    const value = compute(text);
    if (table.size >= limit) table.clear();
    table.set(text, value);
    return value;
  };
}
