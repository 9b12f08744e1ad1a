import type { ErrorCode } from '#domain/errors.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import type { Endpoint } from '#http/endpoint.ts';
import { Router } from '#http/router.ts';
import { createValidator, type Validate } from '#http/schema.ts';
import { errorCodes } from '#openapi/build.ts';

/**
 * Creates a function that validates responses against documented schemas. Schemas are closed at every level, so that
 * undocumented fields, missing fields and undocumented error codes cause errors. Responses for paths without an
 * endpoint are accepted.
 */
export function responseChecker(
  endpoints: readonly Endpoint[],
): (method: string, path: string, status: number, body: unknown) => void {
  const router = new Router(endpoints);
  const compiled = new Map<Endpoint, Validate>();
  return (method, path, status, body) => {
    if (status < 200 || method === 'OPTIONS' || !router.methodsOf(path).includes(method)) return;
    const { endpoint } = router.route(method, path);
    if (status > 299) {
      const { error } = body as { error?: { code: ErrorCode } };
      // A failed readiness check returns the body of the endpoint instead of an error body.
      if (!error || errorCodes(endpoint).includes(error.code)) return;
      throw new Error(`${method} ${path} returned ${status} ${error.code}, which is not documented`);
    }
    const validate = compiled.get(endpoint) ?? createValidator(closed(endpoint.response));
    compiled.set(endpoint, validate);
    const errors = validate(body);
    if (errors === null) return;
    const faults = errors.map(
      ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
    );
    throw new Error(`${method} ${path} is not as documented:\n${faults.slice(0, 10).join('\n')}`);
  };
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
