import { arrayOf, described, integer, nullable, number, object, single } from '#domain/json-schema.ts';
import { dataResponse, defineEndpoint } from '#http/endpoint.ts';
import { PRICES } from '#metering/prices.ts';
import { rowOf } from '#queries/filters/table.ts';
import { boxOfMap, MAX_ELEMENTS, MAX_ZOOM, type MapResponse, mapBody, readMap } from '#queries/market/map.ts';
import { searchIndex } from '../search-index.ts';
import { LISTINGS } from './common.ts';
import { filterParameters, publishedFilters, toParameter } from './parameters.ts';

type Other = Exclude<(typeof filterParameters)[number], { name: 'city' | 'bbox' }>;

const cluster = object({
  bbox: described(
    { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 4 } as const,
    'Cell of the cluster as `min_lng,min_lat,max_lng,max_lat` in degrees.',
  ),
  lat: described(number, 'Latitude of the center of the cell.'),
  lng: described(number, 'Longitude of the center of the cell.'),
  count: integer,
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
  load: 'usual',
  ...LISTINGS,
  summary: 'Get listings for a map',
  description: `Returns the listings in a box as \`pins\` if there are at most ${MAX_ELEMENTS}, otherwise as \`clusters\`, at most ${MAX_ELEMENTS} cells of a grid with their number of listings and median price. \`total\` is the number of pins, or the sum of the counts of the clusters, and equals \`GET /v1/listings/count\` with the same filters and \`bbox\`. Listings without a location are excluded. \`city\` is optional. Median prices of clusters are accurate to 1%.`,
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
    { ...toParameter(rowOf('city')), required: false },
    ...filterParameters.filter((each): each is Other => each.name !== 'city' && each.name !== 'bbox'),
  ],
  response: single(object({ total: integer, clusters: arrayOf(cluster), pins: arrayOf(pin) })),
  prefetch: async (call) => {
    const { bbox, zoom } = call.query;
    const body = mapBody({ ...publishedFilters(call), bbox }, zoom, { now: call.now });
    return readMap(await searchIndex<MapResponse>(call, 'listings', body));
  },
  handle: async (_call, prefetch) => dataResponse(await prefetch),
});
