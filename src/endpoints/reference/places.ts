import { CITY_SLUG } from '#domain/geography/places.ts';
import { integer, nullable, number, object, string } from '#domain/json-schema.ts';
import { coveredCity } from '#queries/filters/checks.ts';
import { defineEndpoint, type Parameter } from '#src/http/endpoint.ts';
import { pageSchema, wholeList } from '#src/http/pagination.ts';
import { presentRow } from '../records.ts';
import { REFERENCE } from './common.ts';

/** Without a pattern, so that every unknown slug returns 404. */
export const cityPathParameter = {
  name: 'city',
  schema: { type: 'string', accepts: CITY_SLUG },
  description: 'City slug from `GET /cities`.',
  required: true,
  example: 'riyadh',
  check: coveredCity('city_not_found'),
} as const satisfies Parameter;

const CITY = object({ slug: string, name_en: string, name_ar: string });
const DIRECTION = object({ id: integer, slug: string, name_ar: string, name_en: string });
const NEIGHBORHOOD = object({
  ...DIRECTION.properties,
  direction_id: nullable(integer),
  center: nullable(object({ lat: number, lng: number })),
});

export const cities = defineEndpoint({
  path: '/v1/cities',
  operationId: 'listCities',
  ...REFERENCE,
  summary: 'List cities',
  description: 'Returns the cities that the service covers. Pass `slug` as the `city` parameter of other operations.',
  response: pageSchema(CITY),
  handle: async ({ services }) => ({
    body: wholeList(services.places.cities().map((city) => presentRow(CITY, city))),
  }),
});

export const neighborhoods = defineEndpoint({
  path: '/v1/cities/{city}/neighborhoods',
  operationId: 'listNeighborhoods',
  ...REFERENCE,
  summary: 'List neighborhoods of a city',
  description: 'Returns the neighborhoods of a city with their stable ids, names and approximate centers.',
  pathParameters: [cityPathParameter],
  response: pageSchema(NEIGHBORHOOD),
  errors: ['city_not_found'],
  handle: async ({ path, services }) => ({
    body: wholeList((services.places.neighborhoods(path.city) ?? []).map((each) => presentRow(NEIGHBORHOOD, each))),
  }),
});

export const directions = defineEndpoint({
  path: '/v1/cities/{city}/directions',
  operationId: 'listDirections',
  ...REFERENCE,
  summary: 'List directions of a city',
  description:
    'Returns the directions, such as north or east, that group the neighborhoods of a city; `direction_id` of a neighborhood refers to them.',
  pathParameters: [cityPathParameter],
  response: pageSchema(DIRECTION),
  errors: ['city_not_found'],
  handle: async ({ path, services }) => ({
    body: wholeList((services.places.directions(path.city) ?? []).map((each) => presentRow(DIRECTION, each))),
  }),
});
