/**
 * A JSON value as text that is the same for equal values: keys of objects are sorted, at every level, and a number has one
 * form. The order of lists counts. Pure.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) => (isObject(each) ? withSortedKeys(each) : each)) ?? 'null';
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `fromEntries` defines its keys, so that a key `__proto__` stays a key. */
const withSortedKeys = (object: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : Number(a > b))));
