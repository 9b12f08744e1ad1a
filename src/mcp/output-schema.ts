import { arrayOf, boolean, described, integer, type JsonSchema, object, string } from '#domain/json-schema.ts';
import type { Endpoint } from '#http/endpoint.ts';
import { plainSchema } from '#openapi/build.ts';
import type { Paging } from './paging.ts';

/** Returns the schema of an object with optional properties. */
const partial = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({ type: 'object', properties });

const listPagination = partial({
  limit: described(integer, 'Rows shown.'),
  total: described(integer, 'Rows of the complete list.'),
  next_cursor: described(string, 'Pass as `cursor` for the next rows.'),
  has_more: boolean,
  result_window_reached: boolean,
});

function leftOutSchema(paging: Paging): JsonSchema {
  const fields = described(arrayOf(string), 'Fields with shortened texts or lists of URLs.');
  return described(partial({ ...unshownSchema(paging), fields }), 'Parts that the response omits.');
}

function unshownSchema(paging: Paging): Readonly<Record<string, JsonSchema>> {
  switch (paging.by) {
    case 'limit':
      return { limit: described(object({ requested: integer, used: integer }), 'The lowered `limit`.') };
    case 'argument':
      return { [paging.name]: described(arrayOf({}), 'Values for further calls.') };
    case 'list':
      return {
        rows: described(
          object({ list: string, before: integer, after: integer }),
          'Rows before and after the rows shown.',
        ),
      };
    case 'endpoint':
      return {};
  }
}

/**
 * Returns the schema of a tool's result: the endpoint's response schema, adapted to shortened responses. Null and empty
 * fields are omitted, so only `data` and `units` are required. Pure.
 */
export function outputSchemaOf({ response }: Endpoint, paging: Paging): JsonSchema & { type: 'object' } {
  const { properties } = shortened(plainSchema(response)) as { properties: Record<string, JsonSchema> };
  return {
    type: 'object',
    properties: {
      ...properties,
      ...(paging.by === 'list' ? { pagination: listPagination } : {}),
      left_out: leftOutSchema(paging),
      units: described(integer, 'Units charged for the call.'),
      units_left_this_month: described(integer, 'Absent on plans without a monthly quota.'),
    },
    required: ['data', 'units'],
  };
}

/** Removes the keywords `required` and `minItems` from a schema, but keeps properties with these names. */
const shortened = (schema: JsonSchema): JsonSchema =>
  changeKeywords(schema, (keyword, value) =>
    (keyword === 'required' && Array.isArray(value)) || (keyword === 'minItems' && typeof value === 'number')
      ? undefined
      : value,
  );

/** Changes the values of a schema at every depth. Values that become undefined are removed. */
export const changeKeywords = <Schema>(schema: Schema, change: (keyword: string, value: unknown) => unknown): Schema =>
  JSON.parse(JSON.stringify(schema, change)) as Schema;
