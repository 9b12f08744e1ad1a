import { type JsonSchema, type ObjectSchema, type ValueOf, visible } from '#domain/json-schema.ts';
import { isoSeconds } from '#domain/timestamps.ts';
import type { Call } from '#src/http/endpoint.ts';
import { cursorParameter, pageOfRows, pageSchema } from '#src/http/pagination.ts';
import { listRecords, type Records } from '#stores/postgres/records.ts';
import type { Column, Columns, RowOf } from '#stores/postgres/rows.ts';

export const idParameter = <const Name extends string>(name: Name, description: string, example: string) =>
  ({ name, schema: visible(60), description, required: true, example }) as const;

type Properties = Readonly<Record<string, JsonSchema>>;

/** Times are dates. */
type ValuesOf<P extends Properties> = { readonly [Name in keyof P]: ValueOf<P[Name]> | Date };

/** Returns a response object in the order of the schema, with dates in ISO format. */
export const presentRow = <P extends Properties>({ properties }: ObjectSchema<P>, row: ValuesOf<P>) =>
  Object.fromEntries(
    Object.keys(properties).map((name) => {
      const value = row[name];
      return [name, value instanceof Date ? isoSeconds(value) : value];
    }),
  ) as ValueOf<ObjectSchema<P>>;

/** Properties of an endpoint that lists objects, newest first. */
export const newestFirst = <C extends Columns & { number: Column<number> }>(
  name: string,
  schema: JsonSchema,
  recordsAt: (now: Date) => Records<C>,
  present: (row: RowOf<C>, call: Call) => object,
) => ({
  parameters: [cursorParameter] as const,
  response: pageSchema(schema),
  handle: async (call: Call) => ({
    body: await pageOfRows(call, { name, filters: {} }, async (size, after) => {
      const { services, caller } = call;
      const records = recordsAt(new Date(services.clock.now()));
      const rows = await listRecords(services.pool, records, caller.organization_id, size, after?.[0]);
      return rows.map((row) => ({ row: present(row, call), position: [row.number, 0] as const }));
    }),
  }),
});
