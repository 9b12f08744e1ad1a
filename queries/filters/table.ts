import {
  ADVERTISER_TYPES,
  AMENITIES,
  FLOOR_CLASSES,
  LISTING_CATEGORIES,
  LISTING_TYPES,
  PROPERTY_TYPES,
  QUALITY_FLAGS,
  RENT_FREQUENCIES,
} from '#domain/listing-vocabulary.ts';
import type { DeclaredRow, LabelledRow, ValuesOfRows } from './kinds.ts';
import * as kinds from './kinds.ts';
import { PLACE_FILTERS } from './place-filters.ts';

/** A filter without a field reads the one of its name. */
function withFields<const Rows extends readonly DeclaredRow[]>(rows: Rows) {
  type Placed = { readonly [At in keyof Rows]: Rows[At] & { readonly field: string } };
  return rows.map((row) => ({ field: `filter.${row.name}`, ...row })) as unknown as Placed;
}

/** All listing filters, in the order of documentation and error reports. To add a filter: `docs/how-to/filter.md`. */
export const FILTERS = withFields([
  {
    name: 'city',
    label: { en: 'City', ar: 'المدينة' },
    kind: kinds.city,
    description: 'City slug from `GET /cities`.',
    required: true,
    example: 'riyadh',
  },
  {
    name: 'listing_type',
    label: { en: 'Offer', ar: 'العرض' },
    kind: kinds.one,
    description: 'Listing type: for rent or for sale.',
    values: LISTING_TYPES,
    required: true,
    example: 'rent',
  },
  ...PLACE_FILTERS,
  {
    name: 'listing_category',
    label: { en: 'Category', ar: 'الفئة' },
    kind: kinds.one,
    description: 'Listing category: residential or commercial.',
    values: LISTING_CATEGORIES,
    example: 'residential',
  },
  {
    name: 'property_type',
    label: { en: 'Property type', ar: 'نوع العقار' },
    kind: kinds.anyOf,
    description:
      'One or more property types; a listing of any of them matches. With exactly one type, implausible listings are excluded by the price and size bounds of that type, otherwise by wider bounds: a search of several types returns every listing that a search of one of them returns.',
    values: PROPERTY_TYPES,
    example: 'apartment,villa',
  },
  {
    name: 'price_min',
    label: { en: 'Price from (SAR)', ar: 'السعر من (ريال)' },
    kind: kinds.amountAtLeast,
    field: 'filter.price',
    description: 'Minimum price in SAR: the yearly rent, or the total sale price.',
    example: '30000',
  },
  {
    name: 'price_max',
    label: { en: 'Price to (SAR)', ar: 'السعر إلى (ريال)' },
    kind: kinds.amountAtMost,
    field: 'filter.price',
    description: 'Maximum price in SAR: the yearly rent, or the total sale price.',
    notBelow: 'price_min',
    example: '90000',
  },
  {
    name: 'rent_frequency',
    label: { en: 'Rent posted by', ar: 'فترة الإيجار المنشورة' },
    kind: kinds.anyOf,
    description: 'One or more rent periods, as posted by the advertiser; a listing with any of them matches.',
    values: RENT_FREQUENCIES,
    example: 'yearly,monthly',
  },
  {
    name: 'area_min',
    label: { en: 'Area from (m²)', ar: 'المساحة من (م²)' },
    kind: kinds.amountAtLeast,
    field: 'filter.area',
    description: 'Minimum area in square meters.',
    example: '100',
  },
  {
    name: 'area_max',
    label: { en: 'Area to (m²)', ar: 'المساحة إلى (م²)' },
    kind: kinds.amountAtMost,
    field: 'filter.area',
    description: 'Maximum area in square meters.',
    notBelow: 'area_min',
    example: '250',
  },
  {
    name: 'beds',
    label: { en: 'Bedrooms', ar: 'غرف النوم' },
    kind: kinds.exactly,
    description: 'One or more exact numbers of bedrooms; `5` does not include listings with more.',
    example: '3',
  },
  {
    name: 'bathrooms',
    label: { en: 'Bathrooms', ar: 'دورات المياه' },
    kind: kinds.exactly,
    description: 'One or more exact numbers of bathrooms; a listing with any of them matches.',
    example: '2,3',
  },
  {
    name: 'beds_min',
    label: { en: 'Bedrooms from', ar: 'غرف النوم من' },
    kind: kinds.atLeast,
    field: 'filter.beds',
    description: 'Minimum number of bedrooms.',
    example: '2',
  },
  {
    name: 'beds_max',
    label: { en: 'Bedrooms to', ar: 'غرف النوم إلى' },
    kind: kinds.atMost,
    field: 'filter.beds',
    description: 'Maximum number of bedrooms.',
    notBelow: 'beds_min',
    example: '4',
  },
  {
    name: 'bathrooms_min',
    label: { en: 'Bathrooms from', ar: 'دورات المياه من' },
    kind: kinds.atLeast,
    field: 'filter.bathrooms',
    description: 'Minimum number of bathrooms.',
    example: '1',
  },
  {
    name: 'bathrooms_max',
    label: { en: 'Bathrooms to', ar: 'دورات المياه إلى' },
    kind: kinds.atMost,
    field: 'filter.bathrooms',
    description: 'Maximum number of bathrooms.',
    notBelow: 'bathrooms_min',
    example: '4',
  },
  {
    name: 'livings_min',
    label: { en: 'Living rooms from', ar: 'الصالات من' },
    kind: kinds.atLeast,
    field: 'filter.livings',
    description: 'Minimum number of living rooms.',
    example: '1',
  },
  {
    name: 'amenities',
    label: { en: 'With', ar: 'مع' },
    kind: kinds.allOf,
    description: 'One or more required amenities; only listings with all of them match.',
    values: AMENITIES,
    example: 'lift,parking',
  },
  {
    name: 'amenities_exclude',
    label: { en: 'Without', ar: 'بدون' },
    kind: kinds.noneOf,
    field: 'filter.amenities',
    description: 'One or more excluded amenities; only listings with none of them match.',
    values: AMENITIES,
    example: 'pool',
  },
  {
    name: 'furnished',
    label: { en: 'Furnished', ar: 'مفروش' },
    kind: kinds.stated,
    description: 'Whether the listing is furnished; listings that do not state this match neither `true` nor `false`.',
    example: 'true',
  },
  {
    name: 'floor',
    label: { en: 'Floor', ar: 'الدور' },
    kind: kinds.anyOf,
    description:
      'One or more floor classes; a listing on any of them matches. A listing can be both `ground` and `upper`, and a listing without a stated floor is neither.',
    values: FLOOR_CLASSES,
    example: 'ground',
  },
  {
    name: 'max_age',
    label: { en: 'Building age to (years)', ar: 'عمر المبنى حتى (سنة)' },
    kind: kinds.atMost,
    field: 'filter.age',
    description: 'Maximum age of the building in years.',
    example: '10',
  },
  {
    name: 'verified',
    label: { en: 'Verified by the source', ar: 'موثّق لدى المصدر' },
    kind: kinds.marked,
    description:
      'Whether the source marks the listing as verified. `false` also matches listings whose source states nothing.',
    example: 'true',
  },
  {
    name: 'updated_since',
    label: { en: 'Updated since', ar: 'محدَّث منذ' },
    kind: kinds.since,
    field: 'filter.updated_at',
    description: 'Earliest update time, inclusive, as `YYYY-MM-DDThh:mm:ssZ` with seconds.',
    changesWithTime: true,
    example: '2026-01-31T00:00:00Z',
  },
  {
    name: 'modified_since',
    label: { en: 'Modified since', ar: 'معدَّل منذ' },
    kind: kinds.sinceMicros,
    field: 'filter.modified',
    description:
      'Earliest modification time, inclusive; to synchronize, pass `modified_at` of the last row received, or `pagination.watermark`. Accepts up to six fractional digits, `YYYY-MM-DDThh:mm:ss.ffffffZ`.',
    changesWithTime: true,
    example: '2026-01-31T00:00:00.000000Z',
  },
  {
    name: 'days_on_market_min',
    label: { en: 'Days on market from', ar: 'أيام العرض من' },
    kind: kinds.daysAtLeast,
    field: 'filter.first_seen_at',
    description: 'Minimum number of whole days since the service first found the listing.',
    changesWithTime: true,
    example: '7',
  },
  {
    name: 'days_on_market_max',
    label: { en: 'Days on market to', ar: 'أيام العرض إلى' },
    kind: kinds.daysAtMost,
    field: 'filter.first_seen_at',
    description: 'Maximum number of whole days since the service first found the listing.',
    changesWithTime: true,
    notBelow: 'days_on_market_min',
    example: '60',
  },
  {
    name: 'source',
    label: { en: 'Source', ar: 'المصدر' },
    kind: kinds.anyOf,
    description:
      'One or more sources by `source.name`; a listing on any of them matches, also if it is in `also_listed_on`. Unknown names are accepted and match no listing.',
    example: 'aqarna',
  },
  {
    name: 'source_exclude',
    label: { en: 'Not from these sources', ar: 'عدا هذه المصادر' },
    kind: kinds.noneOf,
    field: 'filter.source',
    description:
      'One or more sources to exclude, by `source.name` and `also_listed_on`. Unknown names are accepted and match no listing.',
    example: 'aqarna',
  },
  {
    name: 'advertiser',
    label: { en: 'Company', ar: 'الشركة' },
    kind: kinds.anyOf,
    description:
      'One or more companies by `advertiser.ref`; a listing of any of them matches. Unknown ids are accepted and match no listing.',
    example: 'adv_5f0c2b9e7a1d4c3e8b6f',
  },
  {
    name: 'advertiser_type',
    label: { en: 'Advertiser', ar: 'المعلن' },
    kind: kinds.anyOf,
    description:
      'One or more advertiser types: company or individual; `advertiser.type` in the response repeats the wording of the source.',
    values: ADVERTISER_TYPES,
    example: 'company',
  },
  {
    name: 'quality',
    label: { en: 'Quality flags', ar: 'ملاحظات الجودة' },
    kind: kinds.anyOf,
    description: 'One or more quality flags; a listing with any of them matches.',
    values: QUALITY_FLAGS,
    example: 'starting_price',
  },
  {
    name: 'quality_exclude',
    label: { en: 'Without quality flags', ar: 'بلا ملاحظات الجودة هذه' },
    kind: kinds.noneOf,
    field: 'filter.quality',
    description: 'One or more quality flags to exclude; only listings with none of them match.',
    values: QUALITY_FLAGS,
    example: 'far_below_comparables,shared_photos',
  },
  {
    name: 'q',
    label: { en: 'Words in the ad', ar: 'كلمات في الإعلان' },
    kind: kinds.text,
    field: 'text.body',
    description:
      'Search text, matched against the title and description of the listing. All words must appear, in Arabic or English; a "quoted phrase" matches exactly; `|` between two terms matches either. Place names match in both languages and common spellings, number words match digits, and a word that appears in no listing matches words that differ from it by one character. A word that a listing negates, as in `no pool`, does not match; search for `no pool` to find these listings. Stop words such as `the` and `في` are ignored; at least one other word is required. Exclusions (`-`), wildcards (`*`) and field names are not supported.',
    example: 'مسبح | حديقة',
  },
]);

type FilterTable = typeof FILTERS;
export type FilterName = FilterTable[number]['name'];

type RowOf<Name extends FilterName> = Extract<FilterTable[number], { name: Name }>;

export type FilterValues = ValuesOfRows<FilterTable[number]>;

export const filterRows = (): readonly LabelledRow[] => FILTERS;

export function rowsOf<Name extends FilterName>(names: readonly Name[]): readonly RowOf<Name>[] {
  const wanted = new Set<string>(names);
  return FILTERS.filter((row): row is RowOf<Name> => wanted.has(row.name));
}

export const rowOf = <Name extends FilterName>(name: Name): RowOf<Name> => rowsOf([name])[0] as RowOf<Name>;
