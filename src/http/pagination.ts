import { arrayOf, boolean, integer, type JsonSchema, nullable, object, string } from '#domain/json-schema.ts';

/** The envelope of a list. */
export const page = (item: JsonSchema): JsonSchema =>
  object({
    data: arrayOf(item),
    pagination: object({
      limit: integer,
      next_cursor: nullable(string),
      has_more: boolean,
      result_window_reached: boolean,
    }),
  });
