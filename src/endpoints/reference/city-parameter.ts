import { ApiError } from '#domain/errors.ts';
import type { Parameter } from '#http/endpoint.ts';

/** The city slug in a path. Any unknown slug is a 404, whatever its form: so the schema has no pattern. */
export const cityPathParameter = {
  name: 'city',
  schema: { type: 'string' },
  description: 'City slug from `GET /cities`.',
  required: true,
  example: 'riyadh',
} as const satisfies Parameter;

/** What was found for a city. @throws ApiError city_not_found for undefined */
export function foundInCity<T>(value: T | undefined): T {
  if (value === undefined) throw new ApiError('city_not_found', { param: 'city' });
  return value;
}
