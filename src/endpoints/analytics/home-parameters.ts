import { flatMeters } from '#domain/geography/distance.ts';
import { FLOOR_CLASSES, HOME_TYPES, type PropertyType } from '#domain/listing-vocabulary.ts';
import { CAPS } from '#domain/listings/caps.ts';
import type { ValueCheck } from '#domain/value-check.ts';
import { neighborhoodsOfCity, pointInCountry } from '#queries/filters/checks.ts';
import { rowOf } from '#queries/filters/table.ts';
import type { Parameter, ValuesOf } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { toParameter } from '../listings/parameters.ts';

/** Meters. A point farther from all neighborhoods of its city contradicts the city. */
const MAX_FROM_CITY = 25_000;

/** A neighborhood may contradict the point. */
const pointInCity: ValueCheck<readonly [number, number]> = {
  code: 'invalid_value',
  refuse: (point, context) => {
    const { name, values, places } = context;
    const foreign = pointInCountry.refuse(point, context);
    if (foreign !== null) return foreign;
    if (values.neighborhood_id !== undefined)
      return () => `\`${name}\` and \`neighborhood_id\` both state the place. Send one of them.`;
    const [lat, lng] = point;
    const centers = (places.neighborhoods(String(values.city)) ?? []).flatMap(({ center }) => center ?? []);
    const meters = Math.min(...centers.map((center) => flatMeters({ lat, lng }, center)));
    if (centers.length === 0 || meters <= MAX_FROM_CITY) return null;
    return () =>
      `\`${name}\` is ${Math.round(meters / 1_000)} km from the nearest neighborhood of \`${String(values.city)}\`. Send the city of the point.`;
  },
};

const neighborhoodOfCity: ValueCheck<number> = {
  ...neighborhoodsOfCity,
  refuse: (id, context) => neighborhoodsOfCity.refuse([id], context),
};

const areaOfType: ValueCheck<number> = {
  code: 'invalid_value',
  refuse: (area, { name, values: { property_type } }) => {
    const [least, most] = CAPS[property_type as PropertyType]?.area ?? [area, area];
    if (area >= least && area <= most) return null;
    return () => `\`${name}\` of \`${String(property_type)}\` must be from ${least} to ${most} square meters.`;
  },
};

const count = (name: string, maximum: number, description: string, example: string) =>
  ({ name, schema: { type: 'integer', minimum: 0, maximum }, description, example }) as const satisfies Parameter;

export const homeParameters = [
  toParameter(rowOf('city')),
  toParameter(rowOf('listing_type')),
  {
    name: 'property_type',
    schema: { type: 'string', enum: HOME_TYPES },
    description: 'Property type of the home.',
    required: true,
    example: 'apartment',
  },
  {
    name: 'area',
    schema: { type: 'number', minimum: 1, maximum: 1e6 },
    description: 'Area of the home in square meters.',
    required: true,
    example: '145',
    check: areaOfType,
  },
  {
    ...toParameter(rowOf('near')),
    description:
      'Location of the home as a point `lat,lng` in degrees, latitude first. Required without `neighborhood_id`.',
    sampled: true,
    check: pointInCity,
  },
  {
    ...toParameter(rowOf('neighborhood_id')),
    schema: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
    description:
      'Neighborhood of the home, if its point is unknown. The estimate then uses the homes of this neighborhood.',
    example: '1001',
    check: neighborhoodOfCity,
  },
  count('beds', 20, 'Number of bedrooms.', '3'),
  count('age', 100, 'Age of the building in years; 0 for a new one.', '4'),
  {
    name: 'floor',
    schema: { type: 'string', enum: FLOOR_CLASSES },
    description: 'Floor of the home. Ads of another floor in the building are evidence, not the home itself.',
    example: 'upper',
  },
  {
    name: 'exclude_listing_id',
    schema: {
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      minItems: 1,
      maxItems: 20,
    },
    description: 'Ids of listings that are ads of the home itself: they are no evidence, and `same_home` lists them.',
    example: '10183',
  },
] as const satisfies readonly Parameter[];

export type HomeQuery = ValuesOf<(typeof homeParameters)[number]>;

export const placeMissing = (param: string): ApiError =>
  new ApiError('missing_parameter', {
    param,
    message: 'The place of the home is required: `near` or `neighborhood_id`.',
  });
