import { arrayOf, described, integer, nullable, number, object, single, string } from '#domain/json-schema.ts';
import { dataResponse, defineEndpoint } from '#http/endpoint.ts';
import { PRICES } from '#metering/prices.ts';
import {
  FACET_NAMES,
  type FacetsResponse,
  facetsBody,
  MAX_FACET_VALUES,
  readFacets,
} from '#queries/listings/facets.ts';
import { searchIndex } from '../search-index.ts';
import { LISTINGS } from './common.ts';
import { filterParameters, publishedFilters } from './parameters.ts';

const MAX_FIELDS = 10;

const valueCount = object({
  value: described(string, 'Value as the filter of the same name accepts it.'),
  count: integer,
});

const rangeCount = object({
  from: described(number, 'Lower border of the range, inclusive.'),
  to: described(nullable(number), 'Upper border of the range, exclusive. Null for the highest range.'),
  count: integer,
});

export const listFacets = defineEndpoint({
  path: '/v1/listings/facets',
  operationId: 'listFacets',
  load: 'usual',
  ...LISTINGS,
  summary: 'Count listings by facet',
  description: `Returns the number of listings for each value of the given fields, most frequent values first, at most ${MAX_FACET_VALUES.toLocaleString('en')} values per field. The count of a value equals \`GET /v1/listings/count\` with the same filters and only that value of the field: the property types are therefore counted by the price and size bounds of each type. Values of \`amenities\` are counted in addition to the given ones. Values without listings are omitted, and listings without a value are not counted. \`total\` equals \`GET /v1/listings/count\`.`,
  price: PRICES.facets,
  parameters: [
    {
      name: 'fields',
      schema: {
        type: 'array',
        items: { type: 'string', enum: FACET_NAMES },
        minItems: 1,
        maxItems: MAX_FIELDS,
        uniqueItems: true,
      },
      description:
        'Fields by whose values listings are counted. `price` and `area` are counted by ranges with fixed borders, all others by value of the filter of the same name.',
      required: true,
      example: 'property_type,beds,price',
    },
    {
      name: 'exclude_own',
      schema: { type: 'boolean', default: false },
      description:
        'Whether each field ignores the filter on itself, so that values that the filter excludes are counted too. `price` ignores `price_min` and `price_max`, `area` ignores `area_min` and `area_max`.',
      example: 'true',
    },
    ...filterParameters,
  ],
  response: single(
    object({
      total: integer,
      facets: arrayOf(object({ field: string, values: arrayOf(valueCount), ranges: arrayOf(rangeCount) })),
    }),
  ),
  prefetch: async (call) => {
    const { fields, exclude_own: excludeOwn } = call.query;
    const body = facetsBody(publishedFilters(call), fields, { now: call.now, excludeOwn });
    return searchIndex<FacetsResponse>(call, 'listings', body);
  },
  handle: async ({ query }, prefetch) => dataResponse(readFacets(await prefetch, query.fields)),
});
