import { arrayOf, object, oneOf, single, string } from '#domain/json-schema.ts';
import {
  ADVERTISER_TYPES,
  AMENITIES,
  FLOOR_CLASSES,
  LISTING_CATEGORIES,
  LISTING_TYPES,
  PROPERTY_TYPE_TABLE,
  PROPERTY_TYPES,
  RENT_FREQUENCIES,
} from '#domain/listings/vocabulary.ts';
import { COVERAGE_FLAGS } from '#domain/official/rules.ts';
import { INDEX_ITEMS, LAND_USE_CLASSES, RENT_PROPERTY_TYPES } from '#domain/official/vocabulary.ts';
import { INDEX_PROPERTIES, KINDS } from '#domain/property-index/kinds.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { PRICES } from '#metering/prices.ts';
import { SORT_NAMES } from '#queries/listings/sorts.ts';

const names = Object.fromEntries(
  PROPERTY_TYPES.map((type) => {
    const { category, name_en, name_ar } = PROPERTY_TYPE_TABLE[type];
    return [type, { category, name_en, name_ar }];
  }),
);

export const enums = defineEndpoint({
  method: 'GET',
  path: '/v1/enums',
  operationId: 'listEnums',
  area: 'Reference data',
  summary: 'Allowed values',
  description: 'The allowed values of every enumerated filter, and the names of property types in both languages.',
  audience: 'data',
  scope: null,
  price: PRICES.reference,
  pathParameters: [],
  parameters: [],
  response: single(
    object({
      listing_types: arrayOf(string),
      listing_categories: arrayOf(string),
      property_types: arrayOf(string),
      rent_frequencies: arrayOf(string),
      amenities: arrayOf(string),
      floors: arrayOf(string),
      advertiser_types: arrayOf(string),
      sources: arrayOf(string),
      sorts: arrayOf(string),
      project_features: arrayOf(string),
      project_banks: arrayOf(string),
      land_use_classes: arrayOf(string),
      registered_rent_property_types: arrayOf(string),
      price_index_items: arrayOf(string),
      coverage_flags: arrayOf(string),
      property_index_kinds: arrayOf(string),
      property_index_properties: arrayOf(string),
      property_type_names: {
        type: 'object',
        additionalProperties: object({ category: oneOf(LISTING_CATEGORIES), name_en: string, name_ar: string }),
      },
    }),
  ),
  errors: [],
  handle: async ({ services }) => ({
    body: {
      data: {
        listing_types: LISTING_TYPES,
        listing_categories: LISTING_CATEGORIES,
        property_types: PROPERTY_TYPES,
        rent_frequencies: RENT_FREQUENCIES,
        amenities: AMENITIES,
        floors: FLOOR_CLASSES,
        advertiser_types: ADVERTISER_TYPES,
        sources: services.sourceClock.sources(),
        sorts: SORT_NAMES,
        // Off-plan projects are not served yet.
        project_features: [],
        project_banks: [],
        land_use_classes: LAND_USE_CLASSES,
        registered_rent_property_types: RENT_PROPERTY_TYPES,
        price_index_items: INDEX_ITEMS,
        coverage_flags: COVERAGE_FLAGS,
        property_index_kinds: KINDS,
        property_index_properties: INDEX_PROPERTIES,
        property_type_names: names,
      },
    },
  }),
});
