import type { ValueOf } from '#domain/json-schema.ts';
import {
  ADVERTISER_TYPES,
  AMENITIES,
  FLOOR_CLASSES,
  LISTING_CATEGORIES,
  LISTING_TYPES,
  PROPERTY_TYPES,
  QUALITY_FLAGS,
  RENT_FREQUENCIES,
} from '#domain/listings/vocabulary.ts';
import type { FilterRow } from './kinds.ts';
import * as kinds from './kinds.ts';

/**
 * The filters of search and count, in the order they are documented and reported. From this table come the query
 * schema, the OpenAPI parameters, the clauses, the JSON filters of exports and webhooks, and the percolator queries.
 * To add one: add its row, its examples in test/queries/filters/examples, and the mapped field if it is new.
 */
export const FILTERS = [
  {
    name: 'city',
    kind: kinds.city,
    field: 'filter.city',
    description: 'City slug from `GET /cities`.',
    alertable: true,
    required: true,
    example: 'riyadh',
  },
  {
    name: 'listing_type',
    kind: kinds.one,
    field: 'filter.listing_type',
    description: 'Whether the property is to rent or for sale.',
    values: LISTING_TYPES,
    alertable: true,
    required: true,
    example: 'rent',
  },
  {
    name: 'neighborhood_id',
    kind: kinds.anyOfNeighborhoods,
    field: 'filter.neighborhood_id',
    description: 'Any of these neighborhoods. Listings with no neighborhood are dropped.',
    alertable: true,
    example: '1001,1002',
  },
  {
    name: 'neighborhood_id_exclude',
    kind: kinds.noneOfNeighborhoods,
    field: 'filter.neighborhood_id',
    description: 'None of these neighborhoods. Listings with no neighborhood are kept.',
    alertable: true,
    example: '1003',
  },
  {
    name: 'bbox',
    kind: kinds.bbox,
    field: 'filter',
    description: 'Bounding box `min_lng,min_lat,max_lng,max_lat` in degrees, borders included.',
    alertable: true,
    example: '46.6,24.6,46.8,24.9',
  },
  {
    name: 'compound',
    kind: kinds.nameOrAny,
    field: 'filter.compound',
    description: 'The literal `true` for any compound, `false` for none, otherwise a compound name.',
    alertable: true,
    example: 'true',
  },
  {
    name: 'in_compound',
    kind: kinds.present,
    field: 'filter.compound',
    description: 'Whether the listing lies in a named compound.',
    alertable: true,
    example: 'false',
  },
  {
    name: 'listing_category',
    kind: kinds.one,
    field: 'filter.listing_category',
    description: 'Residential or commercial.',
    values: LISTING_CATEGORIES,
    alertable: true,
    example: 'residential',
  },
  {
    name: 'property_type',
    kind: kinds.anyOf,
    field: 'filter.property_type',
    description:
      'Any of these property types. With exactly one, plausibility is calibrated for that type; otherwise over all types together.',
    values: PROPERTY_TYPES,
    alertable: true,
    example: 'apartment,villa',
  },
  {
    name: 'price_min',
    kind: kinds.amountAtLeast,
    field: 'filter.price',
    description: 'Lowest comparable price in SAR: yearly rent, or the total of a sale.',
    alertable: true,
    example: '30000',
  },
  {
    name: 'price_max',
    kind: kinds.amountAtMost,
    field: 'filter.price',
    description: 'Highest comparable price in SAR: yearly rent, or the total of a sale.',
    alertable: true,
    notBelow: 'price_min',
    example: '90000',
  },
  {
    name: 'rent_frequency',
    kind: kinds.anyOf,
    field: 'filter.rent_frequency',
    description: 'The period that the advertiser posted the rent for.',
    values: RENT_FREQUENCIES,
    alertable: true,
    example: 'yearly,monthly',
  },
  {
    name: 'area_min',
    kind: kinds.amountAtLeast,
    field: 'filter.area',
    description: 'Smallest area in square meters.',
    alertable: true,
    example: '100',
  },
  {
    name: 'area_max',
    kind: kinds.amountAtMost,
    field: 'filter.area',
    description: 'Largest area in square meters.',
    alertable: true,
    notBelow: 'area_min',
    example: '250',
  },
  {
    name: 'beds',
    kind: kinds.exactly,
    field: 'filter.beds',
    description: 'Exact number of bedrooms, one or several: 5 does not mean five or more.',
    alertable: true,
    example: '3',
  },
  {
    name: 'bathrooms',
    kind: kinds.exactly,
    field: 'filter.bathrooms',
    description: 'Exact number of bathrooms, one or several.',
    alertable: true,
    example: '2,3',
  },
  {
    name: 'beds_min',
    kind: kinds.atLeast,
    field: 'filter.beds',
    description: 'Fewest bedrooms.',
    alertable: true,
    example: '2',
  },
  {
    name: 'beds_max',
    kind: kinds.atMost,
    field: 'filter.beds',
    description: 'Most bedrooms.',
    alertable: true,
    notBelow: 'beds_min',
    example: '4',
  },
  {
    name: 'bathrooms_min',
    kind: kinds.atLeast,
    field: 'filter.bathrooms',
    description: 'Fewest bathrooms.',
    alertable: true,
    example: '1',
  },
  {
    name: 'bathrooms_max',
    kind: kinds.atMost,
    field: 'filter.bathrooms',
    description: 'Most bathrooms.',
    alertable: true,
    notBelow: 'bathrooms_min',
    example: '4',
  },
  {
    name: 'livings_min',
    kind: kinds.atLeast,
    field: 'filter.livings',
    description: 'Fewest living rooms.',
    alertable: true,
    example: '1',
  },
  {
    name: 'amenities',
    kind: kinds.allOf,
    field: 'filter.amenities',
    description: 'Amenities that must all be there.',
    values: AMENITIES,
    alertable: true,
    example: 'lift,parking',
  },
  {
    name: 'amenities_exclude',
    kind: kinds.noneOf,
    field: 'filter.amenities',
    description: 'Amenities none of which may be there.',
    values: AMENITIES,
    alertable: true,
    example: 'pool',
  },
  {
    name: 'furnished',
    kind: kinds.stated,
    field: 'filter.furnished',
    description: 'Furnished or not, as stated; a listing that does not say is in neither.',
    alertable: true,
    example: 'true',
  },
  {
    name: 'floor',
    kind: kinds.anyOf,
    field: 'filter.floor',
    description:
      'Any of these floors. `ground` and `upper` do not partition: a listing may be both, and one with no stated floor is in neither.',
    values: FLOOR_CLASSES,
    alertable: true,
    example: 'ground',
  },
  {
    name: 'max_age',
    kind: kinds.atMost,
    field: 'filter.age',
    description: 'Greatest age of the building in years.',
    alertable: true,
    example: '10',
  },
  {
    name: 'verified',
    kind: kinds.marked,
    field: 'filter.verified',
    description:
      'Marked verified by its source. `false` means not marked, including listings the source said nothing about.',
    alertable: true,
    example: 'true',
  },
  {
    name: 'updated_since',
    kind: kinds.since,
    field: 'filter.updated_at',
    description: 'Updated at or after this moment, `YYYY-MM-DDThh:mm:ssZ` with seconds.',
    alertable: false,
    example: '2026-01-31T00:00:00Z',
  },
  {
    name: 'modified_since',
    kind: kinds.sinceMicros,
    field: 'filter.modified',
    description:
      'Modified at or after this moment: `modified_at` of the last row read, or `pagination.watermark`. Takes up to six digits of fraction, `YYYY-MM-DDThh:mm:ss.ffffffZ`.',
    alertable: false,
    example: '2026-01-31T00:00:00.000000Z',
  },
  {
    name: 'days_on_market_min',
    kind: kinds.daysAtLeast,
    field: 'filter.first_seen_at',
    description: 'Fewest whole days since the service first saw the listing.',
    alertable: false,
    example: '7',
  },
  {
    name: 'days_on_market_max',
    kind: kinds.daysAtMost,
    field: 'filter.first_seen_at',
    description: 'Most whole days since the service first saw the listing.',
    alertable: false,
    notBelow: 'days_on_market_min',
    example: '60',
  },
  {
    name: 'source',
    kind: kinds.anyOf,
    field: 'filter.source',
    description: "Any of these sources (the listing's own `source.name`). Names are not validated.",
    alertable: true,
    example: 'aqarna',
  },
  {
    name: 'source_exclude',
    kind: kinds.noneOf,
    field: 'filter.source',
    description: "None of these sources (the listing's own `source.name`). Names are not validated.",
    alertable: true,
    example: 'aqarna',
  },
  {
    name: 'advertiser_type',
    kind: kinds.anyOf,
    field: 'filter.advertiser_type',
    description: "Whether a company or an individual advertises; `advertiser.type` keeps the source's own wording.",
    values: ADVERTISER_TYPES,
    alertable: true,
    example: 'company',
  },
  {
    name: 'quality',
    kind: kinds.anyOf,
    field: 'filter.quality',
    description: 'Listings with any of these quality flags.',
    values: QUALITY_FLAGS,
    alertable: true,
    example: 'starting_price',
  },
  {
    name: 'quality_exclude',
    kind: kinds.noneOf,
    field: 'filter.quality',
    description: 'Listings with none of these quality flags.',
    values: QUALITY_FLAGS,
    alertable: true,
    example: 'far_below_comparables,shared_photos',
  },
  {
    name: 'q',
    kind: kinds.text,
    field: 'text.body',
    description:
      'Searches the advertiser\'s title and description. All words must appear, in either language; a "quoted phrase" matches whole; `|` between two terms means either. Names of places match in both languages and in their usual spellings, numbers in words match digits, and a word that appears nowhere matches within one edit. A word that the text mentions as absent (`no pool`) does not match; `no pool` finds those texts. Stop words such as `the` and `في` are ignored, so at least one other word is required. Exclusions (`-`), wildcards (`*`) and field names are not supported.',
    alertable: true,
    example: 'مسبح | حديقة',
  },
] as const satisfies readonly FilterRow[];

