import type { Financing, Timestamp } from '#domain/listings/listing.ts';
import type {
  AdvertiserType,
  Amenity,
  ListingCategory,
  ListingType,
  PostedFrequency,
  PropertyType,
} from '#domain/listings/vocabulary.ts';
import type { PriceDoubt } from './price.ts';
import type { TextReading } from './text-price.ts';

/**
 * A row as stated by its source, after the source's `map` has renamed its fields. Values are unparsed: words in either
 * language, Arabic digits, units in strings.
 */
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
  /** The source's word for the period; ignored for sales. */
  price_period?: string | null;
  area?: string | number | null;
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
  /** The source's key of the advertiser, never a name or a telephone number. */
  advertiser_key?: string | null;
  verified?: string | number | boolean | null;
  financing?: Partial<Financing> | null;
  /** ISO date-time, or epoch seconds as number or digits. */
  updated_at?: string | number | null;
}

/** Reference of a unit to its off-plan project. */
interface RawProjectReference {
  /** Id of the project in the source's feed of projects. */
  id?: string | number | null;
  name?: string | null;
  developer?: string | null;
}

export interface ProjectReference {
  id: string | null;
  name: string | null;
  developer: string | null;
}

/** A normalized row: typed values in the service's vocabulary, with a location. */
export interface NormalizedListing {
  source: string;
  source_listing_id: string;
  url: string | null;
  title: string | null;
  description: string;
  /** The English text of the source; composed later if null. */
  description_en: string | null;
  listing_type: ListingType;
  listing_category: ListingCategory;
  property_type: PropertyType;
  price_yearly_sar: number | null;
  price_as_posted: { amount: number; frequency: PostedFrequency } | null;
  financing: Financing;
  bedrooms: number | null;
  bathrooms: number | null;
  livings: number | null;
  area_sqm: number | null;
  floor: string | null;
  age_years: number | null;
  furnished: boolean | null;
  amenities: Amenity[];
  /** Fields and amenities that only the advertiser's text states. */
  from_text: string[];
  /** Price and area in the text that differ from the posted ones. */
  text_readings: TextReading[];
  city: string;
  neighborhood_id: number | null;
  /** Whether the source names the neighborhood. */
  neighborhood_stated: boolean;
  lat: number | null;
  lng: number | null;
  street_width_m: number | null;
  compound_name: string | null;
  /** Reference to the off-plan project of a unit; null for other ads. */
  project: ProjectReference | null;
  /** Photo addresses at the source, in order. */
  photos: string[];
  advertiser_wording: string | null;
  advertiser_type: AdvertiserType | null;
  advertiser_key: string | null;
  verified_by_source: boolean | null;
  /** Update time of the source; null if it publishes none. */
  source_updated_at: Timestamp | null;
}

/** Reasons for rejecting a row; `ingest_rejects.reason`. */
const REJECT_REASONS = [
  'malformed_row',
  'missing_id',
  'duplicate_id',
  'unknown_purpose',
  'wanted',
  'unknown_property_type',
  'unknown_city',
  'price_unreadable',
  'area_unreadable',
  'too_large',
  'missing_name',
  'unknown_status',
] as const;
export type RejectReason = (typeof REJECT_REASONS)[number];

/** Areas in square meters stated in the text; null if there are none or several. Used for matching ads. */
export interface AreasInText {
  home: number | null;
  plot: number | null;
}

export type NormalizeResult =
  /** `doubt`: why the posted price was dropped. */
  | { ok: true; listing: NormalizedListing; doubt: PriceDoubt | null; areas: AreasInText }
  | { ok: false; reason: RejectReason; detail: string };
