import type { JsonSchema } from '../json-schema.ts';
import {
  arrayOf,
  boolean,
  component,
  described,
  integer,
  nullable,
  number,
  object,
  oneOf,
  string,
  timestamp,
} from '../json-schema.ts';
import {
  AMENITIES,
  LISTING_CATEGORIES,
  LISTING_TYPES,
  POSTED_FREQUENCIES,
  PROPERTY_TYPES,
  QUALITY_FLAGS,
} from './vocabulary.ts';

const LISTING_FIELDS: Readonly<Record<string, JsonSchema>> = {
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
      nullable(number),
      'The comparable price in SAR: the rent of a year, or the total of a sale. Null when no price was posted, or the text shows that the posted amount is not the price of the whole; search never returns such a listing.',
    ),
    as_posted: described(
      nullable(object({ amount: number, frequency: oneOf(POSTED_FREQUENCIES) })),
      "The advertiser's own amount and period; `total` is the price of a sale, `per_sqm` a price for each square meter. Null when no price was posted.",
    ),
    previous_yearly_sar: described(nullable(number), 'Null when the price has not changed.'),
    changed_at: described(nullable(timestamp), 'Null when the price has not changed.'),
  }),
  financing: object({
    rent_now_pay_later_monthly_sar: nullable(number),
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
    city: string,
    city_name_en: string,
    neighborhood_id: nullable(integer),
    neighborhood_name_ar: nullable(string),
    neighborhood_name_en: nullable(string),
    lat: described(nullable(number), 'Null, with `lng`, when the source gives no point.'),
    lng: described(nullable(number), 'Null, with `lat`, when the source gives no point.'),
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
    'The last update at the source. Where the source states no time, or none that shows a change, when the service found the change.',
  ),
  quality: described(
    arrayOf(oneOf(QUALITY_FLAGS)),
    'What the service found that matters when the listing is compared with others. Empty for most listings; the guide on statistics explains each value.',
  ),
  modified_at: described(
    timestamp,
    'When the service last changed what it serves of the listing, in microseconds. Unique among listings.',
  ),
  url: string,
  images: arrayOf(string),
  source: object({ name: string, listing_id: nullable(string), url: nullable(string) }),
  last_seen_at: timestamp,
  days_on_market: integer,
};

/** The spec's Listing as a JSON schema, in the order it is served. */
export const LISTING_SCHEMA: JsonSchema = component('Listing', object(LISTING_FIELDS));

/** A listing that was looked up among others, which search may leave out. */
export const BATCH_LISTING_SCHEMA: JsonSchema = component(
  'BatchListing',
  object({
    ...LISTING_FIELDS,
    in_search: described(
      boolean,
      "Whether a search by the listing's `city` and `listing_type` alone returns it. `false` for listings that search excludes as implausible or because they have no price.",
    ),
  }),
);
