/** A JSON schema, as ajv and OpenAPI 3.1 take it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Small words for writing response schemas. Every property is required: absent and null are different things. */
export const string: JsonSchema = { type: 'string' };
export const integer: JsonSchema = { type: 'integer' };
export const number: JsonSchema = { type: 'number' };
export const boolean: JsonSchema = { type: 'boolean' };
export const timestamp: JsonSchema = { type: 'string', format: 'date-time' };

/** A parameter that is an id or a path: visible ASCII characters. */
export const visible = (maxLength: number): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength,
  pattern: '^[!-~]+$',
  accepts: 'of visible ASCII characters',
});

export const nullable = (schema: JsonSchema): JsonSchema => ({ ...schema, type: [schema.type, 'null'] });
export const oneOf = (values: readonly string[]): JsonSchema => ({ type: 'string', enum: values });
export const arrayOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
export const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

/** The envelope of a single object. */
export const single = (data: JsonSchema): JsonSchema => object({ data });
