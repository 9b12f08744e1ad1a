import type { JsonSchema, ValueOf } from '#domain/json-schema.ts';
import type { Parameter, ValuesOf } from '#http/endpoint.ts';
import { test } from '#test/test.ts';

/** `true` if both types are identical. `npm run types` fails if a test in this file expects the wrong type. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(equal: Same<A, B>): boolean => equal;
/** Merges an intersection of object types into one object type. */
type Flat<T> = { [Name in keyof T]: T[Name] };

test('the TypeScript type of a value is derived from its JSON Schema', (t) => {
  t.true(same<ValueOf<{ readonly type: 'integer'; readonly minimum: 1 }>, number>(true));
  t.true(same<ValueOf<{ readonly type: 'string'; readonly enum: readonly ['rent', 'sale'] }>, 'rent' | 'sale'>(true));
  t.true(same<ValueOf<{ readonly type: readonly ['string', 'null'] }>, string | null>(true));
  t.true(
    same<ValueOf<{ readonly type: 'array'; readonly items: { readonly type: 'boolean' } }>, readonly boolean[]>(true),
  );
  const pair = { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], items: false } as const;
  t.true(same<ValueOf<typeof pair>, readonly [number, string]>(true));
  const body = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, project: { type: ['string', 'null'] } },
  } as const;
  t.true(same<Flat<ValueOf<typeof body>>, { readonly name: string; readonly project?: string | null }>(true));
  // A schema that is not a literal has values of type `unknown`.
  t.true(same<ValueOf<JsonSchema>, unknown>(true));
});

test('in the derived type, only parameters that are neither required nor have a default are optional', (t) => {
  const parameters = [
    { name: 'city', schema: { type: 'string' }, description: '', required: true },
    { name: 'limit', schema: { type: 'integer', default: 10 }, description: '' },
    { name: 'beds', schema: { type: 'array', items: { type: 'integer' } }, description: '' },
  ] as const satisfies readonly Parameter[];
  t.true(
    same<
      Flat<ValuesOf<(typeof parameters)[number]>>,
      { readonly city: string; readonly limit: number; readonly beds?: readonly number[] }
    >(true),
  );
});
