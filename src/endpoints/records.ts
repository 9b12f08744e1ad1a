import { type JsonSchema, type ObjectSchema, type ValueOf, visible } from '#domain/json-schema.ts';
import { isoSeconds } from '#domain/timestamps.ts';
import type { Call } from '#http/endpoint.ts';
import { cursorParameter, pageOfRows, pageSchema } from '#http/pagination.ts';

export const idParameter = <const Name extends string>(name: Name, description: string, example: string) =>
  ({ name, schema: visible(60), description, required: true, example }) as const;

type Properties = Readonly<Record<string, JsonSchema>>;

/** Values of the properties of a response, with times as dates. */
type RowOf<P extends Properties> = { readonly [Name in keyof P]: ValueOf<P[Name]> | Date };

/** Returns a row as a response object: the properties of the schema in its order, with dates in ISO format. */
export const presentRow = <P extends Properties>({ properties }: ObjectSchema<P>, row: RowOf<P>) =>
  Object.fromEntries(
    Object.keys(properties).map((name) => {
      const value = row[name];
      return [name, value instanceof Date ? isoSeconds(value) : value];
    }),
  ) as ValueOf<ObjectSchema<P>>;

/**
 * Properties of an endpoint that lists rows of the organization from the newest to the oldest.
 * @param read returns up to `size` rows with numbers below `before`, if it is not null
 */
export const newestFirst = <Row extends { number: number }>(
  name: string,
  schema: JsonSchema,
  read: (call: Call, size: number, before: number | null) => Promise<readonly Row[]>,
  present: (row: Row, call: Call) => object,
) => ({
  parameters: [cursorParameter] as const,
  response: pageSchema(schema),
  handle: async (call: Call) => ({
    body: await pageOfRows(call, { name, filters: {} }, async (size, after) => {
      const rows = await read(call, size, after?.[0] ?? null);
      return rows.map((row) => ({ row: present(row, call), position: [row.number, 0] as const }));
    }),
  }),
});
