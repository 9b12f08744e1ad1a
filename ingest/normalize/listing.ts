import type { Financing, Timestamp } from '#domain/listings/listing.ts';
import type {
  AdvertiserType,
  Amenity,
  ListingCategory,
  ListingType,
  PostedFrequency,
  PropertyType,
  QualityFlag,
} from '#domain/listings/vocabulary.ts';
import type { PriceDoubt } from './price.ts';
import type { TextReading } from './text-price.ts';

/** A row as its source's `map` has renamed the fields, with unparsed values: words, Arabic digits, units. */
export interface RawListing {
  source_listing_id: string;
  url?: string | null;
  title?: string | null;
  description?: string | null;
  description_en?: string | null;
  /** The source's word for rent or sale. */
  purpose: string;
  /** The source's word for the property type. */
  property_type: string;
  price?: string | number | null;
  /** The source's word for the rent period; ignored for sales. */
  price_period?: string | null;
  /** The currency of `price`, for sources with a column for it; by default, the currency in the price, else riyals. */
  currency?: string | null;
  area?: string | number | null;
  /** The unit of `area`, for sources with a column for it; by default, the unit in the area, else square meters. */
  area_unit?: string | null;
  bedrooms?: string | number | null;
  bathrooms?: string | number | null;
  livings?: string | number | null;
  floor?: string | number | null;
  age_years?: string | number | null;
  furnished?: string | number | boolean | null;
  amenities?: readonly string[] | null;
  city?: string | null;
  neighborhood?: string | null;
  lat?: string | number | null;
  lng?: string | number | null;
  street_width?: string | number | null;
  compound_name?: string | null;
  project?: RawProjectReference | null;
  photos?: readonly string[] | null;
  advertiser_type?: string | null;
  /** The source's key for the advertiser, never a name or a telephone number. */
  advertiser_key?: string | null;
  verified?: string | number | boolean | null;
  financing?: Partial<Financing> | null;
  /** Time in any format that `readDate` reads. Without an offset, it is of the source's time zone. */
  updated_at?: string | number | null;
}

/** A unit's reference to its off-plan project. */
interface RawProjectReference {
  /** Id of the project in the source's project feed. */
  id?: string | number | null;
  name?: string | null;
  developer?: string | null;
}

export interface ProjectReference {
  id: string | null;
  name: string | null;
  developer: string | null;
}

/** A price in the advertiser's amount and currency; in riyals if `currency` is undefined. */
export interface PriceAsPosted {
  amount: number;
  frequency: PostedFrequency;
  /** ISO 4217 code. */
  currency?: string;
}

/** A normalized row: typed values from the service's vocabulary, with a location. */
export interface NormalizedListing {
  source: string;
  source_listing_id: string;
  url: string | null;
  title: string | null;
  description: string;
  /** The source's English text; if null, a description is composed later. */
  description_en: string | null;
  listing_type: ListingType;
  listing_category: ListingCategory;
  property_type: PropertyType;
  price_yearly_sar: number | null;
  price_as_posted: PriceAsPosted | null;
  financing: Financing;
  bedrooms: number | null;
  bathrooms: number | null;
  livings: number | null;
  area_sqm: number | null;
  floor: string | null;
  age_years: number | null;
  furnished: boolean | null;
  amenities: Amenity[];
  /** Fields and amenities that are stated only in the advertiser's text. */
  from_text: string[];
  /** Passages of the text that give the ad a quality flag, such as a price that differs from the field. */
  text_readings: TextReading[];
  city: string;
  neighborhood_id: number | null;
  /** Whether the source names the neighborhood. */
  neighborhood_stated: boolean;
  lat: number | null;
  lng: number | null;
  street_width_m: number | null;
  compound_name: string | null;
  /** The unit's reference to its off-plan project; null for other ads. */
  project: ProjectReference | null;
  /** Photo URLs at the source, in order. */
  photos: string[];
  advertiser_wording: string | null;
  advertiser_type: AdvertiserType | null;
  advertiser_key: string | null;
  verified_by_source: boolean | null;
  /** The source's update time; null if the source publishes none. */
  source_updated_at: Timestamp | null;
}

/** Reasons for rejecting a row or one of its values, as stored in `ingest_rejects.reason`. */
const REJECT_REASONS = [
  'malformed_row',
  'missing_id',
  'duplicate_id',
  'unknown_purpose',
  'wanted',
  'unknown_property_type',
  'unknown_city',
  'too_large',
  'missing_name',
  'unknown_status',
  'refused_by_store',
] as const;
export type RejectReason = (typeof REJECT_REASONS)[number] | `${UnreadValue['field'] | keyof RawListing}_unreadable`;

/** A stated value that cannot be read. The ad is stored without it. */
export interface UnreadValue {
  field:
    | 'price'
    | 'area'
    | 'bedrooms'
    | 'bathrooms'
    | 'livings'
    | 'floor'
    | 'age'
    | 'furnished'
    | 'street_width'
    | 'point'
    | 'date';
  value: string;
}

/** Areas in the text in square meters; null if none or several are stated. Used for matching ads. */
export interface AreasInText {
  home: number | null;
  plot: number | null;
}

export type NormalizeResult =
  | {
      ok: true;
      listing: NormalizedListing;
      /** The reason why the posted amount is no price. */
      doubt: PriceDoubt | null;
      /** The flag of the text that hides the listing from searches. */
      implausible: QualityFlag | null;
      areas: AreasInText;
      unread: UnreadValue[];
    }
  | { ok: false; reason: RejectReason; detail: string };
