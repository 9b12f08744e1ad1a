import { CITY_SLUG } from '#domain/geography/places.ts';
import type { Parameter } from '#http/endpoint.ts';
import { coveredCity } from '#queries/filters/checks.ts';

/** City slug in a path. The schema has no pattern, so that every unknown slug returns 404. */
export const cityPathParameter = {
  name: 'city',
  schema: { type: 'string', accepts: CITY_SLUG },
  description: 'City slug from `GET /cities`.',
  required: true,
  example: 'riyadh',
  check: coveredCity('city_not_found'),
} as const satisfies Parameter;
