import { integer, nullable, number, object, string } from '#domain/json-schema.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { pageSchema, wholeList } from '#http/pagination.ts';
import { cityPathParameter } from './city-parameter.ts';
import { REFERENCE } from './common.ts';

export const neighborhoods = defineEndpoint({
  path: '/v1/cities/{city}/neighborhoods',
  operationId: 'listNeighborhoods',
  ...REFERENCE,
  summary: 'List neighborhoods of a city',
  description: 'Returns the neighborhoods of a city with their stable ids, names and approximate centers.',
  pathParameters: [cityPathParameter],
  response: pageSchema(
    object({
      id: integer,
      slug: string,
      name_ar: string,
      name_en: string,
      direction_id: nullable(integer),
      center: nullable(object({ lat: number, lng: number })),
    }),
  ),
  errors: ['city_not_found'],
  handle: async ({ path, services }) => ({
    body: wholeList(
      (services.places.neighborhoods(path.city) ?? []).map(({ id, slug, name_ar, name_en, direction_id, center }) => ({
        id,
        slug,
        name_ar,
        name_en,
        direction_id,
        center,
      })),
    ),
  }),
});
