import {
  amount,
  arrayOf,
  described,
  integer,
  type JsonSchema,
  nullable,
  number,
  object,
  oneOf,
  string,
  timestamp,
} from '../json-schema.ts';
import { AMENITIES, LISTING_CATEGORIES, LISTING_TYPES, PROPERTY_TYPES } from '../listing-vocabulary.ts';
import { PLACE_FIELDS } from '../place-fields.ts';
import { PROJECT_BANKS, PROJECT_FEATURES, PROJECT_STATUSES } from './project-vocabulary.ts';

const developerNames = { id: integer, name_en: nullable(string), name_ar: nullable(string) } as const;

const properties = {
  id: integer,
  name_en: nullable(string),
  name_ar: nullable(string),
  developer: described(nullable(object(developerNames)), 'Null if no source names the developer.'),
  status: oneOf(PROJECT_STATUSES),
  category: oneOf(LISTING_CATEGORIES),
  location: object({ ...PLACE_FIELDS, lat: nullable(number), lng: nullable(number) }),
  price: described(
    object({ min_sar: nullable(amount), max_sar: nullable(amount) }),
    'Price range of a unit in SAR, as stated by the developer.',
  ),
  delivery_date: described(nullable(string), 'Planned delivery date, `YYYY-MM-DD`.'),
  payment_plan: nullable(
    object({ down_payment_pct: number, during_construction_pct: number, on_delivery_pct: number }),
  ),
  features: arrayOf(oneOf(PROJECT_FEATURES)),
  banks: arrayOf(oneOf(PROJECT_BANKS)),
  unit_types: arrayOf(
    object({
      property_type: oneOf(PROPERTY_TYPES),
      bedrooms: nullable(integer),
      bathrooms: nullable(integer),
      area_min_sqm: nullable(number),
      area_max_sqm: nullable(number),
      price_min_sar: nullable(amount),
      price_max_sar: nullable(amount),
    }),
  ),
  images: arrayOf(string),
  image_count: integer,
  source: object({ name: string }),
  also_listed_on: arrayOf(string),
  first_seen_at: timestamp,
  updated_at: timestamp,
} as const;

export const PROJECT_SCHEMA = object(properties);

const position: JsonSchema = { type: 'array', items: number, minItems: 2, maxItems: 2 };
const boundary: JsonSchema = {
  type: ['object', 'null'],
  description: 'GeoJSON (RFC 7946), longitude first; null if no source gives a valid boundary.',
  required: ['type', 'coordinates'],
  properties: {
    type: oneOf(['Polygon']),
    coordinates: arrayOf(arrayOf(position)),
  },
};

export const PROJECT_DETAIL_SCHEMA: JsonSchema = object({
  ...properties,
  description: nullable(string),
  description_en: nullable(string),
  boundary,
  amenities: arrayOf(oneOf(AMENITIES)),
  unit_summary: described(
    arrayOf(
      object({
        listing_type: oneOf(LISTING_TYPES),
        property_type: oneOf(PROPERTY_TYPES),
        sample_size: integer,
        median_price_sar: nullable(amount),
        p25_price_sar: nullable(amount),
        p75_price_sar: nullable(amount),
        median_area_sqm: nullable(number),
        p25_area_sqm: nullable(number),
        p75_area_sqm: nullable(number),
      }),
    ),
    'Units of the project currently on the market, at asking prices, as returned by `GET /v1/projects/{id}/units`.',
  ),
});

export const DEVELOPER_SCHEMA = object({
  ...developerNames,
  project_count: integer,
  projects_by_status: object(Object.fromEntries(PROJECT_STATUSES.map((status) => [status, integer]))),
  cities: described(
    arrayOf(object({ city: string, project_count: integer })),
    'Number of projects by city, highest number first.',
  ),
});
