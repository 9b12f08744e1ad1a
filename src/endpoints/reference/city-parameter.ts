import { ApiError } from '#domain/errors.ts';
import type { Parameter } from '#http/endpoint.ts';

/** The city slug in a path. An unknown one, whatever its form, is a place that is not there: 404. */
export const cityPathParameter = {
  name: 'city',
  schema: { type: 'string' },
  description: 'City slug from `GET /cities`.',
  required: true,
  example: 'riyadh',
} as const satisfies Parameter;

/** @throws ApiError city_not_found */
export function foundInCity<T>(value: T | undefined): T {
  if (value === undefined) throw new ApiError('city_not_found', { param: 'city' });
  return value;
}
