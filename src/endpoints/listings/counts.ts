import {
  arrayOf,
  described,
  integer,
  type JsonSchema,
  nullable,
  number,
  object,
  single,
  string,
} from '#domain/json-schema.ts';
import { rowOf } from '#queries/filters/table.ts';
import {
  FACET_NAMES,
  type FacetsResponse,
  facetsBody,
  MAX_FACET_VALUES,
  readFacets,
} from '#queries/listings/facets.ts';
import { countBody } from '#queries/listings/search.ts';
import {
  boxOfMap,
  CITY_ZOOM,
  MAX_ELEMENTS,
  MAX_ZOOM,
  type MapResponse,
  mapBody,
  readMap,
} from '#queries/market/map.ts';
import { dataResponse, defineEndpoint } from '#src/http/endpoint.ts';
import { PRICES } from '#src/metering/prices.ts';
import { approximateSchema } from '../market/schemas.ts';
import { aggregateIndex, searchIndex } from '../search-index.ts';
import {
  filterParameters,
  hintOf,
  LISTINGS,
  logAndHintOf,
  negatedWords,
  publishedFilters,
  searchedCity,
  toParameter,
} from './parameters.ts';

/** The data of an operation with filters that returns a total. `negated_words` is optional. */
function counted<const Properties extends Record<string, JsonSchema>>(properties: Properties) {
  const schema = object({ total: integer, ...properties });
  return single({ ...schema, properties: { ...schema.properties, negated_words: negatedWords } });
}

export const countListings = defineEndpoint({
  path: '/v1/listings/count',
  operationId: 'countListings',
  queue: 'searches',
  ...LISTINGS,
  summary: 'Count listings',
  description: 'Returns the number of listings that `GET /v1/listings` finds with the same filters.',
  price: PRICES.count,
  parameters: filterParameters,
  response: counted({}),
  load: async (call) => {
    const filters = publishedFilters(call);
    const { hits } = await searchIndex<CountResponse>(call, 'listings', countBody(filters, { now: call.now }));
    return { total: hits.total.value, ...(await logAndHintOf(call, filters, hits.total.value)) };
  },
  present: (_call, count) => dataResponse(count),
});

interface CountResponse {
  hits: { total: { value: number } };
}

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
  queue: 'statistics',
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
        'Fields by whose values listings are counted. `price` and `area` are counted by ranges with fixed borders, all others by value of the filter of the same name. `filters` has the name of each given filter, with the number of listings without it: those that an empty search would find if you removed one.',
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
  response: counted({
    facets: arrayOf(object({ field: string, values: arrayOf(valueCount), ranges: arrayOf(rangeCount) })),
  }),
  load: async (call) => {
    const { fields, exclude_own: excludeOwn } = call.query;
    const filters = publishedFilters(call);
    const body = facetsBody(filters, fields, { now: call.now, excludeOwn });
    const facets = readFacets(await searchIndex<FacetsResponse>(call, 'listings', body), fields);
    return { ...facets, ...(await hintOf(call, filters, facets.total)) };
  },
  present: (_call, facets) => dataResponse(facets),
});

type OtherParameter = Exclude<(typeof filterParameters)[number], { name: 'city' | 'bbox' }>;

const cluster = object({
  bbox: described(
    { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 4 } as const,
    'Cell of the cluster, or the bounds of its listings if it is a city, as `min_lng,min_lat,max_lng,max_lat` in degrees.',
  ),
  lat: described(number, 'Mean latitude of the listings.'),
  lng: described(number, 'Mean longitude of the listings.'),
  count: integer,
  cities: described(arrayOf(string), 'Cities of the listings, those with the most listings first, up to 10.'),
  median_price_sar: nullable(number),
});

const pin = object({
  id: integer,
  lat: number,
  lng: number,
  price_sar: described(number, 'The yearly rent, or the total sale price.'),
});

export const mapListings = defineEndpoint({
  path: '/v1/listings/map',
  operationId: 'mapListings',
  queue: 'statistics',
  ...LISTINGS,
  summary: 'Get listings for a map',
  description: `Returns the listings in a box as \`pins\` if there are at most ${MAX_ELEMENTS}, otherwise as \`clusters\`, at most ${MAX_ELEMENTS} cells of a grid, or cities up to \`zoom\` ${CITY_ZOOM}, with their number of listings and median price. \`total\` is the number of pins, or the sum of the counts of the clusters, and equals \`GET /v1/listings/count\` with the same filters and \`bbox\`. Listings without a location are excluded. \`city\` is optional.`,
  price: PRICES.map,
  parameters: [
    {
      ...toParameter(rowOf('bbox')),
      description: `Bounding box of the map \`min_lng,min_lat,max_lng,max_lat\` in degrees, including its borders. It must cover at most ${MAX_ELEMENTS} map tiles at \`zoom\`.`,
      required: true,
      check: boxOfMap,
    },
    {
      name: 'zoom',
      schema: { type: 'integer', minimum: 0, maximum: MAX_ZOOM },
      description:
        'Zoom level of the map. At 0 one tile of 256 pixels shows the world, and each level doubles the scale. Higher levels have smaller clusters.',
      required: true,
      example: '12',
    },
    {
      ...searchedCity,
      description: 'City slug from `GET /cities`, or several separated by commas.',
      sampled: false,
      requiredWithout: [],
    },
    ...filterParameters.filter((each): each is OtherParameter => each.name !== 'city' && each.name !== 'bbox'),
  ],
  response: counted({ ...approximateSchema, clusters: arrayOf(cluster), pins: arrayOf(pin) }),
  load: async (call) => {
    const { bbox, zoom } = call.query;
    const filters = { ...publishedFilters(call), bbox };
    const body = mapBody(filters, zoom, { now: call.now });
    const map = readMap(await aggregateIndex<MapResponse>(call, 'listings', body));
    return { ...map, ...(await hintOf(call, filters, map.total)) };
  },
  present: (_call, map) => dataResponse(map),
});
