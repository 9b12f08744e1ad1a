import { integer, nullable, object, oneOf, single, string, type ValueOf } from '#domain/json-schema.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { PRICES } from '#metering/prices.ts';
import { test } from '#test/test.ts';

const response = single(object({ id: integer, name: nullable(string), kind: oneOf(['city', 'district']) }));
const row = { id: 1, name: null, kind: 'city' } as const;

const endpoint = {
  path: '/v1/typed',
  operationId: 'typed',
  area: 'Test',
  summary: 'Typed',
  description: 'Returns a typed response.',
  audience: 'data',
  scope: null,
  price: PRICES.service,
  response,
} as const;

/** This test is run by the compiler: an unused `@ts-expect-error` is a compile error. */
test('the compiler checks the result of a handler against its response schema', async (t) => {
  const { handle } = defineEndpoint({ ...endpoint, handle: async () => ({ body: { data: row } }) });
  t.is(typeof handle, 'function');
  // @ts-expect-error a property is missing
  defineEndpoint({ ...endpoint, handle: async () => ({ body: { data: { id: 1, name: null } } }) });
  // @ts-expect-error a property has another type
  defineEndpoint({ ...endpoint, handle: async () => ({ body: { data: { ...row, id: '1' } } }) });
  // @ts-expect-error null where the schema has none
  defineEndpoint({ ...endpoint, handle: async () => ({ body: { data: { ...row, id: null } } }) });
  // @ts-expect-error a value outside of the enumeration
  defineEndpoint({ ...endpoint, handle: async () => ({ body: { data: { ...row, kind: 'street' as const } } }) });
  // @ts-expect-error no envelope
  defineEndpoint({ ...endpoint, handle: async () => ({ body: row }) });
  // @ts-expect-error a property that the schema does not have
  const unknown: ValueOf<typeof response> = { data: { ...row, extra: 1 } };
  t.truthy(unknown);
});
