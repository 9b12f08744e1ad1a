import { integer, object, string } from '#domain/json-schema.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { pageSchema, wholeList } from '#http/pagination.ts';
import { cityPathParameter } from './city-parameter.ts';
import { REFERENCE } from './common.ts';

export const directions = defineEndpoint({
  path: '/v1/cities/{city}/directions',
  operationId: 'listDirections',
  ...REFERENCE,
  summary: 'List directions of a city',
  description:
    'Returns the directions, such as north or east, that group the neighborhoods of a city; `direction_id` of a neighborhood refers to them.',
  pathParameters: [cityPathParameter],
  response: pageSchema(object({ id: integer, slug: string, name_ar: string, name_en: string })),
  errors: ['city_not_found'],
  handle: async ({ path, services }) => ({
    body: wholeList(
      (services.places.directions(path.city) ?? []).map(({ id, slug, name_ar, name_en }) => ({
        id,
        slug,
        name_ar,
        name_en,
      })),
    ),
  }),
});
