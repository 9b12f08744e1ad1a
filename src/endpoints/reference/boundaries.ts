import { outlinesOf } from '#domain/geography/boundaries.ts';
import type { Neighborhood } from '#domain/geography/places.ts';
import {
  arrayOf,
  boolean,
  described,
  integer,
  nullable,
  number,
  object,
  oneOf,
  single,
  string,
} from '#domain/json-schema.ts';
import { defineEndpoint } from '#src/http/endpoint.ts';
import { REFERENCE } from './common.ts';
import { cityPathParameter } from './places.ts';

const position = { type: 'array', items: number, minItems: 2, maxItems: 2 } as const;

/** Reading places again replaces the list. */
const responses = new WeakMap<readonly Neighborhood[], Map<boolean, Buffer>>();

export const boundaries = defineEndpoint({
  path: '/v1/cities/{city}/boundaries',
  operationId: 'listBoundaries',
  ...REFERENCE,
  summary: 'Get boundaries of neighborhoods',
  description:
    'Returns the neighborhoods of a city as a GeoJSON `FeatureCollection` (RFC 7946, longitude first). `approximate` is `false` for surveyed boundaries. Otherwise the boundary is estimated: the area that is nearer to the center of the neighborhood than to any other. `geometry` is null if the location is unknown.',
  pathParameters: [cityPathParameter],
  parameters: [
    {
      name: 'simplified',
      schema: { type: 'boolean', default: false },
      description:
        'Whether to remove corners for display on a map. Simplified boundaries differ by at most 30 m and may overlap slightly.',
      example: 'true',
    },
  ],
  response: single(
    object({
      type: oneOf(['FeatureCollection']),
      features: arrayOf(
        object({
          type: oneOf(['Feature']),
          id: integer,
          properties: object({
            id: described(integer, 'Neighborhood id.'),
            slug: string,
            name_ar: string,
            name_en: string,
            approximate: boolean,
          }),
          geometry: nullable(
            object({ type: oneOf(['MultiPolygon']), coordinates: arrayOf(arrayOf(arrayOf(position))) }),
          ),
        }),
      ),
    }),
  ),
  errors: ['city_not_found'],
  handle: async ({ path, query: { simplified }, services }) => {
    const neighborhoods = services.places.neighborhoods(path.city) ?? [];
    const known = responses.get(neighborhoods) ?? new Map<boolean, Buffer>();
    responses.set(neighborhoods, known);
    const bytes = known.get(simplified) ?? render(outlinesOf(neighborhoods, services.config.boundaries, simplified));
    known.set(simplified, bytes);
    return { bytes: [bytes] };
  },
});

const render = (features: ReturnType<typeof outlinesOf>): Buffer =>
  Buffer.from(JSON.stringify({ data: { type: 'FeatureCollection', features } }));
