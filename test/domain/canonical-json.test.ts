import fc from 'fast-check';
import { canonicalJson } from '#domain/canonical-json.ts';
import { test } from '#test/test.ts';

/** Returns the value with the keys of its objects in reverse order, at every level. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, each]) => [name, reversed(each)]),
  );
}

const json = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));

test('equal values have one canonical form for any order of keys', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        return canonicalJson(reversed(value)) === text && canonicalJson(JSON.parse(text)) === text;
      }),
    ),
  );
});

test('the canonical form parses to the value, so different values have different forms', (t) => {
  fc.assert(
    fc.property(json, (value) => {
      t.deepEqual(JSON.parse(canonicalJson(value)), value);
    }),
  );
  t.is(canonicalJson(JSON.parse('{"b":1.0,"a":[2,1e0]}')), '{"a":[2,1],"b":1}');
  t.not(canonicalJson([1, 2]), canonicalJson([2, 1]));
  t.is(canonicalJson(JSON.parse('{"b":1,"__proto__":{"z":1,"y":2}}')), '{"__proto__":{"y":2,"z":1},"b":1}');
});
