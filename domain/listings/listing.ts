import type { AdvertiserType, QualityFlag } from '../listing-vocabulary.ts';
import type { UnitProject } from '../off-plan/project.ts';
import type { ListingDisplay } from './listing-schema.ts';

export type { Listing, ListingDisplay } from './listing-schema.ts';

/** ISO 8601, UTC: `YYYY-MM-DDThh:mm:ssZ`. */
export type Timestamp = string;

export type Location = ListingDisplay['location'];
export type Financing = ListingDisplay['financing'];

/** Facts that are not served as stored. Responses and documents are built from them. */
export interface ListingPrivate {
  source: string;
  source_listing_id: string;
  /** Keys in the CDN bucket, in order. They contain only letters, digits, `/`, `.` and `-`. */
  photos: string[];
  /** Epoch seconds, so that `days_on_market` needs no date parsing. */
  first_seen: number;
  /** Epoch seconds of the last confirmation, as of the time when the document was written. */
  last_seen: number;
  advertiser_type: AdvertiserType | null;
  /** Digest that is equal for all ads by one advertiser, without identifying it. Null if the source states none. */
  advertiser: string | null;
  /** Public id of the company, drawn at random. Undefined for individuals, and if the source states no key. */
  advertiser_ref?: string;
  /**
   * Whether price and area are within the bounds for the property type, or within pooled bounds, which also hold if the
   * former do.
   */
  plausible_typed: boolean;
  plausible_pooled: boolean;
  /** Epoch microseconds. */
  modified: number;
  /** Undefined if there are none, so that listings without flags keep their stored form. */
  quality?: QualityFlag[];
  /** The unit's off-plan project, for filters. Undefined in documents of earlier versions. */
  project?: UnitProject | null;
}

export interface StoredListing {
  display: ListingDisplay;
  private: ListingPrivate;
}
