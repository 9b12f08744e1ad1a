import fc from 'fast-check';
import { canonicalJson } from '#domain/canonical-json.ts';
import { test } from '#test/test.ts';

/** Returns the value with the keys of its objects in reverse order, at every level. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([name, each]) => [name, reversed(each)]));
}

test('equal values have one canonical form for any order of keys, and the form parses to the value', (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), (drawn) => {
      const value: unknown = JSON.parse(JSON.stringify(drawn));
      t.is(canonicalJson(reversed(value)), canonicalJson(value));
      t.deepEqual(JSON.parse(canonicalJson(value)), value);
    }),
  );
  t.is(canonicalJson(JSON.parse('{"b":1.0,"a":[2,1e0]}')), '{"a":[2,1],"b":1}');
});
