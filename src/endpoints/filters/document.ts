import { component, type JsonSchema, object } from '#domain/json-schema.ts';
import type { Dataset } from '#exports/dataset.ts';

/** Converts `listing_changes` to `ListingChanges`. */
export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** One alternative per range, if exactly one of several ranges is required. */
export function filtersDocument(
  name: string,
  { properties, required, ranges }: Dataset['filters'],
  description?: string,
): JsonSchema {
  const described = Object.fromEntries(
    Object.entries(properties).map(([filter, schema]) => [filter, orSingleValue(schema)]),
  );
  const form = (formName: string, without: readonly string[], also: readonly string[]): JsonSchema =>
    component(formName, {
      ...object(Object.fromEntries(Object.entries(described).filter(([filter]) => !without.includes(filter)))),
      required: [...required, ...also],
      additionalProperties: false,
      ...(description === undefined ? {} : { description }),
    });
  if (ranges === undefined) return form(name, [], []);
  return component(name, {
    anyOf: ranges.map((range) => {
      const others = ranges.filter((each) => each !== range).flatMap(({ from, to }) => [from, to]);
      return form(`${name}By${pascalCase(range.from)}`, others, [range.from]);
    }),
  });
}

function orSingleValue(schema: JsonSchema): JsonSchema {
  const { description, ...list } = schema;
  if (schema.type !== 'array' || schema.prefixItems !== undefined) return schema;
  return { description, anyOf: [list, list.items as JsonSchema] };
}
