import { object, string } from '#domain/json-schema.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { pageSchema, wholeList } from '#http/pagination.ts';
import { REFERENCE } from './common.ts';

export const cities = defineEndpoint({
  path: '/v1/cities',
  operationId: 'listCities',
  ...REFERENCE,
  summary: 'List cities',
  description: 'Returns the cities that the service covers. Pass `slug` as the `city` parameter of other operations.',
  response: pageSchema(object({ slug: string, name_en: string, name_ar: string })),
  handle: async ({ services }) => ({
    body: wholeList(services.places.cities().map(({ slug, name_en, name_ar }) => ({ slug, name_en, name_ar }))),
  }),
});
