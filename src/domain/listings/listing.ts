import type { Location } from '../geography/location.ts';
import type { UnitProject } from '../off-plan/project.ts';
import type {
  AdvertiserType,
  Amenity,
  ListingCategory,
  ListingType,
  PostedFrequency,
  PropertyType,
  QualityFlag,
} from './vocabulary.ts';

/** ISO 8601 UTC date-time with seconds, `YYYY-MM-DDThh:mm:ssZ`. */
export type Timestamp = string;

interface Price {
  /** The comparable price: yearly rent, or the total for a sale, in SAR. */
  yearly_sar: number | null;
  /** The advertiser's own amount and period; null when no price was posted. */
  as_posted: { amount: number; frequency: PostedFrequency } | null;
  previous_yearly_sar: number | null;
  changed_at: Timestamp | null;
}

export interface Financing {
  rent_now_pay_later_monthly_sar: number | null;
  accepts_bank_financing: boolean | null;
  landlord_payment_plans: { monthly: boolean | null; quarterly: boolean | null; semiannually: boolean | null };
}

/**
 * The part of a listing that is stored in the index and served byte for byte (the `display` block). The other fields depend
 * on the caller, the time or the addresses of the installation, or are missing in some stored listings: `quality`,
 * `modified_at`, `url`, `images`, `source`, `last_seen_at` and `days_on_market` are rendered from `ListingPrivate` and
 * follow the block.
 */
export interface ListingDisplay {
  id: number;
  title: string | null;
  headline: string;
  description: string;
  description_en: string;
  listing_type: ListingType;
  listing_category: ListingCategory;
  property_type: PropertyType;
  price: Price;
  financing: Financing;
  bedrooms: number | null;
  bathrooms: number | null;
  livings: number | null;
  area_sqm: number | null;
  floor: string | null;
  age_years: number | null;
  furnished: boolean | null;
  amenities: Amenity[];
  location: Location;
  compound_name: string | null;
  project_id: number | null;
  image_count: number;
  advertiser: { type: string | null };
  verified_by_source: boolean | null;
  also_listed_on: string[];
  first_seen_at: Timestamp;
  updated_at: Timestamp;
}

/** Stored with `display` and never served: data for rendering and rebuilding a document. */
export interface ListingPrivate {
  /** `source.name`. */
  source: string;
  source_listing_id: string;
  /** Keys of the photos in the CDN bucket (letters, digits, `/`, `.`, `-` only), in order. */
  photos: string[];
  /** Epoch seconds of `first_seen_at`, for `days_on_market` without parsing a date. */
  first_seen: number;
  /** Epoch seconds of the last confirmation that the listing is live, when the document was written. */
  last_seen: number;
  advertiser_type: AdvertiserType | null;
  /** Equal for ads of one advertiser, without identifying the advertiser. Null if the source states none. */
  advertiser: string | null;
  /** Plausibility by bounds of the property type, and by bounds of all types together. */
  plausible_typed: boolean;
  plausible_pooled: boolean;
  /** Epoch microseconds of `modified_at`. Missing in documents of earlier versions, which use `firstModified`. */
  modified?: number;
  /** Quality flags; undefined if there are none, so that listings without flags keep their stored form. */
  quality?: QualityFlag[];
  /** Filtered fields of the off-plan project of a unit; undefined in documents of earlier versions. */
  project?: UnitProject | null;
}

/** The `_source` of an index document: everything needed to serve it and to rebuild the document. */
export interface StoredListing {
  display: ListingDisplay;
  private: ListingPrivate;
}

/** A served listing. On the Free plan, `source.listing_id` and `source.url` are null. */
export interface Listing extends ListingDisplay {
  quality: QualityFlag[];
  /** With microseconds, `YYYY-MM-DDThh:mm:ss.ffffffZ`. */
  modified_at: string;
  url: string;
  images: string[];
  source: { name: string; listing_id: string | null; url: string | null };
  last_seen_at: Timestamp;
  days_on_market: number;
}
