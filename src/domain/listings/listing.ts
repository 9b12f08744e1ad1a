import type { UnitProject } from '../off-plan/project.ts';
import type { ListingDisplay } from './schema.ts';
import type { AdvertiserType, QualityFlag } from './vocabulary.ts';

export type { Listing, ListingDisplay } from './schema.ts';

/** ISO 8601 UTC date-time with seconds, `YYYY-MM-DDThh:mm:ssZ`. */
export type Timestamp = string;

export type Location = ListingDisplay['location'];
export type Financing = ListingDisplay['financing'];

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
