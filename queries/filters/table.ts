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

interface LabelledRow extends FilterRow {
  /** Its name in the explorer. */
  label: Readonly<Record<'en' | 'ar', string>>;
}

/**
 * The filters of search and count, in the order they are documented and reported. From this table come the query
 * schema, the OpenAPI parameters, the clauses, the JSON filters of exports and webhooks, and the percolator queries.
 * To add one: add its row, its examples in test/queries/filters/examples, the Arabic of its description in
 * src/openapi/arabic/sentences.ts, and the mapped field if it is new.
 */
export const FILTERS = [
  {
    name: 'city',
    label: { en: 'City', ar: 'المدينة' },
    kind: kinds.city,
    field: 'filter.city',
    description: 'City slug from `GET /cities`.',
    alertable: true,
    required: true,
    example: 'riyadh',
  },
  {
    name: 'listing_type',
    label: { en: 'Offer', ar: 'العرض' },
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
    label: { en: 'Neighborhood', ar: 'الحي' },
    kind: kinds.anyOfNeighborhoods,
    field: 'filter.neighborhood_id',
    description: 'Any of these neighborhoods. Listings with no neighborhood are dropped.',
    alertable: true,
    example: '1001,1002',
  },
  {
    name: 'neighborhood_id_exclude',
    label: { en: 'Not in these neighborhoods', ar: 'عدا هذه الأحياء' },
    kind: kinds.noneOfNeighborhoods,
    field: 'filter.neighborhood_id',
    description: 'None of these neighborhoods. Listings with no neighborhood are kept.',
    alertable: true,
    example: '1003',
  },
  {
    name: 'bbox',
    label: { en: 'Area on the map', ar: 'منطقة على الخريطة' },
    kind: kinds.bbox,
    field: 'filter',
    description: 'Bounding box `min_lng,min_lat,max_lng,max_lat` in degrees, borders included.',
    alertable: true,
    example: '46.6,24.6,46.8,24.9',
  },
  {
    name: 'compound',
    label: { en: 'Compound by name', ar: 'اسم المجمّع' },
    kind: kinds.nameOrAny,
    field: 'filter.compound',
    description: 'The literal `true` for any compound, `false` for none, otherwise a compound name.',
    alertable: true,
    example: 'true',
  },
  {
    name: 'in_compound',
    label: { en: 'In a compound', ar: 'داخل مجمّع' },
    kind: kinds.present,
    field: 'filter.compound',
    description: 'Whether the listing lies in a named compound.',
    alertable: true,
    example: 'false',
  },
  {
    name: 'listing_category',
    label: { en: 'Category', ar: 'الفئة' },
    kind: kinds.one,
    field: 'filter.listing_category',
    description: 'Residential or commercial.',
    values: LISTING_CATEGORIES,
    alertable: true,
    example: 'residential',
  },
  {
    name: 'property_type',
    label: { en: 'Property type', ar: 'نوع العقار' },
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
    label: { en: 'Price from (SAR)', ar: 'السعر من (ريال)' },
    kind: kinds.amountAtLeast,
    field: 'filter.price',
    description: 'Lowest comparable price in SAR: yearly rent, or the total of a sale.',
    alertable: true,
    example: '30000',
  },
  {
    name: 'price_max',
    label: { en: 'Price to (SAR)', ar: 'السعر إلى (ريال)' },
    kind: kinds.amountAtMost,
    field: 'filter.price',
    description: 'Highest comparable price in SAR: yearly rent, or the total of a sale.',
    alertable: true,
    notBelow: 'price_min',
    example: '90000',
  },
  {
    name: 'rent_frequency',
    label: { en: 'Rent posted by', ar: 'فترة الإيجار المنشورة' },
    kind: kinds.anyOf,
    field: 'filter.rent_frequency',
    description: 'The period that the advertiser posted the rent for.',
    values: RENT_FREQUENCIES,
    alertable: true,
    example: 'yearly,monthly',
  },
  {
    name: 'area_min',
    label: { en: 'Area from (m²)', ar: 'المساحة من (م²)' },
    kind: kinds.amountAtLeast,
    field: 'filter.area',
    description: 'Smallest area in square meters.',
    alertable: true,
    example: '100',
  },
  {
    name: 'area_max',
    label: { en: 'Area to (m²)', ar: 'المساحة إلى (م²)' },
    kind: kinds.amountAtMost,
    field: 'filter.area',
    description: 'Largest area in square meters.',
    alertable: true,
    notBelow: 'area_min',
    example: '250',
  },
  {
    name: 'beds',
    label: { en: 'Bedrooms', ar: 'غرف النوم' },
    kind: kinds.exactly,
    field: 'filter.beds',
    description: 'Exact number of bedrooms, one or several: 5 does not mean five or more.',
    alertable: true,
    example: '3',
  },
  {
    name: 'bathrooms',
    label: { en: 'Bathrooms', ar: 'دورات المياه' },
    kind: kinds.exactly,
    field: 'filter.bathrooms',
    description: 'Exact number of bathrooms, one or several.',
    alertable: true,
    example: '2,3',
  },
  {
    name: 'beds_min',
    label: { en: 'Bedrooms from', ar: 'غرف النوم من' },
    kind: kinds.atLeast,
    field: 'filter.beds',
    description: 'Fewest bedrooms.',
    alertable: true,
    example: '2',
  },
  {
    name: 'beds_max',
    label: { en: 'Bedrooms to', ar: 'غرف النوم إلى' },
    kind: kinds.atMost,
    field: 'filter.beds',
    description: 'Most bedrooms.',
    alertable: true,
    notBelow: 'beds_min',
    example: '4',
  },
  {
    name: 'bathrooms_min',
    label: { en: 'Bathrooms from', ar: 'دورات المياه من' },
    kind: kinds.atLeast,
    field: 'filter.bathrooms',
    description: 'Fewest bathrooms.',
    alertable: true,
    example: '1',
  },
  {
    name: 'bathrooms_max',
    label: { en: 'Bathrooms to', ar: 'دورات المياه إلى' },
    kind: kinds.atMost,
    field: 'filter.bathrooms',
    description: 'Most bathrooms.',
    alertable: true,
    notBelow: 'bathrooms_min',
    example: '4',
  },
  {
    name: 'livings_min',
    label: { en: 'Living rooms from', ar: 'الصالات من' },
    kind: kinds.atLeast,
    field: 'filter.livings',
    description: 'Fewest living rooms.',
    alertable: true,
    example: '1',
  },
  {
    name: 'amenities',
    label: { en: 'With', ar: 'مع' },
    kind: kinds.allOf,
    field: 'filter.amenities',
    description: 'Amenities that must all be there.',
    values: AMENITIES,
    alertable: true,
    example: 'lift,parking',
  },
  {
    name: 'amenities_exclude',
    label: { en: 'Without', ar: 'بدون' },
    kind: kinds.noneOf,
    field: 'filter.amenities',
    description: 'Amenities none of which may be there.',
    values: AMENITIES,
    alertable: true,
    example: 'pool',
  },
  {
    name: 'furnished',
    label: { en: 'Furnished', ar: 'مفروش' },
    kind: kinds.stated,
    field: 'filter.furnished',
    description: 'Furnished or not, as stated; a listing that does not say is in neither.',
    alertable: true,
    example: 'true',
  },
  {
    name: 'floor',
    label: { en: 'Floor', ar: 'الدور' },
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
    label: { en: 'Building age to (years)', ar: 'عمر المبنى حتى (سنة)' },
    kind: kinds.atMost,
    field: 'filter.age',
    description: 'Greatest age of the building in years.',
    alertable: true,
    example: '10',
  },
  {
    name: 'verified',
    label: { en: 'Verified by the source', ar: 'موثّق لدى المصدر' },
    kind: kinds.marked,
    field: 'filter.verified',
    description:
      'Marked verified by its source. `false` means not marked, including listings the source said nothing about.',
    alertable: true,
    example: 'true',
  },
  {
    name: 'updated_since',
    label: { en: 'Updated since', ar: 'محدَّث منذ' },
    kind: kinds.since,
    field: 'filter.updated_at',
    description: 'Updated at or after this moment, `YYYY-MM-DDThh:mm:ssZ` with seconds.',
    alertable: false,
    example: '2026-01-31T00:00:00Z',
  },
  {
    name: 'modified_since',
    label: { en: 'Modified since', ar: 'معدَّل منذ' },
    kind: kinds.sinceMicros,
    field: 'filter.modified',
    description:
      'Modified at or after this moment: `modified_at` of the last row read, or `pagination.watermark`. Takes up to six digits of fraction, `YYYY-MM-DDThh:mm:ss.ffffffZ`.',
    alertable: false,
    example: '2026-01-31T00:00:00.000000Z',
  },
  {
    name: 'days_on_market_min',
    label: { en: 'Days on market from', ar: 'أيام العرض من' },
    kind: kinds.daysAtLeast,
    field: 'filter.first_seen_at',
    description: 'Fewest whole days since the service first saw the listing.',
    alertable: false,
    example: '7',
  },
  {
    name: 'days_on_market_max',
    label: { en: 'Days on market to', ar: 'أيام العرض إلى' },
    kind: kinds.daysAtMost,
    field: 'filter.first_seen_at',
    description: 'Most whole days since the service first saw the listing.',
    alertable: false,
    notBelow: 'days_on_market_min',
    example: '60',
  },
  {
    name: 'source',
    label: { en: 'Source', ar: 'المصدر' },
    kind: kinds.anyOf,
    field: 'filter.source',
    description: "Any of these sources (the listing's own `source.name`). Names are not validated.",
    alertable: true,
    example: 'aqarna',
  },
  {
    name: 'source_exclude',
    label: { en: 'Not from these sources', ar: 'عدا هذه المصادر' },
    kind: kinds.noneOf,
    field: 'filter.source',
    description: "None of these sources (the listing's own `source.name`). Names are not validated.",
    alertable: true,
    example: 'aqarna',
  },
  {
    name: 'advertiser_type',
    label: { en: 'Advertiser', ar: 'المعلن' },
    kind: kinds.anyOf,
    field: 'filter.advertiser_type',
    description: "Whether a company or an individual advertises; `advertiser.type` keeps the source's own wording.",
    values: ADVERTISER_TYPES,
    alertable: true,
    example: 'company',
  },
  {
    name: 'quality',
    label: { en: 'Quality flags', ar: 'ملاحظات الجودة' },
    kind: kinds.anyOf,
    field: 'filter.quality',
    description: 'Listings with any of these quality flags.',
    values: QUALITY_FLAGS,
    alertable: true,
    example: 'starting_price',
  },
  {
    name: 'quality_exclude',
    label: { en: 'Without quality flags', ar: 'بلا ملاحظات الجودة هذه' },
    kind: kinds.noneOf,
    field: 'filter.quality',
    description: 'Listings with none of these quality flags.',
    values: QUALITY_FLAGS,
    alertable: true,
    example: 'far_below_comparables,shared_photos',
  },
  {
    name: 'q',
    label: { en: 'Words in the ad', ar: 'كلمات في الإعلان' },
    kind: kinds.text,
    field: 'text.body',
    description:
      'Searches the advertiser\'s title and description. All words must appear, in either language; a "quoted phrase" matches whole; `|` between two terms means either. Names of places match in both languages and in their usual spellings, numbers in words match digits, and a word that appears nowhere matches within one edit. A word that the text mentions as absent (`no pool`) does not match; `no pool` finds those texts. Stop words such as `the` and `في` are ignored, so at least one other word is required. Exclusions (`-`), wildcards (`*`) and field names are not supported.',
    alertable: true,
    example: 'مسبح | حديقة',
  },
] as const satisfies readonly LabelledRow[];

type FilterTable = typeof FILTERS;
export type FilterName = FilterTable[number]['name'];

/** The row of a filter, or the rows of several. */
export type RowOf<Name extends FilterName> = Extract<FilterTable[number], { name: Name }>;

/** The schema of a row's values. */
export type SchemaOf<Row extends FilterRow> = ReturnType<Row['kind']['schema']>;

/** Decoded and validated filter values by name, each typed by its kind's schema. */
export type FilterValues = { readonly [Row in FilterTable[number] as Row['name']]?: ValueOf<SchemaOf<Row>> };

export const filterRows = (): readonly LabelledRow[] => FILTERS;

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
