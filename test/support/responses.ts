import type { ErrorCode } from '#domain/errors.ts';
import { type JsonSchema, object } from '#domain/json-schema.ts';
import { BATCH_LISTING_SCHEMA, LISTING_SCHEMA } from '#domain/listings/listing-schema.ts';
import { DRY_RUN } from '#src/http/cost-parameters.ts';
import type { Endpoint } from '#src/http/endpoint.ts';
import { Router } from '#src/http/router.ts';
import { createValidator, type Validate } from '#src/http/schema.ts';
import { errorCodes } from '#src/openapi/build.ts';

/**
 * Creates a function that validates responses against documented schemas. Schemas are closed at every level, so that
 * undocumented fields, missing fields and undocumented error codes cause errors. With `fields`, listings have exactly the
 * selected fields. Responses for paths without an endpoint are accepted.
 */
export function responseChecker(
  endpoints: readonly Endpoint[],
): (method: string, url: string, status: number, body: unknown) => void {
  const router = new Router(endpoints);
  const compiled = new Map<string, Validate>();
  return (method, url, status, body) => {
    const { pathname: path, searchParams } = new URL(url, 'http://api.test');
    if (status < 200 || method === 'OPTIONS' || !router.methodsOf(path).includes(method)) return;
    const { endpoint } = router.route(method, path);
    if (status > 299) {
      const { error } = body as { error?: { code: ErrorCode } };
      // A failed readiness check returns the body of the endpoint instead of an error body.
      if (!error || errorCodes(endpoint).includes(error.code)) return;
      throw new Error(`${method} ${path} returned ${status} ${error.code}, which is not documented`);
    }
    const fields = searchParams.getAll('fields').join();
    let key = `${method} ${endpoint.path} ${fields}`;
    const { data } = (body ?? {}) as { data?: unknown };
    if (typeof data === 'object' && data !== null && 'max_units' in data) key = 'dry run';
    const schema =
      key === 'dry run'
        ? DRY_RUN
        : fields === ''
          ? endpoint.response
          : withFields(endpoint.response, fields.split(','));
    const validate = compiled.get(key) ?? createValidator(closed(schema));
    compiled.set(key, validate);
    const errors = validate(body);
    if (errors === null) return;
    const faults = errors.map(
      ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
    );
    throw new Error(`${method} ${path} is not as documented:\n${faults.slice(0, 10).join('\n')}`);
  };
}

/** Returns the schema with listings that have only `id` and the given fields. */
function withFields(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const visit = (part: unknown): unknown => {
    if (Array.isArray(part) || typeof part !== 'object' || part === null) return part;
    const entries = Object.entries(part);
    if (part !== LISTING_SCHEMA && part !== BATCH_LISTING_SCHEMA)
      return Object.fromEntries(entries.map(([keyword, each]) => [keyword, visit(each)]));
    const fields = Object.entries((part as JsonSchema).properties as Readonly<Record<string, JsonSchema>>);
    return object(Object.fromEntries(fields.filter(([name]) => name === 'id' || names.includes(name))));
  };
  return visit(schema) as JsonSchema;
}

/**
 * Returns the schema with `additionalProperties: false` for every object that lists properties without specifying
 * `additionalProperties`.
 */
export function closed(schema: JsonSchema): JsonSchema {
  const close = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(close);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, part]) => [key, close(part)]);
    const copy = Object.fromEntries(entries) as Record<string, unknown>;
    const { properties } = copy;
    if (typeof properties === 'object' && properties !== null && 'type' in copy) copy.additionalProperties ??= false;
    return copy;
  };
  return close(schema) as JsonSchema;
}
