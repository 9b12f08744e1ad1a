import {
  amount,
  arrayOf,
  boolean,
  component,
  described,
  integer,
  type JsonSchema,
  type MutableValueOf,
  nullable,
  number,
  type ObjectSchema,
  object,
  oneOf,
  string,
  timestamp,
} from '../json-schema.ts';
import {
  ADVERTISER_TYPES,
  AMENITIES,
  LISTING_CATEGORIES,
  LISTING_TYPES,
  POSTED_FREQUENCIES,
  PROPERTY_TYPES,
  QUALITY_FLAGS,
} from '../listing-vocabulary.ts';
import { PLACE_FIELDS } from '../place-fields.ts';

/** `currency` is absent for riyals, so that listings keep their stored form. */
const AS_POSTED = {
  ...object({
    amount,
    frequency: oneOf(POSTED_FREQUENCIES),
    currency: described(
      string,
      'ISO 4217 code of the currency of `amount`, which is converted to SAR at its fixed rate. Omitted if the amount is in SAR.',
    ),
  }),
  required: ['amount', 'frequency'],
} as const;

/**
 * The `display` block, which is stored in the index and served byte for byte. The other fields depend on the client,
 * the time or the installation's URLs, and follow the block.
 */
const DISPLAY_FIELDS = {
  id: integer,
  title: nullable(string),
  headline: string,
  description: string,
  description_en: string,
  listing_type: oneOf(LISTING_TYPES),
  listing_category: oneOf(LISTING_CATEGORIES),
  property_type: oneOf(PROPERTY_TYPES),
  price: object({
    yearly_sar: described(
      nullable(amount),
      'Price in SAR, converted to a yearly rent or a total sale price. Null if no price was posted, or if the text shows that the posted amount does not cover the entire property; search excludes these listings.',
    ),
    as_posted: described(
      nullable(AS_POSTED),
      'Amount and period as posted by the advertiser; the frequency `total` is a total sale price, and `per_sqm` a price per square meter. Null if no price was posted.',
    ),
    previous_yearly_sar: described(nullable(amount), 'Null if the price has not changed.'),
    changed_at: described(nullable(timestamp), 'Null if the price has not changed.'),
  }),
  financing: object({
    rent_now_pay_later_monthly_sar: nullable(amount),
    accepts_bank_financing: nullable(boolean),
    landlord_payment_plans: object({
      monthly: nullable(boolean),
      quarterly: nullable(boolean),
      semiannually: nullable(boolean),
    }),
  }),
  bedrooms: nullable(integer),
  bathrooms: nullable(integer),
  livings: nullable(integer),
  area_sqm: nullable(number),
  floor: nullable(string),
  age_years: nullable(integer),
  furnished: nullable(boolean),
  amenities: arrayOf(oneOf(AMENITIES)),
  location: object({
    ...PLACE_FIELDS,
    lat: described(nullable(number), 'Latitude in degrees. Null if the source states no location.'),
    lng: described(nullable(number), 'Longitude in degrees. Null if the source states no location.'),
    street_width_m: nullable(number),
  }),
  compound_name: nullable(string),
  project_id: nullable(integer),
  image_count: integer,
  advertiser: object({ type: nullable(string) }),
  verified_by_source: nullable(boolean),
  also_listed_on: arrayOf(string),
  first_seen_at: timestamp,
  updated_at: described(
    timestamp,
    'Time of the last update at the source. If the source states no time, or its time does not reflect a change, the time when the service detected the change.',
  ),
} as const;

export type ListingDisplay = MutableValueOf<ObjectSchema<typeof DISPLAY_FIELDS>>;

const LISTING_FIELDS = {
  ...DISPLAY_FIELDS,
  // The additional fields of these objects, and the next two, are derived from the stored ones (`derived.ts`).
  location: object({ ...DISPLAY_FIELDS.location.properties, city_name_ar: nullable(string) }),
  advertiser: object({
    ...DISPLAY_FIELDS.advertiser.properties,
    class: { type: ['string', 'null'], enum: component('AdvertiserClass', [...ADVERTISER_TYPES, null]) } as const,
    ref: nullable(string),
  }),
  headline_ar: string,
  price_per_sqm_sar: nullable(amount),
  quality: described(
    arrayOf(oneOf(QUALITY_FLAGS)),
    'Quality flags that affect comparisons with other listings. Empty for most listings; the guide on statistics explains each flag.',
  ),
  modified_at: described(
    timestamp,
    'Time when the service last changed its data for the listing, with microsecond precision. The value is unique to the listing.',
  ),
  url: string,
  images: arrayOf(string),
  source: object({ name: string, listing_id: nullable(string), url: nullable(string) }),
  last_seen_at: timestamp,
  days_on_market: integer,
} as const;

/** On the Free plan, `source.listing_id` and `source.url` are null. */
export type Listing = MutableValueOf<ObjectSchema<typeof LISTING_FIELDS>>;

export const LISTING_SCHEMA: JsonSchema = component('Listing', object(LISTING_FIELDS));

const BATCH_LISTING_FIELDS = {
  ...LISTING_FIELDS,
  in_search: described(
    boolean,
    'Whether search returns the listing if `city` and `listing_type` are the only filters. False for listings without a price, or with an implausible price or size.',
  ),
} as const;

export const BATCH_LISTING_SCHEMA: JsonSchema = component('BatchListing', object(BATCH_LISTING_FIELDS));

export const LISTING_FIELD_NAMES = component('ListingField', Object.keys(LISTING_FIELDS));
export const BATCH_LISTING_FIELD_NAMES = component('BatchListingField', Object.keys(BATCH_LISTING_FIELDS));
