import { arrayOf, described, integer, nullable, number, object, oneOf, single, string } from '#domain/json-schema.ts';
import { SUGGESTION_KINDS } from '#domain/suggestions/place-index.ts';
import { dataResponse, defineEndpoint } from '#src/http/endpoint.ts';
import { REFERENCE } from './common.ts';
import { cityPathParameter } from './places.ts';

export const suggest = defineEndpoint({
  path: '/v1/suggest',
  operationId: 'suggest',
  ...REFERENCE,
  summary: 'Suggest places, projects and developers',
  description:
    'Returns cities, neighborhoods, compounds, projects and developers whose names begin with the typed text, best match first. Tolerates one typing error, other transliterations, a missing article and text typed on the other keyboard layout. Listing counts are refreshed every few minutes.',
  parameters: [
    {
      name: 'q',
      schema: { type: 'string', minLength: 1, maxLength: 100 },
      description:
        'Full name or the beginning of one, in Arabic or Latin script. The name of a city can precede or follow it.',
      required: true,
      example: 'yasmeen',
    },
    {
      ...cityPathParameter,
      description: 'City slug from `GET /cities`. Only places of the city are returned.',
      required: false,
    },
    {
      name: 'limit',
      schema: { type: 'integer', minimum: 1, maximum: 20, default: 8 },
      description: 'Maximum number of suggestions.',
      example: '5',
    },
  ],
  response: single(
    arrayOf(
      object({
        kind: oneOf(SUGGESTION_KINDS),
        id: described(nullable(integer), 'Id of a neighborhood, project or developer.'),
        slug: described(nullable(string), 'Slug of a city or neighborhood.'),
        name_en: nullable(string),
        name_ar: nullable(string),
        city: described(nullable(string), 'City slug. Null for developers.'),
        listing_count: described(integer, 'Number of listings on the market, for rent and for sale.'),
        center: nullable(object({ lat: number, lng: number })),
        box: described(
          nullable({ type: 'array', items: number, minItems: 4, maxItems: 4 }),
          'Extent of the listings, `[min_lng, min_lat, max_lng, max_lat]`. Null if no listing has a location.',
        ),
      }),
    ),
  ),
  errors: ['city_not_found'],
  handle: async ({ query, services }) => {
    const index = await services.suggestions.read();
    return dataResponse(index.suggest(query).map(({ display }) => display));
  },
});
