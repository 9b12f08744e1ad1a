import { type JsonSchema, type ObjectSchema, type ValueOf, visible } from '#domain/json-schema.ts';
import type { SortPosition } from '#domain/sort-position.ts';
import { isoSeconds } from '#domain/timestamps.ts';

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

/** Adds the position of a row in a list that is sorted by one number. */
export const positioned = <Row extends object>(row: Row, number: number): { row: Row; position: SortPosition } => ({
  row,
  position: [number, 0],
});
