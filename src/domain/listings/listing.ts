import type { UnitProject } from '../off-plan/project.ts';
import type { ListingDisplay } from './schema.ts';
import type { AdvertiserType, QualityFlag } from './vocabulary.ts';

export type { Listing, ListingDisplay } from './schema.ts';

/** ISO 8601 UTC date-time with seconds, `YYYY-MM-DDThh:mm:ssZ`. */
export type Timestamp = string;

export type Location = ListingDisplay['location'];
export type Financing = ListingDisplay['financing'];

/** Fields stored with `display`, from which responses and documents are built. They are not served as stored. */
export interface ListingPrivate {
  /** The `source.name` that responses show. */
  source: string;
  source_listing_id: string;
  /** Keys of the photos in the CDN bucket (letters, digits, `/`, `.`, `-` only), in order. */
  photos: string[];
  /** Epoch seconds of `first_seen_at`, for `days_on_market` without parsing a date. */
  first_seen: number;
  /** Epoch seconds at which the listing was last confirmed live, as of the time when the document was written. */
  last_seen: number;
  advertiser_type: AdvertiserType | null;
  /**
   * The same value for all ads by one advertiser, without identifying the advertiser. Null if the source states no
   * advertiser.
   */
  advertiser: string | null;
  /** Plausibility by the bounds for the property type, and by pooled bounds, which also hold if the former do. */
  plausible_typed: boolean;
  plausible_pooled: boolean;
  /**
   * Epoch microseconds of `modified_at`. Missing in documents of earlier versions, for which `firstModified` computes
   * the value.
   */
  modified?: number;
  /** Quality flags; undefined if there are none, so that listings without flags keep their stored form. */
  quality?: QualityFlag[];
  /** Fields of the unit's off-plan project that filters use; undefined in documents of earlier versions. */
  project?: UnitProject | null;
}

/** The `_source` of an index document: all fields needed to serve and to rebuild the document. */
export interface StoredListing {
  display: ListingDisplay;
  private: ListingPrivate;
}
