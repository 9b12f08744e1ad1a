import { CITY_SLUG, cityCandidates } from '#domain/geography/places.ts';
import type { Parameter } from '#http/endpoint.ts';

/** The city slug in a path. Any unknown slug is a 404, whatever its form: so the schema has no pattern. */
export const cityPathParameter = {
  name: 'city',
  schema: { type: 'string', accepts: CITY_SLUG },
  description: 'City slug from `GET /cities`.',
  required: true,
  example: 'riyadh',
  check: (slug, places) => (places.hasCity(String(slug)) ? null : 'city_not_found'),
  candidates: cityCandidates,
} as const satisfies Parameter;
