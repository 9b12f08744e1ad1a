/**
 * Returns the same JSON for equal values: keys are sorted at every level and numbers have one form. The order of lists
 * is kept.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) => (isObject(each) ? withSortedKeys(each) : each)) ?? 'null';
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `fromEntries` defines properties, so that a key named `__proto__` stays a key. */
const withSortedKeys = (object: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : Number(a > b))));