type FilterTable = typeof FILTERS;
export type FilterName = FilterTable[number]['name'];

/** The row of a filter, or the rows of several. */
export type RowOf<Name extends FilterName> = Extract<FilterTable[number], { name: Name }>;

/** The schema of a row's values. */
export type SchemaOf<Row extends FilterRow> = ReturnType<Row['kind']['schema']>;

/** Decoded and validated filter values by name, each typed by its kind's schema. */
export type FilterValues = { readonly [Row in FilterTable[number] as Row['name']]?: ValueOf<SchemaOf<Row>> };

export const filterRows = (): readonly FilterRow[] => FILTERS;

/** The rows of these filters, in the order of the table. */
export function rowsOf<Name extends FilterName>(names: readonly Name[]): readonly RowOf<Name>[] {
  const wanted = new Set<string>(names);
  return FILTERS.filter((row): row is RowOf<Name> => wanted.has(row.name));
}

/** The values of these filters alone, in the order of the table. Those that are not given are left out. */
export function pickFilters(values: FilterValues, names: readonly FilterName[]): FilterValues {
  const picked: { -readonly [Name in FilterName]?: FilterValues[Name] } = {};
  const pick = <Name extends FilterName>(name: Name): void => {
    if (values[name] !== undefined) picked[name] = values[name];
  };
  for (const { name } of rowsOf(names)) pick(name);
  return picked;
}

export const FILTER_NAMES: readonly FilterName[] = FILTERS.map(({ name }) => name);
