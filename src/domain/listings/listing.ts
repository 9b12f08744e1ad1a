import type { UnitProject } from '../off-plan/project.ts';
import type { ListingDisplay } from './schema.ts';
import type { AdvertiserType, QualityFlag } from './vocabulary.ts';

export type { Listing, ListingDisplay } from './schema.ts';

/** ISO 8601, UTC: `YYYY-MM-DDThh:mm:ssZ`. */
export type Timestamp = string;

export type Location = ListingDisplay['location'];
export type Financing = ListingDisplay['financing'];

/** Not served as stored: responses and documents are built from them. */
export interface ListingPrivate {
  /** The `source.name` that responses show. */
  source: string;
  source_listing_id: string;
  /** In the CDN bucket (letters, digits, `/`, `.`, `-` only), in order. */
  photos: string[];
  /** Epoch seconds, for `days_on_market` without parsing a date. */
  first_seen: number;
  /** Epoch seconds of the last confirmation, as of the time when the document was written. */
  last_seen: number;
  advertiser_type: AdvertiserType | null;
  /** Equal for all ads by one advertiser, without identifying it. Null if the source states none. */
  advertiser: string | null;
  /** Public id of the company, drawn at random. Undefined for individuals, and if the source states no key. */
  advertiser_ref?: string;
  /** By the bounds for the property type, and by pooled bounds, which also hold if the former do. */
  plausible_typed: boolean;
  plausible_pooled: boolean;
  /** Epoch microseconds. Missing in documents of earlier versions, for which `firstModified` computes it. */
  modified?: number;
  /** Undefined if there are none, so that listings without flags keep their stored form. */
  quality?: QualityFlag[];
  /** Of the unit's off-plan project, for filters; undefined in documents of earlier versions. */
  project?: UnitProject | null;
}

/** All fields needed to serve and to rebuild the document. */
export interface StoredListing {
  display: ListingDisplay;
  private: ListingPrivate;
}
