import { component } from './json-schema.ts';
import names from './listing-names.json' with { type: 'json' };
import { type Names, type NamesOf, namesIn } from './named.ts';

/** `GET /enums`, the schemas, the OpenAPI document and the normalizer use these values. */
const TEXTS = namesIn(names);

export type ListingType = keyof typeof TEXTS.listing_types;
export const LISTING_TYPES = component('ListingType', Object.keys(TEXTS.listing_types) as ListingType[]);

export type ListingCategory = keyof typeof TEXTS.listing_categories;
export const LISTING_CATEGORIES = component(
  'ListingCategory',
  Object.keys(TEXTS.listing_categories) as ListingCategory[],
);

export type PropertyType = keyof typeof TEXTS.property_types;
export const PROPERTY_TYPES = component('PropertyType', Object.keys(TEXTS.property_types) as PropertyType[]);

const COMMERCIAL_TYPES: ReadonlySet<PropertyType> = new Set<PropertyType>([
  'commercial_land',
  'commercial_building',
  'office',
  'shop',
  'showroom',
  'warehouse',
]);
export const PROPERTY_TYPE_TABLE = Object.fromEntries(
  PROPERTY_TYPES.map((type) => {
    const category: ListingCategory = COMMERCIAL_TYPES.has(type) ? 'commercial' : 'residential';
    return [type, { category, ...TEXTS.property_types[type] }];
  }),
) as Readonly<Record<PropertyType, Names & { category: ListingCategory }>>;

/** Types with one household per unit. Rental yields cover these by default. */
export const HOME_TYPES = component('HomeType', [
  'apartment',
  'villa',
  'floor',
  'duplex',
  'townhouse',
  'studio',
] as const satisfies readonly PropertyType[]);

export const LAND_TYPES: ReadonlySet<PropertyType> = new Set<PropertyType>(['land', 'commercial_land']);

export type RentFrequency = keyof typeof TEXTS.rent_frequencies;
export const RENT_FREQUENCIES = component('RentFrequency', Object.keys(TEXTS.rent_frequencies) as RentFrequency[]);

/** Payments per year. The posted amount multiplied by this number is `price.yearly_sar`. */
export const PAYMENTS_PER_YEAR: Readonly<Record<RentFrequency, number>> = {
  daily: 365,
  weekly: 52,
  monthly: 12,
  quarterly: 4,
  semiannually: 2,
  yearly: 1,
};

/** Value of `price.as_posted.frequency` for the total price of a sale. */
export const SALE_FREQUENCY = 'total';
/** `price.as_posted.frequency` of an amount per square meter: a sale price or a yearly rent. */
export const PER_SQM = 'per_sqm';
export const POSTED_FREQUENCIES = component('PostedFrequency', [...RENT_FREQUENCIES, SALE_FREQUENCY, PER_SQM] as const);
export type PostedFrequency = (typeof POSTED_FREQUENCIES)[number];

/** All up to `sold` are detected in the text. */
export type QualityFlag = keyof typeof TEXTS.quality_flags;
export const QUALITY_FLAGS = component('QualityFlag', Object.keys(TEXTS.quality_flags) as QualityFlag[]);
/** In ads with these flags, the text contradicts the posted price. They are excluded from deals. */
export const NOT_WHOLE_PRICE_FLAGS = [
  'text_price_differs',
  'partial_price',
  'starting_price',
  'text_contradicts',
  'sold',
] as const satisfies readonly QualityFlag[];

export type Amenity = keyof typeof TEXTS.amenities;
export const AMENITIES = component('Amenity', Object.keys(TEXTS.amenities) as Amenity[]);

/** A listing may have several (a roof annex is also upper) or none. */
export type FloorClass = keyof typeof TEXTS.floors;
export const FLOOR_CLASSES = component('FloorClass', Object.keys(TEXTS.floors) as FloorClass[]);

/** `advertiser.type` in a listing is the source's own wording. */
export type AdvertiserType = keyof typeof TEXTS.advertiser_types;
export const ADVERTISER_TYPES = component('AdvertiserType', Object.keys(TEXTS.advertiser_types) as AdvertiserType[]);

export const NAMES = {
  ...TEXTS,
  price_frequencies: { ...TEXTS.rent_frequencies, ...TEXTS.price_frequencies } satisfies NamesOf<PostedFrequency>,
};
